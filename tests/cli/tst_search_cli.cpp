// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

using namespace poolwright;

namespace {

struct Answer {
    int code = -1;
    QByteArray out, err;
};

Answer run(const QStringList& words) {
    QProcess process;
    process.start(POOLWRIGHT_CLI, words);
    process.waitForFinished(120000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// --Oauto from the command line to the profile that repeats its winner.
class TestSearchCli : public QObject {
    Q_OBJECT

private slots:
    void winnerCanBeRepeatedFromItsProfile();
    void schedulersAlone();
    void nothingFits();

private:
    const QString m_root = POOLWRIGHT_SOURCE_DIR;
    const QString m_model = m_root + "/resources/examples/keyword_spotting_int8.onnx";
    QTemporaryDir m_dir;

    QStringList compileWords(const QString& pools, const QStringList& more) const {
        return QStringList{"compile",        "-i", m_model,     "--load-mpool",     pools,
                           "--native-float", "-g", "network.c", "--out-dir-prefix", m_dir.filePath("out/")} +
               more;
    }
};

void TestSearchCli::winnerCanBeRepeatedFromItsProfile() {
    const QString rows = m_dir.filePath("rows.csv"), profile = m_dir.filePath("best.json");
    const Answer found = run(compileWords(m_root + "/mpools/stm32n6570-dk-full.mpool",
                                          {"--Oauto", "--format", "json", "--search-file", rows, "--save-profile",
                                           profile, "--options-file", "best.ini"}));
    QVERIFY2(found.code == 0, found.err);
    const QJsonObject report = QJsonDocument::fromJson(found.out).object();
    const QJsonObject search = report["search"].toObject();
    const QJsonArray all = search["rows"].toArray();
    QVERIFY(search["fits"].toBool());
    QCOMPARE(search["configurations"].toInt(), all.size());
    QCOMPARE(contentOf(rows).count('\n'), all.size() + 1);
    const double best = all[0].toObject()["calibrated_ms"].toDouble();
    QCOMPARE(report["estimate"].toObject()["calibrated_ms"].toDouble(), best);
    QVERIFY(!contentOf(m_dir.filePath("out/best.ini")).contains("Oauto"));

    const Answer again = run({"generate", "-m", m_model, "--st-neural-art", "searched@" + profile, "--output",
                              m_dir.filePath("again"), "--format", "json"});
    QVERIFY2(again.code == 0, again.err);
    QCOMPARE(QJsonDocument::fromJson(again.out).object()["estimate"].toObject()["calibrated_ms"].toDouble(), best);
}

void TestSearchCli::schedulersAlone() {
    const Answer found =
        run(compileWords(m_root + "/mpools/stm32n6570-dk-full.mpool", {"--Oauto-sched", "--d-auto", "2"}));
    QVERIFY2(found.code == 0, found.err);
    QVERIFY2(found.out.contains("search: 2 configurations") && found.out.contains("--Oalt-sched"), found.out);
}

void TestSearchCli::nothingFits() {
    QByteArray pools = contentOf(m_root + "/mpools/stm32n6570-dk-internal.mpool");
    const QString path = m_dir.filePath("small.mpool");
    pools.replace("\"1024\"", "\"1\"")
        .replace("\"448\"", "\"1\"")
        .replace("\"624\"", "\"1\"")
        .replace("\"400\"", "\"1\"");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(pools);
    file.close();
    const Answer found = run(compileWords(path, {"--Oauto"}));
    QVERIFY2(found.code == 3, found.out + found.err);
    QVERIFY2(found.out.contains("nothing fits; closest is row") && found.out.contains("no place: "), found.out);
}

QTEST_APPLESS_MAIN(TestSearchCli)
#include "tst_search_cli.moc"
