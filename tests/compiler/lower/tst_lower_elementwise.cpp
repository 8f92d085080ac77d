// SPDX-License-Identifier: Apache-2.0
#include "lowered.h"

#include "lower/activation.h"

#include <functional>

using namespace poolwright;
using ir::OpKind;
using test::GraphMaker;

/// Operators of one element each: coefficients along any dimension, slopes, tables.
class TestLowerElementwise : public QObject {
    Q_OBJECT

private slots:
    void constants_data();
    void constants();
    void prelu_data();
    void prelu();
    void curves_data();
    void curves();
    void tooManySteps();
    void scalesFarApart_data();
    void scalesFarApart();
    void missingUnits_data();
    void missingUnits();
    void largeBatches();
};

/// A constant along one dimension (or a number), in more entries than the coefficient memory has too.
void TestLowerElementwise::constants_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<std::vector<std::int64_t>>("image");
    QTest::addColumn<std::vector<std::int64_t>>("constant");
    QTest::addColumn<int>("epochs");
    using Shape = std::vector<std::int64_t>;
    for (OpKind kind : {OpKind::Add, OpKind::Sub, OpKind::Mul}) {
        const auto row = [&](const char* name, Shape image, Shape constant, int epochs) {
            QTest::addRow("%s %s", ir::opKindName(kind), name) << int(kind) << image << constant << epochs;
        };
        row("number", {1, 6, 4, 5}, {1}, 3);
        row("channels", {1, 6, 4, 5}, {6, 1, 1}, 3);
        row("rows", {1, 6, 4, 5}, {4, 1}, 3);
        row("columns", {1, 6, 4, 5}, {5}, 3);
        row("two images", {2, 6, 4, 5}, {1, 6, 1, 1}, 3);
        row("1100 channels", {1, 1100, 2, 3}, {1100, 1, 1}, 5);
        row("image", {1, 3, 4, 5}, {4, 5}, 3);
    }
}

void TestLowerElementwise::constants() {
    QFETCH(int, kind);
    QFETCH(std::vector<std::int64_t>, image);
    QFETCH(std::vector<std::int64_t>, constant);
    QFETCH(int, epochs);
    for (unsigned seed = 0; seed < 4; ++seed) {
        GraphMaker g(seed);
        const TensorId x = g.image(image[0], image[1], image[2], image[3]);
        const TensorId c = g.constant(constant, {{g.scale()}, {g.pick(-20, 20)}, -1}, -128, 127);
        std::vector<TensorId> inputs{x, c};
        if (seed % 2 == 1)
            std::swap(inputs[0], inputs[1]);
        g.output(g.node(OpKind(kind), inputs, image, {{g.scale(0.05, 0.2)}, {g.pick(-60, 60)}, -1}));
        POOLWRIGHT_VERIFY_LOWERED(g.graph, seed, {1, 0.9, 0, epochs});
    }
}

void TestLowerElementwise::prelu_data() {
    QTest::addColumn<int>("channels");
    QTest::addColumn<bool>("perChannel");
    for (int channels : {1, 5, 64, 700})
        for (bool perChannel : {false, true})
            QTest::addRow("%d %s", channels, perChannel ? "slopes" : "slope") << channels << perChannel;
}

/// Every value against the formula in reals.
void TestLowerElementwise::prelu() {
    QFETCH(int, channels);
    QFETCH(bool, perChannel);
    for (unsigned seed = 0; seed < 6; ++seed) {
        GraphMaker g(seed);
        const ir::Quantisation in{{g.scale()}, {g.oneOf({-128, 0, 127, g.pick(-128, 127)})}, -1};
        const ir::Quantisation slopes{{g.scale(0.002, 0.02)}, {g.pick(-100, 100)}, -1};
        const ir::Quantisation out{{g.scale()}, {g.pick(-128, 127)}, -1};
        const TensorId x = g.activation({1, 3, 4, channels}, in); // the last dimension as channels: no copies
        g.graph.inputs.push_back(x);
        const TensorId slope = g.constant({perChannel ? channels : 1}, slopes, -128, 127);
        g.output(g.node(OpKind::PRelu, {x, slope}, {1, 3, 4, channels}, out));
        auto compiled = test::compileGraph(g.graph);
        POOLWRIGHT_VERIFY_RESULT(compiled);
        QCOMPARE(test::epochsOfKind(compiled->program, program::EpochKind::Software), 0);
        const auto inputs = test::randomInputs(g.graph, seed);
        const auto outputs = emulate::run(compiled->program, inputs);
        POOLWRIGHT_VERIFY_RESULT(outputs);
        int unequal = 0;
        for (int i = 0; i < 12 * channels; ++i) {
            const double real = (inputs[0].as<std::int8_t>()[i] - in.zeroPoints[0]) * in.scales[0];
            const int raw = std::int8_t((*g.graph[slope].data)[std::size_t(perChannel ? i % channels : 0)]);
            const double factor = real < 0 ? (raw - slopes.zeroPoints[0]) * slopes.scales[0] : 1;
            const double wanted =
                std::clamp(std::nearbyint(real * factor / out.scales[0]) + out.zeroPoints[0], -128.0, 127.0);
            const int got = (*outputs)[0].as<std::int8_t>()[i];
            QVERIFY2(std::abs(got - wanted) <= 1, qPrintable(QString("%1 for %2").arg(got).arg(wanted)));
            unequal += got != wanted;
        }
        QVERIFY2(unequal <= 12 * channels / 50 + 2, qPrintable(QString::number(unequal)));
    }
}

void TestLowerElementwise::curves_data() {
    QTest::addColumn<int>("curve");
    QTest::addColumn<double>("inputScale");
    QTest::addColumn<int>("inputZero");
    QTest::addColumn<double>("outputScale");
    QTest::addColumn<int>("outputZero");
    const char* names[] = {"leaky", "elu",  "exp", "log",      "sqrt",     "reciprocal", "erf",   "gelu",
                           "abs",   "sine", "neg", "softplus", "softsign", "threshold",  "square"};
    for (int curve = 0; curve < int(std::size(names)); ++curve)
        for (double scale : {0.01, 0.04})
            for (double out : {0.01, 0.05})
                for (int zero : {-128, -100, 0})
                    QTest::addRow("%s %g %g %d", names[curve], scale, out, zero)
                        << curve << scale << zero << out << -30;
}

/// All 256 inputs through the unit's arithmetic against the curve itself: never off by more than a step and a half from
/// the exact real.
void TestLowerElementwise::curves() {
    QFETCH(int, curve);
    QFETCH(double, inputScale);
    QFETCH(int, inputZero);
    QFETCH(double, outputScale);
    QFETCH(int, outputZero);
    const std::function<double(double)> all[] = {[](double x) { return x < 0 ? 0.1 * x : x; },
                                                 [](double x) { return x < 0 ? std::exp(x) - 1 : x; },
                                                 [](double x) { return std::exp(x); },
                                                 [](double x) { return std::log(x); },
                                                 [](double x) { return std::sqrt(std::max(x, 0.0)); },
                                                 [](double x) { return x == 0 ? 1e30 : 1 / x; },
                                                 [](double x) { return std::erf(x); },
                                                 [](double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2))); },
                                                 [](double x) { return std::abs(x); },
                                                 [](double x) { return std::sin(x); },
                                                 [](double x) { return -x; },
                                                 [](double x) { return std::log1p(std::exp(x)); },
                                                 [](double x) { return x / (1 + std::abs(x)); },
                                                 [](double x) { return x > 0.35 ? x : 0; },
                                                 [](double x) { return x * x; }};
    lower::ByteTable table{};
    for (int x = -128; x < 128; ++x) {
        const double real = all[curve]((x - inputZero) * inputScale) / outputScale + outputZero;
        table[std::size_t(x + 128)] = std::int8_t(
            std::isnan(real) ? -128 : std::clamp(std::nearbyint(std::clamp(real, -1e6, 1e6)), -128.0, 127.0));
    }
    const auto fit = lower::fitFunction(table);
    QVERIFY2(fit.has_value(), "no table within one step");
    QVERIFY(fit->config.rom0.size() == 32 && fit->config.rom1.size() <= 3 * 64);
    int unequal = 0;
    for (int x = -128; x < 128; ++x) {
        const int difference = std::abs(lower::evaluateFunction(fit->config, x) - table[std::size_t(x + 128)]);
        QVERIFY(difference <= 1);
        unequal += difference != 0;
    }
    QVERIFY2(unequal <= 24, qPrintable(QString::number(unequal)));
}

/// A staircase with more steps than rows is refused, not approximated.
void TestLowerElementwise::tooManySteps() {
    lower::ByteTable table{};
    for (int x = -128; x < 128; ++x)
        table[std::size_t(x + 128)] = std::int8_t((x & 3) < 2 ? 0 : 50);
    QVERIFY(!lower::fitFunction(table).has_value());
}

void TestLowerElementwise::scalesFarApart_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("scale");
    QTest::addColumn<int>("software");
    for (OpKind kind : {OpKind::Add, OpKind::Mul, OpKind::Requantize, OpKind::Conv})
        for (double scale : {0.05, 1e-30, 1e30})
            QTest::addRow("%s %g", ir::opKindName(kind), scale) << int(kind) << scale << (scale < 1e-3 ? 1 : 0);
}

/// Ratios that no shift of the units reaches are software with a reason, never numbers beyond a register.
void TestLowerElementwise::scalesFarApart() {
    QFETCH(int, kind);
    QFETCH(double, scale);
    QFETCH(int, software);
    GraphMaker maker(1);
    const ir::Shape shape{1, 4, 5, 6};
    const ir::Quantisation tame{{0.05}, {0}, -1}, other{{scale}, {0}, -1};
    const TensorId x = maker.activation(shape, tame);
    maker.graph.inputs = {x};
    if (OpKind(kind) == OpKind::Conv) {
        maker.output(maker.conv(x, 4, 1, 1, 1, 1, {0, 0, 0, 0}));
        maker.graph[maker.graph.outputs[0]].quantisation = other;
    } else if (OpKind(kind) == OpKind::Requantize) {
        maker.output(maker.node(OpKind::Requantize, {x}, shape, other));
    } else {
        maker.output(maker.node(OpKind(kind), {x, x}, shape, other));
    }
    const auto compiled = test::compileGraph(maker.graph);
    POOLWRIGHT_VERIFY_RESULT(compiled);
    if (scale < 1) // nothing but zeros comes of a huge output scale: either way is right
        QCOMPARE(test::epochsOfKind(compiled->program, program::EpochKind::Software), software);
}

void TestLowerElementwise::missingUnits_data() {
    QTest::addColumn<int>("unit");
    QTest::newRow("CONV_ACC") << int(target::UnitKind::ConvAcc);
    QTest::newRow("ARITH") << int(target::UnitKind::Arith);
    QTest::newRow("ACTIV") << int(target::UnitKind::Activ);
    QTest::newRow("POOL") << int(target::UnitKind::Pool);
}

/// A machine description may leave a kind of unit out: what needs it is software.
void TestLowerElementwise::missingUnits() {
    QFETCH(int, unit);
    GraphMaker maker(2);
    const TensorId x = maker.activation({1, 4, 6, 6}, {{0.05}, {0}, -1});
    maker.graph.inputs = {x};
    const TensorId c = maker.conv(x, 8, 3, 3, 1, 1, {1, 1, 1, 1});
    const TensorId s = maker.node(OpKind::Sigmoid, {c}, {1, 8, 6, 6}, {{1 / 256.0}, {-128}, -1});
    maker.output(maker.node(OpKind::GlobalAveragePool, {s}, {1, 8, 1, 1}, maker.quantisationOf(s)));
    target::Machine machine = target::builtinTarget().machine;
    std::erase_if(machine.groups, [&](const target::UnitGroup& group) { return int(group.kind) == unit; });
    Diagnostics warnings;
    const auto program = schedule::schedule(maker.graph, machine, {}, warnings);
    POOLWRIGHT_VERIFY_RESULT(program);
    const Diagnostics broken = program::verify(*program);
    QVERIFY2(broken.empty(), qPrintable(test::describe(broken)));
    QVERIFY(test::epochsOfKind(*program, program::EpochKind::Software) > 0);
}

/// An epoch for each of millions of images would never come to an end.
void TestLowerElementwise::largeBatches() {
    for (OpKind kind : {OpKind::Conv, OpKind::MaxPool}) {
        GraphMaker maker(3);
        const TensorId x = maker.activation({std::int64_t(1) << 24, 2, 4, 4}, {{0.05}, {0}, -1});
        maker.graph.inputs = {x};
        if (kind == OpKind::Conv)
            maker.output(maker.conv(x, 3, 3, 3, 1, 1, {1, 1, 1, 1}));
        else
            maker.output(maker.node(kind, {x}, {std::int64_t(1) << 24, 2, 2, 2}, maker.quantisationOf(x),
                                    {{"kernel_shape", std::vector<std::int64_t>{2, 2}},
                                     {"strides", std::vector<std::int64_t>{2, 2}},
                                     {"pads", std::vector<std::int64_t>{0, 0, 0, 0}}}));
        Diagnostics warnings;
        const auto program = schedule::schedule(maker.graph, target::builtinTarget().machine, {}, warnings);
        POOLWRIGHT_VERIFY_RESULT(program);
        QCOMPARE(test::epochsOfKind(*program, program::EpochKind::Software), 1);
    }
}

QTEST_APPLESS_MAIN(TestLowerElementwise)
#include "tst_lower_elementwise.moc"
