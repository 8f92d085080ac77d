// SPDX-License-Identifier: Apache-2.0
#include "tables/columns.h"

#include "common/figures.h"
#include "common/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace poolwright::widgets::tables {

using report::Buffer;
using report::Epoch;
using report::ReportPtr;

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Tables)
};

/// Adds columns whose functions take the thing of the row instead of its number.
template <typename Thing> class Builder {
public:
    using Getter = std::function<const Thing&(int)>;
    Builder(Table& table, Getter getter)
        : m_table(table)
        , m_getter(std::move(getter)) {}

    template <typename Value> Column& add(const QString& title, const QString& tip, Value value) {
        Column column;
        column.title = title;
        column.tip = tip;
        column.value = [get = m_getter, value](int row) { return QVariant(value(get(row))); };
        m_table.columns.push_back(std::move(column));
        return m_table.columns.back();
    }
    template <typename Text> std::function<QString(int)> textBy(Text text) const {
        return [get = m_getter, text](int row) { return text(get(row)); };
    }

private:
    Table& m_table;
    Getter m_getter;
};

QString operatorNames(const Epoch& epoch) {
    QStringList names;
    for (const auto& op : epoch.operators)
        names << text(op.name.empty() ? op.kind : op.name);
    return names.join(", ");
}

/// "CONV_ACC_V2 2" counts as "CONV_ACC": how many of each unit kind the epoch uses.
QString unitSummary(const Epoch& epoch) {
    std::vector<std::pair<QString, int>> counts;
    for (const auto& use : epoch.units) {
        QString unit = text(use.unit).section(' ', 0, 0);
        if (unit.endsWith("_V2"))
            unit.chop(3);
        if (unit.startsWith("STREAM_ENG"))
            continue; // every epoch has several: they say nothing
        const auto at = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == unit; });
        if (at == counts.end())
            counts.emplace_back(unit, 1);
        else
            ++at->second;
    }
    QStringList parts;
    for (const auto& [unit, count] : counts)
        parts << (count > 1 ? QStringLiteral("%1×%2").arg(unit).arg(count) : unit);
    return parts.join(' ');
}

std::int64_t externalBytes(const report::Report& report, const Epoch& epoch) {
    std::int64_t bytes = 0;
    for (const auto& traffic : epoch.traffic)
        if (traffic.pool >= 0 && report.pools[std::size_t(traffic.pool)].external)
            bytes += traffic.readBytes + traffic.writeBytes;
    return bytes;
}

QString poolName(const report::Report& report, int pool) {
    return pool < 0 ? QStringLiteral("—") : text(report.pools[std::size_t(pool)].name);
}

QString shapeText(const Buffer& buffer) {
    QStringList dims;
    for (const auto dim : buffer.shape)
        dims << QString::number(dim);
    return dims.join("×");
}

} // namespace

Table epochs(const ReportPtr& report) {
    Table table;
    for (int i = 0; i < int(report->epochs.size()); ++i)
        if (report->epochs[std::size_t(i)].runs())
            table.rows.push_back(i);
    Builder<Epoch> build(table, [report, rows = table.rows](int row) -> const Epoch& {
        return report->epochs[std::size_t(rows[std::size_t(row)])];
    });
    build.add(Words::tr("epoch"), Words::tr("Position in execution order"), [](const Epoch& e) { return e.ordinal; });
    build.add(Words::tr("operators"), Words::tr("What the epoch computes"), operatorNames).cellTip =
        build.textBy(operatorNames);
    build
        .add(Words::tr("kind"), Words::tr("HW: on the NPU; hybrid: with the CPU's help; SW: on the CPU"),
             [](const Epoch& e) { return text(e.kind); })
        .cellTip = build.textBy([](const Epoch& e) { return text(e.reason); });
    build.add(Words::tr("units"), Words::tr("Processing units in use, stream engines left out"), unitSummary).cellTip =
        build.textBy(unitSummary);
    build
        .add(Words::tr("cycles"), Words::tr("Vendor's formula, at the nominal clock"),
             [](const Epoch& e) { return qlonglong(e.vendorCycles); })
        .heat = true;
    build.add(Words::tr("bound by"), Words::tr("What keeps the epoch from being faster"),
              [](const Epoch& e) { return text(e.boundBy); });
    build
        .add(Words::tr("external B"), Words::tr("Bytes read from and written to memories outside the chip"),
             [report](const Epoch& e) { return qlonglong(externalBytes(*report, e)); })
        .heat = true;
    build
        .add(Words::tr("ms"), Words::tr("Calibrated on boards; for ST's artefacts by the vendor's formula"),
             [report](const Epoch& e) { return epochMilliseconds(*report, e); })
        .heat = true;
    build
        .add(Words::tr("why not hardware"), Words::tr("Reason for software and hybrid epochs"),
             [](const Epoch& e) { return text(e.reason); })
        .cellTip = build.textBy([](const Epoch& e) { return text(e.reason); });
    table.summed = {4, 6, 7};
    return table;
}

static void addPlacement(Builder<Buffer>& build, const ReportPtr& report) {
    build.add(Words::tr("pool"), Words::tr("Where the buffer lies; — when it found no place"),
              [report](const Buffer& b) { return poolName(*report, b.pool); });
    build
        .add(Words::tr("address"), Words::tr("Absolute address of the first byte"),
             [](const Buffer& b) { return qulonglong(b.address.value); })
        .text = build.textBy([](const Buffer& b) { return b.placed() ? text(b.address) : QStringLiteral("—"); });
    auto& size =
        build.add(Words::tr("bytes"), Words::tr("Size"), [](const Buffer& b) { return qlonglong(b.size.value); });
    size.heat = true;
    size.cellTip = build.textBy([](const Buffer& b) { return longBytes(b.size); });
}

Table buffers(const ReportPtr& report) {
    Table table;
    for (int i = 0; i < int(report->buffers.size()); ++i)
        table.rows.push_back(i);
    Builder<Buffer> build(table, [report](int row) -> const Buffer& { return report->buffers[std::size_t(row)]; });
    build.add(Words::tr("buffer"), Words::tr("Name"), [](const Buffer& b) { return text(b.name); }).cellTip =
        build.textBy([](const Buffer& b) { return text(b.name); });
    build.add(Words::tr("kind"), Words::tr("Constant, activation, scratch, input or output"),
              [](const Buffer& b) { return text(b.kind); });
    addPlacement(build, report);
    build.add(Words::tr("from"), Words::tr("First epoch in which it is alive"),
              [](const Buffer& b) { return b.live.first; });
    build.add(Words::tr("to"), Words::tr("Last epoch in which it is alive"),
              [](const Buffer& b) { return b.live.last; });
    build.add(Words::tr("read B"), Words::tr("Bytes read over one inference"),
              [](const Buffer& b) { return qlonglong(b.readBytes); });
    build.add(Words::tr("written B"), Words::tr("Bytes written over one inference"),
              [](const Buffer& b) { return qlonglong(b.writeBytes); });
    build.add(Words::tr("shape"), Words::tr("In the order of the ONNX model"), shapeText);
    build.add(Words::tr("format"), Words::tr("Element type"), [](const Buffer& b) { return text(b.format); });
    table.summed = {4, 7, 8};
    return table;
}

Table initialisers(const ReportPtr& report) {
    Table table;
    for (int i = 0; i < int(report->buffers.size()); ++i)
        if (report->buffers[std::size_t(i)].isWeights())
            table.rows.push_back(i);
    std::sort(table.rows.begin(), table.rows.end(), [&](int a, int b) {
        const Buffer &x = report->buffers[std::size_t(a)], &y = report->buffers[std::size_t(b)];
        return std::tuple(x.pool, x.address, a) < std::tuple(y.pool, y.address, b);
    });
    Builder<Buffer> build(table, [report, rows = table.rows](int row) -> const Buffer& {
        return report->buffers[std::size_t(rows[std::size_t(row)])];
    });
    build.add(Words::tr("constant"), Words::tr("Name"), [](const Buffer& b) { return text(b.name); }).cellTip =
        build.textBy([](const Buffer& b) { return text(b.name); });
    addPlacement(build, report);
    build.add(Words::tr("offset"), Words::tr("From the start of the pool's initialiser file"),
              [](const Buffer& b) { return qlonglong(b.offset.value); });
    build.add(Words::tr("shape"), Words::tr("In the order of the ONNX model"), shapeText);
    build.add(Words::tr("format"), Words::tr("Element type"), [](const Buffer& b) { return text(b.format); });
    table.summed = {3};
    return table;
}

Table traffic(const ReportPtr& report) {
    Table table;
    std::vector<int> parts;
    for (int i = 0; i < int(report->epochs.size()); ++i)
        for (int k = 0; k < int(report->epochs[std::size_t(i)].traffic.size()); ++k) {
            table.rows.push_back(i);
            parts.push_back(k);
        }
    struct Row {
        const Epoch* epoch;
        const report::PoolTraffic* part;
    };
    const auto all = std::make_shared<std::vector<Row>>();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Epoch& epoch = report->epochs[std::size_t(table.rows[i])];
        all->push_back({&epoch, &epoch.traffic[std::size_t(parts[i])]});
    }
    // `report` is captured so that the rows' pointers stay valid.
    Builder<Row> build(table, [report, all](int row) -> const Row& { return (*all)[std::size_t(row)]; });
    build.add(Words::tr("epoch"), Words::tr("Position in execution order"),
              [](const Row& r) { return r.epoch->ordinal; });
    build.add(Words::tr("name"), Words::tr("Name of the epoch"), [](const Row& r) { return text(r.epoch->name); });
    build.add(Words::tr("pool"), Words::tr("Memory pool"),
              [report](const Row& r) { return poolName(*report, r.part->pool); });
    build.add(Words::tr("read B"), Words::tr("Bytes read"), [](const Row& r) { return qlonglong(r.part->readBytes); })
        .heat = true;
    build
        .add(Words::tr("written B"), Words::tr("Bytes written"),
             [](const Row& r) { return qlonglong(r.part->writeBytes); })
        .heat = true;
    build.add(Words::tr("read cycles"), Words::tr("NPU cycles the reads take"),
              [](const Row& r) { return r.part->readCycles; });
    build.add(Words::tr("write cycles"), Words::tr("NPU cycles the writes take"),
              [](const Row& r) { return r.part->writeCycles; });
    build.add(Words::tr("compute cycles"), Words::tr("Cycles of the slowest unit of the epoch"),
              [](const Row& r) { return qlonglong(r.epoch->computeCycles); });
    build.add(Words::tr("epoch cycles"), Words::tr("Vendor's formula for the whole epoch"),
              [](const Row& r) { return qlonglong(r.epoch->vendorCycles); });
    table.summed = {3, 4, 5, 6};
    return table;
}

} // namespace poolwright::widgets::tables
