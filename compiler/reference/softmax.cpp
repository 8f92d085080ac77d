// SPDX-License-Identifier: Apache-2.0
#include "reference/kernel.h"

namespace poolwright::reference {

namespace {

/// One line of elements `stride` apart.
void softmaxLine(double* first, std::int64_t count, std::int64_t stride) {
    double highest = -std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < count; ++i)
        highest = std::max(highest, first[i * stride]);
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        first[i * stride] = std::exp(first[i * stride] - highest);
        sum += first[i * stride];
    }
    for (std::int64_t i = 0; i < count; ++i)
        first[i * stride] /= sum;
}

} // namespace

Done evaluateSoftmax(const Call& call) {
    if (!call.hasInput(0) || call.input().shape != call.output().shape)
        return mismatch(call, "input and output need the same shape");
    const ir::Shape& shape = call.input().shape;
    const std::int64_t axis = normalisedAxis(call.integer("axis", -1), shape.size());
    if (axis < 0)
        return mismatch(call, "the axis is out of range");
    std::vector<double> reals = realsOf(call.input());
    const std::int64_t extent = shape[std::size_t(axis)];
    const std::int64_t inner = ir::elementCount({shape.begin() + axis + 1, shape.end()});
    const std::int64_t outer = ir::elementCount({shape.begin(), shape.begin() + axis});
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < inner; ++i)
            softmaxLine(reals.data() + o * extent * inner + i, extent, inner);
    storeReals(call.output(), reals);
    return {};
}

} // namespace poolwright::reference
