// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/context.h"

#include <array>

namespace poolwright::import {

/// The sliding window of Conv and the pools, both spatial dimensions (index 0 height, 1 width), all defaults filled in
/// and auto_pad resolved. One-dimensional operators have the height 1 everywhere.
struct Window {
    std::array<std::int64_t, 2> kernel{}, strides{}, dilations{}, output{};
    std::array<std::int64_t, 4> pads{}; ///< top, left, bottom, right
    bool ceilMode = false;

    ir::Attributes attributes() const; ///< "kernel_shape", "strides", "dilations", "pads"
};

/// Reads the attributes for an input [N, C, H, W] of which `axes` are spatial (1: width alone); `kernel` is what the
/// weights say (height and width), or empty to read "kernel_shape".
Window readWindow(const NodeView& node, const ir::Shape& input, std::size_t axes,
                  const std::vector<std::int64_t>& kernel);

/// Makes the end pads hold all of the last window: where padding counts (count_include_pad with ceil_mode before opset
/// 19, as ONNX Runtime computes it), an average then is over the whole kernel. The output stays as it is.
void countWholeWindows(Window& window, const ir::Shape& input);

/// The window of ConvTranspose: output = stride * (input - 1) + outputPadding + dilated kernel - pads.
struct TransposedWindow : Window {
    std::array<std::int64_t, 2> outputPadding{};
};

/// With output_shape or auto_pad the pads follow from the output (ONNX ConvTranspose).
TransposedWindow readTransposedWindow(const NodeView& node, const ir::Shape& input, std::size_t axes,
                                      const std::vector<std::int64_t>& kernel);

} // namespace poolwright::import
