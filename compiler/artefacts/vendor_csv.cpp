// SPDX-License-Identifier: Apache-2.0
#include "artefacts/vendor_csv.h"

#include "artefacts/lines.h"
#include "report/derive.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace poolwright::artefacts {

using namespace report;

namespace {

/// One row: the fields by heading.
class Row {
public:
    Row(const std::map<std::string, std::size_t>& columns, const std::vector<double>& values)
        : m_columns(columns)
        , m_values(values) {}

    double number(const std::string& heading) const {
        const auto it = m_columns.find(heading);
        return it == m_columns.end() ? 0 : m_values[it->second];
    }
    std::int64_t integer(const std::string& heading) const { return std::int64_t(std::llround(number(heading))); }

private:
    const std::map<std::string, std::size_t>& m_columns;
    const std::vector<double>& m_values;
};

struct Table {
    std::map<std::string, std::size_t> columns; // by heading; of equal ones the first counts
    std::size_t width = 0;                      // columns, equal headings counted each
    std::vector<std::string> pools;             // in the order of the columns
    std::vector<std::vector<double>> rows;
};

/// Pool names are what stands before " (r)", " (w)", " (cycles)" in the headings; the ports are no pools.
void readHeader(const std::string& line, Table& table) {
    const auto headings = split(line, ',');
    table.width = headings.size();
    for (std::size_t i = 0; i < headings.size(); ++i) {
        const std::string heading(trimmed(headings[i]));
        table.columns.emplace(heading, i);
        const std::size_t mark = heading.rfind(" (r)");
        if (mark != std::string::npos && mark + 4 == heading.size() && !heading.starts_with("bus port"))
            table.pools.push_back(heading.substr(0, mark));
    }
}

Diagnostic badField(const std::string& path, int line, std::size_t column, const std::string& field) {
    return makeError("PW5013", "\"" + field.substr(0, 40) + "\" is not a number", {path, line, int(column) + 1, {}},
                     "the column counts fields, separated by commas");
}

Result<std::vector<double>> readRow(const std::string& line, const Table& table, const std::string& path, int number) {
    std::vector<double> values(table.width, 0.0);
    const auto fields = split(line, ',');
    for (std::size_t i = 0; i < fields.size() && i < values.size(); ++i) {
        const auto value = parseNumber(trimmed(fields[i]));
        if (!value)
            return fail(badField(path, number, i, std::string(trimmed(fields[i]))));
        values[i] = *value;
    }
    return values;
}

PoolTraffic trafficOf(const Row& row, const std::string& pool, int index) {
    PoolTraffic traffic{index, row.integer(pool + " (r)"), row.integer(pool + " (w)"), row.number(pool + " (r cycles)"),
                        row.number(pool + " (w cycles)")};
    // A shorter table has the sum only: it is shared out by bytes.
    const double sum = row.number(pool + " (cycles)");
    const double bytes = double(traffic.readBytes) + double(traffic.writeBytes);
    if (traffic.readCycles == 0 && traffic.writeCycles == 0 && sum > 0 && bytes > 0) {
        traffic.readCycles = sum * double(traffic.readBytes) / bytes;
        traffic.writeCycles = sum - traffic.readCycles;
    }
    return traffic;
}

Epoch epochOf(const Row& row, const Table& table) {
    Epoch epoch;
    epoch.ordinal = int(std::clamp<std::int64_t>(row.integer("epochs"), 0, 10'000'000));
    epoch.name = "epoch_" + std::to_string(epoch.ordinal);
    epoch.kind.clear();
    for (std::size_t i = 0; i < table.pools.size(); ++i) {
        const PoolTraffic traffic = trafficOf(row, table.pools[i], int(i));
        if (traffic.readBytes != 0 || traffic.writeBytes != 0 || traffic.readCycles != 0 || traffic.writeCycles != 0)
            epoch.traffic.push_back(traffic);
    }
    for (int port : {0, 1}) {
        epoch.busRead[port] = row.integer("bus port " + std::to_string(port) + " (r)");
        epoch.busWrite[port] = row.integer("bus port " + std::to_string(port) + " (w)");
    }
    epoch.operations = row.integer("epoch OPS");
    epoch.computeCycles = row.integer("epoch compute (cyles)");
    epoch.vendorCycles = row.integer("max (cycles)");
    epoch.atonPower = row.number("epoch average ATON power (mW)");
    epoch.memoryPower = row.number("epoch average memory power (mW)");
    return epoch;
}

/// `name , 425.00 KB , total bytes r/w BW,2.4e+09` -> used size.
void readPoolLine(const std::string& line, Report& report) {
    const auto fields = split(line, ',');
    const std::string name(trimmed(fields.front()));
    const auto pool =
        std::find_if(report.pools.begin(), report.pools.end(), [&](const Pool& p) { return p.name == name; });
    if (pool == report.pools.end() || fields.size() < 2)
        return;
    if (const auto bytes = parseSize(trimmed(fields[1])))
        pool->used = ByteCount(*bytes);
}

struct Summary {
    double totalCycles = 0, atonPower = 0, memoryPower = 0;
};

void readSummaryLine(const std::string& line, Report& report, Summary& summary) {
    const auto fields = split(line, ',');
    if (fields.size() < 2)
        return;
    const std::string name(trimmed(fields[0]));
    const double value = parseNumber(trimmed(fields[1])).value_or(0);
    if (name == "Total cycles")
        summary.totalCycles = value;
    else if (name.starts_with("Average ATON power"))
        summary.atonPower = value;
    else if (name.starts_with("Average memory power"))
        summary.memoryPower = value;
    else if (name.starts_with("Frames/sec("))
        report.nominalMegahertz = std::max(1.0, parseNumber(split(name.substr(11), ' ').front()).value_or(1000));
}

/// Energy = printed power x compute, and for stream-only epochs (power printed as 0) their share of the total (section
/// 4, items 6 to 8).
void fillEnergies(const Table& table, const Summary& summary, Report& report) {
    for (std::size_t i = 0; i < report.epochs.size(); ++i) {
        Epoch& epoch = report.epochs[i];
        const Row row(table.columns, table.rows[i]);
        epoch.atonEnergy = epoch.atonPower * double(epoch.computeCycles);
        epoch.memoryEnergy = epoch.memoryPower * double(epoch.computeCycles);
        if (epoch.computeCycles != 0)
            continue;
        epoch.atonEnergy = row.number("epoch average ATON power vs Tot %") * summary.atonPower * summary.totalCycles;
        epoch.memoryEnergy =
            row.number("epoch average memory power vs Tot %") * summary.memoryPower * summary.totalCycles;
    }
}

bool isRow(std::string_view line) {
    return !line.empty() && line.front() >= '0' && line.front() <= '9';
}

} // namespace

Result<Report> readVendorCsv(const std::string& text, const std::string& path) {
    const auto lines = linesOf(text);
    if (lines.empty() || !trimmed(lines.front()).starts_with("epochs"))
        return fail(makeError("PW5013", "the table does not start with the column \"epochs\"", {path, 1, 1, {}}));
    Table table;
    readHeader(lines.front(), table);
    Report report;
    report.provenance.sources = {"csv"};
    for (const std::string& name : table.pools) {
        report.pools.emplace_back();
        report.pools.back().name = name;
    }
    Summary summary;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (!isRow(lines[i])) {
            readPoolLine(lines[i], report);
            readSummaryLine(lines[i], report, summary);
            continue;
        }
        auto row = readRow(lines[i], table, path, int(i) + 1);
        if (!row)
            return fail(row.error());
        report.epochs.push_back(epochOf(Row(table.columns, *row), table));
        table.rows.push_back(std::move(*row));
    }
    if (report.epochs.empty())
        return fail(makeError("PW5013", "the table has no epoch rows", {path, int(lines.size()), 1, {}}));
    fillEnergies(table, summary, report);
    deriveCycles(report);
    return report;
}

} // namespace poolwright::artefacts
