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
    void sumBehindConvolution();
    void sumWithLaterOperand();
    void sumOfBoth();
    void sumThatOthersRead();
    void broadcastSum();
    void difference();
    void maximumBehindConvolution();
    void averageBehindConvolution();
    void meanBehindSum();
    void twoPools();
    void paddedPoolAlone();
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

/// Conv + Add + Relu in one epoch; the other operand is a network input.
void TestLowerChains::sumBehindConvolution() {
    for (unsigned seed = 0; seed < 30; ++seed) {
        GraphMaker g(seed);
        const TensorId x = input(g, g.parameters()), y = input(g, g.parameters());
        const std::int64_t kernel = g.oneOf({1, 3}), pad = kernel / 2;
        const TensorId conv = g.conv(x, 8, kernel, kernel, 1, 1, {pad, pad, pad, pad});
        const TensorId sum = g.node(OpKind::Add, {conv, y}, {1, 8, 6, 5}, {{g.scale(0.05, 0.2)}, {-5}, -1});
        output(g, g.clamp(sum, OpKind::Relu));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {2, 0.85, 0, 1});
    }
}

/// The other operand is made by nodes behind the convolution: the chain waits for it.
void TestLowerChains::sumWithLaterOperand() {
    for (unsigned seed = 0; seed < 10; ++seed) {
        GraphMaker g(seed);
        const TensorId x = input(g, g.parameters());
        const TensorId conv = g.clamp(g.conv(x, 8, 1, 1, 1, 1, {0, 0, 0, 0}), OpKind::Relu);
        const TensorId other = g.node(OpKind::Tanh, {x}, {1, 8, 6, 5}, {{1.0 / 100}, {3}, -1});
        output(g, g.node(OpKind::Add, {other, conv}, {1, 8, 6, 5}, {{g.scale(0.05, 0.2)}, {7}, -1}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {2, 0.85, 0, 2});
    }
}

/// Two convolutions and their sum: one of them is kept in memory.
void TestLowerChains::sumOfBoth() {
    for (unsigned seed = 0; seed < 10; ++seed) {
        GraphMaker g(seed);
        const TensorId x = input(g, g.parameters());
        const TensorId a = g.conv(x, 16, 1, 1, 1, 1, {0, 0, 0, 0}), b = g.conv(x, 16, 1, 1, 1, 1, {0, 0, 0, 0});
        const TensorId sum = g.node(OpKind::Add, {a, b}, {1, 16, 6, 5}, {{g.scale(0.05, 0.2)}, {-5}, -1});
        output(g, g.conv(sum, 8, 1, 1, 1, 1, {0, 0, 0, 0}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {2, 0.85, 0, 3});
    }
}

/// The sum is an epoch of its own when the convolution's result is wanted elsewhere.
void TestLowerChains::sumThatOthersRead() {
    GraphMaker g(3);
    const TensorId x = input(g, {{0.05}, {0}, -1});
    const TensorId conv = g.conv(x, 8, 1, 1, 1, 1, {0, 0, 0, 0});
    output(g, g.node(OpKind::Add, {conv, x}, {1, 8, 6, 5}, {{0.1}, {-5}, -1}));
    output(g, conv);
    POOLWRIGHT_VERIFY_LOWERED(g.graph, 3, {1, 0.9, 0, 3});
}

/// One value for each channel is read again for every pixel.
void TestLowerChains::broadcastSum() {
    for (unsigned seed = 0; seed < 10; ++seed) {
        GraphMaker g(seed);
        const TensorId x = input(g, g.parameters());
        const TensorId mean = g.node(OpKind::GlobalAveragePool, {x}, {1, 8, 1, 1}, {{0.05}, {2}, -1});
        const TensorId conv = g.conv(x, 8, 1, 1, 1, 1, {0, 0, 0, 0});
        output(g, g.node(OpKind::Add, {conv, mean}, {1, 8, 6, 5}, {{g.scale(0.05, 0.2)}, {-5}, -1}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {2, 0.85, 0, 2});
    }
}

/// Which operand is taken from which decides the sign.
void TestLowerChains::difference() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const TensorId x = input(g, g.parameters());
        const TensorId conv = g.conv(x, 8, 1, 1, 1, 1, {0, 0, 0, 0});
        const std::vector<TensorId> operands =
            seed % 2 == 0 ? std::vector<TensorId>{conv, x} : std::vector<TensorId>{x, conv};
        output(g, g.node(OpKind::Sub, operands, {1, 8, 6, 5}, {{g.scale(0.05, 0.2)}, {-5}, -1}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {2, 0.85, 0, 1});
    }
}

namespace {

TensorId pool(GraphMaker& g, OpKind kind, TensorId x, std::int64_t window, std::int64_t stride,
              const ir::Quantisation& quantisation, std::int64_t pad = 0) {
    const ir::Shape s = g.graph[x].shape;
    const auto out = [&](std::int64_t size) { return (size + 2 * pad - window) / stride + 1; };
    return g.node(kind, {x}, {s[0], s[1], out(s[2]), out(s[3])}, quantisation,
                  {{"kernel_shape", Integers{window, window}},
                   {"strides", Integers{stride, stride}},
                   {"pads", Integers{pad, pad, pad, pad}}});
}

} // namespace

void TestLowerChains::maximumBehindConvolution() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const TensorId x = g.conv(input(g, g.parameters()), g.oneOf({8, 24, 40}), 3, 3, 1, 1, {1, 1, 1, 1});
        output(g, pool(g, OpKind::MaxPool, x, g.oneOf({2, 3}), g.oneOf({1, 2}), g.quantisationOf(x)));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {1, 0.9, 0, 1});
    }
}

void TestLowerChains::averageBehindConvolution() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const TensorId x = g.conv(input(g, g.parameters()), g.oneOf({8, 24}), 3, 3, 1, 1, {1, 1, 1, 1});
        output(g, pool(g, OpKind::AveragePool, x, g.oneOf({2, 3}), g.oneOf({1, 2}), {{g.scale(0.05, 0.2)}, {4}, -1}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {2, 0.85, 0, 1});
    }
}

/// Conv + Add + GlobalAveragePool: four ARITHs, the last one for the mean.
void TestLowerChains::meanBehindSum() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const TensorId x = input(g, g.parameters());
        const TensorId conv = g.conv(x, 8, 1, 1, 1, 1, {0, 0, 0, 0});
        const TensorId sum = g.node(OpKind::Add, {conv, x}, {1, 8, 6, 5}, {{g.scale(0.05, 0.2)}, {-5}, -1});
        output(g, g.node(OpKind::GlobalAveragePool, {sum}, {1, 8, 1, 1}, {{g.scale(0.02, 0.1)}, {9}, -1}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {2, 0.8, 0, 1});
    }
}

void TestLowerChains::twoPools() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const TensorId x = g.conv(input(g, g.parameters()), 16, 1, 1, 1, 1, {0, 0, 0, 0});
        const TensorId most = pool(g, OpKind::MaxPool, x, 2, 2, g.quantisationOf(x));
        output(g, g.node(OpKind::GlobalAveragePool, {most}, {1, 16, 1, 1}, {{g.scale(0.02, 0.1)}, {9}, -1}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {2, 0.8, 0, 1});
    }
}

/// POOL has no choice of the padding's value: a border takes a convolution of its own.
void TestLowerChains::paddedPoolAlone() {
    GraphMaker g(5);
    const TensorId x = g.conv(input(g, {{0.05}, {0}, -1}), 8, 1, 1, 1, 1, {0, 0, 0, 0});
    output(g, pool(g, OpKind::MaxPool, x, 3, 2, g.quantisationOf(x), 1));
    POOLWRIGHT_VERIFY_LOWERED(g.graph, 5, {1, 0.9, 0, 2});
}

QTEST_APPLESS_MAIN(TestLowerChains)
#include "tst_lower_chains.moc"
