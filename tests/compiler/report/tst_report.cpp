// SPDX-License-Identifier: Apache-2.0
#include "report/derive.h"
#include "report/diff.h"
#include "report/findings.h"
#include "report/gates.h"
#include "report/json.h"
#include "report/legality.h"
#include "report/text.h"
#include "report/why.h"

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
    void violationsNameBothBuffers();
    void gatesSayWhatIsBroken();
    void findingsComeGravestFirst();
    void differenceListsWhatChanged();
    void whySpeaksOfPlaceAndBound();
    void summaryAndTables();
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

/// Each case breaks one rule of design section 3, invariants 1 and 2, and no other.
void TestReport::violationsNameBothBuffers() {
    Report report = threePools();
    addBuffer(report, "a", "activation", 0, 0, 100, {1, 3});
    addBuffer(report, "later", "activation", 0, 0, 100, {4, 5}); // reuses the bytes: fine
    addBuffer(report, "beside", "activation", 0, 100, 10, {1, 5});
    QVERIFY(placementViolations(report).empty());

    Report partial = report;
    addBuffer(partial, "p", "activation", 0, 96, 8, {3, 3});
    const auto found = placementViolations(partial);
    QVERIFY(!found.empty());
    QCOMPARE(found[0].buffer, 3);
    QCOMPARE(found[0].bytes.value, 4);

    Report union_ = report; // the union's bytes are the member's bytes
    addBuffer(union_, "u", "activation", 3, 50, 8, {2, 2});
    QCOMPARE(int(placementViolations(union_).size()), 1);

    Report same = report;
    addBuffer(same, "s", "activation", 0, 0, 100, {3, 3});
    QCOMPARE(int(placementViolations(same).size()), 1);
    deriveAliases(same); // equal range: an alias
    QVERIFY(placementViolations(same).empty());

    Report tail = report;
    tail.pools[1].reservedTail = ByteCount(8);
    addBuffer(tail, "t", "activation", 1, 0x70000 - 100, 100, {1, 1});
    QCOMPARE(int(placementViolations(tail).size()), 1);
    QCOMPARE(placementViolations(tail)[0].other, -1);

    Report rights = report;
    rights.pools[2].readOnly = true;
    addBuffer(rights, "c", "constant", 2, 0, 100, {0, 9});
    QVERIFY(placementViolations(rights).empty());
    addBuffer(rights, "x", "activation", 2, 200, 100, {1, 1});
    QCOMPARE(int(placementViolations(rights).size()), 1);
}

void TestReport::gatesSayWhatIsBroken() {
    Report report = threePools();
    addBuffer(report, "w", "constant", 2, 0, 1000, {0, 9});
    deriveTotals(report);
    Gates gates;
    gates.pools = {{"hyperRAM", ByteCount(0)}};
    gates.softwareEpochs = 0;
    gates.fits = true;
    // Without epochs nobody can say how many of them run in software.
    QCOMPARE(int(brokenGates(report, gates).size()), 1);
    QCOMPARE(brokenGates(report, gates)[0].code, std::string("PW5035"));
    report.epochs.resize(1);
    report.epochs[0].kind = "HW";
    QVERIFY(brokenGates(report, gates).empty()); // weights are no spill

    addBuffer(report, "a", "activation", 2, 1008, 500, {1, 3});
    report.epochs.resize(2);
    report.epochs[1].kind = "hybrid";
    report.unplaced = {{-1, "z", "reason", "activation", ByteCount(1), ByteCount(1), 1}};
    deriveTotals(report);
    gates.pools.push_back({"npuRAM9", ByteCount(0)});
    const Diagnostics broken = brokenGates(report, gates);
    std::vector<std::string> codes;
    for (const Diagnostic& diagnostic : broken)
        codes.push_back(diagnostic.code);
    QCOMPARE(codes, (std::vector<std::string>{"PW5031", "PW5032", "PW5033", "PW5034"}));
    gates = {{{"hyperRAM", ByteCount(500)}}, 1, false};
    QVERIFY(brokenGates(report, gates).empty());
}

void TestReport::findingsComeGravestFirst() {
    Report report = threePools();
    addBuffer(report, "full", "activation", 1, 0, 0x70000, {1, 2});
    addBuffer(report, "a", "activation", 2, 0, 500, {1, 3});
    addBuffer(report, "b", "activation", 2, 500, 500, {4, 6});
    addBuffer(report, "w", "constant", 2, 1000, 500, {0, 6});
    report.unplaced = {{-1, "z", "too large", "activation", ByteCount(9), ByteCount(1), 1}};
    deriveTotals(report);
    const auto list = findings(report);
    QCOMPARE(int(list.size()), 3);
    QCOMPARE(int(list[0].kind), int(FindingKind::DoesNotFit));
    QCOMPARE(list[1].diagnostic.message,
             std::string("2 activation buffers (a, b, 1,000 B, epochs 1-6) are in external memory hyperRAM"));
    QCOMPARE(list[1].buffers, (std::vector<int>{1, 2}));
    QCOMPARE(int(list[2].kind), int(FindingKind::NearlyFullPool));
}

void TestReport::differenceListsWhatChanged() {
    Report a = threePools();
    addBuffer(a, "x", "activation", 0, 0, 100, {1, 3});
    addBuffer(a, "gone", "activation", 0, 100, 100, {1, 3});
    addBuffer(a, "stays", "activation", 0, 200, 100, {1, 3});
    a.provenance.options = "--Os --optimization 3";
    a.epochs.resize(1);
    a.epochs[0].name = "epoch_0";
    deriveTotals(a);
    QVERIFY(difference(a, a).isEmpty());
    Report b = a;
    b.buffers[0].pool = 2;
    b.buffers[0].address = Address(0x90000000);
    b.buffers[1].name = "new";
    b.buffers[2].size = ByteCount(96);
    b.epochs[0].vendorCycles = 77;
    b.provenance.options = "--Os --optimization 2";
    deriveTotals(b);
    deriveCycles(b);
    const Difference changes = difference(a, b);
    QCOMPARE(int(changes.moved.size()), 1);
    QVERIFY(changes.moved[0].changedPool());
    QCOMPARE(changes.resized, (std::vector<Resized>{{"stays", ByteCount(100), ByteCount(96)}}));
    QCOMPARE(changes.addedBuffers, std::vector<std::string>{"new"});
    QCOMPARE(changes.removedBuffers, std::vector<std::string>{"gone"});
    QCOMPARE(changes.addedOptions, std::vector<std::string>{"--optimization 2"});
    QCOMPARE(int(changes.epochs.size()), 1);
    QVERIFY(!changes.note.empty());
    QVERIFY(toJson(changes).find("\"to_pool\": \"hyperRAM\"") != std::string::npos);
}

void TestReport::whySpeaksOfPlaceAndBound() {
    Report report = threePools();
    addBuffer(report, "act", "activation", 2, 16, 500, {1, 2});
    report.epochs.resize(3);
    report.epochs[1] = Epoch{};
    report.epochs[1].ordinal = 1;
    report.epochs[1].name = "Conv_1";
    report.epochs[1].kind = "HW";
    report.epochs[1].operators = {{"Conv2D_1", "Conv", {"conv/first"}, 10}};
    report.epochs[1].computeCycles = 100;
    report.epochs[1].vendorCycles = 1250;
    report.epochs[1].traffic = {{2, 0, 500, 0, 1250}};
    report.epochs[1].writes = {0};
    const QString buffer = QString::fromStdString(*why(report, "act"));
    QVERIFY(buffer.contains("lies in hyperRAM (external) at 0x90000010"));
    QVERIFY(buffer.contains("written in epoch 1 (Conv_1)"));
    QVERIFY(buffer.contains("cpuRAM2"));
    for (const char* name : {"Conv_1", "epoch_1", "1", "Conv2D_1", "conv/first"}) {
        const auto text = why(report, name);
        POOLWRIGHT_VERIFY_RESULT(text);
        QVERIFY(QString::fromStdString(*text).contains("bound by memory hyperRAM"));
    }
    QCOMPARE(why(report, "ac").error().front().hint, std::string("similar names: act"));
}

void TestReport::summaryAndTables() {
    Report report = threePools();
    addBuffer(report, "a,b", "activation", 2, 16, 500, {1, 2});
    report.epochs.resize(2);
    report.epochs[1].kind = "HW";
    report.epochs[1].vendorCycles = 2000000;
    deriveTotals(report);
    deriveCycles(report);
    const QString summary = QString::fromStdString(summaryText(report));
    QVERIFY(summary.startsWith(
        "Default: fits\n  warning: 1 activation buffer (a,b, 500 B, epochs 1-2) is in external memory hyperRAM\n"));
    QVERIFY(summary.contains("estimate 2,000,000 cycles, 2.000 ms"));
    QCOMPARE(buffersCsv(report), std::string("name,kind,pool,address,offset_bytes,size_bytes,first_epoch,last_epoch\n"
                                             "\"a,b\",activation,hyperRAM,0x90000010,16,500,1,2\n"));
    QVERIFY(epochsCsv(report).find(",2000000,") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestReport)
#include "tst_report.moc"
