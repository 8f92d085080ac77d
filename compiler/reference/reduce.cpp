// SPDX-License-Identifier: Apache-2.0
#include "reference/reduce.h"

#include "reference/strided.h"

namespace poolwright::reference {

namespace {

using ir::OpKind;

/// Sum of f(x) (or product of x), then g of it. The logarithm of a sum of exponentials has its largest term taken out.
struct Reduction {
    OpKind kind;
    double (*term)(double);
    double (*result)(double);
};

double itself(double x) {
    return x;
}
double magnitude(double x) {
    return std::fabs(x);
}
double square(double x) {
    return x * x;
}
double root(double x) {
    return std::sqrt(x);
}
double logarithm(double x) {
    return std::log(x);
}

constexpr Reduction reductions[] = {
    {OpKind::ReduceSum, itself, itself},       {OpKind::ReduceProd, itself, itself},
    {OpKind::ReduceL1, magnitude, itself},     {OpKind::ReduceL2, square, root},
    {OpKind::ReduceSumSquare, square, itself}, {OpKind::ReduceLogSum, itself, logarithm},
    {OpKind::ReduceLogSumExp, itself, itself},
};

const Reduction& reductionOf(OpKind kind) {
    return *std::find_if(std::begin(reductions), std::end(reductions),
                         [kind](const Reduction& reduction) { return reduction.kind == kind; });
}

/// Log of the sum of exponentials, each result's largest term taken out so that none overflows.
std::vector<double> logSumExp(const Call& call, const std::vector<float>& x, const std::vector<bool>& reduced) {
    const auto results = std::size_t(call.output().elements());
    std::vector<double> highest(results, -std::numeric_limits<double>::infinity()), sums(results, 0.0);
    const ir::Shape& shape = call.input().shape;
    forEachReduced(shape, reduced,
                   [&](std::size_t i, std::size_t to) { highest[to] = std::max(highest[to], double(x[i])); });
    for (double& top : highest)
        top = std::isfinite(top) ? top : 0.0;
    forEachReduced(shape, reduced,
                   [&](std::size_t i, std::size_t to) { sums[to] += std::exp(double(x[i]) - highest[to]); });
    for (std::size_t r = 0; r < results; ++r)
        sums[r] = std::log(sums[r]) + highest[r];
    return sums;
}

std::vector<double> reduceReals(const Call& call, const std::vector<bool>& reduced) {
    const std::vector<float> x = floatsOf(call.input());
    if (call.kind == OpKind::ReduceLogSumExp)
        return logSumExp(call, x, reduced);
    const bool product = call.kind == OpKind::ReduceProd;
    const Reduction& reduction = reductionOf(call.kind);
    std::vector<double> results(std::size_t(call.output().elements()), product ? 1.0 : 0.0);
    forEachReduced(call.input().shape, reduced, [&](std::size_t i, std::size_t to) {
        const double term = reduction.term(double(x[i]));
        results[to] = product ? results[to] * term : results[to] + term;
    });
    for (double& result : results)
        result = reduction.result(result);
    return results;
}

/// Plain integers wrap.
void reduceIntegers(const Call& call, const std::vector<bool>& reduced) {
    const std::vector<std::int64_t> x = integersOf(call.input());
    const bool product = call.kind == OpKind::ReduceProd;
    std::vector<std::uint64_t> results(std::size_t(call.output().elements()), product ? 1 : 0);
    forEachReduced(call.input().shape, reduced, [&](std::size_t i, std::size_t to) {
        const auto value = std::uint64_t(x[i]);
        const std::uint64_t term = call.kind == OpKind::ReduceSumSquare        ? value * value
                                   : call.kind == OpKind::ReduceL1 && x[i] < 0 ? 0 - value
                                                                               : value;
        results[to] = product ? results[to] * term : results[to] + term;
    });
    withType(call.output().type, [&](auto zero) {
        for (std::size_t r = 0; r < results.size(); ++r)
            call.output().as<decltype(zero)>()[r] = decltype(zero)(results[r]);
    });
}

template <typename T> void extremum(const Call& call, const std::vector<bool>& reduced, const Value& x, Value& result) {
    const bool highest = call.kind == OpKind::ReduceMax;
    T* out = result.as<T>();
    std::fill_n(out, result.elements(), highest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max());
    forEachReduced(x.shape, reduced, [&](std::size_t i, std::size_t to) {
        const T value = x.as<T>()[i];
        if (highest ? value > out[to] : value < out[to])
            out[to] = value;
    });
}

} // namespace

Result<std::vector<bool>> reducedDimensions(const Call& call) {
    if (!call.hasInput(0))
        return mismatch(call, "an input is required");
    const ir::Shape& shape = call.input().shape;
    const bool keep = call.integer("keepdims", 1) != 0;
    std::vector<bool> reduced(shape.size(), !call.hasAttribute("axes"));
    for (std::int64_t axis : call.integers("axes")) {
        const std::int64_t dimension = normalisedAxis(axis, shape.size());
        if (dimension < 0)
            return mismatch(call, "an axis is out of range");
        reduced[std::size_t(dimension)] = true;
    }
    ir::Shape expected;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (!reduced[d] || keep)
            expected.push_back(reduced[d] ? 1 : shape[d]);
    if (call.output().shape != expected)
        return mismatch(call, "the output's shape is not the input's without the reduced axes");
    return reduced;
}

Done evaluateReduction(const Call& call) {
    const auto reduced = reducedDimensions(call);
    if (!reduced)
        return fail(reduced.error());
    if (!isPlainInteger(call.output())) {
        const std::vector<double> results = reduceReals(call, *reduced);
        storeFloats(call.output(), {results.begin(), results.end()});
        return {};
    }
    if (!isPlainInteger(call.input()))
        return unsupported(call, "integers without scale and zero point need inputs of the same sort");
    reduceIntegers(call, *reduced);
    return {};
}

/// The largest or smallest element, in the input's own type.
Done evaluateExtremum(const Call& call) {
    const auto reduced = reducedDimensions(call);
    if (!reduced)
        return fail(reduced.error());
    const Value& x = call.input();
    if (x.quantisation && !x.quantisation->isPerTensor())
        return unsupported(call, "parameters per axis are not compared");
    Value result = emptyLike(x, call.output().shape);
    withType(x.type, [&](auto zero) { extremum<decltype(zero)>(call, *reduced, x, result); });
    convert(result, call.output());
    return {};
}

} // namespace poolwright::reference
