// SPDX-License-Identifier: Apache-2.0
#include "support/onnx_text.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include "emulate/emulate.h"
#include "import/export_model.h"
#include "import/import.h"
#include "passes/passes.h"
#include "reference/reference.h"
#include "schedule/schedule.h"

#include <QRegularExpression>

#include <cmath>
#include <random>

using namespace poolwright;
using ir::OpKind;

namespace {

struct Rewritten {
    ir::Graph graph;
    Diagnostics notes;
};

Rewritten rewritten(const std::string& model, passes::Options options, const std::string& name = "net.onnx") {
    Rewritten result;
    options.verify = true;
    auto imported = import::importBytes(model, name, {}, result.notes);
    if (!imported)
        qFatal("%s", qPrintable(test::describe(imported.error())));
    auto graph = passes::runPasses(std::move(*imported), options, result.notes);
    if (!graph)
        qFatal("%s", qPrintable(test::describe(graph.error())));
    result.graph = std::move(*graph);
    return result;
}

std::string model(int opset, const QString& shape, const QString& body) {
    return test::modelBytes(opset, "float[" + shape + "] x", body);
}

int count(const ir::Graph& graph, OpKind kind) {
    return int(std::count_if(graph.nodes.begin(), graph.nodes.end(),
                             [kind](const ir::Node& node) { return node.kind == kind; }));
}

const ir::Node* find(const ir::Graph& graph, OpKind kind) {
    for (const ir::Node& node : graph.nodes)
        if (node.kind == kind)
            return &node;
    return nullptr;
}

QString codes(const Diagnostics& notes, const char* code) {
    QString text;
    for (const Diagnostic& note : notes)
        if (note.code == code)
            text += QString::fromStdString(toText(note)) + "\n";
    return text;
}

/// Largest and mean error that the one note PW2106 prints.
struct Bound {
    double largest = -1, mean = -1;
};

Bound boundOf(const Diagnostics& notes) {
    static const QRegularExpression pattern(R"(max error ([0-9.e+-]+)(?: \([^)]*\))?, mean error ([0-9.e+-]+))");
    const auto match = pattern.match(codes(notes, "PW2106"));
    return match.hasMatch() ? Bound{match.captured(1).toDouble(), match.captured(2).toDouble()} : Bound();
}

std::vector<float> floatsOf(const reference::Value& value) {
    return std::vector<float>(value.as<float>(), value.as<float>() + value.elements());
}

reference::Value valueOf(const ir::Shape& shape, const std::vector<float>& numbers) {
    reference::Value value{ir::ElementType::Float32, shape, {}, {}};
    value.bytes.resize(numbers.size() * sizeof(float));
    std::copy(numbers.begin(), numbers.end(), value.as<float>());
    return value;
}

std::vector<float> run(const ir::Graph& graph, const std::vector<float>& numbers) {
    const auto result = reference::run(graph, {valueOf(graph[graph.inputs[0]].shape, numbers)});
    if (!result)
        qFatal("%s", qPrintable(test::describe(result.error())));
    return floatsOf(result->front());
}

/// QuantizeLinear and DequantizeLinear, by parameters of the result's name.
QString through(const QString& from, const QString& to, double scale, int zero) {
    return QString("s_%2 = Constant<value_float = %3>()\nz_%2 = Constant<value = int8 {%4}>()\n"
                   "q_%2 = QuantizeLinear(%1, s_%2, z_%2)\n%2 = DequantizeLinear(q_%2, s_%2, z_%2)\n")
        .arg(from, to)
        .arg(scale, 0, 'f', 9)
        .arg(zero);
}

QString number(const QString& name, double value) {
    return QString("%1 = Constant<value_float = %2>()\n").arg(name).arg(value, 0, 'f', 9);
}

double gelu(double x) {
    return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
}
double geluByTanh(double x) {
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
double swish(double x, double alpha) {
    return x / (1 + std::exp(-alpha * x));
}
double hardSwish(double x) {
    return x * std::min(6.0, std::max(0.0, x + 3)) / 6;
}

const QString geluNumbers = number("root", 1.41421356) + number("invroot", 0.70710678) + number("one", 1) +
                            number("half", 0.5) + number("three", 3) + number("c", 0.044715) +
                            number("k", 0.7978845608) + number("six", 6) + number("zero", 0) +
                            number("sixth", 0.16666667) + number("a", 1.702) + number("minus", -1);

std::vector<float> ramp(std::size_t count, double from, double to) {
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(float(from + (to - from) * double(i) / double(count - 1)));
    return values;
}

} // namespace

class TstRewrites : public QObject {
    Q_OBJECT
private slots:
    void floatFormIsOneOperator_data();
    void floatFormIsOneOperator();
    void likenessesStayAsTheyAre_data();
    void likenessesStayAsTheyAre();
    void quantisedFormWantsItsOption_data();
    void quantisedFormWantsItsOption();
    void plainQuantisedSwishIsOneTableAndExact();
    void exportedSwishIsJoinedAgain();
    void layerNormalizationIsOneOperator_data();
    void layerNormalizationIsOneOperator();
    void otherNormalizationsStayAsTheyAre_data();
    void otherNormalizationsStayAsTheyAre();
    void softmaxRunsOnUnits_data();
    void softmaxRunsOnUnits();
    void softmaxKeepsTheLargestInPlace();
    void softmaxOfFloatsSaysWhy();
};

void TstRewrites::floatFormIsOneOperator_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("function");
    const auto row = [](const char* name, OpKind kind, const char* function, const QString& body) {
        QTest::newRow(name) << geluNumbers + body << int(kind) << function;
    };
    row("gelu PyTorch", OpKind::Gelu, "gelu",
        "d = Div(x, root)\ne = Erf(d)\np = Add(e, one)\nm = Mul(x, p)\ny = Mul(m, half)");
    row("gelu TensorFlow", OpKind::Gelu, "gelu",
        "d = Mul(x, invroot)\ne = Erf(d)\np = Add(one, e)\nh = Mul(half, x)\ny = Mul(h, p)");
    row("gelu onnxruntime", OpKind::Gelu, "gelu",
        "d = Div(x, root)\ne = Erf(d)\np = Add(e, one)\nh = Mul(p, half)\ny = Mul(x, h)");
    row("gelu tanh TensorFlow", OpKind::Gelu, "geluByTanh",
        "q = Pow(x, three)\nr = Mul(c, q)\ns = Add(x, r)\nt = Mul(k, s)\nu = Tanh(t)\nv = Add(one, u)\n"
        "w = Mul(half, v)\ny = Mul(x, w)");
    row("gelu tanh by squares", OpKind::Gelu, "geluByTanh",
        "q = Mul(x, x)\nr = Mul(c, q)\ns = Add(one, r)\nn = Mul(x, s)\nt = Mul(n, k)\nu = Tanh(t)\nv = Add(u, one)\n"
        "w = Mul(x, half)\ny = Mul(w, v)");
    row("swish", OpKind::Swish, "swish", "s = Sigmoid(x)\ny = Mul(x, s)");
    row("swish the other way round", OpKind::Swish, "swish", "s = Sigmoid(x)\ny = Mul(s, x)");
    row("swish by Exp", OpKind::Swish, "swish", "n = Neg(x)\ne = Exp(n)\np = Add(e, one)\ny = Div(x, p)");
    row("swish 1.702", OpKind::Swish, "quick", "t = Mul(x, a)\ns = Sigmoid(t)\ny = Mul(x, s)");
    row("hardswish by HardSigmoid", OpKind::HardSwish, "hardSwish",
        "s = HardSigmoid<alpha = 0.16666667, beta = 0.5>(x)\ny = Mul(x, s)");
    row("hardswish by Clip", OpKind::HardSwish, "hardSwish",
        "t = Add(x, three)\ns = Clip(t, zero, six)\nm = Mul(x, s)\ny = Div(m, six)");
    row("hardswish by Clip, scaled first", OpKind::HardSwish, "hardSwish",
        "t = Add(x, three)\ns = Clip(t, zero, six)\nm = Mul(s, sixth)\ny = Mul(x, m)");
}

void TstRewrites::floatFormIsOneOperator() {
    QFETCH(const QString, body);
    QFETCH(const int, kind);
    QFETCH(const QString, function);
    const Rewritten result = rewritten(model(13, "2,64", body), {.nativeFloat = true, .omit = {}});
    QCOMPARE(result.graph.nodes.size(), 1u);
    QCOMPARE(int(result.graph.nodes[0].kind), kind);
    const std::vector<float> x = ramp(128, -9, 9);
    const std::vector<float> y = run(result.graph, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double wanted = function == "gelu"         ? gelu(x[i])
                              : function == "geluByTanh" ? geluByTanh(x[i])
                              : function == "swish"      ? swish(x[i], 1)
                              : function == "quick"      ? swish(x[i], 1.702)
                                                         : hardSwish(x[i]);
        QVERIFY2(std::abs(y[i] - wanted) < 2e-6 * (1 + std::abs(x[i])), qPrintable(QString::number(x[i])));
    }
    const Bound bound = boundOf(result.notes);
    QVERIFY2(bound.largest >= 0 && bound.largest < 1e-4, qPrintable(codes(result.notes, "PW2106")));
}

void TstRewrites::likenessesStayAsTheyAre_data() {
    QTest::addColumn<QString>("body");
    const auto row = [](const char* name, const QString& body) { QTest::newRow(name) << geluNumbers + body; };
    row("no half", "d = Div(x, root)\ne = Erf(d)\np = Add(e, one)\ny = Mul(x, p)");
    row("other root", "d = Div(x, six)\ne = Erf(d)\np = Add(e, one)\nm = Mul(x, p)\ny = Mul(m, half)");
    row("minus one", "d = Div(x, root)\ne = Erf(d)\np = Add(e, minus)\nm = Mul(x, p)\ny = Mul(m, half)");
    row("squared swish", "s = Sigmoid(x)\nm = Mul(x, x)\ny = Mul(m, s)");
    row("moved swish", "t = Add(x, one)\ns = Sigmoid(t)\ny = Mul(x, s)");
    row("clip to 3", "t = Add(x, three)\ns = Clip(t, zero, three)\nm = Mul(x, s)\ny = Div(m, six)");
}

void TstRewrites::likenessesStayAsTheyAre() {
    QFETCH(const QString, body);
    const Rewritten result = rewritten(model(13, "2,64", body), {.nativeFloat = true, .omit = {}});
    QVERIFY(result.graph.nodes.size() > 1);
    for (OpKind kind : {OpKind::Gelu, OpKind::Swish, OpKind::HardSwish})
        QCOMPARE(count(result.graph, kind), 0);
    QCOMPARE(codes(result.notes, "PW2106"), QString());
}

void TstRewrites::quantisedFormWantsItsOption_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("kind");
    QTest::newRow("gelu") << geluNumbers + through("x", "x0", 0.04, 0) + "d_ = Div(x0, root)\n" +
                                 through("d_", "d", 0.03, 0) + "e_ = Erf(d)\n" + through("e_", "e", 1 / 127.0, 0) +
                                 "p_ = Add(e, one)\n" + through("p_", "p", 2 / 255.0, -128) + "m_ = Mul(x0, p)\n" +
                                 through("m_", "m", 0.045, -100) + "y_ = Mul(m, half)\n" +
                                 through("y_", "y", 0.0225, -100)
                          << int(OpKind::Gelu);
    QTest::newRow("swish 1.702") << geluNumbers + through("x", "x0", 0.04, 0) + "t_ = Mul(x0, a)\n" +
                                        through("t_", "t", 0.07, 0) + "s_ = Sigmoid(t)\n" +
                                        through("s_", "s", 1 / 255.0, -128) + "y_ = Mul(x0, s)\n" +
                                        through("y_", "y", 0.021, -118)
                                 << int(OpKind::Swish);
}

void TstRewrites::quantisedFormWantsItsOption() {
    QFETCH(const QString, body);
    QFETCH(const int, kind);
    const std::string bytes = model(13, "1,256", body);
    const Rewritten before = rewritten(bytes, {.nativeFloat = true, .omit = {}});
    QCOMPARE(count(before.graph, OpKind(kind)), 0);
    QVERIFY(codes(before.notes, "PW2106").isEmpty());
    const Rewritten after =
        rewritten(bytes, {.nativeFloat = true, .recogniseGelu = true, .recogniseSwish = true, .omit = {}});
    QCOMPARE(count(after.graph, OpKind(kind)), 1);
    QCOMPARE(after.graph.nodes.size(), 3u); // between the two borders of float
    const Bound bound = boundOf(after.notes);
    QVERIFY(bound.largest > 0 && bound.mean > 0 && bound.mean <= bound.largest);
    const std::vector<float> x = ramp(256, -128 * 0.04, 127 * 0.04);
    const std::vector<float> written = run(before.graph, x), joined = run(after.graph, x);
    double largest = 0, mean = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        largest = std::max(largest, std::abs(double(joined[i]) - written[i]));
        mean += std::abs(double(joined[i]) - written[i]) / double(x.size());
        const double wanted = kind == int(OpKind::Gelu) ? gelu(x[i]) : swish(x[i], 1.702);
        QVERIFY2(std::abs(joined[i] - wanted) < 0.51 * 0.0225, qPrintable(QString::number(x[i]))); // one rounding
    }
    QVERIFY2(std::abs(largest - bound.largest) < 0.01 * bound.largest, qPrintable(codes(after.notes, "PW2106")));
    QVERIFY2(std::abs(mean - bound.mean) < 0.01 * bound.mean, qPrintable(codes(after.notes, "PW2106")));
}

/// Without any option: one epoch, and the integers of the model as written, computed here from its own words.
void TstRewrites::plainQuantisedSwishIsOneTableAndExact() {
    const QString body = through("x", "x0", 0.05, 3) + "s_ = Sigmoid(x0)\n" + through("s_", "s", 1 / 256.0, -128) +
                         "y_ = Mul(x0, s)\n" + through("y_", "y", 0.026, -117);
    const Rewritten result = rewritten(model(13, "1,256", body), {.omit = {}});
    Diagnostics warnings;
    const auto program = schedule::schedule(result.graph, target::builtinTarget().machine, {}, warnings);
    POOLWRIGHT_VERIFY_RESULT(program);
    const auto onUnits = std::count_if(program->epochs.begin(), program->epochs.end(),
                                       [](const auto& epoch) { return epoch.kind == program::EpochKind::Hardware; });
    QCOMPARE(int(onUnits), 1);
    const std::vector<float> x = ramp(256, (-128 - 3) * 0.05, (127 - 3) * 0.05), y = run(result.graph, x);
    int unequal = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double gate = std::nearbyint(256 / (1 + std::exp(-double(x[i])))) / 256;
        const double wanted = std::nearbyint(x[i] * std::min(gate, 255 / 256.0) / 0.026) * 0.026;
        unequal += std::abs(y[i] - wanted) > 1e-4;
    }
    QVERIFY2(unequal == 0, qPrintable(QString::number(unequal)));
}

void TstRewrites::exportedSwishIsJoinedAgain() {
    const QString body = geluNumbers + through("x", "x0", 0.04, 0) + "t = Mul(x0, a)\ns = Sigmoid(t)\n" +
                         "y_ = Mul(x0, s)\n" + through("y_", "y", 0.021, -118);
    const Rewritten first = rewritten(model(13, "1,256", body), {.omit = {}});
    QCOMPARE(count(first.graph, OpKind::Swish), 1);
    const auto exported = import::exportModel(first.graph, {.fileName = "net_OE_3_3_1.onnx"});
    POOLWRIGHT_VERIFY_RESULT(exported);
    const Rewritten again = rewritten(exported->onnx, {.nativeFloat = true, .omit = {}}, "net_OE_3_3_1.onnx");
    QCOMPARE(count(again.graph, OpKind::Swish), 1);
    QCOMPARE(count(again.graph, OpKind::Sigmoid), 0);
    QVERIFY(std::abs(find(again.graph, OpKind::Swish)->real("alpha") - 1.702) < 1e-6);
}

const QString layerNumbers = number("two", 2) + number("eps", 1e-5) +
                             "g = Constant<value = float[4] {1, 2, -1, 0.5}>()\n"
                             "b = Constant<value = float[4] {0, 0.5, 1, -2}>()\n";

void TstRewrites::layerNormalizationIsOneOperator_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<bool>("affine");
    const auto row = [](const char* name, bool affine, const char* body) {
        QTest::newRow(name) << layerNumbers + body << affine;
    };
    row("PyTorch", true,
        "m = ReduceMean<axes = [-1]>(x)\nd = Sub(x, m)\nq = Pow(d, two)\nv = ReduceMean<axes = [-1]>(q)\n"
        "e = Add(v, eps)\nr = Sqrt(e)\nn = Div(d, r)\ns = Mul(n, g)\ny = Add(s, b)");
    row("by product and reciprocal", true,
        "m = ReduceMean<axes = [2]>(x)\nd = Sub(x, m)\nq = Mul(d, d)\nv = ReduceMean<axes = [2]>(q)\n"
        "e = Add(eps, v)\nr = Sqrt(e)\nc = Reciprocal(r)\nn = Mul(c, d)\ns = Mul(g, n)\ny = Add(b, s)");
    row("subtracted twice, no scale", false,
        "m = ReduceMean<axes = [-1]>(x)\nd = Sub(x, m)\nd2 = Sub(x, m)\nq = Pow(d, two)\n"
        "v = ReduceMean<axes = [-1]>(q)\ne = Add(v, eps)\nr = Sqrt(e)\ny = Div(d2, r)");
}

void TstRewrites::layerNormalizationIsOneOperator() {
    QFETCH(const QString, body);
    QFETCH(const bool, affine);
    const Rewritten result = rewritten(model(13, "1,3,4", body), {.nativeFloat = true, .omit = {}});
    QCOMPARE(result.graph.nodes.size(), 1u);
    QCOMPARE(result.graph.nodes[0].kind, OpKind::LayerNormalization);
    const std::vector<float> x{1, 5, -3, 0.5f, 100, 101, 99, 100, 0, 0, 0, 1}, y = run(result.graph, x);
    const double scale[] = {1, 2, -1, 0.5}, bias[] = {0, 0.5, 1, -2};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float* line = x.data() + i / 4 * 4;
        const double mean = (double(line[0]) + line[1] + line[2] + line[3]) / 4;
        double variance = 0;
        for (int k = 0; k < 4; ++k)
            variance += (line[k] - mean) * (line[k] - mean) / 4;
        const double plain = (x[i] - mean) / std::sqrt(variance + 1e-5);
        const double wanted = affine ? plain * scale[i % 4] + bias[i % 4] : plain;
        QVERIFY2(std::abs(y[i] - wanted) < 1e-5, qPrintable(QString::number(i)));
    }
    const Bound bound = boundOf(result.notes);
    QVERIFY2(bound.largest >= 0 && bound.largest < 1e-5, qPrintable(codes(result.notes, "PW2106")));
}

void TstRewrites::otherNormalizationsStayAsTheyAre_data() {
    QTest::addColumn<QString>("body");
    const auto row = [](const char* name, const QString& body) { QTest::newRow(name) << layerNumbers + body; };
    row("two different axes", "m = ReduceMean<axes = [1]>(x)\nd = Sub(x, m)\nq = Pow(d, two)\n"
                              "v = ReduceMean<axes = [2]>(q)\ne = Add(v, eps)\nr = Sqrt(e)\ny = Div(d, r)");
    row("not the last axis", "m = ReduceMean<axes = [1]>(x)\nd = Sub(x, m)\nq = Pow(d, two)\n"
                             "v = ReduceMean<axes = [1]>(q)\ne = Add(v, eps)\nr = Sqrt(e)\ny = Div(d, r)");
    row("of x itself", "q = Pow(x, two)\nv = ReduceMean<axes = [2]>(q)\ne = Add(v, eps)\nr = Sqrt(e)\ny = Div(x, r)");
    row("rounded inside", "m = ReduceMean<axes = [2]>(x)\nd_ = Sub(x, m)\n" + through("d_", "d", 0.05, 0) +
                              "q = Pow(d, two)\nv = ReduceMean<axes = [2]>(q)\ne = Add(v, eps)\nr = Sqrt(e)\n"
                              "y = Div(d, r)");
}

void TstRewrites::otherNormalizationsStayAsTheyAre() {
    QFETCH(const QString, body);
    const Rewritten result = rewritten(model(13, "1,3,4", body), {.nativeFloat = true, .omit = {}});
    QCOMPARE(count(result.graph, OpKind::LayerNormalization), 0);
    QCOMPARE(count(result.graph, OpKind::Sqrt), 1);
}

void TstRewrites::softmaxRunsOnUnits_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<int>("axis");
    QTest::addColumn<double>("scale");
    QTest::addColumn<double>("outScale");
    QTest::addColumn<int>("form");
    for (const auto form : {passes::SoftmaxForm::Fast, passes::SoftmaxForm::Full}) {
        const auto row = [form](const char* name, const char* shape, int axis, double scale, double outScale) {
            QTest::addRow("%s %s", name, form == passes::SoftmaxForm::Full ? "full" : "fast")
                << shape << axis << scale << outScale << int(form);
        };
        row("classifier of 10", "1,10", 1, 0.1, 1 / 256.0);
        row("classifier of 1000", "1,1000", 1, 0.1, 1 / 256.0);
        row("pixels", "1,21,12,10", 1, 0.15, 1 / 256.0);
        row("attention", "1,4,49,49", 3, 0.08, 0.3 / 255);
        row("middle axis", "1,3,16,40", 2, 0.05, 1 / 256.0);
        row("two", "1,2,40,40", 1, 0.02, 1 / 256.0);
        row("steep", "1,6,10", 2, 1.5, 1 / 256.0);
    }
}

/// Inputs of every spread; results from the formula in doubles, on the model's grid.
void TstRewrites::softmaxRunsOnUnits() {
    QFETCH(const QString, shape);
    QFETCH(const int, axis);
    QFETCH(const double, scale);
    QFETCH(const double, outScale);
    QFETCH(const int, form);
    const QString body = through("x", "x0", scale, 0) + QString("y_ = Softmax<axis = %1>(x0)\n").arg(axis) +
                         through("y_", "y", outScale, -128);
    passes::Options options{.omit = {}};
    options.softmax = passes::SoftmaxForm(form);
    const Rewritten result = rewritten(model(13, shape, body), options);
    QCOMPARE(count(result.graph, OpKind::Softmax), 0);
    const Bound bound = boundOf(result.notes);
    QVERIFY2(bound.largest >= 0, qPrintable(codes(result.notes, "PW2106")));

    Diagnostics warnings;
    const auto program = schedule::schedule(result.graph, target::builtinTarget().machine, {}, warnings);
    POOLWRIGHT_VERIFY_RESULT(program);
    for (const program::Epoch& epoch : program->epochs)
        if (epoch.kind == program::EpochKind::Software)
            QVERIFY2(QString::fromStdString(epoch.reason).contains("float"), epoch.reason.c_str()); // the borders

    const ir::Shape extents = result.graph[result.graph.inputs[0]].shape;
    const std::size_t along = std::size_t(extents[std::size_t(axis)]);
    std::size_t inner = 1;
    for (std::size_t d = std::size_t(axis) + 1; d < extents.size(); ++d)
        inner *= std::size_t(extents[d]);
    const std::size_t total = std::size_t(ir::elementCount(extents));
    std::mt19937 random(7);
    double worst = 0, mean = 0, compared = 0;
    for (int spread = 4; spread < 256; spread += 42) {
        std::vector<float> x(total);
        for (float& value : x)
            value = float(int(random() % std::uint32_t(spread)) - spread / 2) * float(scale);
        const std::vector<float> y = run(result.graph, x);
        if (spread == 46) { // the units themselves
            const auto emulated = emulate::run(*program, {valueOf(extents, x)});
            POOLWRIGHT_VERIFY_RESULT(emulated);
            const std::vector<float> onUnits = floatsOf(emulated->front());
            for (std::size_t i = 0; i < total; ++i)
                QVERIFY2(std::abs(onUnits[i] - y[i]) <= 3.01 * outScale, qPrintable(QString::number(i)));
        }
        for (std::size_t i = 0; i < total; ++i) {
            const std::size_t first = i / (inner * along) * inner * along + i % inner;
            double sum = 0, top = 0;
            for (std::size_t k = 0; k < along; ++k) {
                sum += std::exp(double(x[first + k * inner]) - x[i]);
                top = std::max(top, double(x[first + k * inner]) - x[i]);
            }
            if (std::exp(top) / sum > 255 * outScale)
                continue; // the model's own grid cuts it off
            const double wanted = std::min(255.0, std::nearbyint(1 / sum / outScale)) * outScale;
            worst = std::max(worst, std::abs(y[i] - wanted));
            mean += std::abs(y[i] - wanted);
            compared += 1;
        }
    }
    qInfo() << "largest" << worst << "mean" << mean / std::max(compared, 1.0) << "printed" << bound.largest
            << bound.mean;
    QVERIFY(compared > 0);
    QVERIFY2(worst <= bound.largest * 1.001, qPrintable(codes(result.notes, "PW2106")));
    QVERIFY(mean / compared < outScale); // less than a step on the whole
}

/// What the fast form promises.
void TstRewrites::softmaxKeepsTheLargestInPlace() {
    const QString body =
        through("x", "x0", 0.1, 0) + "y_ = Softmax<axis = 1>(x0)\n" + through("y_", "y", 1 / 256.0, -128);
    passes::Options options{.omit = {}};
    options.softmax = passes::SoftmaxForm::Fast;
    const Rewritten result = rewritten(model(13, "1,100", body), options);
    std::mt19937 random(3);
    for (int repeat = 0; repeat < 200; ++repeat) {
        std::vector<float> x(100);
        for (float& value : x)
            value = float(int(random() % 200) - 127) * 0.1f;
        const std::size_t largest = random() % 100;
        x[largest] = 8.5f;
        const std::vector<float> y = run(result.graph, x);
        QCOMPARE(std::size_t(std::max_element(y.begin(), y.end()) - y.begin()), largest);
    }
}

void TstRewrites::softmaxOfFloatsSaysWhy() {
    passes::Options options{.nativeFloat = true, .omit = {}};
    options.softmax = passes::SoftmaxForm::Full;
    const Rewritten result = rewritten(model(13, "1,10", "y = Softmax<axis = 1>(x)"), options);
    QCOMPARE(count(result.graph, OpKind::Softmax), 1);
    QVERIFY2(codes(result.notes, "PW2107").contains("stays in software"), qPrintable(codes(result.notes, "PW2107")));
    // behind integers a float result is one more conversion
    const Rewritten behind =
        rewritten(model(13, "1,10", through("x", "x0", 0.1, 0) + "y = Softmax<axis = 1>(x0)"), options);
    QCOMPARE(count(behind.graph, OpKind::Softmax), 0);
    QVERIFY(count(behind.graph, OpKind::Exp) >= 1);
    const std::vector<float> y = run(behind.graph, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    QVERIFY(std::abs(y[9] - 0.63215) <= boundOf(behind.notes).largest);
}

QTEST_APPLESS_MAIN(TstRewrites)
#include "tst_rewrites.moc"
