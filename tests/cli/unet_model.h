// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace poolwright::test {

/// A U-Net in QDQ form, int8 throughout: two 3x3 convolutions with Relu a level, 2x2 poolings down, 2x2 transposed
/// convolutions up, skips joined by Concat, a 1x1 convolution at the end. Levels take `features` channels, the bottom
/// twice the last. Weights are the same on every machine. Bytes of the ONNX file.
std::string unetModel(std::int64_t size, const std::vector<std::int64_t>& features);

} // namespace poolwright::test
