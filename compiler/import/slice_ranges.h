// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/context.h"

namespace poolwright::import {

/// What a Slice takes of one dimension: `count` elements from `start` on, `step` apart (never 0).
struct SliceRange {
    std::int64_t start = 0, step = 1, count = 0;

    /// Behind the last element that is taken; -1 when a negative step runs to the front.
    std::int64_t end() const { return count > 0 ? start + (count - 1) * step + (step > 0 ? 1 : -1) : start; }
};

/// One range for each dimension of the first input, from attributes (opset < 10) or inputs, clamped as the ONNX Slice
/// description says (ends may be INT_MAX or INT64_MIN, steps negative).
std::vector<SliceRange> sliceRanges(const NodeView& node);

} // namespace poolwright::import
