// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

/// Inside the room only: the inner loops of the convolution, apart from what the unit's fields mean.
namespace poolwright::emulate {

/// A padded feature frame (row, column, channel) and kernels. Kernel rows are padded with zeros to `rowElements`, a
/// multiple of 8, so the feature must have 8 readable elements after its end.
struct ConvolveShape {
    std::int64_t width = 0; ///< padded columns
    std::int64_t batch = 1;
    std::int64_t kernelHeight = 1;
    std::int64_t rowElements = 8; ///< kernelWidth * batch rounded up to 8
    std::int64_t kernels = 1;
    std::int64_t outWidth = 0, outHeight = 0;
    std::int64_t hstride = 1, vstride = 1;
};

/// Fills sums[outHeight][outWidth][kernels]. The caller makes sure that 32 bits hold every sum.
void convolve(const ConvolveShape& shape, const std::int16_t* feature, const std::int16_t* kernels, std::int32_t* sums);
/// For 16-bit operands.
void convolve(const ConvolveShape& shape, const std::int32_t* feature, const std::int32_t* kernels, std::int64_t* sums);

} // namespace poolwright::emulate
