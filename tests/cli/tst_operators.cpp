// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <fstream>

using namespace poolwright;

namespace {

const std::filesystem::path root = POOLWRIGHT_SOURCE_DIR;

struct Answer {
    int code = -1;
    QByteArray out, errors;
};

Answer operators(const QStringList& arguments) {
    QProcess process;
    process.start(POOLWRIGHT_CLI, QStringList{"operators"} + arguments);
    process.waitForFinished();
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QString casesFile() {
    return QString::fromStdString((root / "tests" / "golden" / "ops" / "cases.csv").string());
}

} // namespace

class TstOperators : public QObject {
    Q_OBJECT

private slots:
    void helpPageIsUpToDate() {
        const Answer answer = operators({"--format", "md", "--cases", casesFile()});
        QCOMPARE(answer.code, 0);
        const QByteArray page = QByteArray::fromStdString(test::readFile(root / "resources" / "help" / "operators.md"));
        QVERIFY2(answer.out == page, "run resources/help/make_help.sh");
    }

    void everyOperatorOfTheDefaultDomainHasGoldenCases() {
        const Answer answer = operators({"--format", "json", "--cases", casesFile()});
        QCOMPARE(answer.code, 0);
        const QJsonArray rows = QJsonDocument::fromJson(answer.out).array();
        QVERIFY(rows.size() > 50);
        for (const QJsonValue& row : rows)
            if (row["domain"].toString() == "ai.onnx")
                QVERIFY2(row["golden_cases"].toInt() > 0, qPrintable(row["operator"].toString()));
    }

    void rowsAreWhole() {
        const Answer answer = operators({"--format", "json"});
        for (const QJsonValue& row : QJsonDocument::fromJson(answer.out).array()) {
            const QString name = row["operator"].toString();
            QVERIFY2(!row["runs_on"].toString().isEmpty(), qPrintable(name));
            QVERIFY2(!row["limits"].toString().isEmpty(), qPrintable(name));
        }
        QVERIFY(operators({}).out.contains("ai.onnx Conv, opsets 7-21: CONV_ACC, ARITH_ACC\n"));
    }

    void badCountsAreAnError() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("cases.csv");
        std::ofstream(file.toStdString()) << "domain,operator,cases\n,Add,3\n,Sub,many\n";
        const Answer answer = operators({"--cases", file});
        QCOMPARE(answer.code, 2);
        QVERIFY2(answer.errors.contains("PW6021") && answer.errors.contains("cases.csv:3"), answer.errors.constData());
        QCOMPARE(operators({"--cases", folder.filePath("none.csv")}).code, 4);
    }
};

QTEST_APPLESS_MAIN(TstOperators)
#include "tst_operators.moc"
