// SPDX-License-Identifier: Apache-2.0
#include "driver/search.h"
#include "mpool/read.h"
#include "options/parse.h"
#include "support/shared.h"

#include <QObject>

#include <fstream>
#include <set>

using namespace poolwright;

namespace {

const std::string root = POOLWRIGHT_SOURCE_DIR;

std::string textOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

driver::Request requestFor(const char* model, const std::string& poolText, const std::vector<std::string>& words) {
    driver::Request request;
    request.model = root + "/resources/examples/" + model;
    Diagnostics warnings;
    request.options = options::parse(words, warnings).value();
    request.pools = mpool::readPools(poolText, "test.mpool", {}).value();
    return request;
}

std::string poolsNamed(const char* name) {
    return textOf(root + "/mpools/" + name);
}

/// One RAM of so many bytes, and a flash for the weights.
std::string tinyPools(int ramBytes) {
    const std::string bytes = std::to_string(ramBytes);
    return R"({"memory": {"cacheinfo": [], "mempools": [
      {"fname": "RAM", "name": "ram", "fformat": "FORMAT_RAW", "prop": {"rights": "ACC_WRITE", "throughput": "HIGH",
       "latency": "LOW", "byteWidth": 8, "freqRatio": 1.25, "read_power": 1, "write_power": 1},
       "offset": {"value": "0x34200000", "magnitude": "BYTES"}, "size": {"value": ")" +
           bytes + R"(", "magnitude": "BYTES"}},
      {"fname": "FLASH", "name": "flash", "fformat": "FORMAT_RAW", "prop": {"rights": "ACC_READ", "throughput": "MID",
       "latency": "HIGH", "byteWidth": 1, "freqRatio": 6, "read_power": 1, "write_power": 1, "constants_preferred": "true"},
       "offset": {"value": "0x70000000", "magnitude": "BYTES"}, "size": {"value": "16", "magnitude": "MBYTES"}}]}})";
}

} // namespace

class TestSearch : public QObject {
    Q_OBJECT

private slots:
    void sameForAnyNumberOfThreads();
    void winnerIsAsGoodAsItsRow();
    void nothingSkippedWasBetter_data() {
        QTest::addColumn<QString>("pools");
        QTest::addColumn<bool>("cached");
        QTest::newRow("internal") << "stm32n6570-dk-internal.mpool" << false;
        QTest::newRow("constants outside") << "stm32n6570-dk-full.mpool" << false;
        QTest::newRow("constants outside, cached") << "stm32n6570-dk-full.mpool" << true;
    }
    void nothingSkippedWasBetter();
    void whatIsAskedForStays();
    void bothSchedulersOnly();
    void saysWhatIsMissing();
    void stops();
    void tellsProgress();
};

void TestSearch::sameForAnyNumberOfThreads() {
    const driver::Request request =
        requestFor("keyword_spotting_int8.onnx", poolsNamed("stm32n6570-dk-full.mpool"), {"--native-float", "--Oauto"});
    const auto space = driver::searchSpaceOf(request);
    const auto one = driver::search(request, space, {}, {}, 1), four = driver::search(request, space, {}, {}, 4);
    QVERIFY(one && four);
    QCOMPARE(driver::searchAsJson(*one), driver::searchAsJson(*four));
    QCOMPARE(one->trials.size(), space.size());
    QVERIFY(one->fits());
    QCOMPARE(one->placed + one->pruned, int(space.size()));
}

void TestSearch::winnerIsAsGoodAsItsRow() {
    const driver::Request request = requestFor("segmentation_int8.onnx", poolsNamed("stm32n6570-dk-full.mpool"),
                                               {"--native-float", "--enable-virtual-mem-pools", "--Oauto"});
    const auto found = driver::search(request);
    QVERIFY(found);
    const driver::Trial& row = found->trials.front();
    QVERIFY(!driver::asksForSearch(row.options));
    QCOMPARE(found->best.report->totals.calibratedMs, row.milliseconds);
    driver::Request again = request;
    again.options = row.options;
    const auto compiled = driver::compile(again);
    QVERIFY(compiled);
    QCOMPARE(compiled->report->totals.calibratedMs, row.milliseconds);
    QCOMPARE(compiled->report->totals.externalActivations.value, row.spilled.value);
    QCOMPARE(compiled->report->totals.peakLive.value, row.peakLive.value);
    QVERIFY(compiled->program.placements.size() == found->best.program.placements.size());
    for (std::size_t i = 1; i < found->trials.size(); ++i)
        if (found->trials[i].state == driver::TrialState::Placed && found->trials[i].fits)
            QVERIFY(found->trials[i].milliseconds >= row.milliseconds);
}

/// Compiled one by one without any pruning: no row that the search did not place is better than its winner.
void TestSearch::nothingSkippedWasBetter() {
    QFETCH(QString, pools);
    QFETCH(bool, cached);
    std::vector<std::string> words{"--native-float", "--enable-virtual-mem-pools", "--Oauto", "--optimization", "2"};
    if (cached)
        words.insert(words.end(), {"--cache-maintenance", "--Ocache-opt"});
    const driver::Request request =
        requestFor("keyword_spotting_int8.onnx", poolsNamed(pools.toUtf8().constData()), words);
    const auto found = driver::search(request);
    QVERIFY(found && found->fits());
    int compared = 0;
    for (const driver::Trial& trial : found->trials) {
        if (trial.state == driver::TrialState::Placed)
            QVERIFY2(trial.milliseconds >= trial.boundMs, trial.label.c_str());
        if (trial.state == driver::TrialState::Placed || trial.number % 3 != 0)
            continue;
        driver::Request alone = request;
        alone.options = trial.options;
        const auto compiled = driver::compile(alone);
        QVERIFY2(compiled, trial.label.c_str());
        ++compared;
        if (compiled->report->fits)
            QVERIFY2(compiled->report->totals.calibratedMs >= found->trials.front().milliseconds, trial.label.c_str());
        if (trial.boundMs > 0)
            QVERIFY2(compiled->report->totals.calibratedMs >= trial.boundMs, trial.label.c_str());
    }
    QVERIFY2(compared > 5, qPrintable(QString::number(compared)));
}

void TestSearch::whatIsAskedForStays() {
    const driver::Request request =
        requestFor("keyword_spotting_int8.onnx", poolsNamed("stm32n6570-dk-full.mpool"),
                   {"--Oauto", "--Os", "--Omax-ca-pipe", "2", "--Oconv-split-kw", "-O1", "--native-float"});
    const driver::SearchSpace space = driver::searchSpaceOf(request);
    QCOMPARE(space.size(), std::size_t(2)); // both schedulers
    const auto found = driver::search(request);
    QVERIFY(found);
    for (const driver::Trial& trial : found->trials) {
        QVERIFY(trial.options.optimizeSize && trial.options.convSplitKw && !trial.options.convSplitCw);
        QVERIFY(!trial.options.enableVirtualMemPools);
        QCOMPARE(trial.options.maxCaPipe, 2);
        QCOMPARE(trial.options.optimization, 1);
    }
    options::CompilerOptions free;
    driver::Request open = request;
    open.options = free;
    QCOMPARE(driver::searchSpaceOf(open).size(),
             std::size_t(5 * 4 * 2 * 2 * 4)); // splits, pipes, schedulers, Os, levels
}

void TestSearch::bothSchedulersOnly() {
    const driver::Request request = requestFor("keyword_spotting_int8.onnx", poolsNamed("stm32n6570-dk-full.mpool"),
                                               {"--Oauto-sched", "-O3", "--native-float"});
    const auto found = driver::search(request);
    QVERIFY(found);
    QCOMPARE(found->trials.size(), std::size_t(2));
    std::set<bool> alternate;
    for (const driver::Trial& trial : found->trials)
        alternate.insert(trial.options.altSched);
    QCOMPARE(alternate.size(), std::size_t(2));
}

void TestSearch::saysWhatIsMissing() {
    const driver::Request request =
        requestFor("segmentation_int8.onnx", tinyPools(4096), {"--native-float", "--Oauto", "-O2"});
    const auto found = driver::search(request);
    QVERIFY(found);
    QVERIFY(!found->fits());
    const driver::Trial& closest = found->trials.front();
    QVERIFY(closest.state == driver::TrialState::Placed && !closest.unplaced.empty());
    for (const report::Unplaced& unplaced : closest.unplaced)
        QVERIFY(!unplaced.reason.empty());
    QVERIFY(closest.unplacedBytes.value > 0 && closest.peakLive.value > 4096 && closest.peakEpoch > 0);
    const std::string text = driver::searchAsText(*found);
    QVERIFY(text.find("nothing fits; closest is row") != std::string::npos);
    QVERIFY(text.find(closest.unplaced.front().name) != std::string::npos);
    for (const driver::Trial& trial : found->trials)
        QVERIFY(!trial.fits && !trial.note.empty() &&
                trial.unplacedBytes.value >=
                    (trial.state == driver::TrialState::Placed ? closest.unplacedBytes.value : 0));
}

void TestSearch::stops() {
    const driver::Request request =
        requestFor("keyword_spotting_int8.onnx", poolsNamed("stm32n6570-dk-full.mpool"), {"--native-float", "--Oauto"});
    CancelFlag cancel;
    const auto found = driver::search(
        request, [&](const driver::SearchProgress&) { cancel.cancel(); }, cancel);
    QVERIFY(!found);
    QCOMPARE(found.error().front().code, std::string("PW6005"));
}

void TestSearch::tellsProgress() {
    const driver::Request request =
        requestFor("keyword_spotting_int8.onnx", poolsNamed("stm32n6570-dk-full.mpool"), {"--native-float", "--Oauto"});
    int last = 0, total = 0;
    bool grows = true;
    const auto found = driver::search(request, [&](const driver::SearchProgress& p) {
        grows = grows && p.done >= last;
        last = p.done;
        total = p.total;
    });
    QVERIFY(found && grows);
    QCOMPARE(last, total);
    QCOMPARE(total, int(found->trials.size()));
}

QTEST_APPLESS_MAIN(TestSearch)
#include "tst_search.moc"
