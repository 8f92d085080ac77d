// SPDX-License-Identifier: Apache-2.0
#include "reference/kernel.h"

namespace poolwright::reference {

/// y = (x - mean) / sqrt(variance + epsilon) * scale + bias, per channel (dimension 1).
Done evaluateBatchNormalization(const Call& call) {
    for (std::size_t i = 0; i < 5; ++i)
        if (!call.hasInput(i))
            return mismatch(call, "x, scale, bias, mean and variance are required");
    const ir::Shape& shape = call.input().shape;
    if (shape.size() < 2 || shape != call.output().shape)
        return mismatch(call, "input and output need the same shape [N, C, ...]");
    for (std::size_t i = 1; i < 5; ++i)
        if (call.input(i).elements() != shape[1])
            return mismatch(call, "scale, bias, mean and variance need one element per channel");
    std::vector<double> reals = realsOf(call.input());
    const std::vector<double> scale = realsOf(call.input(1));
    const std::vector<double> bias = realsOf(call.input(2));
    const std::vector<double> mean = realsOf(call.input(3));
    const std::vector<double> variance = realsOf(call.input(4));
    const double epsilon = call.real("epsilon", 1e-5);
    const std::size_t channels = std::size_t(shape[1]);
    const std::size_t run = std::size_t(ir::elementCount({shape.begin() + 2, shape.end()}));
    for (std::size_t i = 0; i < reals.size(); ++i) {
        const std::size_t c = i / run % channels;
        reals[i] = (reals[i] - mean[c]) / std::sqrt(variance[c] + epsilon) * scale[c] + bias[c];
    }
    storeReals(call.output(), reals);
    return {};
}

} // namespace poolwright::reference
