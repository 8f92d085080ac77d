// SPDX-License-Identifier: Apache-2.0
#include "artefacts/generate_report.h"

#include "artefacts/lines.h"
#include "report/derive.h"

#include <algorithm>

namespace poolwright::artefacts {

using namespace report;

namespace {

constexpr int mostEpochs = 100'000;

/// A log shows the report's lines behind a progress bar that ends in a carriage return.
std::string withoutProgress(const std::string& line) {
    const std::size_t end = line.rfind('\r');
    return end == std::string::npos ? line : std::string(trimmed(std::string_view(line).substr(end + 1)));
}

/// `name [0xA - 0xB]: rest`.
struct PoolLine {
    std::string name;
    std::uint64_t begin = 0, end = 0;
    std::string rest;
};

std::optional<PoolLine> parsePoolLine(const std::string& line) {
    const std::size_t open = line.find("[0x"), close = line.find("]:");
    if (open == std::string::npos || close == std::string::npos || close < open)
        return std::nullopt;
    const auto range = words(std::string_view(line).substr(open + 1, close - open - 1));
    constexpr std::uint64_t most = std::uint64_t(1) << 44;
    const std::uint64_t begin = range.size() == 3 ? parseInteger(range[0]).value_or(most + 1) : most + 1;
    const std::uint64_t end = range.size() == 3 ? parseInteger(range[2]).value_or(most + 1) : most + 1;
    const std::string name(trimmed(std::string_view(line).substr(0, open)));
    if (begin > end || end > most || name.empty())
        return std::nullopt;
    return PoolLine{name, begin, end, line.substr(close + 2)};
}

/// The size in front of `mark` ("/", "(", ...): the last two words before it.
std::optional<std::int64_t> sizeBefore(const std::string& text, std::size_t mark) {
    const auto parts = words(std::string_view(text).substr(0, mark));
    if (mark == std::string::npos || parts.size() < 2)
        return std::nullopt;
    return parseSize(parts[parts.size() - 2] + " " + parts.back());
}

std::optional<std::int64_t> sizeAfter(const std::string& text, const std::string& label) {
    const std::size_t at = text.find(label);
    if (at == std::string::npos)
        return std::nullopt;
    const auto parts = words(std::string_view(text).substr(at + label.size()));
    return parts.size() < 2 ? std::nullopt : parseSize(parts[0] + " " + parts[1]);
}

void readMemoryLine(const PoolLine& line, Report& report) {
    const auto used = sizeBefore(line.rest, line.rest.find('/'));
    if (!used)
        return;
    Pool pool;
    pool.name = line.name;
    pool.address = Address(line.begin);
    pool.size = ByteCount(std::int64_t(line.end - line.begin));
    pool.used = ByteCount(*used);
    pool.weights = ByteCount(sizeAfter(line.rest, "weights:").value_or(0));
    pool.activations = ByteCount(sizeAfter(line.rest, "activations:").value_or(0));
    pool.userAllocated = line.name.starts_with("_user_io_");
    pool.external = isExternal(pool.address);
    report.pools.push_back(pool);
}

/// `kind` is "-SW-", "HW", "EC" or "??" (hybrid; the later form's word for it is not known, so all else is hybrid too).
std::string kindOf(const std::string& word) {
    if (word == "-SW-" || word == "SW")
        return "SW";
    return word == "HW" || word == "EC" ? word : "hybrid";
}

Epoch* epochAt(Report& report, std::uint64_t ordinal) {
    if (ordinal > std::uint64_t(mostEpochs))
        return nullptr;
    while (report.epochs.size() <= ordinal) {
        Epoch epoch;
        epoch.ordinal = int(report.epochs.size());
        epoch.name = "epoch_" + std::to_string(epoch.ordinal);
        epoch.kind = "none";
        report.epochs.push_back(epoch);
    }
    return &report.epochs[ordinal];
}

void addEpochs(Report& report, std::uint64_t first, std::uint64_t last, const std::string& kind,
               const std::string& operation) {
    for (std::uint64_t ordinal = first; ordinal <= last; ++ordinal) {
        Epoch* epoch = epochAt(report, ordinal);
        if (!epoch)
            return;
        epoch->kind = kindOf(kind);
        if (!operation.empty())
            epoch->operators.push_back({operation, operation, {}, 0});
        if (epoch->kind == "EC" && last > first) // a range is one blob
            epoch->blob = "_ec_blob_" + std::to_string(first);
    }
}

/// "epoch 13     -SW-   (        Conv        )".
bool readEarlyRow(const std::vector<std::string>& parts, Report& report) {
    if (parts.size() < 3 || parts[0] != "epoch")
        return false;
    const auto ordinal = parseInteger(parts[1]);
    if (!ordinal)
        return false;
    addEpochs(report, *ordinal, *ordinal, parts[2], parts.size() > 4 && parts[3] == "(" ? parts[4] : std::string());
    return true;
}

/// "| epoch_2 | HW | |" or "| epochs    1 -> 14 | EC | |".
bool readBoxedRow(const std::string& line, Report& report) {
    if (!line.starts_with("| epoch"))
        return false;
    const auto cells = split(line, '|');
    if (cells.size() < 4)
        return false;
    const auto id = words(cells[1]);
    const std::string kind(trimmed(cells[2])), details(trimmed(cells[3]));
    if (id.size() == 1 && id[0].starts_with("epoch_")) {
        if (const auto ordinal = parseInteger(id[0].substr(6)))
            addEpochs(report, *ordinal, *ordinal, kind, details);
        return true;
    }
    const auto first = id.size() == 4 ? parseInteger(id[1]) : std::nullopt;
    const auto last = id.size() == 4 ? parseInteger(id[3]) : std::nullopt;
    if (first && last && id[2] == "->")
        addEpochs(report, *first, *last, kind, details);
    return true;
}

std::string afterColon(const std::string& line) {
    const std::size_t colon = line.find(':');
    return colon == std::string::npos ? std::string() : std::string(trimmed(std::string_view(line).substr(colon + 1)));
}

void readProvenanceLine(const std::string& line, Provenance& provenance) {
    if (line.starts_with("ST Edge AI Core v"))
        provenance.tool = "ST Edge AI Core";
    else if (line.starts_with("Poolwright v"))
        provenance.tool = "poolwright";
    else if (line.starts_with("Compiler version:"))
        provenance.version = afterColon(line);
    else if (line.starts_with("Compiler arguments:"))
        provenance.options = afterColon(line);
}

void addReturnEpoch(Report& report) {
    if (!report.epochs.empty())
        epochAt(report, report.epochs.size());
}

/// One reader's state: which block the lines belong to.
enum class Block { Head, Memory, Ranges, Epochs };

Block blockOf(const std::string& line, Block current) {
    if (line.starts_with("Memory usage information"))
        return Block::Memory;
    if (line.starts_with("Used memory ranges"))
        return Block::Ranges;
    if (line.starts_with("Epochs details"))
        return Block::Epochs;
    return current;
}

} // namespace

Result<Report> readGenerateReport(const std::string& text, const std::string& path) {
    Report report;
    report.provenance.sources = {"generate report"};
    Block block = Block::Head;
    for (const std::string& raw : linesOf(text)) {
        const std::string line = withoutProgress(raw);
        block = blockOf(line, block);
        readProvenanceLine(line, report.provenance);
        if (block == Block::Memory) {
            if (const auto pool = parsePoolLine(line))
                readMemoryLine(*pool, report);
        } else if (line.starts_with("epoch ") || line.starts_with("| epoch")) {
            if (!readBoxedRow(line, report))
                readEarlyRow(words(line), report);
        }
    }
    if (report.pools.empty() && report.epochs.empty())
        return fail(makeError("PW5014", "the report text has neither memory pools nor epochs", {path, 0, 0, {}},
                              "a report of a model that does not use the NPU has none"));
    addReturnEpoch(report);
    return report;
}

} // namespace poolwright::artefacts
