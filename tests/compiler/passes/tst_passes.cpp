// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include "ir/constant.h"
#include "passes/passes.h"

#include <cmath>

using namespace poolwright;
using ir::ElementType;
using ir::OpKind;
using ir::Quantisation;
using ir::Shape;
using Integers = std::vector<std::int64_t>;

namespace {

/// Writes a graph node by node; every tensor is named.
class Sketch {
public:
    TensorId input(const char* name, Shape shape, ElementType type = ElementType::Float32,
                   std::optional<Quantisation> q = {}) {
        const TensorId id = tensor(name, type, std::move(shape), std::move(q));
        m_graph.inputs.push_back(id);
        return id;
    }

    TensorId op(OpKind kind, std::vector<TensorId> inputs, const char* name, Shape shape,
                ir::Attributes attributes = {}) {
        return node(kind, std::move(inputs), tensor(name, ElementType::Float32, std::move(shape), {}),
                    std::move(attributes));
    }

    /// QuantizeLinear and DequantizeLinear with the same parameters.
    TensorId qdq(TensorId x, const std::string& name, double scale, int zero, ElementType type = ElementType::Int8) {
        return dequantised(quantised(x, name, scale, zero, type), name + "_dq");
    }
    TensorId quantised(TensorId x, const std::string& name, double scale, int zero,
                       ElementType type = ElementType::Int8) {
        const Shape shape = m_graph[x].shape;
        return node(OpKind::Quantize, {x}, tensor(name, type, shape, Quantisation{{scale}, {zero}, -1}), {});
    }
    TensorId dequantised(TensorId q, const std::string& name) {
        const Shape shape = m_graph[q].shape;
        return node(OpKind::Dequantize, {q}, tensor(name, ElementType::Float32, shape, {}), {});
    }
    TensorId constant(ir::Tensor tensor) { return m_graph.addTensor(std::move(tensor)); }
    std::vector<TensorId> split(TensorId x, const std::vector<std::string>& names, const Integers& extents) {
        Shape shape = m_graph[x].shape;
        std::vector<TensorId> outputs;
        for (std::size_t i = 0; i < names.size(); ++i) {
            shape[1] = extents[i];
            outputs.push_back(tensor(names[i], ElementType::Float32, shape, {}));
        }
        node(OpKind::Split, {x}, outputs[0], {{"axis", std::int64_t(1)}, {"split", extents}});
        m_graph.nodes.back().outputs = outputs;
        return outputs;
    }

    TensorId conv(TensorId x, TensorId weights, TensorId bias, const char* name, Shape shape,
                  Integers pads = {0, 0, 0, 0}) {
        const Shape w = m_graph[weights].shape;
        return op(OpKind::Conv, {x, weights, bias}, name, std::move(shape),
                  {{"kernel_shape", Integers{w[2], w[3]}},
                   {"strides", Integers{1, 1}},
                   {"dilations", Integers{1, 1}},
                   {"pads", std::move(pads)},
                   {"group", std::int64_t(1)}});
    }

    /// [outputs, inputs, 1, 1] of ones with scale 1/4 a channel.
    TensorId weights(std::int64_t outputs, std::int64_t inputs) {
        return constant(ir::makeIntegerConstant("w", ElementType::Int8, {outputs, inputs, 1, 1},
                                                Integers(std::size_t(outputs * inputs), 1),
                                                Quantisation{std::vector<double>(std::size_t(outputs), 0.25),
                                                             std::vector<std::int32_t>(std::size_t(outputs), 0), 0}));
    }

    ir::Graph done(std::vector<TensorId> outputs) {
        m_graph.name = "g";
        m_graph.outputs = std::move(outputs);
        return m_graph;
    }

private:
    TensorId tensor(std::string name, ElementType type, Shape shape, std::optional<Quantisation> q) {
        ir::Tensor tensor;
        tensor.name = std::move(name);
        tensor.type = type;
        tensor.shape = std::move(shape);
        tensor.quantisation = std::move(q);
        return m_graph.addTensor(std::move(tensor));
    }
    TensorId node(OpKind kind, std::vector<TensorId> inputs, TensorId output, ir::Attributes attributes) {
        ir::Node node;
        node.name = "n" + std::to_string(m_graph.nodes.size());
        node.kind = kind;
        node.inputs = std::move(inputs);
        node.outputs = {output};
        node.attributes = std::move(attributes);
        m_graph.nodes.push_back(std::move(node));
        return output;
    }

    ir::Graph m_graph;
};

Result<ir::Graph> run(const ir::Graph& graph, bool nativeFloat = false) {
    Diagnostics notes;
    return passes::runPasses(graph, {.verify = true, .nativeFloat = nativeFloat, .omit = {}}, notes);
}

/// "y:s8 = Relu(x) 0.5/-3" a node: output, its type, kind, inputs, parameters.
QString outline(const ir::Graph& graph) {
    QString text;
    for (const ir::Node& node : graph.nodes) {
        QStringList inputs;
        for (TensorId input : node.inputs)
            inputs += input.isValid() ? QString::fromStdString(graph[input].name) : "-";
        const ir::Tensor& output = graph[node.outputs[0]];
        text += QString("%1:%2 = %3(%4)")
                    .arg(output.name.c_str(), ir::elementTypeName(output.type), ir::opKindName(node.kind),
                         inputs.join(", "));
        if (output.quantisation)
            text += QString(" %1/%2").arg(output.quantisation->scales[0]).arg(output.quantisation->zeroPoints[0]);
        text += "\n";
    }
    return text;
}

const Shape image{1, 2, 4, 4};

} // namespace

class TstPasses : public QObject {
    Q_OBJECT

private slots:
    void everyPassHasNameAndSentence() {
        for (const passes::Pass& pass : passes::allPasses()) {
            QVERIFY(QString(pass.name).size() > 3);
            QVERIFY(QString(pass.summary).endsWith('.'));
        }
    }

    void quantisedConvolutionChain() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId bias = s.constant(ir::makeFloatConstant("b", {4}, {1.0, -0.5, 0.0, 0.25}));
        const TensorId c = s.conv(x, s.weights(4, 2), bias, "c", {1, 4, 4, 4});
        const TensorId r = s.op(OpKind::Relu, {c}, "r", {1, 4, 4, 4});
        const TensorId y = s.qdq(r, "rq", 0.125, -128);
        const auto graph = run(s.done({y}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        // The Relu is the lower bound of its type; float input and output keep their type at the border.
        QCOMPARE(outline(*graph), QString("xq:s8 = QuantizeLinear(x) 0.5/3\n"
                                          "c:s8 = Conv(xq, w, b) 0.125/-128\n"
                                          "rq_dq:f32 = DequantizeLinear(c)\n"));
        const ir::Tensor& folded = (*graph)[graph->nodes[1].inputs[2]];
        QCOMPARE(folded.type, ElementType::Int32);
        QCOMPARE(folded.quantisation->scales, std::vector<double>(4, 0.125)); // 0.5 * 0.25
        QCOMPARE(ir::integersOf(folded), (Integers{8, -4, 0, 2}));            // value / 0.125
    }

    /// Reals -65.5..62 and -32..31.75 sum up to -97.5..93.75: 65535 steps, and the lowest is -32768.
    void partialSumsAre16Bits() {
        Sketch s;
        const TensorId a = s.qdq(s.input("a", {4}), "aq", 0.5, 3);
        const TensorId b = s.qdq(s.input("b", {4}), "bq", 0.25, 0);
        const TensorId c = s.qdq(s.input("c", {4}), "cq", 1, 0);
        const TensorId part = s.op(OpKind::Add, {a, b}, "part", {4}, {{"partial", std::int64_t(1)}});
        const ir::Graph sum = s.done({s.qdq(s.op(OpKind::Add, {part, c}, "sum", {4}), "yq", 1, 0)});
        const auto graph = run(sum);
        POOLWRIGHT_VERIFY_RESULT(graph);
        const auto found = std::find_if(graph->tensors.begin(), graph->tensors.end(),
                                        [](const ir::Tensor& tensor) { return tensor.name == "part"; });
        QVERIFY(found != graph->tensors.end());
        QCOMPARE(found->type, ElementType::Int16);
        QCOMPARE(found->quantisation->scales[0], 191.25 / 65535);
        QCOMPARE(found->quantisation->zeroPoints[0], 642); // 97.5 / scale - 32768
        const auto native = run(sum, true);
        POOLWRIGHT_VERIFY_RESULT(native);
        QVERIFY(outline(*native).contains("part:f32 = Add"));
    }

    /// Parts with parameters of their own are requantised behind the Split, those of the whole come through.
    void splitHandsParametersOn() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", {1, 6}), "xq", 0.5, 3);
        const auto parts = s.split(x, {"a", "b"}, {2, 4});
        const TensorId a = s.qdq(parts[0], "aq", 0.25, 1);
        const TensorId b = s.op(OpKind::Relu, {parts[1]}, "r", {1, 4});
        const auto graph = run(s.done({a, s.qdq(b, "bq", 0.5, 3)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(outline(*graph), QString("xq:s8 = QuantizeLinear(x) 0.5/3\n"
                                          "a_unscaled:s8 = Split(xq) 0.5/3\n"
                                          "a:s8 = Requantize(a_unscaled) 0.25/1\n"
                                          "r:s8 = Relu(b) 0.5/3\n"
                                          "aq_dq:f32 = DequantizeLinear(a)\n"
                                          "bq_dq:f32 = DequantizeLinear(r)\n"));
    }

    /// Only zeros all around are what a convolution pads with: mirrored or cropped images are not.
    void padOfOtherModesStaysInFrontOfAConvolution() {
        for (const bool mirrors : {true, false}) {
            Sketch s;
            const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
            const Integers pads = mirrors ? Integers{0, 0, 1, 1, 0, 0, 1, 1} : Integers{0, 0, -1, 1, 0, 0, -1, 1};
            const Shape padded = mirrors ? Shape{1, 2, 6, 6} : Shape{1, 2, 2, 6};
            const TensorId p =
                s.op(OpKind::Pad, {x}, "p", padded,
                     {{"pads", pads}, {"mode", std::string(mirrors ? "reflect" : "constant")}, {"value", 0.0}});
            const TensorId c = s.conv(p, s.weights(4, 2), TensorId(), "c", {1, 4, padded[2], padded[3]});
            const auto graph = run(s.done({s.quantised(c, "cq", 0.125, 0)}));
            POOLWRIGHT_VERIFY_RESULT(graph);
            QCOMPARE(outline(*graph), QString("xq:s8 = QuantizeLinear(x) 0.5/3\n"
                                              "p:s8 = Pad(xq) 0.5/3\n"
                                              "cq:s8 = Conv(p, w, -) 0.125/0\n"));
        }
    }

    /// Steps of ConvTranspose weights lie along their second dimension and hold in every group: the bias has one each.
    void biasOfAGroupedTransposedConvolution() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId w = s.constant(ir::makeIntegerConstant("w", ElementType::Int8, {2, 2, 1, 1}, {1, 1, 1, 1},
                                                              Quantisation{{0.25, 0.5}, {0, 0}, 1}));
        const TensorId bias = s.constant(ir::makeFloatConstant("b", {4}, {1.0, 1.0, -1.0, 0.5}));
        const TensorId c = s.op(OpKind::ConvTranspose, {x, w, bias}, "c", {1, 4, 4, 4}, {{"group", std::int64_t(2)}});
        const auto graph = run(s.done({s.quantised(c, "cq", 0.125, 0)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        const ir::Tensor& folded = (*graph)[graph->nodes[1].inputs[2]];
        QCOMPARE(folded.quantisation->scales, (std::vector<double>{0.125, 0.25, 0.125, 0.25}));
        QCOMPARE(ir::integersOf(folded), (Integers{8, 4, -8, 2}));
    }

    void hugeConstantsAreNotUnfolded() {
        for (const std::int64_t extent : {std::int64_t(1) << 10, std::int64_t(1) << 25}) {
            Sketch s;
            const TensorId x = s.input("x", {extent});
            const TensorId k = s.constant(ir::makeFloatConstant("k", {1}, {1.0}));
            const TensorId e = s.op(OpKind::Expand, {k}, "e", {extent});
            const auto graph = run(s.done({s.op(OpKind::Add, {x, e}, "y", {extent})}), true);
            POOLWRIGHT_VERIFY_RESULT(graph);
            QCOMPARE(graph->nodes.size(), std::size_t(extent < 2000 ? 1 : 2));
        }
    }

    /// Half steps from 0.5 to 79.5, as detection heads have them, fit 8 bits exactly under a step of 1/2.
    void anchorsAreQuantisedExactly() {
        std::vector<double> anchors;
        for (int i = 0; i < 80; ++i)
            anchors.push_back(i + 0.5);
        Sketch s;
        const TensorId x = s.qdq(s.input("x", {80}), "xq", 0.5, 3);
        const TensorId k = s.constant(ir::makeFloatConstant("k", {80}, anchors));
        const auto graph = run(s.done({s.quantised(s.op(OpKind::Sub, {k, x}, "m", {80}), "mq", 0.5, 0)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(ir::realsOf((*graph)[graph->nodes[1].inputs[0]]), anchors);
    }

    /// 16 bits stay 16 bits, signed as 8 bits are; a Requantize leads from one width to the other.
    void sixteenBits() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", {2, 3}), "xq", 0.5, 32768 + 5, ElementType::UInt16);
        const TensorId t = s.op(OpKind::Transpose, {x}, "t", {3, 2}, {{"perm", Integers{1, 0}}});
        const TensorId k = s.constant(ir::makeFloatConstant("k", {2}, {1.0, -0.5}));
        const TensorId m = s.op(OpKind::Mul, {t, k}, "m", {3, 2});
        const auto graph = run(s.done({s.quantised(m, "mq", 0.25, -3)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(outline(*graph), QString("xq:s16 = QuantizeLinear(x) 0.5/5\n"
                                          "t:s16 = Transpose(xq) 0.5/5\n"
                                          "mq:s8 = Mul(t, k) 0.25/-3\n"));
    }

    /// What is quantised behind the parts only, alike, is quantised in front of the Split already.
    void splitTakesParametersOfItsParts() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", {1, 6}), "xq", 0.5, 3);
        const TensorId doubled = s.op(OpKind::Add, {x, x}, "d", {1, 6});
        const auto parts = s.split(doubled, {"a", "b"}, {2, 4});
        const TensorId a = s.qdq(parts[0], "aq", 1.0, 3);
        const auto graph = run(s.done({a, s.qdq(parts[1], "bq", 1.0, 3)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(outline(*graph), QString("xq:s8 = QuantizeLinear(x) 0.5/3\n"
                                          "d:s8 = Add(xq, xq) 1/3\n"
                                          "a:s8 = Split(d) 1/3\n"
                                          "aq_dq:f32 = DequantizeLinear(a)\n"
                                          "bq_dq:f32 = DequantizeLinear(b)\n"));
    }

    void gatherReadsItsIndicesAsTheyAre() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", {4}), "xq", 0.5, 3);
        const TensorId i = s.input("i", {2}, ElementType::Int64);
        const TensorId y = s.op(OpKind::Gather, {x, i}, "y", {2}, {{"axis", std::int64_t(0)}});
        const auto graph = run(s.done({y}), true);
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(outline(*graph), QString("xq:s8 = QuantizeLinear(x) 0.5/3\n"
                                          "y_quantised:s8 = Gather(xq, i) 0.5/3\n"
                                          "y:f32 = DequantizeLinear(y_quantised)\n"));
    }

    /// Dequantisation in two halves (scale of the weights behind the product) is one again.
    void scaleBehindAProductGoesIntoItsWeights() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId c = s.conv(x, s.weights(4, 2), TensorId(), "c", {1, 4, 4, 4});
        const TensorId k = s.constant(ir::makeFloatConstant("k", {4, 1, 1}, {2.0, 1.0, 0.5, -1.0}));
        const TensorId m = s.op(OpKind::Mul, {c, k}, "m", {1, 4, 4, 4});
        const auto graph = run(s.done({s.qdq(m, "mq", 0.125, 0)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(graph->nodes.size(), std::size_t(3));
        const ir::Tensor& weights = (*graph)[graph->nodes[1].inputs[1]];
        QCOMPARE(weights.quantisation->scales, (std::vector<double>{0.5, 0.25, 0.125, 0.25}));
        QCOMPARE(ir::integersOf(weights), (Integers{1, 1, 1, 1, 1, 1, -1, -1}));
    }

    void reluThatBitesStays() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId y = s.qdq(s.op(OpKind::Relu, {x}, "r", image), "rq", 0.5, 3);
        const auto graph = run(s.done({y}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(outline(*graph), QString("xq:s8 = QuantizeLinear(x) 0.5/3\n"
                                          "r:s8 = Relu(xq) 0.5/3\n"
                                          "rq_dq:f32 = DequantizeLinear(r)\n"));
    }

    void clipInsideTheRangeStays_data() {
        QTest::addColumn<double>("scale");
        QTest::addColumn<bool>("stays");
        QTest::newRow("range ends at 6") << 6.0 / 255 << false;
        QTest::newRow("range ends at 12") << 12.0 / 255 << true;
    }

    void clipInsideTheRangeStays() {
        QFETCH(double, scale);
        QFETCH(bool, stays);
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 0);
        const TensorId c = s.conv(x, s.weights(2, 2), TensorId(), "c", image);
        const TensorId r = s.op(OpKind::Clip, {c}, "r", image, {{"min", 0.0}, {"max", 6.0}});
        const auto graph = run(s.done({s.qdq(r, "rq", scale, -128)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(outline(*graph).contains("Clip"), stays);
    }

    /// The poolings of the vendor's baseline models: Relu and MaxPool keep the input's parameters, the mean takes those
    /// at the end.
    void parametersTravelBackThroughReshape() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId r = s.op(OpKind::Relu, {x}, "r", image);
        const TensorId m =
            s.op(OpKind::MaxPool, {r}, "m", {1, 2, 2, 2},
                 {{"kernel_shape", Integers{2, 2}}, {"strides", Integers{2, 2}}, {"pads", Integers{0, 0, 0, 0}}});
        const TensorId a =
            s.op(OpKind::AveragePool, {m}, "a", {1, 2, 1, 1},
                 {{"kernel_shape", Integers{2, 2}}, {"strides", Integers{2, 2}}, {"pads", Integers{0, 0, 0, 0}}});
        const TensorId f = s.op(OpKind::Reshape, {a}, "f", {1, 2});
        const TensorId y = s.quantised(f, "y", 0.25, -10);
        const auto graph = run(s.done({y}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(outline(*graph), QString("xq:s8 = QuantizeLinear(x) 0.5/3\n"
                                          "r:s8 = Relu(xq) 0.5/3\n"
                                          "m:s8 = MaxPool(r) 0.5/3\n"
                                          "a:s8 = GlobalAveragePool(m) 0.25/-10\n"
                                          "y:s8 = Reshape(a) 0.25/-10\n"));
    }

    /// A clamp's parameters must not reach a tensor that somebody else reads unclamped.
    void parametersStopAtABranch() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId c = s.conv(x, s.weights(2, 2), TensorId(), "c", image);
        const TensorId r = s.qdq(s.op(OpKind::Relu, {c}, "r", image), "rq", 0.125, -128);
        const TensorId t = s.qdq(s.op(OpKind::Tanh, {c}, "t", image), "tq", 1.0 / 128, 0);
        const auto graph = s.done({r, t});
        const auto refused = run(graph);
        QVERIFY(!refused);
        QCOMPARE(refused.error()[0].code, std::string("PW2101"));
        QVERIFY(refused.error()[0].message.find("'c' (Conv)") != std::string::npos);
        const auto floats = run(graph, true);
        POOLWRIGHT_VERIFY_RESULT(floats);
        QVERIFY(outline(*floats).contains("c:f32 = Conv("));
        QVERIFY(outline(*floats).contains("rq:s8 = QuantizeLinear("));
    }

    void otherParametersNeedRequantisation() {
        Sketch s;
        const TensorId a = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId b = s.qdq(a, "xr", 0.25, 0);
        const TensorId same = s.qdq(b, "xs", 0.25, 0);
        const TensorId y =
            s.qdq(s.op(OpKind::Concat, {a, same}, "y", {1, 4, 4, 4}, {{"axis", std::int64_t(1)}}), "yq", 0.25, 0);
        const auto graph = run(s.done({y}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(outline(*graph), QString("xq:s8 = QuantizeLinear(x) 0.5/3\n"
                                          "xr:s8 = Requantize(xq) 0.25/0\n"
                                          "y:s8 = Concat(xr, xr) 0.25/0\n"
                                          "yq_dq:f32 = DequantizeLinear(y)\n"));
    }

    void unsignedBecomesSignedInside() {
        Sketch s;
        const TensorId x = s.input("x", image, ElementType::UInt8, Quantisation{{0.5}, {100}, -1});
        const TensorId t =
            s.qdq(s.op(OpKind::Sigmoid, {s.dequantised(x, "xf")}, "t", image), "tq", 1.0 / 256, 0, ElementType::UInt8);
        const TensorId y =
            s.quantised(s.op(OpKind::Transpose, {t}, "p", {1, 4, 4, 2}, {{"perm", Integers{0, 2, 3, 1}}}), "y",
                        1.0 / 256, 0, ElementType::UInt8);
        const auto graph = run(s.done({y}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(outline(*graph), QString("x_signed:s8 = Requantize(x) 0.5/-28\n"
                                          "t:s8 = Sigmoid(x_signed) 0.00390625/-128\n"
                                          "p:s8 = Transpose(t) 0.00390625/-128\n"
                                          "y:u8 = Requantize(p) 0.00390625/0\n"));
    }

    void padMovesIntoConvolution() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId p =
            s.op(OpKind::Pad, {x}, "p", {1, 2, 7, 6},
                 {{"pads", Integers{0, 0, 1, 0, 0, 0, 2, 2}}, {"mode", std::string("constant")}, {"value", 0.0}});
        const TensorId c = s.conv(p, s.weights(2, 2), TensorId(), "c", {1, 2, 9, 8}, {1, 1, 1, 1});
        const auto graph = run(s.done({s.qdq(c, "cq", 0.5, 0)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(graph->nodes.size(), 3u);
        QCOMPARE(graph->nodes[1].integers("pads"), (Integers{2, 1, 3, 3}));
    }

    void channelPadStays() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId p =
            s.op(OpKind::Pad, {x}, "p", {1, 4, 4, 4},
                 {{"pads", Integers{0, 0, 0, 0, 0, 2, 0, 0}}, {"mode", std::string("constant")}, {"value", 0.0}});
        const TensorId c = s.conv(p, s.weights(2, 4), TensorId(), "c", image);
        const auto graph = run(s.done({s.qdq(c, "cq", 0.5, 0)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QVERIFY(outline(*graph).contains("p:s8 = Pad(xq) 0.5/3"));
    }

    /// y = (w x + b - mean) * gamma / sqrt(variance + epsilon) + beta, by hand: factors 2 and -1, offsets 1 - 3 * 2 and
    /// 0 + 1.
    void batchNormalizationFoldsIntoConvolution() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId c = s.conv(x, s.weights(2, 2), s.constant(ir::makeFloatConstant("b", {2}, {1, 1})), "c", image);
        const TensorId n = s.op(OpKind::BatchNormalization,
                                {c, s.constant(ir::makeFloatConstant("gamma", {2}, {4, -1})),
                                 s.constant(ir::makeFloatConstant("beta", {2}, {1, 0})),
                                 s.constant(ir::makeFloatConstant("mean", {2}, {3, 1})),
                                 s.constant(ir::makeFloatConstant("var", {2}, {3.75, 0.75}))},
                                "n", image, {{"epsilon", 0.25}});
        const auto graph = run(s.done({s.qdq(n, "nq", 0.5, 0)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(graph->nodes.size(), 3u);
        const ir::Tensor& weights = (*graph)[graph->nodes[1].inputs[1]];
        QCOMPARE(ir::realsOf(weights), (std::vector<double>{0.5, 0.5, -0.25, -0.25}));
        const ir::Tensor& bias = (*graph)[graph->nodes[1].inputs[2]];
        QCOMPARE(ir::realsOf(bias), (std::vector<double>{(1 - 3) * 2 + 1, (1 - 1) * -1}));
    }

    /// The root of a negative variance is no number: the weights stay as they are.
    void normalizationByNoNumberStays() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId c = s.conv(x, s.weights(2, 2), TensorId(), "c", image);
        const TensorId one = s.constant(ir::makeFloatConstant("one", {2}, {1, 1}));
        const TensorId variance = s.constant(ir::makeFloatConstant("var", {2}, {1, -4}));
        const TensorId n =
            s.op(OpKind::BatchNormalization, {c, one, one, one, variance}, "n", image, {{"epsilon", 0.25}});
        const auto graph = run(s.done({s.qdq(n, "nq", 0.5, 0)}), true);
        POOLWRIGHT_VERIFY_RESULT(graph);
        for (const ir::Tensor& tensor : graph->tensors)
            if (tensor.isConstant() && tensor.type == ElementType::Float32)
                for (double value : ir::realsOf(tensor))
                    QVERIFY(std::isfinite(value));
    }

    void loneBatchNormalizationIsDepthwise() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId one = s.constant(ir::makeFloatConstant("one", {2}, {1, 1}));
        const TensorId zero = s.constant(ir::makeFloatConstant("zero", {2}, {0, 0}));
        const TensorId gamma = s.constant(ir::makeFloatConstant("gamma", {2}, {3, -2}));
        const TensorId n =
            s.op(OpKind::BatchNormalization, {x, gamma, zero, zero, one}, "n", image, {{"epsilon", 0.0}});
        const auto graph = run(s.done({s.qdq(n, "nq", 0.5, 0)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        const ir::Node& conv = graph->nodes[1];
        QCOMPARE(conv.kind, OpKind::Conv);
        QCOMPARE(conv.integer("group"), 2);
        QCOMPARE(ir::realsOf((*graph)[conv.inputs[1]]), (std::vector<double>{3, -2}));
    }

    void constantRowBecomesBias() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", {1, 2}), "xq", 0.5, 3);
        const TensorId w = s.constant(
            ir::makeIntegerConstant("w", ElementType::Int8, {3, 2}, {1, 2, 3, 4, 5, 6}, Quantisation{{0.5}, {0}, -1}));
        const TensorId g = s.op(OpKind::Gemm, {x, w, TensorId()}, "g", {1, 3});
        const TensorId a =
            s.op(OpKind::Add, {s.constant(ir::makeFloatConstant("row", {3}, {1, 2, -3})), g}, "a", {1, 3});
        const auto graph = run(s.done({s.qdq(a, "aq", 0.5, 0)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(graph->nodes.size(), 3u);
        QCOMPARE(ir::integersOf((*graph)[graph->nodes[1].inputs[2]]), (Integers{4, 8, -12}));
    }

    void constantsAndChainsFold() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", {1, 2}), "xq", 0.5, 3);
        const TensorId two = s.op(
            OpKind::Add,
            {s.constant(ir::makeFloatConstant("p", {1}, {0.5})), s.constant(ir::makeFloatConstant("q", {1}, {1.5}))},
            "two", {1});
        const TensorId r1 = s.op(OpKind::Reshape, {s.op(OpKind::Mul, {x, two}, "m", {1, 2})}, "r1", {2, 1});
        const TensorId r2 = s.op(OpKind::Reshape, {r1}, "r2", {1, 1, 2, 1});
        const auto graph = run(s.done({s.qdq(r2, "rq", 1.0, 3)}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QCOMPARE(outline(*graph), QString("xq:s8 = QuantizeLinear(x) 0.5/3\n"
                                          "m:s8 = Mul(xq, two) 1/3\n"
                                          "r2:s8 = Reshape(m) 1/3\n"
                                          "rq_dq:f32 = DequantizeLinear(r2)\n"));
        const ir::Tensor& factor = (*graph)[graph->nodes[1].inputs[1]];
        QCOMPARE(ir::realsOf(factor), std::vector<double>{2.0}); // one value is exact
    }

    void transposeChainsCancel() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId last = s.op(OpKind::Transpose, {x}, "last", {1, 4, 4, 2}, {{"perm", Integers{0, 2, 3, 1}}});
        const TensorId first = s.op(OpKind::Transpose, {last}, "first", image, {{"perm", Integers{0, 3, 1, 2}}});
        const TensorId y = s.qdq(s.op(OpKind::Sigmoid, {first}, "y", image), "yq", 1.0 / 256, -128);
        const auto graph = run(s.done({y}));
        POOLWRIGHT_VERIFY_RESULT(graph);
        QVERIFY(!outline(*graph).contains("Transpose"));
    }

    void passesCanBeLeftOut() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", {1, 2}), "xq", 0.5, 3);
        const TensorId y = s.qdq(s.op(OpKind::Identity, {x}, "y", {1, 2}), "yq", 0.5, 3);
        const ir::Graph graph = s.done({y});
        Diagnostics notes;
        const auto kept = passes::runPasses(
            graph, {.verify = true, .nativeFloat = false, .omit = {"eliminate-no-ops", "nonsense"}}, notes);
        POOLWRIGHT_VERIFY_RESULT(kept);
        QVERIFY(outline(*kept).contains("Identity"));
        QCOMPARE(notes.size(), 1u);
        QCOMPARE(notes[0].code, std::string("PW2105"));
        QVERIFY(!passes::runPasses(graph, {.verify = true, .nativeFloat = false, .omit = {"fold-qdq"}}, notes));
    }

    /// An output that no input reaches, behind any number of nodes; one that an input reaches is none.
    void constantOutputsAreRefused() {
        for (bool quantised : {false, true}) {
            Sketch s;
            const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
            const TensorId c = s.constant(ir::makeFloatConstant("c", {1, 2}, {1, 2}));
            const TensorId y = s.op(OpKind::Sigmoid, {c}, "y", {1, 2});
            const auto graph = run(s.done({x, quantised ? s.quantised(y, "yq", 0.5, 0) : y}), true);
            QVERIFY(!graph);
            QCOMPARE(graph.error()[0].code, std::string("PW2108"));
            QCOMPARE(graph.error()[0].where.object, std::string(quantised ? "yq" : "y"));
        }
    }

    void weightsWithoutQuantisationAreReported() {
        Sketch s;
        const TensorId x = s.qdq(s.input("x", image), "xq", 0.5, 3);
        const TensorId w = s.constant(ir::makeFloatConstant("w", {2, 2, 1, 1}, {1, 2, 3, 4}));
        const auto graph = run(s.done({s.qdq(s.conv(x, w, TensorId(), "c", image), "cq", 0.5, 0)}));
        QVERIFY(!graph);
        QVERIFY(graph.error()[0].message.find("'c' (Conv)") != std::string::npos);
        QVERIFY(!graph.error()[0].hint.empty());
    }
};

QTEST_APPLESS_MAIN(TstPasses)
#include "tst_passes.moc"
