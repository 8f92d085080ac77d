// SPDX-License-Identifier: Apache-2.0
#include "reference/kernel.h"

namespace poolwright::reference {

namespace {

/// The low bits of the number without its fraction; what no 64-bit integer holds counts as its nearest one.
template <typename T> T truncated(double real) {
    constexpr double limit = 9223372036854774784.0; // the largest double below 2^63
    const double whole = real != real ? 0.0 : std::trunc(std::clamp(real, -limit, limit));
    return T(std::int64_t(whole));
}

void castFloats(const std::vector<float>& values, Value& output) {
    withType(output.type, [&](auto zero) {
        using T = decltype(zero);
        for (std::size_t i = 0; i < values.size(); ++i)
            output.as<T>()[i] = truncated<T>(double(values[i]));
    });
}

void castIntegers(const std::vector<std::int64_t>& values, Value& output) {
    withType(output.type, [&](auto zero) {
        for (std::size_t i = 0; i < values.size(); ++i)
            output.as<decltype(zero)>()[i] = decltype(zero)(values[i]);
    });
}

void castToTruth(const std::vector<double>& values, Value& output) {
    for (std::size_t i = 0; i < values.size(); ++i)
        output.bytes[i] = values[i] != 0;
}

/// A narrower float format (IEEE 754 binary16; bfloat16 has the exponents of float32).
struct Precision {
    const char* name;
    int bits, leastExponent;
    double largest;
};

constexpr Precision precisions[] = {
    {"float16", 11, -14, 65504.0},
    {"bfloat16", 8, -126, 3.3895313892515355e38},
};

/// Half to even; what rounds beyond the largest number is infinite.
float narrowed(float x, const Precision& precision) {
    if (!std::isfinite(x) || x == 0)
        return x;
    const int exponent = std::max(std::ilogb(x), precision.leastExponent);
    const int shift = precision.bits - 1 - exponent;
    const double rounded = std::ldexp(roundHalfEven(std::ldexp(double(x), shift)), -shift);
    return float(std::abs(rounded) > precision.largest ? std::copysign(HUGE_VAL, rounded) : rounded);
}

/// False when the call names a precision that does not exist.
bool applyPrecision(const Call& call, std::vector<float>& values) {
    const std::string wanted = call.text("precision", "");
    if (wanted.empty())
        return true;
    for (const Precision& precision : precisions)
        if (wanted == precision.name) {
            for (float& value : values)
                value = narrowed(value, precision);
            return true;
        }
    return false;
}

} // namespace

/// Numbers of one type as those of another: floats lose their fraction, integers their high bits.
Done evaluateCast(const Call& call) {
    if (!call.hasInput(0) || call.input().shape != call.output().shape)
        return mismatch(call, "input and output need the same shape");
    const Value& x = call.input();
    Value& output = call.output();
    const bool fromReals = x.type == ir::ElementType::Float32 || x.quantisation;
    const bool toReals = output.type == ir::ElementType::Float32 || output.quantisation;
    if (output.type == ir::ElementType::Bool)
        castToTruth(realsOf(x), output);
    else if (toReals) {
        std::vector<float> values = floatsOf(x);
        if (!applyPrecision(call, values))
            return unsupported(call, "there is no precision of that name");
        storeFloats(output, values);
    } else if (fromReals)
        castFloats(floatsOf(x), output);
    else
        castIntegers(integersOf(x), output);
    return {};
}

} // namespace poolwright::reference
