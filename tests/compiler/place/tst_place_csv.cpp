// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h" // first: moc of Qt 6.4 stumbles when <compare> is the first standard header

#include "place/csv.h"
#include "place/fit.h"

#include <QTest>

using namespace poolwright;
using namespace poolwright::place;

class TestPlaceCsv : public QObject {
    Q_OBJECT
private slots:
    void exampleOfMiniMalloc();
    void challengingFilesHaveTheirLoads();
    void brokenFiles_data();
    void brokenFiles();
    void liveSetAndPeak();
    void verdictOfSeveralPools();
};

void TestPlaceCsv::exampleOfMiniMalloc() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto path = test::sharedFolder() / "bench/minimalloc/examples/input.12.csv";
    const auto buffers = readCsv(test::readFile(path), path.string());
    POOLWRIGHT_VERIFY_RESULT(buffers);
    QCOMPARE(buffers->size(), std::size_t(5));
    QCOMPARE((*buffers)[1].live, (EpochRange{3, 8})); // b2 lives in [3, 9)
    const SinglePoolResult packed = packIntoOne(*buffers, 12);
    QCOMPARE(packed.offsets.size(), std::size_t(5));
    const std::string text = writeCsv(*buffers, packed.offsets);
    QVERIFY(text.starts_with("id,lower,upper,size,offset\nb1,0,3,4,"));
    const SinglePoolResult tooSmall = packIntoOne(*buffers, 11);
    QVERIFY(whyNot(*buffers, 11, tooSmall).find("1 B are missing") != std::string::npos);
}

/// Loads of the table in PROVENANCE.md.
void TestPlaceCsv::challengingFilesHaveTheirLoads() {
    POOLWRIGHT_NEEDS_SHARED();
    const std::pair<const char*, std::int64_t> loads[] = {
        {"A", 1048576}, {"C", 1039360}, {"D", 986112}, {"K", 1048576}};
    for (const auto& [name, load] : loads) {
        const auto path = test::sharedFolder() / "bench/minimalloc/challenging" / (std::string(name) + ".1048576.csv");
        const auto buffers = readCsv(test::readFile(path), path.string());
        POOLWRIGHT_VERIFY_RESULT(buffers);
        QCOMPARE(liveSet(*buffers).peak, load);
    }
}

void TestPlaceCsv::brokenFiles_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << ""
                           << "x.csv:1:1: error: the file is empty";
    QTest::newRow("no size") << "id,lower,upper\n"
                             << "'size' is missing";
    QTest::newRow("gaps") << "id,lower,upper,size,gaps\n"
                          << "x.csv:1:5: error: column 'gaps'";
    QTest::newRow("short line") << "id,lower,upper,size\na,0,1\n"
                                << "x.csv:2:1";
    QTest::newRow("text") << "id,lower,upper,size\na,0,1,big\n"
                          << "x.csv:2:4";
    QTest::newRow("negative") << "id,lower,upper,size\na,0,1,-4\n"
                              << "'-4' is not a whole number";
    QTest::newRow("huge") << "id,lower,upper,size\na,0,99999999999,4\n"
                          << "x.csv:2:3";
    QTest::newRow("backwards") << "id,lower,upper,size\na,5,5,4\n"
                               << "ends before it begins";
    QTest::newRow("twice") << "id,lower,upper,size\na,0,1,4\na,0,1,4\n"
                           << "x.csv:3:1: error: there are two";
}

void TestPlaceCsv::brokenFiles() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto read = readCsv(text.toStdString(), "x.csv");
    QVERIFY(!read.has_value());
    QVERIFY2(test::describe(read.error()).contains(says), qPrintable(test::describe(read.error())));
}

void TestPlaceCsv::liveSetAndPeak() {
    const auto buffers = readCsv("id,size,lower,upper\na,10,0,2\nb,20,1,4\nc,5,3,4\n", "x.csv");
    POOLWRIGHT_VERIFY_RESULT(buffers);
    LiveSet live = liveSet(*buffers);
    QCOMPARE(live.bytes, (std::vector<std::int64_t>{10, 30, 20, 25}));
    QCOMPARE(live.peakEpoch, 1);
    QCOMPARE(live.aliveAtPeak, (std::vector<int>{1, 0}));
    auto nested = *buffers;
    nested[0].inside = {1, ByteCount(0)}; // "a" has no bytes of its own, but makes "b" live from 0
    QCOMPARE(liveSet(nested).bytes, (std::vector<std::int64_t>{20, 20, 20, 25}));
}

void TestPlaceCsv::verdictOfSeveralPools() {
    Problem problem;
    problem.buffers = *readCsv("id,size,lower,upper\na,100,0,2\nb,60,1,4\nw,500,0,4\n", "x.csv");
    problem.buffers[2].isConstant = true;
    PoolSpec ram, external, flash;
    ram.name = "ram";
    ram.range.size = ByteCount(120);
    external.name = "ext";
    external.range.size = ByteCount(100);
    external.external = true;
    flash.name = "flash";
    flash.range.size = ByteCount(500);
    flash.writable = false;
    problem.pools = {ram, external, flash};
    FitVerdict verdict = fit(problem);
    QVERIFY(verdict.fits);
    QCOMPARE(verdict.missingOnChip, std::int64_t(40));
    QVERIFY(verdict.sentence.find("at least 40 B must lie in external memory") != std::string::npos);
    QCOMPARE(verdict.pools[1].missing, std::int64_t(60));
    QVERIFY(!verdict.pools[2].usable);
    problem.pools[1].range.size = ByteCount(30);
    verdict = fit(problem);
    QVERIFY(!verdict.fits);
    QCOMPARE(verdict.missing, std::int64_t(10));
    problem.pools[0].range.size = ByteCount(99);
    QCOMPARE(fit(problem).homeless, std::vector<int>{0});
}

QTEST_APPLESS_MAIN(TestPlaceCsv)
#include "tst_place_csv.moc"
