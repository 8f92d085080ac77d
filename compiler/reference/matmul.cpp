// SPDX-License-Identifier: Apache-2.0
#include "reference/broadcast.h"
#include "reference/product.h"

namespace poolwright::reference {

namespace {

struct Extents {
    std::int64_t m, k, n;
    ir::Shape batch; ///< leading dimensions of the output
};

Result<Extents> extentsOf(const Call& call) {
    if (!call.hasInput(0) || !call.hasInput(1))
        return mismatch(call, "two matrices are required");
    const ir::Shape &a = call.input(0).shape, &b = call.input(1).shape, &y = call.output().shape;
    if (a.size() < 2 || b.size() < 2 || y.size() < 2)
        return mismatch(call, "matrices need two dimensions or more");
    const Extents extents{a[a.size() - 2], a.back(), b.back(), {y.begin(), y.end() - 2}};
    if (b[b.size() - 2] != extents.k || y[y.size() - 2] != extents.m || y.back() != extents.n)
        return mismatch(call, "a [..., M, K] and b [..., K, N] make [..., M, N]");
    if (double(ir::elementCount(y)) * double(extents.k) > 4398046511104.0) // 2^42
        return unsupported(call, "more than 2^42 products are not computed");
    return extents;
}

bool isWholeByte(const Value& value) {
    return isQuantisedByte(value) && value.quantisation->isPerTensor();
}

/// Elements less their zero point when all operands share one scale each, so that sums stay exact; else reals.
std::vector<double> factorsOf(const Value& value, bool exact) {
    if (!exact)
        return realsOf(value);
    Value units = value;
    units.quantisation->scales = {1.0};
    return realsOf(units);
}

/// [K, N] at `b` as rows of weights [N, K].
std::vector<double> turned(const double* b, const Extents& extents) {
    std::vector<double> rows(std::size_t(extents.k * extents.n));
    for (std::int64_t k = 0; k < extents.k; ++k)
        for (std::int64_t n = 0; n < extents.n; ++n)
            rows[std::size_t(n * extents.k + k)] = b[k * extents.n + n];
    return rows;
}

/// Adds the third input times "beta", in steps of the output.
Done addAddend(const Call& call, std::vector<double>& steps) {
    const Value& addend = call.input(2);
    const ir::Shape& shape = call.output().shape;
    auto walk = BroadcastWalk::over(shape, {&shape, &addend.shape});
    if (!walk)
        return mismatch(call, "the addend does not broadcast to the output");
    const std::vector<double> reals = realsOf(addend);
    const double factor = call.real("beta", 1.0) / scaleOf(call.output());
    for (double& step : steps) {
        step += reals[walk->at(1)] * factor;
        walk->next();
    }
    return {};
}

} // namespace

/// Products of matrices, leading dimensions broadcast; "alpha" scales the result, and an addend follows.
Done evaluateMatMul(const Call& call) {
    const Result<Extents> extents = extentsOf(call);
    if (!extents)
        return fail(extents.error());
    const Value &a = call.input(0), &b = call.input(1);
    const ir::Shape batchOfA(a.shape.begin(), a.shape.end() - 2), batchOfB(b.shape.begin(), b.shape.end() - 2);
    auto walk = BroadcastWalk::over(extents->batch, {&batchOfA, &batchOfB});
    if (!walk)
        return mismatch(call, "the leading dimensions do not broadcast to the output's");
    const bool exact = isWholeByte(a) && isWholeByte(b);
    const std::vector<double> left = factorsOf(a, exact), right = factorsOf(b, exact);
    const double unit = exact ? scaleOf(a) * scaleOf(b) : 1.0;
    const double factor = unit * call.real("alpha", 1.0) / scaleOf(call.output());
    std::vector<double> steps(std::size_t(call.output().elements()));
    for (double* sums = steps.data(); sums < steps.data() + steps.size(); sums += extents->m * extents->n) {
        const double* matrix = right.data() + std::int64_t(walk->at(1)) * extents->k * extents->n;
        const PackedRows<double> rows(turned(matrix, *extents), extents->n, extents->k);
        rows.multiply(left.data() + std::int64_t(walk->at(0)) * extents->m * extents->k, extents->m, sums, extents->n);
        walk->next();
    }
    for (double& step : steps)
        step *= factor;
    if (call.hasInput(2))
        if (auto done = addAddend(call, steps); !done)
            return done;
    storeSteps(call.output(), steps);
    return {};
}

} // namespace poolwright::reference
