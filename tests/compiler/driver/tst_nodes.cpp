// SPDX-License-Identifier: Apache-2.0
#include "support/op_lint_cases.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include "driver/compile.h"
#include "import/import.h"
#include "lint/lint.h"
#include "mpool/read.h"
#include "report/nodes.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace poolwright;

/// For each node of the sixteen graphs of case c18: what lint said before compiling, and where it runs and why.
class TestNodes : public QObject {
    Q_OBJECT
private slots:
    void everyNodeHasItsReason_data();
    void everyNodeHasItsReason();
    void leastEpochCounts();
};

void TestNodes::everyNodeHasItsReason_data() {
    QTest::addColumn<int>("index");
    const auto cases = test::opLintCases();
    QCOMPARE(cases.size(), std::size_t(16));
    for (std::size_t i = 0; i < cases.size(); ++i)
        QTest::newRow(cases[i].name) << int(i);
}

void TestNodes::everyNodeHasItsReason() {
    QFETCH(int, index);
    const test::OpLintCase one = test::opLintCases()[std::size_t(index)];
    QTemporaryDir folder;
    QFile file(folder.filePath(one.file));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const std::string bytes = test::modelBytes(13, one.inputs, one.body);
    file.write(bytes.data(), qint64(bytes.size()));
    file.close();

    driver::Request request;
    request.model = file.fileName().toStdString();
    const std::filesystem::path path = std::filesystem::path(POOLWRIGHT_SOURCE_DIR) / "mpools/stm32n6570-dk-full.mpool";
    const auto pools = mpool::readPools(test::readFile(path), path.string(), {});
    POOLWRIGHT_VERIFY_RESULT(pools);
    request.pools = *pools;
    request.options.nativeFloat = request.options.verify = true;
    const auto outcome = driver::compile(request);
    POOLWRIGHT_VERIFY_RESULT(outcome);

    Diagnostics notes;
    const auto graph = import::importModel(request.model, {.nativeFloat = true}, notes);
    POOLWRIGHT_VERIFY_RESULT(graph);
    std::vector<report::ModelNode> nodes;
    for (const ir::Node& node : graph->nodes)
        nodes.push_back({node.name, ir::opKindName(node.kind)});
    const auto outcomes = report::nodeOutcomes(*outcome->report, nodes, lint::check({*graph, one.file}));
    QCOMPARE(outcomes.size(), nodes.size());
    QStringList found;
    bool runs = false;
    for (const report::NodeOutcome& node : outcomes) {
        runs |= !node.epochs.empty();
        // Nothing but hardware goes without a sentence.
        QVERIFY2(node.where == "HW" || !node.reasons.empty(), node.node.name.c_str());
        for (const Diagnostic& diagnostic : node.lint)
            found << QString::fromStdString(diagnostic.code);
    }
    QVERIFY(runs);
    QCOMPARE(found,
             one.code == QString("PW2316") ? QStringList() : QStringList(one.code)); // PW2316: the file as a whole

    const QJsonArray json =
        QJsonDocument::fromJson(QByteArray::fromStdString(report::nodesJson(*outcome->report, outcomes)))
            .object()["nodes"]
            .toArray();
    QCOMPARE(std::size_t(json.size()), outcomes.size());
    const std::string text = report::nodesText(*outcome->report, outcomes);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        QCOMPARE(json[qsizetype(i)]["where"].toString().toStdString(), outcomes[i].where);
        for (const std::string& reason : outcomes[i].reasons)
            QVERIFY(text.find(reason) != std::string::npos);
    }
}

void TestNodes::leastEpochCounts() {
    report::Report report;
    const auto add = [&](const char* kind, const char* reason, std::vector<report::Operator> operators) {
        report::Epoch epoch;
        epoch.ordinal = int(report.epochs.size());
        epoch.kind = kind;
        epoch.reason = reason;
        epoch.operators = std::move(operators);
        report.epochs.push_back(std::move(epoch));
    };
    add("none", "", {{"conv", "Conv", {}, 0}}); // holds constants: runs nothing
    add("HW", "", {{"conv", "Conv", {"conv", "norm"}, 9}});
    add("SW", "too large", {{"conv", "Conv", {}, 0}});
    const auto outcomes =
        report::nodeOutcomes(report, {{"conv", "Conv"}, {"norm", "BatchNormalization"}, {"view", "Reshape"}},
                             {makeWarning("PW2306", "stride", {"net.onnx", 0, 0, "conv"}, "advice"),
                              makeWarning("PW2306", "stride", {"net.onnx", 0, 0, "other"}, "advice")});
    QCOMPARE(outcomes[0].epochs, (std::vector<int>{1, 2}));
    QCOMPARE(outcomes[0].where, std::string("SW"));
    QCOMPARE(outcomes[0].reasons, std::vector<std::string>{"too large"});
    QCOMPARE(outcomes[0].lint.size(), std::size_t(1));
    QCOMPARE(outcomes[1].epochs, std::vector<int>{1});
    QCOMPARE(outcomes[1].where, std::string("HW"));
    QCOMPARE(outcomes[2].where, std::string("none"));
    QVERIFY(!outcomes[2].reasons.empty());
    QCOMPARE(report::nodesOfEpochs(report), (std::vector<report::ModelNode>{{"conv", "Conv"}}));
}

QTEST_APPLESS_MAIN(TestNodes)
#include "tst_nodes.moc"
