// SPDX-License-Identifier: Apache-2.0
#include "reference/broadcast.h"

/// Functions of one number. Formulas are those of the ONNX operator descriptions; operands and results are float32, as
/// ONNX Runtime has them between DequantizeLinear and QuantizeLinear: a Floor hangs on their last bit.
namespace poolwright::reference {

namespace {

using ir::OpKind;

/// Two attributes, whatever a function calls them.
struct Parameters {
    double first, second;
};

using Function = double (*)(double, const Parameters&);

double relu(double x, const Parameters&) {
    return x > 0 ? x : 0.0;
}

double clip(double x, const Parameters& bounds) {
    return std::min(std::max(x, bounds.first), bounds.second);
}

double leakyRelu(double x, const Parameters& alpha) {
    return x < 0 ? alpha.first * x : x;
}

double thresholdedRelu(double x, const Parameters& alpha) {
    return x > alpha.first ? x : 0.0;
}

double elu(double x, const Parameters& alpha) {
    return x < 0 ? alpha.first * std::expm1(x) : x;
}

double selu(double x, const Parameters& alphaGamma) {
    return alphaGamma.second * (x > 0 ? x : alphaGamma.first * std::expm1(x));
}

double celu(double x, const Parameters& alpha) {
    return std::max(0.0, x) + std::min(0.0, alpha.first * std::expm1(x / alpha.first));
}

double sigmoid(double x, const Parameters&) {
    return 1.0 / (1.0 + std::exp(-x));
}

double hardSigmoid(double x, const Parameters& alphaBeta) {
    return std::clamp(alphaBeta.first * x + alphaBeta.second, 0.0, 1.0);
}

double hardSwish(double x, const Parameters&) {
    return x * std::clamp(x / 6.0 + 0.5, 0.0, 1.0);
}

double softplus(double x, const Parameters&) {
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

double softsign(double x, const Parameters&) {
    return x / (1.0 + std::abs(x));
}

double gelu(double x, const Parameters&) {
    return 0.5 * x * (1.0 + std::erf(x * 0.70710678118654752440));
}

double geluByTanh(double x, const Parameters&) {
    const double rootOfTwoOverPi = 0.79788456080286535588;
    return 0.5 * x * (1.0 + std::tanh(rootOfTwoOverPi * (x + 0.044715 * x * x * x)));
}

double swish(double x, const Parameters& alpha) {
    return x / (1.0 + std::exp(-alpha.first * x));
}

double sign(double x, const Parameters&) {
    return double(x > 0) - double(x < 0);
}

double halfEven(double x, const Parameters&) {
    return std::isfinite(x) ? x - std::remainder(x, 1.0) : x;
}

/// A function of <cmath> as one of the table.
template <double (*function)(double)> double plain(double x, const Parameters&) {
    return function(x);
}

double reciprocalOf(double x) {
    return 1.0 / x;
}

double minus(double x) {
    return -x;
}

struct Default {
    const char* attribute = nullptr;
    double value = 0;
};

struct Unary {
    OpKind kind;
    Function function;
    Default first = {}, second = {};
};

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr Unary functions[] = {
    {OpKind::Relu, relu},
    {OpKind::Clip, clip, {"min", -infinity}, {"max", infinity}},
    {OpKind::LeakyRelu, leakyRelu, {"alpha", double(0.01f)}},
    {OpKind::ThresholdedRelu, thresholdedRelu, {"alpha", 1.0}},
    {OpKind::Elu, elu, {"alpha", 1.0}},
    {OpKind::Selu, selu, {"alpha", double(1.67326319217681884765625f)}, {"gamma", double(1.05070102214813232421875f)}},
    {OpKind::Celu, celu, {"alpha", 1.0}},
    {OpKind::Sigmoid, sigmoid},
    {OpKind::HardSigmoid, hardSigmoid, {"alpha", 0.2}, {"beta", 0.5}},
    {OpKind::HardSwish, hardSwish},
    {OpKind::Softplus, softplus},
    {OpKind::Softsign, softsign},
    {OpKind::Gelu, gelu},
    {OpKind::Swish, swish, {"alpha", 1.0}},
    {OpKind::Sign, sign},
    {OpKind::Round, halfEven},
    {OpKind::Tanh, plain<std::tanh>},
    {OpKind::Erf, plain<std::erf>},
    {OpKind::Exp, plain<std::exp>},
    {OpKind::Log, plain<std::log>},
    {OpKind::Sqrt, plain<std::sqrt>},
    {OpKind::Reciprocal, plain<reciprocalOf>},
    {OpKind::Neg, plain<minus>},
    {OpKind::Abs, plain<std::fabs>},
    {OpKind::Ceil, plain<std::ceil>},
    {OpKind::Floor, plain<std::floor>},
    {OpKind::Sin, plain<std::sin>},
    {OpKind::Cos, plain<std::cos>},
    {OpKind::Tan, plain<std::tan>},
    {OpKind::Asin, plain<std::asin>},
    {OpKind::Acos, plain<std::acos>},
    {OpKind::Atan, plain<std::atan>},
    {OpKind::Sinh, plain<std::sinh>},
    {OpKind::Cosh, plain<std::cosh>},
    {OpKind::Asinh, plain<std::asinh>},
    {OpKind::Acosh, plain<std::acosh>},
    {OpKind::Atanh, plain<std::atanh>},
};

/// A function with its attributes read.
struct Applied {
    Function function;
    Parameters parameters;

    float operator()(float x) const { return float(function(double(x), parameters)); }
};

Applied appliedOf(const Call& call) {
    const Unary& row =
        *std::find_if(std::begin(functions), std::end(functions), [&](const Unary& u) { return u.kind == call.kind; });
    const auto read = [&](const Default& d) { return d.attribute ? call.real(d.attribute, d.value) : 0.0; };
    const bool byTanh = call.kind == OpKind::Gelu && call.text("approximate", "none") == "tanh";
    return {byTanh ? geluByTanh : row.function, {read(row.first), read(row.second)}};
}

/// A byte has 256 values: each result is computed once.
void applyByTable(const Call& call, const Applied& function) {
    const Value& x = call.input();
    Value all{x.type, {256}, x.quantisation, std::vector<std::uint8_t>(256)};
    for (std::size_t i = 0; i < 256; ++i)
        all.bytes[i] = std::uint8_t(i);
    std::vector<float> results = floatsOf(all);
    for (float& result : results)
        result = function(result);
    Value& output = call.output();
    const auto size = std::size_t(ir::elementBytes(output.type));
    Value table{output.type, {256}, output.quantisation, std::vector<std::uint8_t>(256 * size)};
    storeFloats(table, results);
    for (std::size_t i = 0; i < x.bytes.size(); ++i)
        std::copy_n(table.bytes.begin() + std::ptrdiff_t(x.bytes[i] * size), size,
                    output.bytes.begin() + std::ptrdiff_t(i * size));
}

void applyByElement(const Call& call, const Applied& function) {
    std::vector<float> values = floatsOf(call.input());
    for (float& value : values)
        value = function(value);
    storeFloats(call.output(), values);
}

/// Neg, Abs, Sign, Relu of numbers without a scale.
Done applyToIntegers(const Call& call) {
    if (!isPlainInteger(call.input()))
        return unsupported(call, "integers without scale and zero point need inputs of the same sort");
    const std::vector<std::int64_t> values = integersOf(call.input());
    withType(call.output().type, [&](auto zero) {
        auto* out = call.output().as<decltype(zero)>();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::int64_t x = values[i];
            const auto negated = std::int64_t(0 - std::uint64_t(x)); // wraps
            out[i] = decltype(zero)(call.kind == OpKind::Neg    ? negated
                                    : call.kind == OpKind::Sign ? std::int64_t(x > 0) - std::int64_t(x < 0)
                                    : call.kind == OpKind::Relu ? std::max<std::int64_t>(x, 0)
                                    : x < 0                     ? negated
                                                                : x);
        }
    });
    return {};
}

/// The second operand is added first, in float32 as an operator of its own would.
Done applyToSum(const Call& call) {
    auto walk = broadcastWalk(call);
    if (!walk)
        return fail(walk.error());
    const std::vector<float> a = floatsOf(call.input(0)), b = floatsOf(call.input(1));
    const Applied function = appliedOf(call);
    std::vector<float> results(std::size_t(call.output().elements()));
    for (float& result : results) {
        result = function(a[walk->at(0)] + b[walk->at(1)]);
        walk->next();
    }
    storeFloats(call.output(), results);
    return {};
}

} // namespace

Done evaluateUnary(const Call& call) {
    if (!call.hasInput(0))
        return mismatch(call, "an input is required");
    if (call.hasInput(1))
        return applyToSum(call);
    const Value& x = call.input();
    if (x.shape != call.output().shape)
        return mismatch(call, "input and output need the same shape");
    if (isPlainInteger(call.output()))
        return applyToIntegers(call);
    if (isQuantisedByte(x) && x.quantisation->isPerTensor())
        applyByTable(call, appliedOf(call));
    else
        applyByElement(call, appliedOf(call));
    return {};
}

} // namespace poolwright::reference
