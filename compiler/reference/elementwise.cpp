// SPDX-License-Identifier: Apache-2.0
#include "reference/broadcast.h"

namespace poolwright::reference {

namespace {

using ir::OpKind;

// ---- Plain integers (shape arithmetic): wrap like numpy, without undefined overflow

using Integer = std::int64_t;

Integer wrapped(std::uint64_t value) {
    return Integer(value);
}

/// A division by -1 may leave the range of the type, which wraps too.
Integer quotient(Integer a, Integer b) {
    return b == -1 ? wrapped(0 - std::uint64_t(a)) : a / b;
}

Integer remainder(Integer a, Integer b) {
    return b == -1 ? 0 : a % b;
}

/// The sign is the divisor's.
Integer modulo(Integer a, Integer b) {
    const Integer rest = remainder(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Integer power(Integer a, Integer b) {
    if (b < 0)
        return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
    std::uint64_t result = 1, factor = std::uint64_t(a);
    for (; b > 0; b >>= 1, factor *= factor)
        if (b & 1)
            result *= factor;
    return wrapped(result);
}

// ---- Reals. Those that jump (Mod) see the operands as float32, as ONNX Runtime does.

double minimum(double a, double b) {
    return a != a || b != b ? std::numeric_limits<double>::quiet_NaN() : std::min(a, b);
}

double maximum(double a, double b) {
    return a != a || b != b ? std::numeric_limits<double>::quiet_NaN() : std::max(a, b);
}

struct Binary {
    OpKind kind;
    double (*reals)(double, double);
    Integer (*integers)(Integer, Integer);
    bool dividesIntegers = false; ///< a divisor of 0 has no answer
};

constexpr Binary binaries[] = {
    {OpKind::Add, [](double a, double b) { return a + b; },
     [](Integer a, Integer b) { return wrapped(std::uint64_t(a) + std::uint64_t(b)); }},
    {OpKind::Sub, [](double a, double b) { return a - b; },
     [](Integer a, Integer b) { return wrapped(std::uint64_t(a) - std::uint64_t(b)); }},
    {OpKind::Mul, [](double a, double b) { return a * b; },
     [](Integer a, Integer b) { return wrapped(std::uint64_t(a) * std::uint64_t(b)); }},
    {OpKind::Div, [](double a, double b) { return a / b; }, quotient, true},
    {OpKind::Pow, [](double a, double b) { return std::pow(a, b); }, power},
    {OpKind::Mod, [](double a, double b) { return std::fmod(a, b); }, modulo, true},
    {OpKind::Min, minimum, [](Integer a, Integer b) { return std::min(a, b); }},
    {OpKind::Max, maximum, [](Integer a, Integer b) { return std::max(a, b); }},
    {OpKind::PRelu, [](double x, double slope) { return x < 0 ? x * slope : x; }, nullptr},
};

Binary binaryOf(const Call& call) {
    Binary found = *std::find_if(std::begin(binaries), std::end(binaries),
                                 [&](const Binary& binary) { return binary.kind == call.kind; });
    if (call.kind == OpKind::Mod && call.integer("fmod", 0) != 0)
        found.integers = remainder;
    return found;
}

Done combineIntegers(const Call& call, const Binary& binary, BroadcastWalk walk) {
    const std::vector<Integer> a = integersOf(call.input(0));
    const std::vector<Integer> b = integersOf(call.input(1));
    if (binary.dividesIntegers && std::find(b.begin(), b.end(), 0) != b.end())
        return unsupported(call, "an integer is divided by zero");
    withType(call.output().type, [&](auto zero) {
        auto* out = call.output().as<decltype(zero)>();
        for (Integer i = 0; i < call.output().elements(); ++i, walk.next())
            out[i] = decltype(zero)(binary.integers(a[walk.at(0)], b[walk.at(1)]));
    });
    return {};
}

bool isExactProduct(const Call& call) {
    const Value &a = call.input(0), &b = call.input(1);
    return call.kind == OpKind::Mul && isQuantisedByte(a) && isQuantisedByte(b) && a.quantisation->isPerTensor() &&
           b.quantisation->isPerTensor();
}

/// Integers of a quantised tensor less their zero point.
std::vector<double> unitsOf(const Value& value) {
    std::vector<double> units = realsOf(value);
    for (double& unit : units)
        unit = roundHalfEven(unit / scaleOf(value));
    return units;
}

/// A product of two quantised tensors is an exact integer times one factor; sums and differences of reals are exact in
/// double for scales that were float32.
void combineExactly(const Call& call, const Binary& binary, BroadcastWalk walk) {
    const bool product = isExactProduct(call);
    const std::vector<double> a = product ? unitsOf(call.input(0)) : realsOf(call.input(0));
    const std::vector<double> b = product ? unitsOf(call.input(1)) : realsOf(call.input(1));
    const double step = scaleOf(call.output());
    const double factor = product ? scaleOf(call.input(0)) * scaleOf(call.input(1)) / step : 1.0;
    std::vector<double> steps(std::size_t(call.output().elements()));
    for (double& value : steps) {
        const double result = binary.reals(a[walk.at(0)], b[walk.at(1)]);
        value = product ? result * factor : result / step;
        walk.next();
    }
    storeSteps(call.output(), steps);
}

void combineFloats(const Call& call, const Binary& binary, BroadcastWalk walk) {
    const std::vector<float> a = floatsOf(call.input(0)), b = floatsOf(call.input(1));
    std::vector<float> results(std::size_t(call.output().elements()));
    for (float& result : results) {
        result = float(binary.reals(double(a[walk.at(0)]), double(b[walk.at(1)])));
        walk.next();
    }
    storeFloats(call.output(), results);
}

bool isExact(OpKind kind) {
    return kind == OpKind::Add || kind == OpKind::Sub || kind == OpKind::Mul;
}

} // namespace

Done evaluateBinary(const Call& call) {
    if (!call.hasInput(0) || !call.hasInput(1))
        return mismatch(call, "two inputs are required");
    auto walk = broadcastWalk(call);
    if (!walk)
        return fail(walk.error());
    const Binary binary = binaryOf(call);
    if (isPlainInteger(call.output())) {
        if (!isPlainInteger(call.input(0)) || !isPlainInteger(call.input(1)) || !binary.integers)
            return unsupported(call, "integers without scale and zero point need inputs of the same sort");
        return combineIntegers(call, binary, std::move(*walk));
    }
    if (isExact(call.kind))
        combineExactly(call, binary, std::move(*walk));
    else
        combineFloats(call, binary, std::move(*walk));
    return {};
}

} // namespace poolwright::reference
