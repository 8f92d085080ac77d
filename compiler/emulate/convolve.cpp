// SPDX-License-Identifier: Apache-2.0
#include "emulate/convolve.h"

/// This file is compiled with -O3 (CMakeLists.txt): the compiler turns the products below into vector instructions.
namespace poolwright::emulate {

template <typename Operand, typename Sum>
static Sum dot(const Operand* a, const Operand* b, std::int64_t count, Sum sum) {
    for (std::int64_t i = 0; i < count; ++i)
        sum += Sum(a[i]) * Sum(b[i]);
    return sum;
}

/// All kernels on one window.
template <typename Operand, typename Sum>
static void convolvePixel(const ConvolveShape& shape, const Operand* window, const Operand* kernels, Sum* sums) {
    const std::int64_t line = shape.width * shape.batch;
    const std::int64_t row = shape.rowElements & ~std::int64_t(7);
    for (std::int64_t k = 0; k < shape.kernels; ++k) {
        Sum sum = 0;
        for (std::int64_t y = 0; y < shape.kernelHeight; ++y, kernels += row)
            sum = dot(window + y * line, kernels, row, sum);
        sums[k] = sum;
    }
}

template <typename Operand, typename Sum>
static void convolveFrame(const ConvolveShape& shape, const Operand* feature, const Operand* kernels, Sum* sums) {
    for (std::int64_t y = 0; y < shape.outHeight; ++y)
        for (std::int64_t x = 0; x < shape.outWidth; ++x, sums += shape.kernels)
            convolvePixel(shape, feature + (y * shape.vstride * shape.width + x * shape.hstride) * shape.batch, kernels,
                          sums);
}

void convolve(const ConvolveShape& shape, const std::int16_t* feature, const std::int16_t* kernels,
              std::int32_t* sums) {
    convolveFrame(shape, feature, kernels, sums);
}

void convolve(const ConvolveShape& shape, const std::int32_t* feature, const std::int32_t* kernels,
              std::int64_t* sums) {
    convolveFrame(shape, feature, kernels, sums);
}

} // namespace poolwright::emulate
