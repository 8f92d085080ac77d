// SPDX-License-Identifier: Apache-2.0
#include "graphs.h"
#include "pipeline.h"

#include <QObject>

#include <set>

using namespace poolwright;
using ir::OpKind;
using test::GraphMaker;

/// Random graphs: lowered, verified, emulated unit by unit, and compared with the interpreter.
class TestScheduleRandom : public QObject {
    Q_OBJECT

private slots:
    void dense();
    void grouped();
    void largeKernels();
    void chains();
    void fullyConnected();
    void elementwise();
    void pooling();
    void paddedMaxima();
    void smallMachines();
    void repeatable();
    void shortPipes();
    void curves();
    void layouts();
    void batches();

private:
    options::CompilerOptions m_options;

    void check(GraphMaker& maker, unsigned seed, bool exact = false, bool hardwareOnly = true);
};

/// Every epoch on the interpreter's inputs: no value off by more than one, nearly all equal.
void TestScheduleRandom::check(GraphMaker& maker, unsigned seed, bool exact, bool hardwareOnly) {
    const QString where = QString("seed %1\n%2").arg(seed).arg(QString::fromStdString(ir::toText(maker.graph)));
    auto compiled = test::compileGraph(maker.graph, m_options);
    QVERIFY2(compiled.has_value(), qPrintable(where + (compiled ? QString() : test::describe(compiled.error()))));
    QString reasons;
    for (const program::Epoch& epoch : compiled->program.epochs)
        reasons += QString::fromStdString(epoch.reason) + "\n";
    QVERIFY2(!hardwareOnly || test::epochsOfKind(compiled->program, program::EpochKind::Software) == 0,
             qPrintable(where + reasons));
    auto comparison = emulate::compare(compiled->program, compiled->graph, test::randomInputs(compiled->graph, seed),
                                       emulate::Feeding::Isolated);
    QVERIFY2(comparison.has_value(), qPrintable(where + (comparison ? QString() : test::describe(comparison.error()))));
    for (const emulate::Agreement& a : comparison->tensors) {
        const QString text = QString("%1: %2 of %3 equal, largest %4\n")
                                 .arg(QString::fromStdString(a.tensor))
                                 .arg(a.equal)
                                 .arg(a.values)
                                 .arg(a.largest);
        QVERIFY2(a.largest <= (exact ? 0 : 1), qPrintable(text + where));
        QVERIFY2(double(a.equal) >= 0.9 * double(a.values) - 2, qPrintable(text + where));
    }
}

void TestScheduleRandom::dense() {
    for (unsigned seed = 0; seed < 40; ++seed) {
        GraphMaker g(seed);
        const int k = g.oneOf({1, 1, 2, 3, 3});
        const TensorId x = g.image(1, g.oneOf({1, 3, 5, 8, 13, 16, 24, 33, 48, 64}), g.pick(k, 12), g.pick(k, 12));
        const std::int64_t pad = k > 1 ? g.pick(0, k - 1) : 0;
        g.output(
            g.conv(x, g.oneOf({1, 3, 8, 10, 17, 32, 70}), k, k, g.pick(1, 2), 1, {pad, pad, pad, k > 1 ? pad : 0}));
        check(g, seed);
    }
}

void TestScheduleRandom::grouped() {
    for (unsigned seed = 0; seed < 30; ++seed) {
        GraphMaker g(seed);
        const std::int64_t groups = g.oneOf({2, 3, 4, 8, 12, 17, 24, 40}), per = g.oneOf({1, 1, 1, 2, 9});
        const TensorId x = g.image(1, groups * per, g.pick(3, 9), g.pick(3, 9));
        g.output(g.conv(x, groups * g.oneOf({1, 1, 2, 5}), 3, 3, g.pick(1, 2), groups, {1, 1, 1, 1}));
        check(g, seed);
    }
}

void TestScheduleRandom::largeKernels() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const int kh = g.oneOf({1, 4, 5, 7, 9}), kw = g.oneOf({1, 5, 7, 8, 13});
        const TensorId x = g.image(1, g.oneOf({1, 3, 8, 20}), g.pick(kh, 14), g.pick(kw, 14));
        g.output(g.conv(x, g.oneOf({4, 11}), kh, kw, g.pick(1, 3), 1, {kh / 2, kw / 2, kh / 2, kw / 2}));
        check(g, seed);
    }
}

void TestScheduleRandom::chains() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        TensorId x = g.image(1, g.oneOf({3, 8}), 10, 9);
        for (int i = 0; i < 3; ++i) {
            x = g.conv(x, g.oneOf({8, 12, 16}), 3, 3, 1, 1, {1, 1, 1, 1});
            if (i > 0)
                x = g.clamp(x, g.oneOf({OpKind::Relu, OpKind::Clip}));
        }
        g.output(x);
        check(g, seed);
    }
}

void TestScheduleRandom::fullyConnected() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const TensorId x = g.activation({g.pick(1, 3), g.oneOf({7, 16, 100, 128, 251})}, g.parameters());
        g.graph.inputs.push_back(x);
        g.output(g.gemm(x, g.oneOf({1, 10, 31, 600})));
        check(g, seed);
    }
}

void TestScheduleRandom::elementwise() {
    for (unsigned seed = 0; seed < 40; ++seed) {
        GraphMaker g(seed);
        const std::int64_t c = g.oneOf({1, 5, 16, 600}), h = g.pick(1, 7), w = g.pick(1, 7);
        const TensorId x = g.image(1, c, h, w);
        const int form = g.pick(0, 3);
        const TensorId y = form == 0   ? g.image(1, c, h, w)
                           : form == 1 ? g.image(1, c, 1, 1)
                           : form == 2 ? g.constant({1, c, 1, 1}, g.parameters(), -128, 127)
                                       : g.constant({}, g.parameters(), 40, 90);
        const OpKind kind = g.oneOf({OpKind::Add, OpKind::Sub, OpKind::Mul});
        ir::Quantisation out = g.parameters();
        out.scales = {kind == OpKind::Mul ? g.quantisationOf(x).scales[0] * g.quantisationOf(y).scales[0] * 90
                                          : g.quantisationOf(x).scales[0] + g.quantisationOf(y).scales[0]};
        TensorId z = g.node(kind, {x, y}, {1, c, h, w}, out);
        if (g.pick(0, 2) == 0)
            z = g.clamp(z, OpKind::Relu);
        g.output(z);
        check(g, seed);
    }
}

void TestScheduleRandom::pooling() {
    for (unsigned seed = 0; seed < 30; ++seed) {
        GraphMaker g(seed);
        const int k = g.pick(1, 3), s = g.pick(1, 3);
        const std::int64_t c = g.oneOf({1, 7, 16, 17, 40}), h = g.pick(k, 11), w = g.pick(k, 11);
        const TensorId x = g.image(1, c, h, w);
        const OpKind kind = g.oneOf({OpKind::MaxPool, OpKind::AveragePool, OpKind::GlobalAveragePool});
        const bool global = kind == OpKind::GlobalAveragePool;
        const ir::Quantisation q = kind == OpKind::MaxPool
                                       ? g.quantisationOf(x)
                                       : ir::Quantisation{{g.quantisationOf(x).scales[0] * 0.7}, {5}, -1};
        ir::Attributes attributes;
        if (!global)
            attributes = {{"kernel_shape", std::vector<std::int64_t>{k, k}},
                          {"strides", std::vector<std::int64_t>{s, s}},
                          {"pads", std::vector<std::int64_t>{0, 0, 0, 0}}};
        g.output(g.node(kind, {x}, {1, c, global ? 1 : (h - k) / s + 1, global ? 1 : (w - k) / s + 1}, q, attributes));
        check(g, seed, kind == OpKind::MaxPool);
    }
}

/// A maximum never takes padding; ceil_mode lets the last window hang over.
void TestScheduleRandom::paddedMaxima() {
    for (unsigned seed = 0; seed < 20; ++seed) {
        GraphMaker g(seed);
        const int k = g.pick(2, 3), s = g.pick(1, 2), pad = g.pick(0, 1), over = g.pick(0, 1);
        const std::int64_t c = g.oneOf({3, 16, 17}), h = g.pick(k, 11), w = g.pick(k, 11);
        const TensorId x = g.image(1, c, h, w);
        const std::int64_t oh = (h + 2 * pad + over - k) / s + 1, ow = (w + 2 * pad + over - k) / s + 1;
        g.output(g.node(OpKind::MaxPool, {x}, {1, c, oh, ow}, g.quantisationOf(x),
                        {{"kernel_shape", std::vector<std::int64_t>{k, k}},
                         {"strides", std::vector<std::int64_t>{s, s}},
                         {"pads", std::vector<std::int64_t>{pad, pad, pad + over, pad + over}}}));
        check(g, seed, true);
    }
}

/// Without ARITH everything is left to software, with reasons.
void TestScheduleRandom::smallMachines() {
    GraphMaker g(5);
    const TensorId x = g.image(1, 16, 6, 5);
    g.output(g.conv(x, 8, 3, 3, 1, 1, {1, 1, 1, 1}));
    target::Machine machine = target::builtinTarget().machine;
    for (target::UnitGroup& group : machine.groups)
        if (group.kind == target::UnitKind::Arith)
            group.count = 0;
    Diagnostics warnings;
    options::CompilerOptions options;
    auto program = schedule::schedule(g.graph, machine, options, warnings);
    POOLWRIGHT_VERIFY_RESULT(program);
    QVERIFY(test::epochsOfKind(*program, program::EpochKind::Software) == 1);
    options.disableSwFallback = true;
    auto refused = schedule::schedule(g.graph, machine, options, warnings);
    QVERIFY(!refused && refused.error().front().code == "PW3010");
}

/// The same graph twice gives the same program.
void TestScheduleRandom::repeatable() {
    GraphMaker g(3);
    TensorId x = g.image(1, 8, 6, 5);
    for (int i = 0; i < 3; ++i)
        x = g.conv(x, 12, 3, 3, 1, 1, {1, 1, 1, 1});
    g.output(x);
    const auto first = test::compileGraph(g.graph), second = test::compileGraph(g.graph);
    QVERIFY(first && second);
    QCOMPARE(first->program.buffers.size(), second->program.buffers.size());
    std::set<std::string> names;
    for (std::size_t i = 0; i < first->program.buffers.size(); ++i) {
        QCOMPARE(first->program.buffers[i].name, second->program.buffers[i].name);
        QVERIFY(first->program.buffers[i].live == second->program.buffers[i].live);
        QVERIFY(names.insert(first->program.buffers[i].name).second);
    }
}

/// One or two CONV_ACCs only: pipes become partial sums.
void TestScheduleRandom::shortPipes() {
    for (unsigned seed = 0; seed < 10; ++seed) {
        GraphMaker g(seed);
        m_options.maxCaPipe = g.pick(1, 2);
        const TensorId x = g.image(1, g.oneOf({16, 48, 64}), 6, 5);
        const int k = g.oneOf({1, 3, 5});
        g.output(g.conv(x, g.oneOf({16, 20}), k, k, 1, 1, {k / 2, k / 2, k / 2, k / 2}));
        check(g, seed);
    }
    m_options = {};
}

void TestScheduleRandom::curves() {
    for (unsigned seed = 0; seed < 30; ++seed) {
        GraphMaker g(seed);
        const TensorId x = g.image(1, 8, 5, 6);
        const OpKind kind = g.oneOf(
            {OpKind::Sigmoid, OpKind::HardSigmoid, OpKind::HardSwish, OpKind::Tanh, OpKind::Relu, OpKind::Clip});
        ir::Quantisation q{{1.0 / 256}, {-128}, -1};
        if (kind == OpKind::Tanh)
            q = {{1.0 / 128}, {0}, -1};
        if (kind == OpKind::HardSwish || kind == OpKind::Relu || kind == OpKind::Clip)
            q = {{g.quantisationOf(x).scales[0]}, {g.pick(-128, 0)}, -1};
        ir::Attributes attributes{{"alpha", 1.0 / 6}, {"beta", 0.5}};
        if (kind == OpKind::Clip)
            attributes = {{"min", 0.0}, {"max", 2.5}};
        g.output(g.node(kind, {x}, g.graph[x].shape, q, attributes));
        check(g, seed);
    }
}

void TestScheduleRandom::layouts() {
    for (unsigned seed = 0; seed < 40; ++seed) {
        GraphMaker g(seed);
        const std::int64_t c = g.oneOf({1, 4, 6}), h = g.pick(2, 5), w = g.pick(2, 5);
        const TensorId x = g.image(1, c, h, w);
        const ir::Quantisation q = g.quantisationOf(x);
        switch (g.pick(0, 5)) {
        case 0:
            g.output(g.node(OpKind::Reshape, {x}, {1, c * h * w}, q));
            break;
        case 1:
            g.output(g.node(OpKind::Resize, {x}, {1, c, h * 2, w * 3}, q,
                            {{"mode", std::string("nearest")},
                             {"coordinate_transformation_mode", std::string("asymmetric")},
                             {"nearest_mode", std::string("floor")}}));
            break;
        case 2:
            g.output(g.node(OpKind::Resize, {x}, {1, c, h * 4, w * 4}, q,
                            {{"mode", std::string("nearest")},
                             {"coordinate_transformation_mode", std::string("half_pixel")},
                             {"nearest_mode", std::string("round_prefer_floor")}}));
            break;
        case 3:
            g.output(g.node(OpKind::Pad, {x}, {1, c + 1, h + 3, w + 2}, q,
                            {{"mode", std::string("constant")},
                             {"pads", std::vector<std::int64_t>{0, 0, 1, 2, 0, 1, 2, 0}},
                             {"value", 0.0}}));
            break;
        case 4: {
            const TensorId y = g.conv(x, 3, 1, 1, 1, 1, {0, 0, 0, 0});
            const TensorId z = g.image(1, 5, h, w);
            g.output(
                g.node(OpKind::Concat, {y, x, z}, {1, c + 8, h, w}, g.quantisationOf(y), {{"axis", std::int64_t(1)}}));
            break;
        }
        default: {
            const TensorId y = g.node(OpKind::Reshape, {x}, {1, c * h, w, 1}, q);
            const TensorId z =
                g.node(OpKind::Transpose, {y}, {1, w, 1, c * h}, q, {{"perm", std::vector<std::int64_t>{0, 2, 3, 1}}});
            g.output(g.node(OpKind::Requantize, {z}, {1, w, 1, c * h}, g.parameters()));
        }
        }
        check(g, seed);
    }
}

void TestScheduleRandom::batches() {
    for (unsigned seed = 0; seed < 6; ++seed) {
        GraphMaker g(seed);
        const TensorId x = g.image(3, 6, 5, 5);
        const TensorId y = g.conv(x, 7, 3, 3, 1, 1, {1, 1, 1, 1});
        g.output(g.node(OpKind::MaxPool, {y}, {3, 7, 4, 4}, g.quantisationOf(y),
                        {{"kernel_shape", std::vector<std::int64_t>{2, 2}},
                         {"strides", std::vector<std::int64_t>{1, 1}},
                         {"pads", std::vector<std::int64_t>{0, 0, 0, 0}}}));
        check(g, seed);
    }
}

QTEST_APPLESS_MAIN(TestScheduleRandom)
#include "tst_schedule_random.moc"
