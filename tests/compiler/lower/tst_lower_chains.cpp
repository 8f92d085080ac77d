// SPDX-License-Identifier: Apache-2.0
#include "lowered.h"

using namespace poolwright;
using ir::OpKind;
using test::GraphMaker;

using Integers = std::vector<std::int64_t>;

/// Several operators in one epoch.
class TestLowerChains : public QObject {
    Q_OBJECT

private slots:
    void functionBehindConvolution();
    void functionBehindSum();
    void functionsOfOneTensor();
    void readByOthers();
    void steepFunction();
    void clampedFunction();
};

namespace {

/// A channel-last input seen as an image: no copies at the border.
TensorId input(GraphMaker& g, const ir::Quantisation& quantisation) {
    const TensorId x = g.activation({1, 6, 5, 8}, quantisation);
    g.graph.inputs.push_back(x);
    return g.node(OpKind::Transpose, {x}, {1, 8, 6, 5}, quantisation, {{"perm", Integers{0, 3, 1, 2}}});
}

void output(GraphMaker& g, TensorId x) {
    const ir::Shape s = g.graph[x].shape;
    const ir::Quantisation quantisation = g.quantisationOf(x);
    g.output(g.node(OpKind::Transpose, {x}, {s[0], s[2], s[3], s[1]}, quantisation, {{"perm", Integers{0, 2, 3, 1}}}));
}

/// x * sigmoid(x) in two operators, the result in steps of `steps` input steps.
TensorId silu(GraphMaker& g, TensorId x, double steps = 1) {
    const ir::Quantisation in = g.quantisationOf(x);
    const ir::Shape shape = g.graph[x].shape;
    const TensorId gate = g.node(OpKind::Sigmoid, {x}, shape, {{1.0 / 256}, {-128}, -1});
    return g.node(OpKind::Mul, {x, gate}, shape, {{in.scales[0] * steps}, {-100}, -1});
}

} // namespace

void TestLowerChains::functionBehindConvolution() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        output(g, silu(g, g.conv(input(g, g.parameters()), g.oneOf({8, 24, 40}), 3, 3, 1, 1, {1, 1, 1, 1})));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {2, 0.9, 0, 1});
    }
}

void TestLowerChains::functionBehindSum() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const TensorId x = input(g, g.parameters()), y = input(g, g.parameters());
        const TensorId sum = g.node(OpKind::Add, {x, y}, {1, 8, 6, 5}, {{g.scale(0.05, 0.2)}, {-5}, -1});
        output(g, g.node(OpKind::Tanh, {sum}, {1, 8, 6, 5}, {{1.0 / 100}, {3}, -1}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {4, 0.9, 0, 2});
    }
}

/// The operand may have other readers; what lies between may not.
void TestLowerChains::functionsOfOneTensor() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const TensorId x = input(g, {{g.scale(0.02, 0.06)}, {g.pick(-60, 60)}, -1});
        output(g, silu(g, x));
        output(g, g.conv(x, 8, 1, 1, 1, 1, {0, 0, 0, 0}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {1, 0.9, 0, 2});
    }
}

void TestLowerChains::readByOthers() {
    GraphMaker g(4);
    const TensorId first = g.conv(input(g, {{0.05}, {0}, -1}), 8, 1, 1, 1, 1, {0, 0, 0, 0});
    output(g, silu(g, first));
    output(g, first);
    // The convolution's own result is wanted: the table is an epoch of its own.
    POOLWRIGHT_VERIFY_LOWERED(g.graph, 4, {1, 0.9, 0, 3});
}

/// What makes many steps of one keeps its own epoch.
void TestLowerChains::steepFunction() {
    GraphMaker g(4);
    output(g, silu(g, g.conv(input(g, {{0.05}, {0}, -1}), 8, 1, 1, 1, 1, {0, 0, 0, 0}), 0.1));
    POOLWRIGHT_VERIFY_LOWERED(g.graph, 4, {1, 0.9, 0, 2});
}

/// A bound between convolution and function becomes part of the table.
void TestLowerChains::clampedFunction() {
    for (unsigned seed = 0; seed < 10; ++seed) {
        GraphMaker g(seed);
        const TensorId x = g.clamp(g.conv(input(g, g.parameters()), 8, 1, 1, 1, 1, {0, 0, 0, 0}), OpKind::Clip);
        output(g, silu(g, x));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {2, 0.9, 0, 1});
    }
}

QTEST_APPLESS_MAIN(TestLowerChains)
#include "tst_lower_chains.moc"
