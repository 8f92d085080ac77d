// SPDX-License-Identifier: Apache-2.0
#include "reference/broadcast.h"

/// Comparisons, logic and choices between two tensors.
namespace poolwright::reference {

namespace {

using ir::ElementType;
using ir::OpKind;

template <typename T> bool holds(OpKind kind, T a, T b) {
    switch (kind) {
    case OpKind::Less:
        return a < b;
    case OpKind::LessOrEqual:
        return a <= b;
    case OpKind::Greater:
        return a > b;
    case OpKind::GreaterOrEqual:
        return a >= b;
    default:
        return a == b;
    }
}

/// Integers and truth values that stand for themselves.
bool isExactNumber(const Value& value) {
    return value.type != ElementType::Float32 && !value.quantisation;
}

template <typename T>
void compare(const Call& call, const std::vector<T>& a, const std::vector<T>& b, BroadcastWalk walk) {
    for (std::uint8_t& truth : call.output().bytes) {
        truth = holds(call.kind, a[walk.at(0)], b[walk.at(1)]);
        walk.next();
    }
}

bool isTruth(const Value& value) {
    return value.type == ElementType::Bool;
}

/// Elements of either side, whichever the condition names.
template <typename T>
std::vector<T> chosen(const Call& call, const std::vector<T>& then, const std::vector<T>& otherwise,
                      BroadcastWalk walk) {
    std::vector<T> results(std::size_t(call.output().elements()));
    for (T& result : results) {
        result = call.input(0).bytes[walk.at(0)] ? then[walk.at(1)] : otherwise[walk.at(2)];
        walk.next();
    }
    return results;
}

} // namespace

Done evaluateComparison(const Call& call) {
    if (!isTruth(call.output()) || !call.hasInput(0) || !call.hasInput(1))
        return mismatch(call, "a comparison makes truth values of two inputs");
    auto walk = broadcastWalk(call);
    if (!walk)
        return fail(walk.error());
    const Value &a = call.input(0), &b = call.input(1);
    if (isExactNumber(a) && isExactNumber(b))
        compare(call, integersOf(a), integersOf(b), std::move(*walk));
    else
        compare(call, floatsOf(a), floatsOf(b), std::move(*walk));
    return {};
}

Done evaluateLogic(const Call& call) {
    if (!isTruth(call.output()) || !call.hasInput(0) || !call.hasInput(1) || !isTruth(call.input(0)) ||
        !isTruth(call.input(1)))
        return mismatch(call, "logic needs truth values");
    auto walk = broadcastWalk(call);
    if (!walk)
        return fail(walk.error());
    for (std::uint8_t& truth : call.output().bytes) {
        const bool a = call.input(0).bytes[walk->at(0)] != 0, b = call.input(1).bytes[walk->at(1)] != 0;
        truth = call.kind == OpKind::And ? a && b : call.kind == OpKind::Or ? a || b : a != b;
        walk->next();
    }
    return {};
}

Done evaluateNot(const Call& call) {
    if (!call.hasInput(0) || !isTruth(call.input()) || !isTruth(call.output()) ||
        call.input().shape != call.output().shape)
        return mismatch(call, "Not needs truth values of one shape");
    for (std::size_t i = 0; i < call.input().bytes.size(); ++i)
        call.output().bytes[i] = call.input().bytes[i] == 0;
    return {};
}

Done evaluateWhere(const Call& call) {
    if (call.inputs.size() != 3 || !call.hasInput(0) || !call.hasInput(1) || !call.hasInput(2) ||
        !isTruth(call.input(0)))
        return mismatch(call, "a condition and two inputs are required");
    auto walk = broadcastWalk(call);
    if (!walk)
        return fail(walk.error());
    Value& output = call.output();
    const Value &then = call.input(1), &otherwise = call.input(2);
    if (isExactNumber(output)) {
        if (then.type != output.type || otherwise.type != output.type)
            return unsupported(call, "integers without scale and zero point need inputs of the same sort");
        const auto integers = chosen(call, integersOf(then), integersOf(otherwise), std::move(*walk));
        withType(output.type, [&](auto zero) {
            for (std::size_t i = 0; i < integers.size(); ++i)
                output.as<decltype(zero)>()[i] = decltype(zero)(integers[i]);
        });
        return {};
    }
    storeFloats(output, chosen(call, floatsOf(then), floatsOf(otherwise), std::move(*walk)));
    return {};
}

} // namespace poolwright::reference
