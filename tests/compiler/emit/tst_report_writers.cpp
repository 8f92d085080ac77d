// SPDX-License-Identifier: Apache-2.0
#define QT_NO_KEYWORDS // Qt's macro `emit` would hide our namespace
#include "artefacts/c_info.h"
#include "artefacts/generate_report.h"
#include "artefacts/load.h"
#include "artefacts/open.h"
#include "artefacts/vendor_csv.h"
#include "emit/cinfo.h"
#include "emit/csv.h"
#include "emit/generate_report.h"
#include "emit/recap.h"
#include "report/derive.h"
#include "report/json.h"

#include "support/shared.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

using namespace poolwright;
using namespace poolwright::report;

/// The writers against the vendor's own outputs: a report read from ST's files is written again and must say what ST's
/// say.
class TestReportWriters : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cInfoComesBack_data();
    void cInfoComesBack();
    void ownFieldsComeBack();
    void csvEqualsTheVendors();
    void memoryBlocksEqualTheVendors_data();
    void memoryBlocksEqualTheVendors();
    void epochTablesEqualTheVendors_data();
    void epochTablesEqualTheVendors();
    void allFormsAgree();
    void layerTableNamesEachOperator();
    void dateOnlyWhenGiven();
    void recapListsEachOperator();
    void emptyReport();

private:
    static std::filesystem::path sample(const QByteArray& name) {
        return test::sharedFolder() / "samples" / name.toStdString();
    }
};

namespace {

Report small() {
    Report report;
    report.pools.resize(2);
    report.pools[0].name = "npuRAM6";
    report.pools[0].fname = "AXISRAM6";
    report.pools[0].address = Address(0x34350000);
    report.pools[0].size = ByteCount(458752);
    report.pools[0].reservedTail = ByteCount(8);
    report.pools[0].throughput = report.pools[0].latency = "HIGH";
    report.pools[1].name = "octoFlash";
    report.pools[1].fname = "xSPI2";
    report.pools[1].address = Address(0x71000000);
    report.pools[1].size = ByteCount(1 << 20);
    report.pools[1].external = report.pools[1].readOnly = true;
    report.pools[1].throughput = report.pools[1].latency = "LOW";
    report.pools[1].byteWidth = 1;
    report.pools[1].freqRatio = 6;
    const auto add = [&](const char* name, const char* kind, int pool, std::int64_t offset, std::int64_t size,
                         EpochRange live) {
        Buffer buffer;
        buffer.name = name;
        buffer.kind = kind;
        buffer.pool = pool;
        buffer.size = ByteCount(size);
        buffer.live = live;
        buffer.format = "S8";
        if (pool >= 0) {
            buffer.offset = ByteCount(offset);
            buffer.address = report.pools[std::size_t(pool)].address + ByteCount(offset);
        }
        report.buffers.push_back(buffer);
    };
    add("in", "input", 0, 0, 3072, {0, 1});
    add("w", "constant", 1, 0, 432, {0, 3});
    add("act", "activation", 0, 3072, 16384, {1, 2});
    add("tmp", "scratch", 0, 32768, 64, {2, 2});
    add("out", "output", -1, 0, 16384, {2, 3});
    report.buffers[2].shape = {1, 16, 32, 32};
    report.buffers[2].layout = "channel_last";
    report.buffers[2].scales = {0.25};
    report.buffers[2].zeroPoints = {-3};
    report.buffers[1].readBytes = 432;
    report.epochs.resize(4);
    for (int i = 0; i < 4; ++i) {
        report.epochs[std::size_t(i)].ordinal = i;
        report.epochs[std::size_t(i)].name = "epoch_" + std::to_string(i);
        report.epochs[std::size_t(i)].kind = "none";
    }
    Epoch& conv = report.epochs[1];
    conv.name = "Conv2D_3 + Relu_6";
    conv.kind = "HW";
    conv.operators = {{"Conv2D_3", "Conv", {"conv1"}, 442368}, {"Relu_6", "Relu", {}, 0}};
    conv.units = {{"STREAM_ENG_V2 0", "in", "DMA", 12},
                  {"CONV_ACC_V2 2", "Conv2D_3", "Conv", 6144},
                  {"ARITH_ACC_V2 0", "Conv2D_3_off_bias_1", "Add", 5000}};
    conv.boundBy = "features";
    conv.computeCycles = 6144;
    conv.vendorCycles = 6200;
    conv.calibratedCycles = 7000.5;
    conv.calibratedMs = 0.00875;
    conv.operations = 884736;
    conv.traffic = {{0, 3072, 16384, 160, 2560}, {1, 432, 0, 864, 0}};
    conv.busRead[0] = 3504;
    conv.busWrite[1] = 16384;
    conv.atonPower = 55.75;
    conv.atonEnergy = 55.75 * 6144;
    conv.reads = {0, 1};
    conv.writes = {2};
    Epoch& softmax = report.epochs[2];
    softmax.kind = "SW";
    softmax.operators = {{"Softmax_9", "Softmax", {"sm"}, 0}};
    softmax.reason = "Softmax has no hardware mapping; expand it";
    softmax.vendorCycles = 100000;
    softmax.reads = {2};
    softmax.writes = {4};
    report.fits = false;
    report.unplaced = {{4, "out", "larger than what is free", "output", ByteCount(16384), ByteCount(100), 2}};
    report.shortfall = ByteCount(100);
    report.provenance.tool = "poolwright";
    report.provenance.version = "0.1.0";
    report.provenance.generation = "V3";
    report.provenance.board = "STM32N6570-DK";
    report.provenance.inputs = {"m.onnx"};
    report.provenance.hashes = {{"m.onnx", "DEADBEEF"}};
    report.provenance.options = "--optimization 3 --Os";
    deriveEdges(report);
    deriveTotals(report);
    deriveCycles(report);
    return report;
}

std::vector<std::string> linesWhere(const std::string& text, const std::function<bool(const std::string&)>& wanted) {
    std::vector<std::string> lines;
    std::string line;
    for (char c : text) {
        if (c != '\n') {
            if (c != '\r')
                line += c;
            continue;
        }
        if (wanted(line))
            lines.push_back(line);
        line.clear();
    }
    return lines;
}

std::vector<std::string> fieldsOf(const std::string& line) {
    std::vector<std::string> fields(1);
    for (char c : line) {
        if (c == ',')
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

/// Six printed digits, and sums that the vendor holds in single precision.
bool sameField(const std::string& a, const std::string& b) {
    if (a == b)
        return true;
    char *endA = nullptr, *endB = nullptr;
    const double x = std::strtod(a.c_str(), &endA), y = std::strtod(b.c_str(), &endB);
    return *endA == 0 && *endB == 0 && std::abs(x - y) <= 2e-5 * std::max(std::abs(x), std::abs(y));
}

} // namespace

void TestReportWriters::cInfoComesBack_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::newRow("chen 1.0.0") << QByteArray("cinfo/chen-steel.network_c_info.json.gz");
    QTest::newRow("pele 1.1.0") << QByteArray("cinfo/pele-facedet.network_c_info.json.gz");
    QTest::newRow("tito 1.1.1") << QByteArray("cinfo/tito-cloud.network_c_info.json.gz");
    QTest::newRow("maria 1.1.3") << QByteArray("cinfo/maria-seg.c_info_generate.json");
}

void TestReportWriters::cInfoComesBack() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QByteArray, file);
    const auto report = artefacts::open({sample(file)});
    POOLWRIGHT_VERIFY_RESULT(report);
    const std::string text = emit::cInfo(*report);
    QVERIFY(artefacts::kindOf(text) == artefacts::ArtefactKind::CInfo);
    const auto back = artefacts::readCInfo(text, "c_info.json");
    POOLWRIGHT_VERIFY_RESULT(back);
    QVERIFY2(back->diagnostics.empty(), qPrintable(test::describe(back->diagnostics)));
    QVERIFY(back->pools == report->pools);
    QVERIFY(back->buffers == report->buffers);
    for (std::size_t i = 0; i < report->epochs.size(); ++i)
        QVERIFY2(back->epochs[i] == report->epochs[i], report->epochs[i].name.c_str());
    QVERIFY(back->edges == report->edges && back->totals == report->totals);
    QCOMPARE(back->provenance.version, report->provenance.version);
    QCOMPARE(emit::cInfo(*back), text);
}

void TestReportWriters::ownFieldsComeBack() {
    const Report report = small();
    const auto back = artefacts::readCInfo(emit::cInfo(report), "c_info.json");
    POOLWRIGHT_VERIFY_RESULT(back);
    QVERIFY(back->pools == report.pools && back->buffers == report.buffers && back->edges == report.edges);
    for (std::size_t i = 0; i < report.epochs.size(); ++i)
        QVERIFY2(back->epochs[i] == report.epochs[i], report.epochs[i].name.c_str());
    QVERIFY(back->totals == report.totals && back->unplaced == report.unplaced);
    QVERIFY(!back->fits && back->shortfall == report.shortfall);
    Provenance provenance = report.provenance;
    provenance.sources = {"c_info"};
    QVERIFY(back->provenance == provenance);
}

/// Every field of the vendor's table: headings, rows, totals, bandwidths, pool lines, summary.
void TestReportWriters::csvEqualsTheVendors() {
    POOLWRIGHT_NEEDS_SHARED();
    const std::string original = test::readFile(sample("csv/laroche-g800.network.csv"));
    const auto report = artefacts::open({sample("csv/laroche-g800.network.csv"), sample("mpool/st-audio-stm32n6.mpool"),
                                         sample("reports/laroche-g800.network_generate_report.txt")});
    POOLWRIGHT_VERIFY_RESULT(report);
    const auto all = [](const std::string&) { return true; };
    const auto expected = linesWhere(original, all), written = linesWhere(emit::csv(*report), all);
    QCOMPARE(written.size(), expected.size());
    QCOMPARE(written[0], expected[0]);
    int different = 0;
    for (std::size_t i = 1; i < expected.size(); ++i) {
        const auto a = fieldsOf(written[i]), b = fieldsOf(expected[i]);
        QVERIFY2(a.size() == b.size(), expected[i].c_str());
        for (std::size_t k = 0; k < a.size(); ++k)
            if (!sameField(a[k], b[k])) {
                ++different;
                qWarning() << i << k << a[k].c_str() << b[k].c_str();
            }
    }
    QCOMPARE(different, 0);
}

void TestReportWriters::memoryBlocksEqualTheVendors_data() {
    QTest::addColumn<QByteArray>("report");
    QTest::addColumn<QByteArray>("cinfo");
    QTest::addColumn<bool>("later");
    QTest::newRow("chen 2.0") << QByteArray("reports/chen-steel.network_generate_report.txt")
                              << QByteArray("cinfo/chen-steel.network_c_info.json.gz") << false;
    QTest::newRow("pele 2.1") << QByteArray("reports/pele-facedet.face_detection_generate_report.txt")
                              << QByteArray("cinfo/pele-facedet.network_c_info.json.gz") << false;
    QTest::newRow("tito 2.2") << QByteArray("reports/tito-cloud.network_generate_report.txt")
                              << QByteArray("cinfo/tito-cloud.network_c_info.json.gz") << false;
    QTest::newRow("maria 4.0") << QByteArray("reports/maria-seg.network_generate_report.txt")
                               << QByteArray("cinfo/maria-seg.c_info_generate.json") << true;
}

void TestReportWriters::memoryBlocksEqualTheVendors() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QByteArray, report);
    QFETCH(QByteArray, cinfo);
    const std::string original = test::readFile(sample(report));
    const auto read = artefacts::open({sample(cinfo)});
    POOLWRIGHT_VERIFY_RESULT(read);
    const std::string written = emit::generateReport(*read, {});
    const auto memory = [](const std::string& line) {
        return (line.starts_with("\t") && line.find(" -- weights:") != std::string::npos) ||
               line.starts_with("Total:   ");
    };
    QCOMPARE(linesWhere(written, memory), linesWhere(original, memory));
    const auto range = [](const std::string& line) {
        const std::size_t at = line.find("]: 0x"); // without the empty ranges of pools that a union touches (section 5)
        return line.starts_with("\t") && at != std::string::npos && line.substr(at + 3, 10) != line.substr(at + 14, 10);
    };
    QCOMPARE(linesWhere(written, range), linesWhere(original, range));
}

void TestReportWriters::epochTablesEqualTheVendors_data() {
    memoryBlocksEqualTheVendors_data();
}

void TestReportWriters::epochTablesEqualTheVendors() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QByteArray, report);
    QFETCH(QByteArray, cinfo);
    QFETCH(bool, later);
    const std::string original = test::readFile(sample(report));
    const auto read = artefacts::open({sample(cinfo)});
    POOLWRIGHT_VERIFY_RESULT(read);
    emit::GenerateReportOptions options;
    options.form = later ? emit::ReportForm::V4_0 : emit::ReportForm::V2_2;
    const auto row = [](const std::string& line) {
        return line.starts_with("epoch ") || line.starts_with("Total number") || line.starts_with(">>") ||
               line.starts_with("| ") || line.starts_with("+-");
    };
    QCOMPARE(linesWhere(emit::generateReport(*read, options), row), linesWhere(original, row));
}

void TestReportWriters::allFormsAgree() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto report = artefacts::open({sample("cinfo/tito-cloud.network_c_info.json.gz")});
    POOLWRIGHT_VERIFY_RESULT(report);
    const auto fromCsv = artefacts::readVendorCsv(emit::csv(*report), "a.csv");
    const auto fromCInfo = artefacts::readCInfo(emit::cInfo(*report), "c_info.json");
    const auto fromJson = report::fromJson(report::toJson(*report));
    const auto fromText = artefacts::readGenerateReport(emit::generateReport(*report, {}), "report.txt");
    POOLWRIGHT_VERIFY_RESULT(fromCsv);
    POOLWRIGHT_VERIFY_RESULT(fromCInfo);
    POOLWRIGHT_VERIFY_RESULT(fromJson);
    POOLWRIGHT_VERIFY_RESULT(fromText);
    QVERIFY(fromJson->totals == report->totals && fromCInfo->totals == report->totals);
    QCOMPARE(fromCsv->totals.vendorCycles, report->totals.vendorCycles);
    QCOMPARE(fromCsv->totals.computeCycles, report->totals.computeCycles);
    QCOMPARE(fromCsv->totals.operations, report->totals.operations);
    QCOMPARE(fromCsv->epochs.size(), report->epochs.size());
    QCOMPARE(fromText->epochs.size(), report->epochs.size());
    for (std::size_t i = 0; i < report->epochs.size(); ++i) {
        QCOMPARE(fromText->epochs[i].kind, report->epochs[i].kind);
        std::int64_t bytes = 0, printed = 0;
        for (const PoolTraffic& traffic : report->epochs[i].traffic)
            bytes += traffic.readBytes + traffic.writeBytes;
        for (const PoolTraffic& traffic : fromCsv->epochs[i].traffic)
            printed += traffic.readBytes + traffic.writeBytes;
        QCOMPARE(printed, bytes);
    }
}

void TestReportWriters::layerTableNamesEachOperator() {
    const QString table = QString::fromStdString(emit::layerTable(small()));
    QVERIFY(table.contains("conv1 (Conv)"));
    QVERIFY(table.contains("[b:1,h:32,w:32,c:16]"));
    QVERIFY(table.contains("/432"));
    QVERIFY(table.contains("442,368"));
    QVERIFY(table.contains("model: macc=442,368 weights=432 "));
    Report report = small();
    report.epochs[1].operators[0].originalNames = {"_net_net_1_Relu_output_0_QuantizeLinear_Output"};
    // 18 characters, "..", 10 characters: as the vendor shortens this name (sample reports/maria-seg)
    QVERIFY(emit::layerTable(report).find("_net_net_1_Relu_ou..ear_Output (Conv)") != std::string::npos);
}

void TestReportWriters::dateOnlyWhenGiven() {
    emit::GenerateReportOptions options;
    options.toolVersion = "0.1.0";
    QVERIFY(emit::generateReport(small(), options).find("Created date") == std::string::npos);
    options.secondsSince1970 = 1752921832;
    QVERIFY(emit::generateReport(small(), options).find("Created date          : 2025-07-19 10:43:52\n") !=
            std::string::npos);
    qputenv("SOURCE_DATE_EPOCH", "12");
    QCOMPARE(*emit::sourceDateEpoch(), 12);
    qputenv("SOURCE_DATE_EPOCH", "x");
    QVERIFY(!emit::sourceDateEpoch());
}

void TestReportWriters::recapListsEachOperator() {
    const auto rows = emit::recapRows(small());
    QCOMPARE(int(rows.size()), 3);
    QCOMPARE(rows[0].units, (std::vector<std::string>{"CONV_ACC_V2 2", "ARITH_ACC_V2 0"}));
    QCOMPARE(rows[0].reason, std::string("bound by features"));
    QCOMPARE(rows[2].mapping, std::string("SW"));
    QCOMPARE(rows[2].reason, std::string("Softmax has no hardware mapping; expand it"));
    QVERIFY(emit::recapText(small()).find("2 epochs: 1 hardware, 0 hybrid, 1 software") != std::string::npos);
    QVERIFY(emit::recapCsv(small()).find("\nRelu_6,Relu,,1,HW,") != std::string::npos);
    QVERIFY(emit::recapJson(small()).find("\"why\": \"Softmax has no hardware mapping; expand it\"") !=
            std::string::npos);
}

void TestReportWriters::emptyReport() {
    const Report report;
    QVERIFY(emit::csv(report).find("Total cycles,0\n") != std::string::npos);
    QVERIFY(emit::csv(report).find("nan") == std::string::npos);
    POOLWRIGHT_VERIFY_RESULT(artefacts::readCInfo(emit::cInfo(report), "c_info.json"));
    QVERIFY(!emit::generateReport(report, {}).empty());
    QVERIFY(!emit::recapText(report).empty());
}

QTEST_APPLESS_MAIN(TestReportWriters)
#include "tst_report_writers.moc"
