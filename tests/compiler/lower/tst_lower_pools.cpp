// SPDX-License-Identifier: Apache-2.0
#include "lowered.h"

using namespace poolwright;
using ir::OpKind;
using test::GraphMaker;

using Integers = std::vector<std::int64_t>;

/// Pools of all windows, strides and paddings on units.
class TestLowerPools : public QObject {
    Q_OBJECT

private slots:
    void maxima();
    void spatialPyramid();
    void averages();
    void largeAverages();
    void wholeImages();
    void refusals();
};

namespace {

struct Sizes {
    std::int64_t kh, kw, sh, sw;
    Integers pads;
};

TensorId pool(GraphMaker& g, OpKind kind, TensorId x, const Sizes& s, const ir::Quantisation& out,
              std::int64_t countPadding = 0, Integers dilations = {1, 1}) {
    const ir::Shape in = g.graph[x].shape;
    const std::int64_t oh = (in[2] + s.pads[0] + s.pads[2] - dilations[0] * (s.kh - 1) - 1) / s.sh + 1,
                       ow = (in[3] + s.pads[1] + s.pads[3] - dilations[1] * (s.kw - 1) - 1) / s.sw + 1;
    return g.node(kind, {x}, {in[0], in[1], oh, ow}, out,
                  {{"kernel_shape", Integers{s.kh, s.kw}},
                   {"strides", Integers{s.sh, s.sw}},
                   {"pads", s.pads},
                   {"dilations", dilations},
                   {"ceil_mode", std::int64_t(0)},
                   {"count_include_pad", countPadding}});
}

Sizes sizes(GraphMaker& g, int least, int most) {
    Sizes s{g.pick(least, most), g.pick(least, most), g.pick(1, 4), g.pick(1, 4), {}};
    if (g.pick(0, 2) == 0)
        s.sh = s.sw = 1;
    const auto pad = [&](std::int64_t k) { return std::int64_t(g.pick(0, int(k) / 2)); };
    s.pads = {pad(s.kh), pad(s.kw), pad(s.kh), pad(s.kw)};
    return s;
}

} // namespace

void TestLowerPools::maxima() {
    for (unsigned seed = 0; seed < 60; ++seed) {
        GraphMaker g(seed);
        const Sizes s = sizes(g, 1, 9);
        const TensorId x = g.image(g.pick(1, 2), g.oneOf({1, 3, 8, 13, 40}), g.pick(9, 14), g.pick(9, 14));
        const ir::Quantisation quantisation = g.quantisationOf(x);
        g.output(pool(g, OpKind::MaxPool, x, s, quantisation));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {0, 1});
    }
}

/// Three 5 x 5 maxima in series, each padded: one epoch each.
void TestLowerPools::spatialPyramid() {
    GraphMaker g(5);
    const ir::Quantisation quantisation{{0.05}, {-9}, -1};
    const TensorId input = g.activation({1, 10, 10, 32}, quantisation);
    g.graph.inputs.push_back(input);
    TensorId x = g.node(OpKind::Transpose, {input}, {1, 32, 10, 10}, quantisation, {{"perm", Integers{0, 3, 1, 2}}});
    for (int i = 0; i < 3; ++i)
        x = pool(g, OpKind::MaxPool, x, {5, 5, 1, 1, {2, 2, 2, 2}}, quantisation);
    g.output(g.node(OpKind::Transpose, {x}, {1, 10, 10, 32}, quantisation, {{"perm", Integers{0, 2, 3, 1}}}));
    POOLWRIGHT_VERIFY_LOWERED(g.graph, 5, {0, 1, 0, 3});
}

/// Padding counted and not, in windows that one unit takes.
void TestLowerPools::averages() {
    for (unsigned seed = 0; seed < 60; ++seed) {
        GraphMaker g(seed);
        const Sizes s = sizes(g, 1, 3);
        const TensorId x = g.image(g.pick(1, 2), g.oneOf({1, 3, 8, 13, 40}), g.pick(3, 12), g.pick(3, 12));
        const double scale = g.quantisationOf(x).scales[0];
        g.output(
            pool(g, OpKind::AveragePool, x, s, {{scale * g.scale(0.4, 1.2)}, {g.pick(-128, 100)}, -1}, g.pick(0, 1)));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {1});
    }
}

void TestLowerPools::largeAverages() {
    for (unsigned seed = 0; seed < 30; ++seed) {
        GraphMaker g(seed);
        Sizes s = sizes(g, 4, 8);
        const std::int64_t counted = g.pick(0, 1);
        if (counted == 0)
            s.pads = {0, 0, 0, 0};
        const TensorId x = g.image(1, g.oneOf({1, 3, 8, 20}), g.pick(9, 14), g.pick(9, 14));
        const double scale = g.quantisationOf(x).scales[0];
        g.output(pool(g, OpKind::AveragePool, x, s, {{scale * g.scale(0.3, 0.8)}, {g.pick(-128, 100)}, -1}, counted));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {1});
    }
}

void TestLowerPools::wholeImages() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const std::int64_t h = g.pick(1, 30), w = g.pick(1, 30);
        const TensorId x = g.image(g.pick(1, 2), g.oneOf({1, 3, 8, 13, 40}), h, w);
        const ir::Quantisation quantisation = g.quantisationOf(x);
        const OpKind kind = g.oneOf({OpKind::MaxPool, OpKind::AveragePool});
        g.output(pool(g, kind, x, {h, w, 1, 1, {0, 0, 0, 0}}, quantisation));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {kind == OpKind::MaxPool ? 0.0 : 1.0, 0.9, 0, 4});
    }
}

void TestLowerPools::refusals() {
    GraphMaker dilated(1);
    const TensorId x = dilated.image(1, 3, 9, 9);
    const ir::Quantisation quantisation = dilated.quantisationOf(x);
    dilated.output(pool(dilated, OpKind::MaxPool, x, {3, 3, 1, 1, {0, 0, 0, 0}}, quantisation, 0, {2, 2}));
    POOLWRIGHT_VERIFY_LOWERED(dilated.graph, 1, {0, 1, 1});
    GraphMaker wide(1);
    const TensorId y = wide.image(1, 1, 3, 3000);
    const ir::Quantisation same = wide.quantisationOf(y);
    wide.output(pool(wide, OpKind::MaxPool, y, {2, 2, 1, 1, {0, 0, 0, 0}}, same));
    POOLWRIGHT_VERIFY_LOWERED(wide.graph, 1, {0, 1, 1});
}

QTEST_APPLESS_MAIN(TestLowerPools)
#include "tst_lower_pools.moc"
