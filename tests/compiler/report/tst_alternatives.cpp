// SPDX-License-Identifier: Apache-2.0
#include "report/alternatives.h"
#include "report/why.h"

#include <QTest>

using namespace poolwright;
using namespace poolwright::report;

namespace {

Pool pool(const char* name, std::uint64_t address, std::int64_t size, double freqRatio, int byteWidth) {
    Pool made;
    made.name = name;
    made.address = Address(address);
    made.size = ByteCount(size);
    made.freqRatio = freqRatio;
    made.byteWidth = byteWidth;
    return made;
}

Buffer buffer(const char* name, int pool, std::uint64_t address, std::int64_t size, EpochRange live) {
    Buffer made;
    made.name = name;
    made.kind = "activation";
    made.pool = pool;
    made.address = Address(address);
    made.size = ByteCount(size);
    made.live = live;
    return made;
}

/// "x" of 1,000 bytes is written in epoch 0 and read in epoch 1, in slow memory at 2.5 cycles a byte.
Report example() {
    Report report;
    report.pools = {pool("fast", 0x1000, 1600, 1, 8), pool("slow", 0x8000, 8192, 5, 2),
                    pool("tiny", 0x20000, 100, 1, 8), pool("flash", 0x70000000, 65536, 6, 1)};
    report.pools[3].readOnly = true;
    report.buffers = {buffer("x", 1, 0x8000, 1000, {0, 1}), buffer("early", 0, 0x1000, 1000, {0, 0})};
    report.buffers[0].writeBytes = report.buffers[0].readBytes = 1000;
    report.epochs.resize(2);
    for (int e = 0; e < 2; ++e) {
        report.epochs[std::size_t(e)].ordinal = e;
        report.epochs[std::size_t(e)].computeCycles = e == 0 ? 2000 : 100;
    }
    report.epochs[0].writes = {0};
    report.epochs[0].traffic = {{1, 0, 1000, 0, 2500}};
    report.epochs[1].reads = {0};
    report.epochs[1].traffic = {{1, 1000, 0, 2500, 0}};
    return report;
}

} // namespace

class TestAlternatives : public QObject {
    Q_OBJECT
private slots:
    void takenPoolNamesWhoIsInTheWay();
    void freePoolHasAddressAndGain();
    void sentencesOfWhy();
};

void TestAlternatives::takenPoolNamesWhoIsInTheWay() {
    const auto all = alternatives(example(), 0);
    QCOMPARE(all.size(), std::size_t(3)); // fast, tiny, flash
    QVERIFY(!all[0].isFree);
    QCOMPARE(all[0].inTheWay, std::vector<int>{1});
    QCOMPARE(all[0].missing.value,
             std::int64_t(1000 - (1600 - 1008))); // from 0x13f0, the next multiple of 16, to the end
    // max(2000, 125) - max(2000, 2500) in epoch 0, max(100, 125) - 2500 in epoch 1
    QCOMPARE(all[0].deltaCycles, -500.0 - 2375.0);
    QCOMPARE(all[1].missing.value, std::int64_t(900));
    QVERIFY(all[2].reason.find("read-only") != std::string::npos);
}

void TestAlternatives::freePoolHasAddressAndGain() {
    Report report = example();
    report.buffers[1].size = ByteCount(500);
    const auto all = alternatives(report, 0);
    QVERIFY(all[0].isFree);
    QCOMPARE(all[0].address, Address(0x1200)); // 0x1000 + 500, on a multiple of 16
    const auto ofEarly = alternatives(report, 1);
    QCOMPARE(ofEarly.size(), std::size_t(3));
    QVERIFY(ofEarly[0].isFree);
    QCOMPARE(ofEarly[0].address, Address(0x83f0)); // behind "x"
    QCOMPARE(ofEarly[0].deltaCycles, 0.0);         // it moves nothing
}

void TestAlternatives::sentencesOfWhy() {
    const std::string text = whyBuffer(example(), 0);
    QVERIFY2(text.find("without them 2,875 cycles fewer") != std::string::npos, text.c_str());
    QVERIFY2(text.find("there lie early") != std::string::npos, text.c_str());
}

QTEST_APPLESS_MAIN(TestAlternatives)
#include "tst_alternatives.moc"
