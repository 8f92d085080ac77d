// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include "ir/constant.h"
#include "ir/edit.h"
#include "ir/graph.h"

#include <functional>

using namespace poolwright;
using namespace poolwright::ir;

namespace {

Tensor activation(const char* name, Shape shape) {
    Tensor tensor;
    tensor.name = name;
    tensor.type = ElementType::Int8;
    tensor.shape = std::move(shape);
    tensor.quantisation = Quantisation{{0.5}, {-3}, -1};
    return tensor;
}

Node unary(const char* name, OpKind kind, TensorId from, TensorId to) {
    Node node;
    node.name = name;
    node.kind = kind;
    node.inputs = {from};
    node.outputs = {to};
    return node;
}

/// x -> Relu -> r -> Identity -> y, and a constant nobody reads.
Graph chain() {
    Graph graph;
    graph.name = "chain";
    const TensorId unused = graph.addTensor(makeIntegerConstant("unused", ElementType::Int32, {2}, {1, -1}));
    const TensorId x = graph.addTensor(activation("x", {1, 2}));
    const TensorId r = graph.addTensor(activation("r", {1, 2}));
    const TensorId y = graph.addTensor(activation("y", {1, 2}));
    Q_UNUSED(unused);
    graph.inputs = {x};
    graph.outputs = {y};
    graph.nodes = {unary("relu", OpKind::Relu, x, r), unary("id", OpKind::Identity, r, y)};
    graph.nodes[0].originalNames = {"user/relu"};
    return graph;
}

using Breakage = std::function<void(Graph&)>;

} // namespace

Q_DECLARE_METATYPE(Breakage)

class TstIr : public QObject {
    Q_OBJECT

private slots:
    void soundGraphIsAccepted() { QVERIFY(verify(chain()).empty()); }

    void brokenGraphIsReported_data() {
        QTest::addColumn<Breakage>("breakIt");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, Breakage breakage, const char* message) {
            QTest::newRow(name) << breakage << QString(message);
        };
        row(
            "order", [](Graph& g) { std::swap(g.nodes[0], g.nodes[1]); }, "before it is made");
        row(
            "two producers", [](Graph& g) { g.nodes[1].outputs = {TensorId(2)}; }, "has a value already");
        row(
            "writes input", [](Graph& g) { g.nodes[0].outputs = {TensorId(1)}; }, "has a value already");
        row(
            "handle", [](Graph& g) { g.nodes[0].inputs = {TensorId(99)}; }, "does not exist");
        row(
            "absent input", [](Graph& g) { g.nodes[0].inputs = {TensorId()}; }, "does not exist");
        row(
            "arity", [](Graph& g) { g.nodes[0].kind = OpKind::Add; }, "Add has 1 inputs");
        row(
            "constant size", [](Graph& g) { g.tensors[0].shape = {3}; }, "constant holds 8 bytes, its shape needs 12");
        row(
            "scale", [](Graph& g) { g.tensors[1].quantisation->scales = {0}; }, "scale is not positive");
        row(
            "zero points", [](Graph& g) { g.tensors[1].quantisation->zeroPoints = {}; }, "differ in number");
        row(
            "axis",
            [](Graph& g) {
                g.tensors[1].quantisation = Quantisation{{1, 2, 3}, {0, 0, 0}, 1};
            },
            "quantised dimension");
        row(
            "float", [](Graph& g) { g.tensors[1].type = ElementType::Float32; }, "float tensor has quantisation");
        row(
            "output", [](Graph& g) { g.nodes.pop_back(); }, "before it is made");
    }

    void brokenGraphIsReported() {
        QFETCH(Breakage, breakIt);
        QFETCH(QString, message);
        Graph graph = chain();
        breakIt(graph);
        const Diagnostics found = verify(graph);
        QVERIFY(!found.empty());
        QVERIFY2(test::describe(found).contains(message), qPrintable(test::describe(found)));
    }

    void textIsStable() {
        // CRC-32 of the bytes 01 00 00 00 FF FF FF FF, computed with Python's zlib.crc32.
        QCOMPARE(QString::fromStdString(toText(chain())),
                 QString("graph chain\n"
                         "inputs x\n"
                         "outputs y\n"
                         "tensor unused: s32[2] constant 8 bytes crc32 7733FF14\n"
                         "tensor x: s8[1,2] scale=[0.5] zero=[-3]\n"
                         "tensor r: s8[1,2] scale=[0.5] zero=[-3]\n"
                         "tensor y: s8[1,2] scale=[0.5] zero=[-3]\n"
                         "node r = Relu(x) # relu <user/relu>\n"
                         "node y = Identity(r) # id\n"));
    }

    void unusedPartsAreDropped() {
        Graph graph = chain();
        replaceUses(graph, TensorId(3), TensorId(2));
        dropUnused(graph);
        QCOMPARE(graph.tensors.size(), 2u);
        QCOMPARE(graph.nodes.size(), 1u);
        QCOMPARE(graph[graph.outputs[0]].name, std::string("r"));
        QVERIFY(verify(graph).empty());
    }

    void usesAreFound() {
        const Uses uses = usesOf(chain());
        QVERIFY(!uses.producer[1].isValid());
        QCOMPARE(uses.producer[2], NodeId(0));
        QCOMPARE(uses.consumers[2], std::vector<NodeId>{NodeId(1)});
        QVERIFY(uses.consumers[3].empty());
    }

    void quantisedConstantsReadAsReals() {
        const Quantisation q{{0.5, 2.0}, {1, 0}, 1};
        const Tensor constant = makeIntegerConstant("c", ElementType::Int8, {2, 2}, {3, 3, -128, 127}, q);
        QCOMPARE(realsOf(constant), (std::vector<double>{1.0, 6.0, -64.5, 254.0}));
        QCOMPARE(integersOf(constant), (std::vector<std::int64_t>{3, 3, -128, 127}));
        QCOMPARE(realsOf(makeFloatConstant("f", {2}, {1.5, -2})), (std::vector<double>{1.5, -2}));
    }

    void namesBecomeUnique() {
        Graph graph = chain();
        for (Tensor& tensor : graph.tensors)
            tensor.name = "t";
        makeNamesUnique(graph);
        QCOMPARE(graph.tensors[0].name, std::string("t"));
        QCOMPARE(graph.tensors[3].name, std::string("t_3"));
    }
};

QTEST_APPLESS_MAIN(TstIr)
#include "tst_ir.moc"
