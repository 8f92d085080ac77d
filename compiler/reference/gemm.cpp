// SPDX-License-Identifier: Apache-2.0
#include "reference/affine.h"
#include "reference/kernel.h"
#include "reference/product.h"

namespace poolwright::reference {

namespace {

struct Sizes {
    std::int64_t vectors; ///< all leading dimensions of x together
    std::int64_t rows;
    std::int64_t depth;
};

Result<Sizes> sizesOf(const Call& call) {
    if (!call.hasInput(0) || !call.hasInput(1))
        return mismatch(call, "x and weights are required");
    const ir::Shape& x = call.input(0).shape;
    const ir::Shape& weights = call.input(1).shape;
    if (x.empty() || weights.size() != 2 || x.back() != weights[1])
        return mismatch(call, "x [..., K] and weights [N, K] need the same K");
    ir::Shape expected = x;
    expected.back() = weights[0];
    if (call.output().shape != expected)
        return mismatch(call, "the output needs the shape of x with N in place of K");
    const Sizes sizes{ir::elementCount({x.begin(), x.end() - 1}), weights[0], weights[1]};
    if (double(sizes.vectors) * double(sizes.rows) * double(sizes.depth) > 4398046511104.0) // 2^42
        return unsupported(call, "more than 2^42 products are not computed");
    if (call.hasInput(2) && call.input(2).elements() != sizes.rows && call.input(2).elements() != 1)
        return mismatch(call, "the bias needs one element per output or one for all");
    return sizes;
}

template <typename Element> void multiply(const Call& call, const Sizes& sizes) {
    const RowScaling scaling = rowScaling(call.input(0), call.input(1), call.hasInput(2) ? &call.input(2) : nullptr,
                                          call.output(), sizes.rows, call.real("alpha", 1.0), call.real("beta", 1.0));
    const PackedRows<Element> rows(operandOf<Element>(call.input(1)), sizes.rows, sizes.depth);
    const std::vector<Element> x = operandOf<Element>(call.input(0));
    std::vector<Element> vector(std::size_t(rows.paddedDepth()));
    std::vector<double> steps(std::size_t(sizes.vectors * sizes.rows));
    for (std::int64_t v = 0; v < sizes.vectors; ++v) {
        double* sums = steps.data() + v * sizes.rows;
        std::copy_n(x.data() + v * sizes.depth, sizes.depth, vector.data());
        rows.multiply(vector.data(), 1, sums, sizes.rows);
        for (std::int64_t r = 0; r < sizes.rows; ++r)
            sums[r] = sums[r] * scaling.factors[std::size_t(r)] + scaling.offsets[std::size_t(r)];
    }
    storeSteps(call.output(), steps);
}

} // namespace

Done evaluateGemm(const Call& call) {
    const Result<Sizes> sizes = sizesOf(call);
    if (!sizes)
        return fail(sizes.error());
    if (hasIntegerSums(call.input(0), call.input(1)))
        multiply<std::int16_t>(call, *sizes);
    else
        multiply<double>(call, *sizes);
    return {};
}

} // namespace poolwright::reference
