// SPDX-License-Identifier: Apache-2.0
#include "support/op_lint_cases.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include "import/import.h"
#include "lint/lint.h"

using namespace poolwright;

namespace {

Result<ir::Graph> imported(const QString& inputs, const QString& body) {
    Diagnostics notes;
    return import::importBytes(test::modelBytes(13, inputs, body), "test.onnx", {}, notes);
}

ir::Graph graphOf(const QString& inputs, const QString& body) {
    return imported(inputs, body).value();
}

QStringList codes(const Diagnostics& diagnostics) {
    QStringList list;
    for (const Diagnostic& diagnostic : diagnostics)
        list += QString::fromStdString(diagnostic.code);
    return list;
}

} // namespace

/// The sixteen graphs of case c18 (recipes and verdicts: its ops.json): each fires its own rule and no other.
class TestLint : public QObject {
    Q_OBJECT
private slots:
    void caseFiresItsRuleAlone_data();
    void caseFiresItsRuleAlone();
    void switchedOff();
    void cleanNetworkIsSilent();
    void idsAndCodesAreUnique();
};

void TestLint::caseFiresItsRuleAlone_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("inputs");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("why");
    QTest::addColumn<QString>("advice");
    for (const test::OpLintCase& one : test::opLintCases())
        QTest::newRow(one.name) << QString(one.file) << QString(one.inputs) << one.body << QString(one.code)
                                << QString(one.why) << QString(one.advice);
}

void TestLint::caseFiresItsRuleAlone() {
    QFETCH(QString, file);
    QFETCH(QString, inputs);
    QFETCH(QString, body);
    QFETCH(QString, code);
    QFETCH(QString, why);
    QFETCH(QString, advice);
    const Result<ir::Graph> graph = imported(inputs, body);
    POOLWRIGHT_VERIFY_RESULT(graph);
    const Diagnostics found = lint::check({*graph, file.toStdString()});
    QCOMPARE(codes(found), QStringList{code});
    QVERIFY2(QString::fromStdString(found[0].message).contains(why), found[0].message.c_str());
    QVERIFY2(QString::fromStdString(found[0].hint).contains(advice), found[0].hint.c_str());
    QCOMPARE(found[0].where.object.empty(), code == "PW2316"); // the file as a whole; all others name a node
}

void TestLint::switchedOff() {
    const ir::Graph graph = graphOf("float[1,10] x", "y = Softmax<axis = 1>(x)");
    QVERIFY(lint::check({graph, "net.onnx"}, {"softmax-last"}).empty());
    QCOMPARE(codes(lint::check({graph, "net.onnx"}, {"softmax-inner"})), QStringList{"PW2309"});
}

void TestLint::cleanNetworkIsSilent() {
    const ir::Graph graph = graphOf("float[1,4,9,11] x", test::constantWeights("6, 4, 3, 3") +
                                                             "c = Conv<strides = [2,2]>(x, w)\ny = Relu(c)");
    QVERIFY(lint::check({graph, "OEM_net.onnx"}).empty());
}

void TestLint::idsAndCodesAreUnique() {
    QSet<QString> seen;
    for (const lint::Rule& rule : lint::rules()) {
        seen << rule.id << rule.code;
        QVERIFY(lint::isRule(rule.id));
    }
    QCOMPARE(seen.size(), qsizetype(2 * lint::rules().size()));
    QVERIFY(!lint::isRule("no-such-rule"));
}

QTEST_APPLESS_MAIN(TestLint)
#include "tst_lint.moc"
