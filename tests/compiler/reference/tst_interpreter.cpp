// SPDX-License-Identifier: Apache-2.0
#include "reference/reference.h"

#include "support/shared.h"
#include "values.h"

#include <QTest>

using namespace poolwright;
using namespace poolwright::reference;
using namespace poolwright::test;

class TestInterpreter : public QObject {
    Q_OBJECT
private slots:
    void runsNodesInOrder();
    void observerSeesEveryTensor();
    void stopsWhenCancelled();
    void refusesWrongInputs();
    void errorsNameTheNode();
};

namespace {

/// y = Relu(x + [1, -5]) * y is an output, the sum is not.
ir::Graph smallGraph() {
    ir::Graph graph;
    graph.name = "small";
    const Value constant = tensor<float>({2}, {1, -5});
    const auto add = [&](const char* name) {
        return graph.addTensor({name, ir::ElementType::Float32, {2}, {}, nullptr, {}});
    };
    const TensorId x = add("x"), c = add("c"), sum = add("sum"), y = add("y");
    graph[c].data = std::make_shared<const std::vector<std::uint8_t>>(constant.bytes);
    graph.nodes = {{"Add_1", ir::OpKind::Add, {x, c}, {sum}, {}, {}}, {"Relu_2", ir::OpKind::Relu, {sum}, {y}, {}, {}}};
    graph.inputs = {x};
    graph.outputs = {y};
    return graph;
}

} // namespace

void TestInterpreter::runsNodesInOrder() {
    const auto y = run(smallGraph(), {tensor<float>({2}, {2, 3})});
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(elementsOf<float>(y->front()), (std::vector<float>{3, 0}));
}

void TestInterpreter::observerSeesEveryTensor() {
    std::vector<int> seen;
    const auto y = run(smallGraph(), {tensor<float>({2}, {2, 3})}, {},
                       [&](TensorId id, const Value& value) { seen.push_back(id.index * 10 + int(value.elements())); });
    POOLWRIGHT_VERIFY_RESULT(y);
    QCOMPARE(seen, (std::vector<int>{2, 22, 32}));
}

void TestInterpreter::stopsWhenCancelled() {
    CancelFlag flag;
    flag.cancel();
    const auto y = run(smallGraph(), {tensor<float>({2}, {2, 3})}, flag);
    QVERIFY(!y);
    QCOMPARE(y.error().front().code, std::string("PW2204"));
}

void TestInterpreter::refusesWrongInputs() {
    QVERIFY(!run(smallGraph(), {}));
    QVERIFY(!run(smallGraph(), {tensor<float>({3}, {2, 3, 4})}));
    QVERIFY(!run(smallGraph(), {tensor<std::int32_t>({2}, {2, 3})}));
    Value cut = tensor<float>({2}, {2, 3});
    cut.bytes.pop_back();
    QVERIFY(!run(smallGraph(), {cut}));
}

void TestInterpreter::errorsNameTheNode() {
    ir::Graph graph = smallGraph();
    graph[TensorId(3)].shape = {3};
    const auto y = run(graph, {tensor<float>({2}, {2, 3})});
    QVERIFY(!y);
    QCOMPARE(y.error().front().where.object, std::string("Relu_2"));
    QCOMPARE(y.error().front().message, std::string("Relu(f32[2]) -> f32[3]: input and output need the same shape"));
}

QTEST_APPLESS_MAIN(TestInterpreter)
#include "tst_interpreter.moc"
