// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include "cli/cli_run.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace poolwright;
using test::Run;
using test::run;

/// `fit` against figures from outside: c04's expected.json, sums over a U-Net done by hand, and plans of the changes
/// that it proposes.
class TestFit : public QObject {
    Q_OBJECT
private slots:
    void figuresOfTheReportedNetwork();
    void figuresOfASmallOne_data();
    void figuresOfASmallOne();
    void verdictsOfTheThreeFiles();
    void theProposedGrowthIsTheSmallest();
    void theProposedPoolsAreEnough();
    void theProposedInputIsTheLargest();

private:
    static QString shared(const QString& path) {
        return QString::fromStdString((test::sharedFolder() / "cases/c04-unet320" / path.toStdString()).string());
    }
    static QString example() {
        return QStringLiteral(POOLWRIGHT_SOURCE_DIR "/resources/examples/keyword_spotting_int8.onnx");
    }
    static QJsonObject object(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    }
    /// The float U-Net of c04; empty when there is no Python to make it.
    static QString unet(const QTemporaryDir& folder, int base, int size);
    /// 64 channels, 320 x 320: made once.
    QString reportedNetwork() {
        if (m_network.isEmpty())
            m_network = unet(m_folder, 64, 320);
        return m_network;
    }
    /// A RAM pool in AXISRAM2 and flash, or no flash.
    static QString poolFile(const QTemporaryDir& folder, qint64 ram, bool flash);
    static int compile(const QTemporaryDir& folder, const QString& pools);
    static QJsonObject proposal(const QJsonObject& report, const QString& kind);

    QTemporaryDir m_folder;
    QString m_network;
};

#define NEEDS_UNET(path)                                                                                               \
    if ((path).isEmpty())                                                                                              \
    QSKIP("python3 is absent: the network cannot be made")

QString TestFit::unet(const QTemporaryDir& folder, int base, int size) {
    const QString python = QStandardPaths::findExecutable("python3");
    const QString path = folder.filePath(QString("unet_%1_%2.onnx").arg(base).arg(size));
    if (python.isEmpty())
        return {};
    const int code = QProcess::execute(python, {shared("make_unet_onnx.py"), "--base", QString::number(base), "--size",
                                                QString::number(size), "--out", path});
    return code == 0 ? path : QString();
}

QString TestFit::poolFile(const QTemporaryDir& folder, qint64 ram, bool flash) {
    const auto pool = [](const char* name, const char* rights, const char* offset, qint64 size) {
        return QString(R"({"fname": "%1", "name": "%1", "fformat": "FORMAT_RAW", "prop": {"rights": "%2",
 "throughput": "MID", "latency": "MID", "byteWidth": 8, "freqRatio": 2.5, "read_power": 1, "write_power": 1},
 "offset": {"value": "%3", "magnitude": "BYTES"}, "size": {"value": "%4", "magnitude": "BYTES"}})")
            .arg(name, rights, offset)
            .arg(size);
    };
    QStringList pools{pool("ram", "ACC_WRITE", "0x34100000", ram)};
    if (flash)
        pools << pool("flash", "ACC_READ", "0x70000000", 1 << 24);
    QFile file(folder.filePath("test.mpool"));
    if (file.open(QIODevice::WriteOnly))
        file.write(("{\"memory\": {\"cacheinfo\": [], \"mem_file_prefix\": \"atonbuf\", \"mempools\": [" +
                    pools.join(", ") + "]}}")
                       .toUtf8());
    return file.fileName();
}

int TestFit::compile(const QTemporaryDir& folder, const QString& pools) {
    return run({"compile", "-i", example(), "--native-float", "--load-mpool", pools, "--out-dir-prefix",
                folder.filePath("out") + "/"})
        .code;
}

QJsonObject TestFit::proposal(const QJsonObject& report, const QString& kind) {
    for (const QJsonValue& value : report["verdicts"].toArray().first().toObject()["proposals"].toArray())
        if (value["kind"].toString() == kind)
            return value.toObject();
    return {};
}

void TestFit::figuresOfTheReportedNetwork() {
    POOLWRIGHT_NEEDS_SHARED();
    const QString model = reportedNetwork();
    NEEDS_UNET(model);
    const QJsonObject expected = object(shared("expected.json"));
    const Run fit = run({"fit", model, "--load-mpool", shared("ext32.mpool"), "--no-proposals", "--format", "json"});
    QCOMPARE(fit.code, 3);
    const QJsonObject report = fit.json();
    QCOMPARE(report["weight_elements"], expected["weights_elements"]);
    QCOMPARE(report["macs"].toInteger(), expected["macs"].toInteger());
    const QJsonObject int8 = report["demands"].toArray().at(0).toObject();
    QCOMPARE(int8["peak_live_bytes"], expected["peak_live_int8_bytes"]);
    QCOMPARE(int8["peak_concats_in_place_bytes"], expected["peak_if_concat_elided_int8_bytes"]);
    QCOMPARE(int8["sum_of_activations_bytes"], expected["sum_of_all_tensors_int8_bytes"]);
    QCOMPARE(int8["largest_activation"]["bytes"], expected["largest_single_tensor"]["int8"]);
    QCOMPARE(int8["peak_kind"].toString(), QString("Concat"));
    QStringList alive;
    for (const QJsonValue& tensor : int8["alive_at_peak"].toArray())
        alive << tensor["name"].toString();
    QCOMPARE(alive, (QStringList{"c0", "e0b_c", "u0"}));
    const QJsonObject own = report["demands"].toArray().at(1).toObject();
    QCOMPARE(own["peak_live_bytes"], expected["peak_live_float32_bytes"]);
    QCOMPARE(own["largest_activation"]["bytes"], expected["largest_single_tensor"]["float32"]);
}

void TestFit::figuresOfASmallOne_data() {
    QTest::addColumn<int>("base");
    QTest::addColumn<int>("size");
    QTest::newRow("8, 64") << 8 << 64;
    QTest::newRow("4, 32") << 4 << 32;
}

/// Of `base` channels on size x size pixels: skip, upsampled and joined tensor make 1 + 1 + 2; without the joined one a
/// convolution's result beside its two inputs 3.
void TestFit::figuresOfASmallOne() {
    POOLWRIGHT_NEEDS_SHARED();
    QFETCH(int, base);
    QFETCH(int, size);
    QTemporaryDir folder;
    const QString model = unet(folder, base, size);
    NEEDS_UNET(model);
    const QJsonObject report = run({"fit", model, "--load-mpool", shared("ext32.mpool"), "--format", "json"}).json();
    const QJsonObject int8 = report["demands"].toArray().at(0).toObject();
    QCOMPARE(int8["peak_live_bytes"].toInteger(), 4 * base * size * size);
    QCOMPARE(int8["peak_concats_in_place_bytes"].toInteger(), 3 * base * size * size);
}

void TestFit::verdictsOfTheThreeFiles() {
    POOLWRIGHT_NEEDS_SHARED();
    const QString model = reportedNetwork();
    NEEDS_UNET(model);
    const QJsonArray verdicts =
        run({"fit", model, "--load-mpool", shared("internal_only.mpool"), "--load-mpool", shared("ext16.mpool"),
             "--load-mpool", shared("ext32.mpool"), "--no-proposals", "--format", "json"})
            .json()["verdicts"]
            .toArray();
    QCOMPARE(verdicts.size(), 3);
    const auto width = [&](int file, int index) { return verdicts[file]["widths"].toArray().at(index).toObject(); };
    QCOMPARE(width(0, 0)["fits"].toBool(), false);
    QVERIFY(width(0, 0)["missing_constant_bytes"].toInteger() >= 31024896);
    QCOMPARE(width(1, 0)["fits"].toBool(), false);
    QCOMPARE(width(1, 0)["missing_bytes"].toInteger(), 26214400 - 16777216 - 2883584);
    QCOMPARE(width(2, 0)["fits"].toBool(), true);
    QCOMPARE(width(2, 1)["fits"].toBool(), false);
    QVERIFY(width(2, 1)["sentence"].toString().contains("c0"));
}

void TestFit::theProposedGrowthIsTheSmallest() {
    QTemporaryDir folder;
    constexpr qint64 small = 8192;
    const Run fit = run({"fit", example(), "--load-mpool", poolFile(folder, small, true), "--format", "json"});
    QCOMPARE(fit.code, 3);
    const QJsonObject grow = proposal(fit.json(), "grow-pool");
    QCOMPARE(grow["pools"].toArray().at(0)["name"].toString(), QString("ram"));
    const qint64 bytes = grow["pools"].toArray().at(0)["bytes"].toInteger();
    QVERIFY(bytes > 0);
    QCOMPARE(compile(folder, poolFile(folder, small + bytes, true)), 0);
    QCOMPARE(compile(folder, poolFile(folder, small + bytes - 1024, true)), 3);
}

void TestFit::theProposedPoolsAreEnough() {
    QTemporaryDir folder;
    const Run fit = run({"fit", example(), "--load-mpool", poolFile(folder, 4096, false), "--format", "json"});
    QCOMPARE(fit.code, 3);
    const QJsonArray pools = proposal(fit.json(), "add-pools")["pools"].toArray();
    QStringList names;
    for (const QJsonValue& pool : pools)
        names << pool["name"].toString();
    QCOMPARE(names, (QStringList{"hyperRAM", "octoFlash"}));
}

/// The same network made by its own script at the proposed size fits, at the next one it does not.
void TestFit::theProposedInputIsTheLargest() {
    POOLWRIGHT_NEEDS_SHARED();
    QTemporaryDir folder;
    const QString model = unet(folder, 8, 128);
    NEEDS_UNET(model);
    const QString pools = poolFile(folder, 1 << 20, true);
    const QJsonArray shape =
        proposal(run({"fit", model, "--load-mpool", pools, "--format", "json"}).json(), "input-size")["input_shape"]
            .toArray();
    QCOMPARE(shape.size(), 4);
    const int size = int(shape[2].toInteger());
    QVERIFY(size > 0 && size < 128);
    const auto fits = [&](int side) {
        return run({"fit", unet(folder, 8, side), "--load-mpool", pools, "--no-proposals"}).code;
    };
    QCOMPARE(fits(size), 0);
    QCOMPARE(fits(size + 32), 3);
}

QTEST_APPLESS_MAIN(TestFit)
#include "tst_fit.moc"
