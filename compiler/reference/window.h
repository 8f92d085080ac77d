// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/kernel.h"

/// Sliding windows of convolution and pooling along the spatial axes.
namespace poolwright::reference {

/// One axis. Output o, tap k reads input o * stride - padBegin + k * dilation.
struct Window {
    std::int64_t in = 1;
    std::int64_t out = 1;
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t padBegin = 0;
    std::int64_t padEnd = 0;

    std::int64_t start(std::int64_t o) const { return o * stride - padBegin; }
    /// The taps that read the input for output o: [firstTap, endTap).
    std::int64_t firstTap(std::int64_t o) const;
    std::int64_t endTap(std::int64_t o) const;
};

/// Height and width; one-dimensional operators have height 1.
struct Windows {
    Window height;
    Window width;
};

/// Windows of a call on [N, C, W] or [N, C, H, W] from "strides", "pads", "dilations" and the given kernel extents.
/// Fails when attributes are out of range or the output's extents do not follow from them. With "ceil_mode" an output
/// one larger than the floor is right too. More than 2^40 taps in all are refused.
Result<Windows> windowsOf(const Call& call, const std::vector<std::int64_t>& kernelShape);

} // namespace poolwright::reference
