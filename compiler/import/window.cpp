// SPDX-License-Identifier: Apache-2.0
#include "import/window.h"

#include "import/failure.h"

#include <algorithm>

namespace poolwright::import {
namespace {

constexpr std::int64_t largestWindow = 1 << 20; // keeps all products of window terms far from overflow

std::array<std::int64_t, 2> pairOf(const NodeView& node, const char* key, std::int64_t fallback) {
    const auto values = node.integers(key);
    if (values.empty())
        return {fallback, fallback};
    if (values.size() != 2)
        refuse("PW2045", std::string(key) + " has " + std::to_string(values.size()) + " entries, a 2-D window has 2");
    for (std::int64_t value : values)
        if (value < 1 || value > largestWindow)
            refuse("PW2045", std::string(key) + " has the value " + std::to_string(value));
    return {values[0], values[1]};
}

void readPads(const NodeView& node, Window& window) {
    const auto pads = node.integers("pads");
    if (pads.empty())
        return;
    if (pads.size() != 4)
        refuse("PW2045", "pads has " + std::to_string(pads.size()) + " entries, a 2-D window has 4");
    for (std::size_t i = 0; i < 4; ++i) {
        if (pads[i] < 0 || pads[i] > largestWindow)
            refuse("PW2045", "pads has the value " + std::to_string(pads[i]));
        window.pads[i] = pads[i];
    }
}

std::int64_t reach(const Window& window, std::size_t d) {
    return (window.kernel[d] - 1) * window.dilations[d] + 1;
}

void autoPad(Window& window, const ir::Shape& input, bool atEnd) {
    for (std::size_t d = 0; d < 2; ++d) {
        const std::int64_t extent = input[d + 2];
        const std::int64_t output = (extent + window.strides[d] - 1) / window.strides[d];
        const std::int64_t total =
            std::max<std::int64_t>(0, (output - 1) * window.strides[d] + reach(window, d) - extent);
        const std::int64_t small = total / 2;
        window.pads[d] = atEnd ? small : total - small;
        window.pads[d + 2] = total - window.pads[d];
    }
}

std::int64_t outputExtent(const Window& window, const ir::Shape& input, std::size_t d) {
    const std::int64_t room = input[d + 2] + window.pads[d] + window.pads[d + 2] - reach(window, d);
    if (room < 0)
        refuse("PW2045", "the window is larger than its padded input");
    std::int64_t output = room / window.strides[d] + 1;
    const bool remainder = room % window.strides[d] != 0;
    // A window that would start in the end padding is left out (as ONNX Runtime does).
    if (window.ceilMode && remainder && output * window.strides[d] < input[d + 2] + window.pads[d])
        ++output;
    return output;
}

} // namespace

ir::Attributes Window::attributes() const {
    return {{"kernel_shape", std::vector<std::int64_t>(kernel.begin(), kernel.end())},
            {"strides", std::vector<std::int64_t>(strides.begin(), strides.end())},
            {"dilations", std::vector<std::int64_t>(dilations.begin(), dilations.end())},
            {"pads", std::vector<std::int64_t>(pads.begin(), pads.end())}};
}

Window readWindow(const NodeView& node, const ir::Shape& input, const std::vector<std::int64_t>& kernel) {
    if (input.size() != 4)
        refuse("PW2045",
               "the input has " + std::to_string(input.size()) +
                   " dimensions; only 2-D windows on [N, C, H, W] are supported",
               "reshape a 1-D signal to height 1 before exporting");
    Window window;
    window.kernel = pairOf(node, "kernel_shape", 0);
    if (!kernel.empty()) {
        if (node.hasAttribute("kernel_shape") && (window.kernel[0] != kernel[0] || window.kernel[1] != kernel[1]))
            refuse("PW2045", "kernel_shape differs from the weights");
        window.kernel = {kernel[0], kernel[1]};
    }
    if (window.kernel[0] < 1 || window.kernel[1] < 1)
        refuse("PW2045", "kernel_shape is missing");
    window.strides = pairOf(node, "strides", 1);
    window.dilations = pairOf(node, "dilations", 1);
    window.ceilMode = node.integer("ceil_mode", 0) != 0;
    const std::string mode = node.text("auto_pad", "NOTSET");
    if (mode == "SAME_UPPER" || mode == "SAME_LOWER")
        autoPad(window, input, mode == "SAME_UPPER");
    else if (mode == "NOTSET")
        readPads(node, window);
    else if (mode != "VALID")
        refuse("PW2045", "auto_pad has the unknown value '" + mode + "'");
    window.output = {outputExtent(window, input, 0), outputExtent(window, input, 1)};
    return window;
}

} // namespace poolwright::import
