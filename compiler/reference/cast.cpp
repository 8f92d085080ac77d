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
    else if (toReals)
        storeFloats(output, floatsOf(x));
    else if (fromReals)
        castFloats(floatsOf(x), output);
    else
        castIntegers(integersOf(x), output);
    return {};
}

} // namespace poolwright::reference
