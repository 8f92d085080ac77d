// SPDX-License-Identifier: Apache-2.0
#include "import/slice_ranges.h"

#include "import/failure.h"

#include <algorithm>
#include <limits>

namespace poolwright::import {
namespace {

using Integers = std::vector<std::int64_t>;

SliceRange sliceRange(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t extent) {
    if (step == 0 || step == std::numeric_limits<std::int64_t>::min())
        refuse("PW2046", "the step of a slice is 0");
    const auto wrap = [extent](std::int64_t i) { return i < 0 ? std::max<std::int64_t>(i, -extent - 1) + extent : i; };
    const std::int64_t last = std::max<std::int64_t>(extent - 1, 0);
    start = std::clamp<std::int64_t>(wrap(start), 0, step > 0 ? extent : last);
    end =
        step > 0 ? std::clamp<std::int64_t>(wrap(end), 0, extent) : std::clamp<std::int64_t>(wrap(end), -1, extent - 1);
    const std::int64_t room = step > 0 ? end - start : start - end;
    const std::int64_t stride = step > 0 ? step : -step;
    const std::int64_t count = room > 0 ? (room - 1) / stride + 1 : 0;
    return {start, count > 1 ? step : step > 0 ? 1 : -1, count}; // so that no later product of the step overflows
}

/// starts, ends, axes or steps: an input since opset 10, an attribute before.
Integers listOf(const NodeView& node, const char* key, int input) {
    if (node.opset() < 10)
        return node.integers(key);
    return node.has(input) ? node.constantIntegers(input, key) : Integers();
}

} // namespace

std::vector<SliceRange> sliceRanges(const NodeView& node) {
    const ir::Shape x = node.shape(0);
    const Integers starts = listOf(node, "starts", 1);
    const Integers ends = listOf(node, "ends", 2);
    const Integers axes = listOf(node, "axes", 3);
    Integers steps = node.opset() < 10 ? Integers() : listOf(node, "steps", 4);
    if (steps.empty())
        steps.assign(starts.size(), 1);
    if (ends.size() != starts.size() || steps.size() != starts.size() ||
        (!axes.empty() && axes.size() != starts.size()))
        refuse("PW2046", "starts, ends, axes and steps differ in number");
    std::vector<SliceRange> ranges;
    for (std::int64_t extent : x)
        ranges.push_back({0, 1, extent});
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto d = std::size_t(normalisedAxis(axes.empty() ? std::int64_t(i) : axes[i], x.size()));
        ranges[d] = sliceRange(starts[i], ends[i], steps[i], x[d]);
    }
    return ranges;
}

} // namespace poolwright::import
