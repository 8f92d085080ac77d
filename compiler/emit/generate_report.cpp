// SPDX-License-Identifier: Apache-2.0
#include "emit/generate_report.h"

#include "base/units.h"
#include "text/numbers.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>

namespace poolwright::emit {

using namespace report;

namespace {

const std::string dashes(84, '-');
const std::string closing = std::string(84, '=') + "\n";

std::string right(const std::string& text, std::size_t width) {
    return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

std::string left(const std::string& text, std::size_t width) {
    return text.size() >= width ? text : text + std::string(width - text.size(), ' ');
}

std::string centred(const std::string& text, std::size_t width) {
    return text.size() >= width ? text : left(std::string((width - text.size()) / 2, ' ') + text, width);
}

/// "   147.875 kB", "         0  B": 13 characters.
std::string sizeField(ByteCount bytes) {
    const double value = double(bytes.value);
    if (value >= 1024 * 1024)
        return right(text::formatFixed(value / 1024 / 1024, 3), 10) + " MB";
    if (value >= 1024)
        return right(text::formatFixed(value / 1024, 3), 10) + " kB";
    return right(std::to_string(bytes.value), 10) + "  B";
}

std::string shareField(ByteCount part, ByteCount whole) {
    const double percent = whole.value > 0 ? 100.0 * double(part.value) / double(whole.value) : 0;
    return "(" + right(text::formatFixed(percent, 2), 6) + " % used)";
}

std::string poolHead(const Pool& pool) {
    return "\t" + left(pool.name, 10) + " [" + toText(pool.address) + " - " + toText(pool.address + pool.size) + "]:";
}

std::string memoryLine(const Pool& pool) {
    return poolHead(pool) + " " + sizeField(pool.used) + " / " + sizeField(pool.size) + "  " +
           shareField(pool.used, pool.size) + " -- weights: " + sizeField(pool.weights) + " " +
           shareField(pool.weights, pool.size) + "  activations: " + sizeField(pool.activations) + " " +
           shareField(pool.activations, pool.size) + "\n";
}

/// Those of the application first, as the vendor's tool has them (their address is 0), then by address.
std::vector<const Pool*> listedPools(const Report& report) {
    std::vector<const Pool*> pools;
    for (const Pool& pool : report.pools)
        if (!pool.isVirtual)
            pools.push_back(&pool);
    std::stable_partition(pools.begin(), pools.end(), [](const Pool* pool) { return pool->userAllocated; });
    return pools;
}

/// The sums count what the lines show, user-allocated input and output included.
std::string memoryUsage(const Report& report) {
    std::string text = "Memory usage information  (input/output buffers are included in activations)\n" + dashes + "\n";
    ByteCount weights, activations;
    for (const Pool* pool : listedPools(report)) {
        text += memoryLine(*pool);
        weights += pool->weights;
        activations += pool->activations;
    }
    return text + "---\nTotal:" + std::string(40, ' ') + sizeField(weights + activations) + std::string(34, ' ') +
           "-- weights: " + sizeField(weights) + std::string(18, ' ') + "activations: " + sizeField(activations) +
           std::string(19, ' ') + "\n" + closing;
}

std::string usedRanges(const Report& report) {
    std::string text = "Used memory ranges\n" + dashes + "\n";
    for (const Pool* pool : listedPools(report))
        if (pool->used.value > 0)
            text += poolHead(*pool) + " " + toText(pool->address) + "-" +
                    toText(pool->address + ByteCount(alignUp(pool->used.value, 16))) + "\n";
    return text + closing;
}

std::string operation(const Epoch& epoch) {
    return epoch.operators.empty() ? std::string() : epoch.operators.front().kind;
}

std::string plainRow(const Epoch& epoch) {
    const std::string head = "epoch " + left(std::to_string(epoch.ordinal), 7);
    if (epoch.kind == "SW")
        return head + "-SW-   (" + centred(operation(epoch), 20) + ")\n";
    return head + " " + (epoch.kind == "hybrid" ? "??" : epoch.kind) + "    \n";
}

std::string plainTable(const Report& report) {
    const Totals& totals = report.totals;
    std::string text = "Total number of epochs: " + std::to_string(totals.epochs) + " of which " +
                       std::to_string(totals.sw) +
                       " implemented in software\n---\nepoch ID   HW/SW/EC Operation (SW only)\n";
    for (const Epoch& epoch : report.epochs)
        if (epoch.runs())
            text += plainRow(epoch);
    return text;
}

struct BoxedRow {
    std::string id, type, details;
};

/// Consecutive epochs of one blob are one row.
std::vector<BoxedRow> boxedRows(const Report& report) {
    std::vector<BoxedRow> rows;
    for (std::size_t i = 0; i < report.epochs.size(); ++i) {
        const Epoch& epoch = report.epochs[i];
        if (!epoch.runs())
            continue;
        std::size_t last = i;
        while (!epoch.blob.empty() && last + 1 < report.epochs.size() && report.epochs[last + 1].runs() &&
               report.epochs[last + 1].blob == epoch.blob)
            ++last;
        const std::string range = "epochs " + right(std::to_string(i), 4) + " -> " + std::to_string(last);
        rows.push_back({last > i ? range : "epoch_" + std::to_string(i), epoch.kind == "hybrid" ? "SW+HW" : epoch.kind,
                        epoch.kind == "SW" || epoch.kind == "hybrid" ? operation(epoch) : ""});
        i = last;
    }
    return rows;
}

std::string boxedTable(const Report& report) {
    const std::vector<BoxedRow> rows = boxedRows(report);
    std::size_t widths[3] = {8, 4, 7};
    for (const BoxedRow& row : rows) {
        widths[0] = std::max(widths[0], row.id.size());
        widths[1] = std::max(widths[1], row.type.size());
        widths[2] = std::max(widths[2], row.details.size());
    }
    std::string rule;
    for (std::size_t width : widths)
        rule += "+" + std::string(width + 2, '-');
    rule += "+\n";
    std::string text = rule + "| " + left("epoch ID", widths[0]) + " | " + left("Type", widths[1]) + " | " +
                       left("Details", widths[2]) + " |\n" + rule;
    for (const BoxedRow& row : rows)
        text += "| " + left(row.id, widths[0]) + " | " + centred(row.type, widths[1]) + " | " +
                left(row.details, widths[2]) + " |\n";
    return text + rule;
}

std::string countLine(const char* label, int count) {
    return left(label, 52) + right(std::to_string(count), 3);
}

std::string countedTable(const Report& report) {
    const Totals& totals = report.totals;
    return countLine("Total number of epochs", totals.epochs) + "\n" +
           countLine(">> pure software (SW) epochs", totals.sw) + "\n" +
           countLine(">> hybrid epochs (using both software and hardware)", totals.hybrid) + "\n" +
           countLine(">> pure hardware (HW or EC) epochs", totals.hw) + "  (implemented in " +
           std::to_string(totals.ecBlobs) + " epoch controller blobs/meta epochs)\n---\n" + boxedTable(report);
}

std::string banner(const GenerateReportOptions& options) {
    std::string text = "Poolwright v" + options.toolVersion + "\n";
    if (options.secondsSince1970) {
        const std::time_t seconds = std::time_t(*options.secondsSince1970);
        std::tm utc{};
        char date[64] = "";
        if (gmtime_r(&seconds, &utc))
            std::strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &utc);
        text += "Created date          : " + std::string(date) + "\n";
    }
    if (!options.commandLine.empty())
        text += "Parameters            : " + options.commandLine + "\n";
    return text + "\n";
}

} // namespace

std::optional<std::int64_t> sourceDateEpoch() {
    const char* value = std::getenv("SOURCE_DATE_EPOCH");
    return value ? text::parseInteger(value) : std::nullopt;
}

std::string generateReport(const Report& report, const GenerateReportOptions& options) {
    const std::string version = report.provenance.version.empty() ? options.toolVersion : report.provenance.version;
    std::string text = banner(options) + layerTable(report) + "\n\n\n\n\n";
    text += "Compilation details\n" + dashes + "\nCompiler version: " + version +
            "\nCompiler arguments:  " + report.provenance.options + "\n" + closing + "\n";
    text += memoryUsage(report) + "\n\n" + usedRanges(report) + "\n";
    text += "Epochs details\n" + dashes + "\n";
    return text + (options.form == ReportForm::V2_2 ? plainTable(report) : countedTable(report)) + closing;
}

} // namespace poolwright::emit
