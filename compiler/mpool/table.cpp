// SPDX-License-Identifier: Apache-2.0
#include "mpool/table.h"

#include "mpool/check.h"
#include "mpool/schema.h"
#include "text/escape.h"
#include "text/json.h"
#include "text/numbers.h"

#include <algorithm>

namespace poolwright::mpool {

static std::string written(const Quantity& quantity) {
    return quantity.valueText + " " + word(quantity.magnitude);
}

static TableRow concreteRow(const Pool& pool) {
    TableRow row;
    row.name = pool.name;
    row.fname = pool.fname;
    row.state = pool.isEnabled() ? "enabled" : "disabled";
    row.mode = word(pool.mode);
    row.format = word(pool.format);
    row.range = pool.range();
    row.writtenOffset = written(pool.offset);
    row.writtenSize = written(pool.size);
    row.properties = pool.properties;
    return row;
}

static TableRow virtualRow(const PoolFile& file, const EffectivePool& pool) {
    TableRow row;
    row.name = pool.name;
    row.fname = pool.fname;
    row.state = "virtual";
    row.mode = word(pool.mode);
    row.format = word(pool.format);
    row.range = pool.range;
    row.reservedTail = pool.reservedTail;
    row.properties = pool.properties;
    row.score = pool.score;
    for (PoolId id : pool.members)
        row.members.push_back(file[id].name);
    return row;
}

std::vector<TableRow> tableRows(const PoolFile& file, bool mergeAdjacent, RuntimeGeneration generation) {
    std::vector<TableRow> rows;
    for (const Pool& pool : file.pools)
        rows.push_back(concreteRow(pool));
    for (const Overlap& overlap : overlaps(file)) {
        rows[std::size_t(overlap.first.index)].overlaps.push_back(file[overlap.second].name);
        rows[std::size_t(overlap.second.index)].overlaps.push_back(file[overlap.first].name);
    }
    for (const EffectivePool& pool : effectivePools(file, mergeAdjacent, generation)) {
        if (pool.isVirtual()) {
            rows.push_back(virtualRow(file, pool));
            continue;
        }
        TableRow& row = rows[std::size_t(pool.members.front().index)];
        row.score = pool.score;
        row.reservedTail = pool.reservedTail;
    }
    return rows;
}

Totals totals(const PoolFile& file) {
    Totals sum;
    // Relative pools may claim nearly 2^63 bytes (the compiler's own pool of parameters): they are no memory of the
    // device.
    for (const EffectivePool& pool : effectivePools(file, false, RuntimeGeneration::V2))
        if (pool.mode == UseMode::Absolute)
            (pool.external ? sum.external : sum.internal) += pool.range.size;
    return sum;
}

static std::vector<std::string> cells(const TableRow& row) {
    const Properties& p = row.properties;
    std::string traits = std::string(word(p.throughput)) + "/" + word(p.latency);
    std::string notes = row.state == "enabled" ? std::string() : row.state;
    const auto note = [&](const std::string& text) { notes += (notes.empty() ? "" : ", ") + text; };
    if (row.mode == word(UseMode::Relative))
        note("relative");
    if (p.cacheable)
        note("cacheable");
    if (p.constantsPreferred)
        note("constants preferred");
    if (row.reservedTail.value > 0)
        note("last " + std::to_string(row.reservedTail.value) + " B reserved");
    for (const std::string& other : row.overlaps)
        note("OVERLAPS " + other);
    for (const std::string& member : row.members)
        note((&member == &row.members.front() ? "of " : "") + member);
    return {row.name,
            toText(row.range.start),
            toText(row.range.end()),
            toText(row.range.size),
            row.writtenSize,
            p.rights == Rights::ReadOnly ? "R" : "RW",
            traits,
            std::to_string(p.byteWidth) + " B",
            text::formatDouble(p.freqRatio),
            row.score ? std::to_string(row.score) : "-",
            notes};
}

static bool isNumeric(std::size_t column) {
    return column == 3 || (column >= 7 && column <= 9);
}

static std::string aligned(const std::vector<std::vector<std::string>>& table) {
    std::vector<std::size_t> widths(table.front().size());
    for (const auto& row : table)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    std::string out;
    for (const auto& row : table) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - row[i].size(), ' ');
            line += (i ? "  " : "") + (isNumeric(i) ? padding + row[i] : row[i] + padding);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string tableAsText(const PoolFile& file, bool mergeAdjacent, RuntimeGeneration generation) {
    std::vector<std::vector<std::string>> table = {
        {"pool", "start", "end", "size", "as written", "rights", "speed", "width", "ratio", "score", "notes"}};
    for (const TableRow& row : tableRows(file, mergeAdjacent, generation))
        table.push_back(cells(row));
    const Totals sum = totals(file);
    return aligned(table) + "total: internal " + toText(sum.internal) + ", external " + toText(sum.external) + "\n";
}

static std::string jsonList(const std::vector<std::string>& items) {
    std::string out = "[";
    for (const std::string& item : items)
        out += (out.size() > 1 ? ", " : "") + text::jsonQuote(item);
    return out + "]";
}

static std::string rowAsJson(const TableRow& row) {
    using text::jsonQuote;
    const Properties& p = row.properties;
    const auto boolean = [](bool value) { return value ? "true" : "false"; };
    return "{\"name\": " + jsonQuote(row.name) + ", \"fname\": " + jsonQuote(row.fname) +
           ", \"state\": " + jsonQuote(row.state) + ", \"mode\": " + jsonQuote(row.mode) +
           ", \"format\": " + jsonQuote(row.format) + ", \"address\": " + std::to_string(row.range.start.value) +
           ", \"end\": " + std::to_string(row.range.end().value) +
           ", \"size_bytes\": " + std::to_string(row.range.size.value) +
           ", \"written_offset\": " + jsonQuote(row.writtenOffset) +
           ", \"written_size\": " + jsonQuote(row.writtenSize) +
           ", \"reserved_tail_bytes\": " + std::to_string(row.reservedTail.value) +
           ", \"rights\": " + jsonQuote(word(p.rights)) + ", \"throughput\": " + jsonQuote(word(p.throughput)) +
           ", \"latency\": " + jsonQuote(word(p.latency)) + ", \"byte_width\": " + std::to_string(p.byteWidth) +
           ", \"freq_ratio\": " + text::formatDouble(p.freqRatio) +
           ", \"read_power\": " + text::formatDouble(p.readPower) +
           ", \"write_power\": " + text::formatDouble(p.writePower) + ", \"cacheable\": " + boolean(p.cacheable) +
           ", \"constants_preferred\": " + boolean(p.constantsPreferred) + ", \"score\": " + std::to_string(row.score) +
           ", \"virtual\": " + boolean(!row.members.empty()) + ", \"members\": " + jsonList(row.members) +
           ", \"overlaps\": " + jsonList(row.overlaps) + "}";
}

std::string tableAsJson(const PoolFile& file, bool mergeAdjacent, RuntimeGeneration generation) {
    std::string pools;
    for (const TableRow& row : tableRows(file, mergeAdjacent, generation))
        pools += (pools.empty() ? "\n    " : ",\n    ") + rowAsJson(row);
    const Totals sum = totals(file);
    return "{\n  \"schema_version\": 1,\n  \"path\": " + text::jsonQuote(file.path) + ",\n  \"pools\": [" + pools +
           "\n  ],\n  \"totals\": {\"internal_bytes\": " + std::to_string(sum.internal.value) +
           ", \"external_bytes\": " + std::to_string(sum.external.value) +
           "},\n  \"diagnostics\": " + text::diagnosticsJson(file.findings) + "\n}\n";
}

std::string checksAsJson(const std::vector<CheckedFile>& files) {
    bool ok = true;
    std::string list;
    for (const CheckedFile& file : files) {
        ok &= !file.hasErrors();
        list += std::string(list.empty() ? "\n    " : ",\n    ") + "{\"path\": " + text::jsonQuote(file.path) +
                ", \"ok\": " + (file.hasErrors() ? "false" : "true") +
                ", \"diagnostics\": " + text::diagnosticsJson(file.diagnostics) + "}";
    }
    return std::string("{\n  \"schema_version\": 1,\n  \"ok\": ") + (ok ? "true" : "false") + ",\n  \"files\": [" +
           list + "\n  ]\n}\n";
}

} // namespace poolwright::mpool
