// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include "cli/cli_run.h"
#include "cli/unet_model.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace poolwright;
using test::Run;
using test::run;

/// The network of a user's report that "does not compile" (c04): 320 x 320, 64 to 1024 channels, 31 M weights.
class TestUnet : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void compilesWith32MiBOfExternalRam();
    void failsWith16MiBAndSaysWhat();
    void failsOnChipAndSaysWhat();
    void aSmallOneComputesTheSame();

private:
    static QString pools(const char* name) {
        return QString::fromStdString((test::sharedFolder() / "cases/c04-unet320" / name).string());
    }
    Run compile(const char* poolFile, const QString& name) {
        return run({"compile", "-i", m_model, "--load-mpool", pools(poolFile), "-g", "network.c", "--out-dir-prefix",
                    m_folder.filePath(name) + "/", "--format", "json"});
    }

    QTemporaryDir m_folder;
    QString m_model;
};

static QString written(const QTemporaryDir& folder, const QString& name, const std::string& bytes) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), qint64(bytes.size())) < 0)
        qFatal("cannot write the model");
    return file.fileName();
}

void TestUnet::initTestCase() {
    m_model = written(m_folder, "unet.onnx", test::unetModel(320, {64, 128, 256, 512}));
}

/// expected.json of c04: 19,660,800 B is what the level-0 convolution needs beside its result, with no joined buffer.
void TestUnet::compilesWith32MiBOfExternalRam() {
    POOLWRIGHT_NEEDS_SHARED();
    const Run done = compile("ext32.mpool", "out");
    QVERIFY2(done.code == 0, qPrintable(done.err));
    const QJsonObject report = done.json();
    QCOMPARE(report["fits"].toBool(), true);
    QVERIFY2(report["totals"]["peak_live_bytes"].toInteger() <= 19660800,
             qPrintable(QString::number(report["totals"]["peak_live_bytes"].toInteger())));
    QCOMPARE(report["epochs"]["hybrid"].toInt(), 0);
    QStringList software;
    for (const QJsonValue& epoch : report["epoch_list"].toArray())
        if (epoch["kind"].toString() == "SW")
            software << epoch["operators"].toArray().at(0)["kind"].toString();
    QCOMPARE(software, (QStringList{"QuantizeLinear", "DequantizeLinear"}));
    // A joined tensor that does not exist has its answer, too.
    QRegularExpressionMatch joined;
    for (const QJsonValue& diagnostic : report["diagnostics"].toArray())
        if (diagnostic["code"].toString() == "PW3006")
            joined = QRegularExpression("(\\S+) is read from its parts").match(diagnostic["message"].toString());
    QVERIFY(joined.hasMatch());
    const Run why = run({"report", m_folder.filePath("out"), "--why", joined.captured(1)});
    QVERIFY2(why.code == 0 && why.out.contains("no buffer and no epoch of its own"), qPrintable(why.err + why.out));
}

/// Two of the three tensors of 6,553,600 B alive together fill 16 MiB, and no pool on the chip takes the third.
void TestUnet::failsWith16MiBAndSaysWhat() {
    POOLWRIGHT_NEEDS_SHARED();
    const Run done = compile("ext16.mpool", "out16");
    QCOMPARE(done.code, 3);
    const QJsonObject report = done.json();
    QCOMPARE(report["fits"].toBool(), false);
    QVERIFY(report["unplaced"].toArray().size() >= 1);
    for (const QJsonValue& unplaced : report["unplaced"].toArray())
        QVERIFY2(unplaced["kind"].toString() != "constant" && unplaced["reason"].toString().contains("hyperRAM"),
                 qPrintable(unplaced["reason"].toString()));
    QVERIFY(!QFile::exists(m_folder.filePath("out16/network.c")));
}

void TestUnet::failsOnChipAndSaysWhat() {
    POOLWRIGHT_NEEDS_SHARED();
    const Run done = compile("internal_only.mpool", "outInternal");
    QCOMPARE(done.code, 3);
    QSet<QString> kinds;
    for (const QJsonValue& unplaced : done.json()["unplaced"].toArray()) {
        kinds << unplaced["kind"].toString();
        QVERIFY(!unplaced["reason"].toString().isEmpty());
    }
    QVERIFY(kinds.contains("constant") && kinds.contains("activation"));
    QVERIFY(!done.err.contains("no valid"));
}

void TestUnet::aSmallOneComputesTheSame() {
    const QString model = written(m_folder, "small.onnx", test::unetModel(48, {8, 16, 24}));
    const Run done = run({"models", model, "--load-mpool", POOLWRIGHT_SOURCE_DIR "/mpools/stm32n6570-dk-full.mpool",
                          "--format", "json"});
    QVERIFY2(done.code == 0, qPrintable(done.err + done.out));
    const QJsonObject row = done.json()["models"].toArray().at(0).toObject();
    const QJsonObject epochs = row["emulated"]["each_epoch"].toObject();
    QVERIFY2(epochs["values"].toInteger() > 100000, qPrintable(done.out));
    QVERIFY2(epochs["within_one"] == epochs["values"], qPrintable(done.out));
    QVERIFY2(epochs["equal"].toDouble() >= 0.99 * epochs["values"].toDouble(), qPrintable(done.out));
}

QTEST_APPLESS_MAIN(TestUnet)
#include "tst_unet.moc"
