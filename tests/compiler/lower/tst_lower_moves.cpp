// SPDX-License-Identifier: Apache-2.0
#include "lowered.h"

using namespace poolwright;
using ir::OpKind;
using test::GraphMaker;

using Integers = std::vector<std::int64_t>;

/// Operators that move elements: exact, on units, and without epochs where views do.
class TestLowerMoves : public QObject {
    Q_OBJECT

private slots:
    void splitIntoConvolutions();
    void splitBesideConcat();
    void splitWithOtherParameters();
    void slices();
    void backwards();
    void expands();
    void gathers();
    void tiles();
    void blocks();
};

namespace {

TensorId moved(GraphMaker& g, OpKind kind, TensorId x, const ir::Shape& shape, ir::Attributes attributes) {
    return g.node(kind, {x}, shape, g.quantisationOf(x), std::move(attributes));
}

std::vector<TensorId> split(GraphMaker& g, TensorId x, std::int64_t axis, const Integers& parts) {
    ir::Node node;
    node.kind = OpKind::Split;
    node.name = "n" + std::to_string(g.graph.nodes.size());
    node.inputs = {x};
    node.attributes = {{"axis", axis}, {"split", parts}};
    for (std::int64_t part : parts) {
        ir::Shape shape = g.graph[x].shape;
        shape[std::size_t(axis)] = part;
        node.outputs.push_back(g.activation(shape, g.quantisationOf(x)));
    }
    g.graph.nodes.push_back(node);
    return node.outputs;
}

TensorId indices(GraphMaker& g, const Integers& values, const ir::Shape& shape) {
    ir::Tensor tensor;
    tensor.name = "indices" + std::to_string(g.graph.tensors.size());
    tensor.type = ir::ElementType::Int64;
    tensor.shape = shape;
    auto data = std::make_shared<std::vector<std::uint8_t>>(values.size() * 8);
    std::memcpy(data->data(), values.data(), data->size());
    tensor.data = data;
    return g.graph.addTensor(tensor);
}

} // namespace

/// The parts are read where they lie: one epoch a convolution, and those of copies for the outputs' layout.
void TestLowerMoves::splitIntoConvolutions() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const std::int64_t first = g.oneOf({1, 3, 8, 16}), second = g.oneOf({2, 8, 9, 130});
        const TensorId x = g.conv(g.image(1, 4, 6, 5), first + second, 3, 3, 1, 1, {1, 1, 1, 1});
        const auto parts = split(g, x, 1, {first, second});
        g.output(g.conv(parts[0], 8, 3, 3, 1, 1, {1, 1, 1, 1}));
        g.output(g.conv(parts[1], 8, 1, 1, 1, 1, {0, 0, 0, 0}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {1, 0.9, 0, 9});
    }
}

/// The pattern of YOLO's blocks: both halves and what follows from one of them side by side, without a copy.
void TestLowerMoves::splitBesideConcat() {
    GraphMaker g(1);
    const TensorId input = g.activation({1, 6, 5, 4}, {{0.05}, {3}, -1});
    g.graph.inputs.push_back(input);
    const TensorId x = moved(g, OpKind::Transpose, input, {1, 4, 6, 5}, {{"perm", Integers{0, 3, 1, 2}}});
    const TensorId first = g.conv(x, 16, 1, 1, 1, 1, {0, 0, 0, 0});
    const auto parts = split(g, first, 1, {8, 8});
    TensorId inner = g.conv(parts[1], 8, 3, 3, 1, 1, {1, 1, 1, 1});
    g.graph[inner].quantisation = g.graph[first].quantisation;
    const TensorId joined = g.node(OpKind::Concat, {parts[0], parts[1], inner}, {1, 24, 6, 5}, g.quantisationOf(first),
                                   {{"axis", std::int64_t(1)}});
    const TensorId last = g.conv(joined, 8, 1, 1, 1, 1, {0, 0, 0, 0});
    g.output(moved(g, OpKind::Transpose, last, {1, 6, 5, 8}, {{"perm", Integers{0, 2, 3, 1}}}));
    POOLWRIGHT_VERIFY_LOWERED(g.graph, 1, {1, 0.9, 0, 3});
}

void TestLowerMoves::splitWithOtherParameters() {
    GraphMaker g(3);
    const TensorId x = g.image(1, 6, 4, 5);
    const auto parts = split(g, x, 2, {1, 3});
    g.graph[parts[1]].quantisation = ir::Quantisation{{2 * g.quantisationOf(x).scales[0]}, {-20}, -1};
    g.output(parts[0]);
    g.output(parts[1]);
    // The interpreter moves integers only, so the wanted values come from a Requantize in the graph it runs.
    auto compiled = test::compileGraph(g.graph);
    QVERIFY(compiled.has_value());
    const auto inputs = test::randomInputs(g.graph, 3);
    const auto outputs = emulate::run(compiled->program, inputs);
    POOLWRIGHT_VERIFY_RESULT(outputs);
    const int zero = g.quantisationOf(x).zeroPoints[0];
    const auto* wide = inputs[0].as<std::int8_t>();
    const bool channelLast = g.graph[g.graph.inputs[0]].shape[3] == 6;
    for (int c = 0; c < 6; ++c)
        for (int y = 1; y < 4; ++y)
            for (int i = 0; i < 5; ++i) {
                const int from = channelLast ? wide[(y * 5 + i) * 6 + c] : wide[(c * 4 + y) * 5 + i];
                const double exact = (from - zero) / 2.0 - 20;
                const int got = (*outputs)[1].as<std::int8_t>()[(c * 3 + y - 1) * 5 + i];
                QVERIFY(std::abs(got - std::clamp(exact, -128.0, 127.0)) <= 0.51);
            }
}

void TestLowerMoves::slices() {
    for (unsigned seed = 0; seed < 40; ++seed) {
        GraphMaker g(seed);
        const ir::Shape in{1, g.pick(2, 20), g.pick(2, 9), g.pick(2, 9)};
        const TensorId x = g.image(in[0], in[1], in[2], in[3]);
        Integers starts, ends, steps;
        ir::Shape shape;
        for (std::int64_t extent : in) {
            starts.push_back(g.pick(0, int(extent) - 1));
            ends.push_back(g.pick(int(starts.back()) + 1, int(extent)));
            steps.push_back(g.pick(1, 3));
            shape.push_back((ends.back() - starts.back() + steps.back() - 1) / steps.back());
        }
        const TensorId y = moved(g, OpKind::Slice, x, shape, {{"starts", starts}, {"ends", ends}, {"steps", steps}});
        g.output(y);
        g.output(g.conv(y, 8, 1, 1, 1, 1, {0, 0, 0, 0}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {1});
    }
}

void TestLowerMoves::backwards() {
    GraphMaker g(1);
    const TensorId x = g.image(1, 3, 4, 5);
    g.output(
        moved(g, OpKind::Slice, x, {1, 3, 4, 5},
              {{"starts", Integers{0, 0, 3, 0}}, {"ends", Integers{1, 3, -1, 5}}, {"steps", Integers{1, 1, -1, 1}}}));
    POOLWRIGHT_VERIFY_LOWERED(g.graph, 1, {0, 1, 1});
}

void TestLowerMoves::expands() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const ir::Shape out{1, g.pick(2, 9), g.pick(2, 9), g.pick(2, 9)};
        ir::Shape in = out;
        for (std::size_t i = 1; i < 4; ++i)
            if (g.pick(0, 1) == 1)
                in[i] = 1;
        const TensorId y = moved(g, OpKind::Expand, g.image(in[0], in[1], in[2], in[3]), out, {});
        g.output(y);
        g.output(g.conv(y, 8, 1, 1, 1, 1, {0, 0, 0, 0}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {1});
    }
}

void TestLowerMoves::gathers() {
    const struct {
        Integers values;
        ir::Shape shape;
    } cases[] = {
        {{3}, {}}, {{2, 3, 4, 5}, {4}}, {{0, 2, 4, 6}, {2, 2}}, {{7, 0, 1, 2, -1, -1, 5}, {7}}, {{4, 4, 4}, {3}}};
    unsigned seed = 0;
    for (const auto& one : cases)
        for (std::int64_t axis : {1, 2, 3}) {
            GraphMaker g(++seed);
            ir::Shape in{1, 4, 5, 6};
            in[std::size_t(axis)] = 8;
            const TensorId x = g.image(in[0], in[1], in[2], in[3]);
            ir::Shape out = in;
            out.erase(out.begin() + axis);
            out.insert(out.begin() + axis, one.shape.begin(), one.shape.end());
            const TensorId at = indices(g, one.values, one.shape);
            g.output(g.node(OpKind::Gather, {x, at}, out, g.quantisationOf(x), {{"axis", axis}}));
            POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {0, 1, 0, 3});
        }
}

void TestLowerMoves::tiles() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const ir::Shape in{1, g.pick(1, 6), g.pick(1, 6), g.pick(1, 6)};
        const Integers repeats{1, g.pick(1, 3), g.pick(1, 3), g.pick(1, 3)};
        ir::Shape out;
        for (std::size_t i = 0; i < 4; ++i)
            out.push_back(in[i] * repeats[i]);
        const TensorId x = g.image(in[0], in[1], in[2], in[3]);
        g.output(moved(g, OpKind::Tile, x, out, {{"repeats", repeats}}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {0, 1, 0, 3});
    }
}

/// Both orders and both directions, next to convolutions (channel-last buffers) and to the network's border.
void TestLowerMoves::blocks() {
    for (unsigned seed = 0; seed < 30; ++seed) {
        GraphMaker g(seed);
        const std::int64_t block = g.pick(2, 4), c = g.pick(1, 5), h = g.pick(1, 5), w = g.pick(1, 5), n = g.pick(1, 2);
        const bool toSpace = g.pick(0, 1) == 1;
        const ir::Shape deep{n, c * block * block, h, w}, wide{n, c, h * block, w * block};
        const ir::Shape& in = toSpace ? deep : wide;
        TensorId x = g.image(in[0], in[1], in[2], in[3]);
        if (g.pick(0, 1) == 1)
            x = g.conv(x, in[1], 1, 1, 1, 1, {0, 0, 0, 0});
        const std::string mode = g.oneOf({"DCR", "CRD"});
        x = toSpace ? moved(g, OpKind::DepthToSpace, x, wide, {{"blocksize", block}, {"mode", mode}})
                    : moved(g, OpKind::SpaceToDepth, x, deep, {{"blocksize", block}});
        g.output(g.pick(0, 1) == 1 ? g.conv(x, 4, 1, 1, 1, 1, {0, 0, 0, 0}) : x);
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {1});
    }
}

QTEST_APPLESS_MAIN(TestLowerMoves)
#include "tst_lower_moves.moc"
