// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/context.h"

#include <array>

namespace poolwright::import {

/// The sliding window of Conv and the pools, both spatial dimensions (index 0 height, 1 width), all defaults filled in
/// and auto_pad resolved.
struct Window {
    std::array<std::int64_t, 2> kernel{}, strides{}, dilations{}, output{};
    std::array<std::int64_t, 4> pads{}; ///< top, left, bottom, right
    bool ceilMode = false;

    ir::Attributes attributes() const; ///< "kernel_shape", "strides", "dilations", "pads"
};

/// Reads the attributes for an input [N, C, H, W]; `kernel` is what the weights say, or empty to read "kernel_shape".
Window readWindow(const NodeView& node, const ir::Shape& input, const std::vector<std::int64_t>& kernel);

} // namespace poolwright::import
