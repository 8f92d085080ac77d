// SPDX-License-Identifier: Apache-2.0
#include "artefacts/dot.h"
#include "artefacts/generate_report.h"
#include "artefacts/load.h"
#include "artefacts/open.h"
#include "artefacts/options_ini.h"
#include "artefacts/vendor_csv.h"
#include "report/diff.h"
#include "report/findings.h"
#include "report/gates.h"
#include "report/json.h"
#include "report/legality.h"

#include "support/shared.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

using namespace poolwright;
using namespace poolwright::report;

/// All kinds of artefacts, alone and joined; expected figures are the vendor's own (facts/file-formats.md sections 3 to
/// 5, case c03).
class TestOpen : public QObject {
    Q_OBJECT
private slots:
    void csvTotals();
    void csvMaximumFormula();
    void memoryLinesAgreeWithCInfo_data();
    void memoryLinesAgreeWithCInfo();
    void epochTablesAgreeWithCInfo_data();
    void epochTablesAgreeWithCInfo();
    void laterEpochTable();
    void reportInsideALog();
    void dotAgreesWithCInfo();
    void everyDotStageOpens();
    void silentSpill();
    void samplesBreakNoInvariant();
    void joinedSetKnowsAll();
    void folderScan();
    void otherRunIsLeftOut();
    void badInput();
    void mutantsNeverCrash();

private:
    static std::filesystem::path sample(const char* name) { return test::sharedFolder() / "samples" / name; }
    static std::string text(const char* name) {
        const auto loaded = artefacts::loadFile(sample(name));
        return loaded ? *loaded : std::string();
    }
};

void TestOpen::csvTotals() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto report = artefacts::readVendorCsv(text("csv/laroche-g800.network.csv"), "network.csv");
    POOLWRIGHT_VERIFY_RESULT(report);
    QCOMPARE(int(report->epochs.size()), 621);
    QVERIFY(std::abs(report->totals.vendorCycles - 91893224) <= 2);
    QVERIFY(std::abs(report->totals.computeCycles - 38926712) <= 100);         // printed from unrounded values
    QVERIFY(std::abs(double(report->totals.operations - 4393867264)) <= 1000); // printed in single precision
    QCOMPARE(report->nominalMegahertz, 1000.0);
    std::int64_t flash = 0;
    double aton = 0, memory = 0;
    for (const Epoch& epoch : report->epochs) {
        aton += epoch.atonEnergy;
        memory += epoch.memoryEnergy;
        for (const PoolTraffic& traffic : epoch.traffic)
            if (report->pools[std::size_t(traffic.pool)].name == "octoFlash")
                flash += traffic.readBytes;
    }
    QCOMPARE(flash, 9921732);
    QVERIFY(std::abs(aton / 91893224 - 18.0857) < 0.001);
    QVERIFY(std::abs(memory / 91893224 - 35.3171) < 0.02); // 2 of 621 rows deviate (section 4, item 6)
}

/// max cycles = max(compute, per pool (r + w bytes) x freqRatio / byteWidth, r cycles, w cycles): section 4, item 2.
void TestOpen::csvMaximumFormula() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto report = artefacts::readVendorCsv(text("csv/laroche-g800.network.csv"), "network.csv");
    POOLWRIGHT_VERIFY_RESULT(report);
    const std::map<std::string, double> cyclesPerByte{{"octoFlash", 6}, {"npuRAM6", 1.25 / 8}, {"cpuRAM2", 2.5 / 8}};
    for (const Epoch& epoch : report->epochs) {
        double most = double(epoch.computeCycles);
        for (const PoolTraffic& traffic : epoch.traffic) {
            const double bytes = double(traffic.readBytes + traffic.writeBytes);
            most = std::max({most, bytes * cyclesPerByte.at(report->pools[std::size_t(traffic.pool)].name),
                             traffic.readCycles, traffic.writeCycles});
        }
        QVERIFY2(std::abs(most - double(epoch.vendorCycles)) <= 2, epoch.name.c_str());
    }
}

void TestOpen::memoryLinesAgreeWithCInfo_data() {
    QTest::addColumn<QByteArray>("report");
    QTest::addColumn<QByteArray>("cinfo");
    QTest::newRow("chen") << QByteArray("reports/chen-steel.network_generate_report.txt")
                          << QByteArray("cinfo/chen-steel.network_c_info.json.gz");
    QTest::newRow("pele") << QByteArray("reports/pele-facedet.face_detection_generate_report.txt")
                          << QByteArray("cinfo/pele-facedet.network_c_info.json.gz");
    QTest::newRow("tito") << QByteArray("reports/tito-cloud.network_generate_report.txt")
                          << QByteArray("cinfo/tito-cloud.network_c_info.json.gz");
    QTest::newRow("maria") << QByteArray("reports/maria-seg.network_generate_report.txt")
                           << QByteArray("cinfo/maria-seg.c_info_generate.json");
}

void TestOpen::memoryLinesAgreeWithCInfo() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QByteArray, report);
    QFETCH(QByteArray, cinfo);
    const auto printed = artefacts::readGenerateReport(text(report.constData()), "report.txt");
    const auto exact = artefacts::open({sample(cinfo.constData())});
    POOLWRIGHT_VERIFY_RESULT(printed);
    POOLWRIGHT_VERIFY_RESULT(exact);
    QVERIFY(printed->pools.size() >= 8);
    for (const Pool& pool : printed->pools) {
        const auto own =
            std::find_if(exact->pools.begin(), exact->pools.end(), [&](const Pool& p) { return p.name == pool.name; });
        QVERIFY2(own != exact->pools.end(), pool.name.c_str());
        QCOMPARE(pool.address, own->address);
        QCOMPARE(pool.size, own->size);
        const auto agrees = [](ByteCount rounded, ByteCount bytes) {
            const double unit = bytes.value >= 1024 * 1024 ? 1024.0 * 1024 : bytes.value >= 1024 ? 1024.0 : 1.0;
            return std::abs(double((rounded - bytes).value)) <= 0.0005 * unit + 1;
        };
        QVERIFY2(agrees(pool.used, own->used), pool.name.c_str());
        QVERIFY2(agrees(pool.weights, own->weights), pool.name.c_str());
        QVERIFY2(agrees(pool.activations, own->activations), pool.name.c_str());
    }
}

void TestOpen::epochTablesAgreeWithCInfo_data() {
    memoryLinesAgreeWithCInfo_data();
}

void TestOpen::epochTablesAgreeWithCInfo() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QByteArray, report);
    QFETCH(QByteArray, cinfo);
    const auto printed = artefacts::readGenerateReport(text(report.constData()), "report.txt");
    const auto exact = artefacts::open({sample(cinfo.constData())});
    POOLWRIGHT_VERIFY_RESULT(printed);
    POOLWRIGHT_VERIFY_RESULT(exact);
    QCOMPARE(printed->epochs.size(), exact->epochs.size());
    for (std::size_t i = 0; i < printed->epochs.size(); ++i) {
        QCOMPARE(printed->epochs[i].kind, exact->epochs[i].kind);
        if (printed->epochs[i].kind == "SW" && !printed->epochs[i].operators.empty())
            QVERIFY(std::any_of(exact->epochs[i].operators.begin(), exact->epochs[i].operators.end(),
                                [&](const Operator& op) { return op.kind == printed->epochs[i].operators[0].kind; }));
    }
}

void TestOpen::laterEpochTable() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto report = artefacts::open({sample("reports/laroche-g800.network_generate_report.txt")});
    POOLWRIGHT_VERIFY_RESULT(report);
    QCOMPARE(int(report->epochs.size()), 621);
    QCOMPARE(report->totals.epochs, 618);
    QCOMPARE(report->totals.hw, 618);
    QCOMPARE(report->epochs[1].kind, std::string("none"));
    QCOMPARE(report->provenance.version, std::string("1.1.3-275"));
}

void TestOpen::reportInsideALog() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto report = artefacts::open({sample("logs/laroche-g800_real.compile_tail.log")});
    POOLWRIGHT_VERIFY_RESULT(report);
    QCOMPARE(report->epochs[629].kind, std::string("HW"));
}

/// The final graph holds the same placement as the c_info: 206 of 206 buffers (section 3.2, item 4).
void TestOpen::dotAgreesWithCInfo() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto graph = artefacts::readDot(text("dot/pele-facedet.tmp.dot"), "tmp.dot");
    const auto exact = artefacts::open({sample("cinfo/pele-facedet.network_c_info.json.gz")});
    POOLWRIGHT_VERIFY_RESULT(graph);
    POOLWRIGHT_VERIFY_RESULT(exact);
    using Place = std::tuple<std::string, std::string, std::int64_t, std::int64_t>;
    const auto placesOf = [](const Report& report) {
        std::set<Place> places;
        for (const Buffer& buffer : report.buffers)
            if (buffer.placed())
                places.insert(
                    {buffer.name, report.pools[std::size_t(buffer.pool)].name, buffer.offset.value, buffer.size.value});
        return places;
    };
    const auto inGraph = placesOf(*graph), inCInfo = placesOf(*exact);
    int found = 0;
    for (const Place& place : inCInfo)
        found += inGraph.contains(place);
    QCOMPARE(found, 206);
    for (std::size_t i = 1; i + 1 < graph->epochs.size(); ++i)
        QCOMPARE(graph->epochs[i].operators.size(), exact->epochs[i].operators.size());
    QCOMPARE(graph->epochs[77].kind, std::string("hybrid"));
}

void TestOpen::everyDotStageOpens() {
    POOLWRIGHT_NEEDS_SHARED();
    for (const char* stage : {"_o", "_c", "_lo", "_s", "_lv", "_po"}) {
        const auto report =
            artefacts::open({sample(("dot/pele-facedet.tmp" + std::string(stage) + ".dot.gz").c_str())});
        POOLWRIGHT_VERIFY_RESULT(report);
        const std::string name = stage;
        QCOMPARE(report->epochs.empty(), name == "_o" || name == "_c" || name == "_lo");
    }
}

void TestOpen::silentSpill() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto folder = test::sharedFolder() / "cases/c03-silent-spill";
    const auto spilled = artefacts::open({folder / "spilled_c_info.json", folder / "spilled.csv"});
    const auto onchip = artefacts::open({folder / "onchip.csv", folder / "onchip_c_info.json"});
    POOLWRIGHT_VERIFY_RESULT(spilled);
    POOLWRIGHT_VERIFY_RESULT(onchip);
    QCOMPARE(spilled->totals.vendorCycles, 98400112);
    QCOMPARE(onchip->totals.vendorCycles, 98905640);
    QCOMPARE(spilled->totals.sw, 0);

    const auto found = findings(*spilled);
    QVERIFY(!found.empty());
    QCOMPARE(int(found.front().kind), int(FindingKind::ExternalSpill));
    QCOMPARE(found.front().diagnostic.message,
             std::string("1 activation buffer (act_c, 131,072 B, epochs 3-5) is in external memory hyperRAM"));
    for (const Finding& finding : findings(*onchip))
        QVERIFY(finding.kind != FindingKind::ExternalSpill);

    const Difference changes = difference(*spilled, *onchip);
    QCOMPARE(int(changes.moved.size()), 1);
    QCOMPARE(changes.moved[0].buffer, std::string("act_c"));
    QCOMPARE(changes.moved[0].fromPool, std::string("hyperRAM"));
    QCOMPARE(changes.moved[0].toPool, std::string("cpuRAM2"));
    const QString printed = QString::fromStdString(toText(changes));
    QVERIFY(printed.contains("1 placement change\n"));
    QVERIFY(printed.contains("98,400,112 -> 98,905,640"));
    QVERIFY(printed.contains("cycle estimates alone do not rank"));

    const Gates gates{{*parsePoolLimit("hyperRAM=0"), *parsePoolLimit("octoFlash=0")}, 0, true};
    const Diagnostics broken = brokenGates(*spilled, gates);
    QCOMPARE(int(broken.size()), 1);
    QCOMPARE(broken[0].code, std::string("PW5031"));
    QVERIFY(brokenGates(*onchip, gates).empty());
}

void TestOpen::samplesBreakNoInvariant() {
    POOLWRIGHT_NEEDS_SHARED();
    for (const char* name : {"chen-steel.network_c_info.json.gz", "pele-facedet.network_c_info.json.gz",
                             "tito-cloud.network_c_info.json.gz", "maria-seg.c_info_generate.json"}) {
        auto report = artefacts::open({test::sharedFolder() / "samples/cinfo" / name});
        POOLWRIGHT_VERIFY_RESULT(report);
        const auto violations = placementViolations(*report);
        QVERIFY2(violations.empty(), violations.empty() ? "" : violations.front().message.c_str());
        // Moved by some bytes, the largest placed activation buffer must collide or fall out.
        auto largest =
            std::max_element(report->buffers.begin(), report->buffers.end(), [](const Buffer& a, const Buffer& b) {
                return std::pair(!a.isWeights() && a.placed(), a.size) <
                       std::pair(!b.isWeights() && b.placed(), b.size);
            });
        largest->address = report->pools[std::size_t(largest->pool)].address - ByteCount(8);
        QVERIFY(!placementViolations(*report).empty());
    }
}

void TestOpen::joinedSetKnowsAll() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto report = artefacts::open(
        {sample("options/laroche-g800.atonn_options.ini"), sample("mpool/st-audio-stm32n6.mpool"),
         sample("reports/laroche-g800.network_generate_report.txt"), sample("csv/laroche-g800.network.csv")});
    POOLWRIGHT_VERIFY_RESULT(report);
    QCOMPARE(report->totals.epochs, 618);
    QVERIFY(std::abs(report->totals.vendorCycles - 91893224) <= 2);
    const auto pool =
        std::find_if(report->pools.begin(), report->pools.end(), [](const Pool& p) { return p.name == "npuRAM6"; });
    QVERIFY(pool != report->pools.end());
    QCOMPARE(pool->address, Address(0x34350000));
    QCOMPARE(pool->activations.value, 425 * 1024);
    QCOMPARE(pool->freqRatio, 1.25);
    QVERIFY(report->provenance.options.find("--native-float") != std::string::npos);
    QCOMPARE(int(report->provenance.sources.size()), 4);
    for (std::size_t i = 1; i < report->pools.size(); ++i)
        QVERIFY(report->pools[i - 1].address <= report->pools[i].address);
}

void TestOpen::folderScan() {
    POOLWRIGHT_NEEDS_SHARED();
    QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    std::filesystem::create_directory(root / "neural_art__network");
    std::filesystem::copy(sample("cinfo/pele-facedet.atonn.c_info.json"), root / "neural_art__network" / "c_info.json");
    std::filesystem::copy(sample("options/pele-facedet.atonn_options.ini"), root / "neural_art__network");
    std::filesystem::copy(sample("mpool/pele-facedet-saved-by-atonn-1.1.0.mpool"), root / "neural_art__network");
    std::filesystem::copy(sample("reports/pele-facedet.face_detection_generate_report.txt"), root);
    std::ofstream(root / "notes.txt") << "nothing to see";
    std::ofstream(root / "broken.json") << "{";
    const auto report = artefacts::open({root});
    POOLWRIGHT_VERIFY_RESULT(report);
    QCOMPARE(report->provenance.sources, (std::vector<std::string>{"c_info", "generate report", "mpool", "options"}));
    QCOMPARE(report->totals.epochs, 81);
    QCOMPARE(report->totals.activations.value, 491520);
    QTemporaryDir empty;
    QCOMPARE(artefacts::open({empty.path().toStdString()}).error().front().code, std::string("PW5019"));
}

void TestOpen::otherRunIsLeftOut() {
    POOLWRIGHT_NEEDS_SHARED();
    const auto report =
        artefacts::open({sample("cinfo/maria-seg.c_info_generate.json"), sample("csv/laroche-g800.network.csv")});
    POOLWRIGHT_VERIFY_RESULT(report);
    QCOMPARE(report->totals.epochs, 14);
    QVERIFY(std::any_of(report->diagnostics.begin(), report->diagnostics.end(),
                        [](const Diagnostic& d) { return d.code == "PW5016"; }));
    // Two runs in one folder: the files of the first are taken, those of the second named.
    const auto two = artefacts::open({test::sharedFolder() / "cases/c03-silent-spill"});
    POOLWRIGHT_VERIFY_RESULT(two);
    QCOMPARE(two->totals.vendorCycles, 98905640);
    QCOMPARE(std::count_if(two->diagnostics.begin(), two->diagnostics.end(),
                           [](const Diagnostic& d) { return d.code == "PW5016"; }),
             2);
    const auto same = artefacts::open(
        {sample("cinfo/chen-steel.atonn.c_info.json.gz"), sample("cinfo/chen-steel.network_c_info.json.gz")});
    POOLWRIGHT_VERIFY_RESULT(same);
    QVERIFY(same->diagnostics.empty());
}

void TestOpen::badInput() {
    using artefacts::ArtefactKind;
    QCOMPARE(int(artefacts::kindOf("")), int(ArtefactKind::Unknown));
    QCOMPARE(int(artefacts::kindOf("hello")), int(ArtefactKind::Unknown));
    QCOMPARE(artefacts::readVendorCsv("epochs,a (r)\n1,x\n", "a.csv").error().front().where.line, 2);
    QCOMPARE(artefacts::readVendorCsv("epochs,a (r)\n", "a.csv").error().front().code, std::string("PW5013"));
    const auto doubled = artefacts::readVendorCsv("epochs,a (r),a (r),max (cycles)\n1,2,3,4\n", "a.csv");
    POOLWRIGHT_VERIFY_RESULT(doubled);
    QCOMPARE(doubled->epochs.back().vendorCycles, 4);
    QCOMPARE(artefacts::readDot("digraph G { a -> ", "a.dot").error().front().code, std::string("PW5015"));
    QCOMPARE(artefacts::readDot("digraph G { a [label=\"x", "a.dot").error().front().code, std::string("PW5015"));
    QVERIFY(
        artefacts::readDot("graph G { a -- b [label=\"n live(1, 2, id=9)\\lpool=3[5, 2]\"] }", "a.dot").has_value());
    QCOMPARE(artefacts::readOptionsIni("# Version atonn.1\nx\n", "a.ini").error().front().where.line, 2);
    QCOMPARE(artefacts::readGenerateReport("Epochs details\n", "a.txt").error().front().code, std::string("PW5014"));
    QVERIFY(artefacts::readGenerateReport("Epochs details\nepoch 99999999999 HW\nepoch 2 ??\n", "a.txt").has_value());
    QCOMPARE(artefacts::open({"/nowhere/x.json"}).error().front().code, std::string("PW5003"));
    for (const char* wrong : {"", "=5", "a", "a=", "a=x", "a=-1", "a=99999999999999999M"})
        QCOMPARE(parsePoolLimit(wrong).error().front().code, std::string("PW5030"));
    QCOMPARE(parsePoolLimit("a=0x10")->most.value, 16);
    QCOMPARE(parsePoolLimit("a=2K")->most.value, 2048);
}

/// Files of each kind with bytes changed, cut off, doubled and torn out: an answer or a diagnostic, never more.
void TestOpen::mutantsNeverCrash() {
    POOLWRIGHT_NEEDS_SHARED();
    std::vector<std::string> seeds{test::readFile(test::sharedFolder() / "cases/c03-silent-spill/spilled_c_info.json"),
                                   test::readFile(test::sharedFolder() / "cases/c03-silent-spill/spilled.csv"),
                                   text("options/pele-facedet.atonn_options.ini"),
                                   text("mpool/st-audio-stm32n6.mpool")};
    const std::string report = text("reports/maria-seg.network_generate_report.txt");
    seeds.push_back(report.substr(report.find("Compilation details")));
    seeds.push_back(
        "digraph G { subgraph cluster_1 { a [label=\"{ x | kind=Conv\\lsched unit= CONV_ACC_V2 1\\l }\"]; } b;"
        " b:o0:s -> a:i1:n [label=\"t live(1, 2, id=3)\\lpool=1[0, 64]=64 B\\lnpuRAM5 edge bs=64\"]; }");
    if (const auto opened = artefacts::open({test::sharedFolder() / "cases/c03-silent-spill"}))
        seeds.push_back(toJson(*opened));
    std::uint32_t state = 12345;
    const auto random = [&state](std::size_t below) {
        state = state * 1664525u + 1013904223u;
        return std::size_t(state >> 8) % std::max<std::size_t>(1, below);
    };
    int answers = 0;
    for (const std::string& seed : seeds) {
        const auto kind = artefacts::kindOf(seed);
        QVERIFY(kind != artefacts::ArtefactKind::Unknown);
        for (int round = 0; round < 150; ++round) {
            std::string mutant = seed;
            for (std::size_t edits = 1 + random(4); edits > 0 && !mutant.empty(); --edits) {
                const std::size_t at = random(mutant.size());
                switch (random(4)) {
                case 0:
                    mutant[at] = char(random(256));
                    break;
                case 1:
                    mutant.erase(at, 1 + random(20));
                    break;
                case 2:
                    mutant.insert(at, mutant.substr(at, random(40)));
                    break;
                default:
                    mutant.insert(at, std::vector<std::string>{"-1", "99999999999999999999", "{", "[", "\"", "1e308",
                                                               ","}[random(7)]);
                }
            }
            const auto result = artefacts::readArtefact(kind, mutant, "mutant");
            if (!result) {
                QVERIFY(!result.error().empty());
                continue;
            }
            ++answers;
            const auto list = findings(*result);
            QVERIFY(list.size() <= result->buffers.size() * 2 + result->pools.size() * 2 + 2);
            QVERIFY(!toJson(*result).empty());
        }
    }
    QVERIFY(answers > 100);
}

QTEST_APPLESS_MAIN(TestOpen)
#include "tst_open.moc"
