// SPDX-License-Identifier: Apache-2.0
#include "artefacts/c_info.h"
#include "artefacts/load.h"
#include "report/derive.h"

#include "support/shared.h"

#include <QTest>

#include <algorithm>

using namespace poolwright;
using namespace poolwright::report;

/// Against ST's own files; every expected figure is stated in facts/file-formats.md section 3.
class TestCInfo : public QObject {
    Q_OBJECT
private slots:
    void footprintsAndEpochs_data();
    void footprintsAndEpochs();
    void usedSizesAgree_data();
    void usedSizesAgree();
    void onlyAliasesShareBytes_data();
    void onlyAliasesShareBytes();
    void rawAndFrontEndFormsAgree();
    void blobRowsBelongToItsFirstEpoch();
    void validateOnlyFile();
    void cpuOnlyFile();
    void badInput();

private:
    static Result<Report> read(const char* name);
};

namespace {

void networks() {
    QTest::addColumn<QByteArray>("file");
    QTest::newRow("chen raw 1.0.0") << QByteArray("chen-steel.atonn.c_info.json.gz");
    QTest::newRow("chen 1.0.0") << QByteArray("chen-steel.network_c_info.json.gz");
    QTest::newRow("pele raw 1.1.0") << QByteArray("pele-facedet.atonn.c_info.json");
    QTest::newRow("pele 1.1.0") << QByteArray("pele-facedet.network_c_info.json.gz");
    QTest::newRow("tito 1.1.1") << QByteArray("tito-cloud.network_c_info.json.gz");
    QTest::newRow("maria 1.1.3") << QByteArray("maria-seg.c_info_generate.json");
}

} // namespace

Result<Report> TestCInfo::read(const char* name) {
    const std::filesystem::path path = test::sharedFolder() / "samples" / "cinfo" / name;
    const Result<std::string> text = artefacts::loadFile(path);
    return text ? artefacts::readCInfo(*text, name) : fail(text.error());
}

void TestCInfo::footprintsAndEpochs_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<qint64>("activations");
    QTest::addColumn<qint64>("weights");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("software");
    QTest::newRow("chen") << QByteArray("chen-steel.network_c_info.json.gz") << qint64(1245184) << qint64(3051361)
                          << 213 << 11;
    QTest::newRow("pele") << QByteArray("pele-facedet.network_c_info.json.gz") << qint64(491520) << qint64(2455409)
                          << 83 << 10;
    QTest::newRow("tito") << QByteArray("tito-cloud.network_c_info.json.gz") << qint64(1266240) << qint64(4574097)
                          << 409 << 150;
    QTest::newRow("maria") << QByteArray("maria-seg.c_info_generate.json") << qint64(1064960) << qint64(101697) << 16
                           << 0;
}

void TestCInfo::footprintsAndEpochs() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QByteArray, file);
    QFETCH(qint64, activations);
    QFETCH(qint64, weights);
    QFETCH(int, nodes);
    QFETCH(int, software);
    const Result<Report> report = read(file.constData());
    POOLWRIGHT_VERIFY_RESULT(report);
    QCOMPARE(qint64(report->totals.activations.value), activations);
    QCOMPARE(qint64(report->totals.weights.value), weights);
    QCOMPARE(int(report->epochs.size()), nodes);
    QCOMPARE(report->totals.epochs, nodes - 2);
    QCOMPARE(report->totals.sw, software);
}

void TestCInfo::usedSizesAgree_data() {
    networks();
}

void TestCInfo::usedSizesAgree() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QByteArray, file);
    const Result<Report> report = read(file.constData());
    POOLWRIGHT_VERIFY_RESULT(report);
    QVERIFY2(report->diagnostics.empty(), qPrintable(test::describe(report->diagnostics)));
}

void TestCInfo::onlyAliasesShareBytes_data() {
    networks();
}

void TestCInfo::onlyAliasesShareBytes() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(QByteArray, file);
    const Result<Report> report = read(file.constData());
    POOLWRIGHT_VERIFY_RESULT(report);
    const std::vector<int> roots = aliasRoots(*report);
    int conflicts = 0, compared = 0;
    for (std::size_t a = 0; a < report->buffers.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const Buffer &x = report->buffers[a], &y = report->buffers[b];
            const AddressRange left{x.address, x.size}, right{y.address, y.size};
            if (!x.placed() || !y.placed() || x.pool != y.pool || !x.live.overlaps(y.live) || !left.overlaps(right))
                continue;
            ++compared;
            conflicts += roots[a] != roots[b];
        }
    QCOMPARE(conflicts, 0);
    if (file.startsWith("tito"))
        QCOMPARE(compared, 458);
    if (file.startsWith("pele"))
        QCOMPARE(compared, 6);
    if (file.startsWith("chen"))
        QCOMPARE(compared, 72);
    if (file.startsWith("maria"))
        QCOMPARE(compared, 1);
}

void TestCInfo::rawAndFrontEndFormsAgree() {
    POOLWRIGHT_NEEDS_SHARED();
    for (const auto& [raw, front] :
         {std::pair("chen-steel.atonn.c_info.json.gz", "chen-steel.network_c_info.json.gz"),
          std::pair("pele-facedet.atonn.c_info.json", "pele-facedet.network_c_info.json.gz")}) {
        const Result<Report> a = read(raw), b = read(front);
        POOLWRIGHT_VERIFY_RESULT(a);
        POOLWRIGHT_VERIFY_RESULT(b);
        QVERIFY(a->buffers == b->buffers);
        QVERIFY(a->pools == b->pools);
        QVERIFY(a->totals == b->totals);
        QCOMPARE(a->epochs.size(), b->epochs.size());
        for (std::size_t i = 0; i < a->epochs.size(); ++i) {
            QCOMPARE(a->epochs[i].kind, b->epochs[i].kind);
            QCOMPARE(a->epochs[i].reads, b->epochs[i].reads);
            QCOMPARE(a->epochs[i].vendorCycles, b->epochs[i].vendorCycles);
        }
    }
}

void TestCInfo::blobRowsBelongToItsFirstEpoch() {
    POOLWRIGHT_NEEDS_SHARED();
    const Result<Report> report = read("maria-seg.c_info_generate.json");
    POOLWRIGHT_VERIFY_RESULT(report);
    const Epoch& first = report->epochs[1];
    QCOMPARE(first.name, std::string("epoch_1"));
    QCOMPARE(first.kind, std::string("EC"));
    QCOMPARE(first.blob, std::string("_ec_blob_network_1"));
    QCOMPARE(first.computeCycles, 16384);
    QCOMPARE(report->epochs[3].operations, 2 * 150994944 + 2 * 524288);
    QCOMPARE(report->epochs[2].units[0].unit, std::string("CONV_ACC_V2 0"));
    QCOMPARE(report->epochs[15].kind, std::string("none"));
    QCOMPARE(report->totals.ecBlobs, 1);
    QCOMPARE(report->totals.hw, 14);
    QCOMPARE(report->provenance.version, std::string("1.1.3-275"));
}

void TestCInfo::validateOnlyFile() {
    POOLWRIGHT_NEEDS_SHARED();
    const std::string text = test::readFile(test::sharedFolder() / "samples/onnx/conv2d_1x1/network_c_info.json");
    const Result<Report> report = artefacts::readCInfo(text, "network_c_info.json");
    POOLWRIGHT_VERIFY_RESULT(report);
    QVERIFY(report->buffers.empty() && report->epochs.empty());
    QVERIFY(QString::fromStdString(report->provenance.board).contains("STM32N6"));
}

void TestCInfo::cpuOnlyFile() {
    POOLWRIGHT_NEEDS_SHARED();
    const Result<Report> report = read("st_modelzoo.network_c_info.json.gz");
    POOLWRIGHT_VERIFY_RESULT(report);
    QCOMPARE(int(report->epochs.size()), 252);
    QCOMPARE(report->totals.sw, 252);
    QCOMPARE(qint64(report->totals.weights.value), qint64(2154368));
}

void TestCInfo::badInput() {
    QCOMPARE(artefacts::readCInfo("{", "a").error().front().code, std::string("PW5010"));
    QCOMPARE(artefacts::readCInfo("{}", "a").error().front().code, std::string("PW5011"));
    const char* odd =
        R"({"json_schema_version":"2.0","memory_pools":[{"id":1,"address":"x","size_bytes":9223372036854775807,"subpools":[1,7]},5],
        "buffers":[{"id":1,"mpool_id":1,"size_bytes":1e300,"offset_start":9e18,"epochs":{"start":-3,"end":1e18}},{"mpool_id":[]}],
        "graphs":[{"nodes":[{"id":"x"},3,{"type":"Epoch Controller Blob","subgraph_nodes":[1]}],"inputs":[1,9,"q"]}],"power_estimates":[1],"memory_accesses":[{}]})";
    POOLWRIGHT_VERIFY_RESULT(artefacts::readCInfo(odd, "a"));
    const std::string cut = "\x1f\x8b\x08";
    QCOMPARE(artefacts::unpack(cut, "a.gz").error().front().code, std::string("PW5005"));
}

QTEST_APPLESS_MAIN(TestCInfo)
#include "tst_c_info.moc"
