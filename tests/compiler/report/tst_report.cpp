// SPDX-License-Identifier: Apache-2.0
#include "report/derive.h"
#include "report/json.h"

#include "support/shared.h"

#include <QTest>

using namespace poolwright;
using namespace poolwright::report;

namespace {

/// Two adjacent internal pools, their union, and an external one.
Report threePools() {
    Report report;
    report.pools.resize(4);
    report.pools[0].name = "cpuRAM2";
    report.pools[0].address = Address(0x34100000);
    report.pools[0].size = ByteCount(0x100000);
    report.pools[1].name = "npuRAM3";
    report.pools[1].address = Address(0x34200000);
    report.pools[1].size = ByteCount(0x70000);
    report.pools[2].name = "hyperRAM";
    report.pools[2].address = Address(0x90000000);
    report.pools[2].size = ByteCount(0x1000000);
    report.pools[2].external = true;
    report.pools[3].name = "cpuRAM2_npuRAM3";
    report.pools[3].address = Address(0x34100000);
    report.pools[3].size = ByteCount(0x170000);
    report.pools[3].isVirtual = true;
    report.pools[3].members = {0, 1};
    return report;
}

int addBuffer(Report& report, const char* name, const char* kind, int pool, std::int64_t offset, std::int64_t size,
              EpochRange live) {
    Buffer buffer;
    buffer.name = name;
    buffer.kind = kind;
    buffer.pool = pool;
    buffer.offset = ByteCount(offset);
    if (pool >= 0)
        buffer.address = report.pools[std::size_t(pool)].address + ByteCount(offset);
    buffer.size = ByteCount(size);
    buffer.live = live;
    report.buffers.push_back(buffer);
    return int(report.buffers.size()) - 1;
}

} // namespace

class TestReport : public QObject {
    Q_OBJECT
private slots:
    void aUnionBufferCountsInItsMembers();
    void mixedPoolAddsUp();
    void livePeakCountsAnAliasOnce();
    void userBuffersNeedNoMemory();
    void edgesFollowTheBytes();
    void jsonRoundTrip();
    void jsonRefusesOtherFiles();
};

void TestReport::aUnionBufferCountsInItsMembers() {
    Report report = threePools();
    addBuffer(report, "big", "activation", 3, 0, 0x120000, {1, 2}); // spans both members
    addBuffer(report, "small", "activation", 0, 0x40, 0x10, {3, 4});
    deriveTotals(report);
    QCOMPARE(report.pools[0].used.value, 0x100000);
    QCOMPARE(report.pools[1].used.value, 0x20000);
    QCOMPARE(report.pools[3].used.value, 0x120000);
    QCOMPARE(report.totals.activations.value, 0x120000); // unions are not added
    QCOMPARE(report.totals.externalActivations.value, 0);
}

void TestReport::mixedPoolAddsUp() {
    Report report = threePools();
    addBuffer(report, "w", "constant", 2, 0, 1000, {0, 9});
    addBuffer(report, "a", "activation", 2, 1008, 500, {1, 3});
    addBuffer(report, "b", "activation", 2, 1108, 200, {4, 5}); // reuses bytes of a
    deriveTotals(report);
    QCOMPARE(report.pools[2].used.value, 1508);
    QCOMPARE(report.pools[2].activations.value, 500);
    QCOMPARE(report.pools[2].weights.value, 1008);
    QCOMPARE(report.totals.externalActivations.value, 500);
}

void TestReport::livePeakCountsAnAliasOnce() {
    Report report = threePools();
    addBuffer(report, "in", "input", 0, 0, 100, {0, 1});
    addBuffer(report, "relu", "activation", 0, 0, 100, {1, 3}); // in place
    addBuffer(report, "other", "activation", 0, 100, 50, {1, 2});
    addBuffer(report, "w", "constant", 0, 200, 4096, {0, 4});
    deriveAliases(report);
    QCOMPARE(report.buffers[1].aliasOf, 0);
    QCOMPARE(report.buffers[2].aliasOf, -1);
    deriveTotals(report);
    QCOMPARE(report.totals.peakLive.value, 150);
    QCOMPARE(report.totals.peakEpoch, 1);
    QCOMPARE(liveActivations(report, 0).value, 100);
    QCOMPARE(liveActivations(report, 1).value, 150);
    QCOMPARE(liveActivations(report, 3).value, 100);
    QCOMPARE(liveActivations(report, 4).value, 0);
    QCOMPARE(report.totals.sumOverBuffers.value, 150);
}

void TestReport::userBuffersNeedNoMemory() {
    Report report = threePools();
    Pool user;
    user.name = "_user_io_input_0";
    user.userAllocated = true;
    user.size = ByteCount(64);
    report.pools.push_back(user);
    addBuffer(report, "in", "input", 4, 0, 64, {0, 1});
    deriveTotals(report);
    QCOMPARE(report.pools[4].used.value, 64);
    QCOMPARE(report.totals.activations.value, 0);
    QCOMPARE(report.totals.peakLive.value, 0);
}

void TestReport::edgesFollowTheBytes() {
    Report report = threePools();
    const int a = addBuffer(report, "a", "activation", 0, 0, 100, {1, 3});
    const int reshaped = addBuffer(report, "a_reshaped", "activation", 0, 0, 100, {3, 3});
    report.epochs.resize(4);
    report.epochs[1].writes = {a};
    report.epochs[2].reads = {a, a};
    report.epochs[3].reads = {reshaped};
    deriveAliases(report);
    deriveEdges(report);
    QCOMPARE(report.edges, (std::vector<Edge>{{1, 2, a}, {1, 3, reshaped}}));
}

void TestReport::jsonRoundTrip() {
    Report report = threePools();
    addBuffer(report, "in \"quoted\"", "input", 0, 0, 100, {0, 1});
    report.buffers[0].scales = {0.00381391775, 1e-30};
    report.buffers[0].zeroPoints = {-128, 3};
    report.buffers[0].shape = {1, 3, 224, 224};
    report.buffers[0].format = "S8";
    report.epochs.resize(2);
    report.epochs[1].ordinal = 1;
    report.epochs[1].kind = "SW";
    report.epochs[1].reason = "Softmax has no hardware mapping";
    report.epochs[1].traffic = {{2, 100, 200, 12.5, 25.25}};
    report.epochs[1].units = {{"CONV_ACC_V2 2", "Conv2D_3", "Conv", 77}};
    report.epochs[1].operators = {{"Conv2D_3", "Conv", {"conv", "relu"}, 4096}};
    report.epochs[1].reads = {0};
    report.epochs[1].busRead[1] = 9;
    report.epochs[1].calibratedMs = 0.1;
    report.edges = {{0, 1, 0}};
    report.fits = false;
    report.unplaced = {{0, "in", "larger than every pool", "too_large", ByteCount(100), ByteCount(36), 1}};
    report.shortfall = ByteCount(36);
    report.diagnostics = {makeWarning("PW5012", "message", {"file", 3, 4, "pool"}, "do this")};
    report.provenance.hashes = {{"model.onnx", "0123ABCD"}};
    report.provenance.sources = {"c_info"};
    deriveTotals(report);
    deriveCycles(report);
    const std::string text = toJson(report);
    QVERIFY(looksLikeReportJson(text));
    const Result<Report> back = fromJson(text);
    POOLWRIGHT_VERIFY_RESULT(back);
    QCOMPARE(toJson(*back), text);
    QVERIFY(back->pools == report.pools && back->buffers == report.buffers && back->epochs == report.epochs);
    QVERIFY(back->edges == report.edges && back->unplaced == report.unplaced && back->totals == report.totals);
    QVERIFY(back->diagnostics == report.diagnostics && back->provenance == report.provenance);
    QVERIFY(!back->fits && back->shortfall == report.shortfall);
}

void TestReport::jsonRefusesOtherFiles() {
    QCOMPARE(fromJson("{", "x.json").error().front().code, std::string("PW5001"));
    QCOMPARE(fromJson("[]", "x.json").error().front().code, std::string("PW5001"));
    QCOMPARE(fromJson("{\"schema_version\": 2}").error().front().code, std::string("PW5002"));
    const auto odd = fromJson(
        R"({"schema_version": 1, "pools": [3, {"members": [7, -4]}], "buffers": [{"pool_index": 9}], "epoch_list": 4})");
    POOLWRIGHT_VERIFY_RESULT(odd);
    QCOMPARE(odd->buffers[0].pool, -1);
    QVERIFY(odd->pools[1].members.empty());
}

QTEST_APPLESS_MAIN(TestReport)
#include "tst_report.moc"
