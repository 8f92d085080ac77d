// SPDX-License-Identifier: Apache-2.0
#include "emit/recap.h"

#include "text/csv.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace poolwright::emit {

using namespace report;
using Json = nlohmann::ordered_json;

namespace {

bool isStreamEngine(const UnitUse& use) {
    return use.unit.starts_with("STREAM_ENG");
}

/// Unit nodes are named after their operator: "Conv2D_3_mul_scale_12" belongs to Conv2D_3.
bool belongsTo(const UnitUse& use, const Operator& op) {
    return use.node == op.name || use.node.starts_with(op.name + "_");
}

std::vector<std::string> unitsOf(const Epoch& epoch, const Operator& op) {
    std::vector<std::string> units;
    for (const UnitUse& use : epoch.units)
        if (!isStreamEngine(use) && (epoch.operators.size() == 1 || belongsTo(use, op)))
            units.push_back(use.unit);
    return units;
}

RecapRow rowOf(const Epoch& epoch, const Operator& op) {
    RecapRow row;
    row.name = op.name;
    row.kind = op.kind;
    row.originalNames = op.originalNames;
    row.epoch = epoch.ordinal;
    row.epochName = epoch.name;
    row.mapping = epoch.kind;
    row.units = unitsOf(epoch, op);
    row.reason = !epoch.reason.empty() ? epoch.reason : epoch.boundBy.empty() ? "" : "bound by " + epoch.boundBy;
    row.macs = op.macs;
    row.cycles = epoch.vendorCycles;
    return row;
}

std::string joined(const std::vector<std::string>& parts, const char* separator) {
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : separator) + part;
    return text;
}

using Cells = std::vector<std::string>;

std::vector<Cells> tableOf(const std::vector<RecapRow>& rows) {
    std::vector<Cells> table{{"operator", "kind", "epoch", "mapping", "cycles", "units", "why"}};
    for (const RecapRow& row : rows)
        table.push_back({row.name, row.kind, std::to_string(row.epoch), row.mapping, std::to_string(row.cycles),
                         joined(row.units, ", "), row.reason});
    return table;
}

std::string aligned(const std::vector<Cells>& table) {
    std::vector<std::size_t> widths(table.front().size());
    for (const Cells& cells : table)
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], cells[i].size());
    std::string text;
    for (const Cells& cells : table) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i)
            line += cells[i] + std::string(widths[i] - cells[i].size() + 2, ' ');
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string counts(const Totals& totals) {
    return std::to_string(totals.epochs) + " epochs: " + std::to_string(totals.hw) + " hardware, " +
           std::to_string(totals.hybrid) + " hybrid, " + std::to_string(totals.sw) + " software; " +
           std::to_string(totals.ecBlobs) + " epoch controller blobs\n";
}

} // namespace

std::vector<RecapRow> recapRows(const Report& report) {
    std::vector<RecapRow> rows;
    for (const Epoch& epoch : report.epochs) {
        if (!epoch.runs())
            continue;
        for (const Operator& op : epoch.operators)
            rows.push_back(rowOf(epoch, op));
        if (epoch.operators.empty())
            rows.push_back(rowOf(epoch, {epoch.name, "", {}, 0}));
    }
    return rows;
}

std::string recapText(const Report& report) {
    return aligned(tableOf(recapRows(report))) + "\n" + counts(report.totals);
}

std::string recapJson(const Report& report) {
    Json json = {{"schema_version", 1}, {"operators", Json::array()}};
    for (const RecapRow& row : recapRows(report))
        json["operators"].push_back({{"name", row.name},
                                     {"kind", row.kind},
                                     {"original_names", row.originalNames},
                                     {"epoch", row.epoch},
                                     {"epoch_name", row.epochName},
                                     {"mapping", row.mapping},
                                     {"units", row.units},
                                     {"why", row.reason},
                                     {"macs", row.macs},
                                     {"vendor_cycles", row.cycles}});
    const Totals& totals = report.totals;
    json["epochs"] = {{"total", totals.epochs},
                      {"hw", totals.hw},
                      {"sw", totals.sw},
                      {"hybrid", totals.hybrid},
                      {"ec_blobs", totals.ecBlobs}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string recapCsv(const Report& report) {
    std::string text = text::csvLine(
        {"operator", "kind", "original_names", "epoch", "mapping", "units", "macs", "vendor_cycles", "why"});
    for (const RecapRow& row : recapRows(report))
        text +=
            text::csvLine({row.name, row.kind, joined(row.originalNames, ";"), std::to_string(row.epoch), row.mapping,
                           joined(row.units, ";"), std::to_string(row.macs), std::to_string(row.cycles), row.reason});
    return text;
}

} // namespace poolwright::emit
