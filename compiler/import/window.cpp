// SPDX-License-Identifier: Apache-2.0
#include "import/window.h"

#include "import/failure.h"

#include <algorithm>

namespace poolwright::import {
namespace {

using Pair = std::array<std::int64_t, 2>;

constexpr std::int64_t largestWindow = 1 << 20; // keeps all products of window terms far from overflow

/// One entry for each spatial axis, with `fallback` for the height of a one-dimensional operator and where the
/// attribute is absent.
Pair pairOf(const NodeView& node, const char* key, std::size_t axes, std::int64_t fallback, std::int64_t least = 1) {
    const auto values = node.integers(key);
    Pair pair{fallback, fallback};
    if (values.empty())
        return pair;
    if (values.size() != axes)
        refuse("PW2045", std::string(key) + " has " + std::to_string(values.size()) + " entries, a " +
                             std::to_string(axes) + "-D window has " + std::to_string(axes));
    for (std::int64_t value : values)
        if (value < least || value > largestWindow)
            refuse("PW2045", std::string(key) + " has the value " + std::to_string(value));
    std::copy(values.begin(), values.end(), pair.end() - std::ptrdiff_t(axes));
    return pair;
}

void readPads(const NodeView& node, std::size_t axes, Window& window) {
    const auto pads = node.integers("pads");
    if (pads.empty())
        return;
    if (pads.size() != 2 * axes)
        refuse("PW2045", "pads has " + std::to_string(pads.size()) + " entries, a " + std::to_string(axes) +
                             "-D window has " + std::to_string(2 * axes));
    for (std::size_t i = 0; i < pads.size(); ++i) {
        if (pads[i] < 0 || pads[i] > largestWindow)
            refuse("PW2045", "pads has the value " + std::to_string(pads[i]));
        const std::size_t axis = 2 - axes + i % axes;
        window.pads[axis + (i < axes ? 0 : 2)] = pads[i];
    }
}

std::int64_t reach(const Window& window, std::size_t d) {
    return (window.kernel[d] - 1) * window.dilations[d] + 1;
}

/// Shares what is missing between both ends; an odd element goes to the end or to the beginning.
void sharePads(Window& window, std::size_t d, std::int64_t total, bool atEnd) {
    window.pads[d] = atEnd ? total / 2 : total - total / 2;
    window.pads[d + 2] = total - window.pads[d];
}

void autoPad(Window& window, const ir::Shape& input, bool atEnd) {
    for (std::size_t d = 0; d < 2; ++d) {
        const std::int64_t extent = input[d + 2];
        const std::int64_t output = (extent + window.strides[d] - 1) / window.strides[d];
        const std::int64_t total = (output - 1) * window.strides[d] + reach(window, d) - extent;
        sharePads(window, d, std::max<std::int64_t>(0, total), atEnd);
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

void readKernel(const NodeView& node, std::size_t axes, const std::vector<std::int64_t>& kernel, Window& window) {
    window.kernel = pairOf(node, "kernel_shape", axes, kernel.empty() ? 0 : 1);
    if (axes == 1 && node.hasAttribute("kernel_shape"))
        window.kernel[0] = 1;
    if (!kernel.empty()) {
        if (node.hasAttribute("kernel_shape") && (window.kernel[0] != kernel[0] || window.kernel[1] != kernel[1]))
            refuse("PW2045", "kernel_shape differs from the weights");
        window.kernel = {kernel[0], kernel[1]};
    }
    for (std::int64_t extent : window.kernel)
        if (extent < 1 || extent > largestWindow)
            refuse("PW2045", "kernel_shape is missing or has the value " + std::to_string(extent));
    window.strides = pairOf(node, "strides", axes, 1);
    window.dilations = pairOf(node, "dilations", axes, 1);
}

enum class AutoPad { None, SameUpper, SameLower, Valid };

AutoPad autoPadOf(const NodeView& node) {
    const std::string mode = node.text("auto_pad", "NOTSET");
    if (mode == "NOTSET" || mode.empty())
        return AutoPad::None;
    if (mode == "SAME_UPPER")
        return AutoPad::SameUpper;
    if (mode == "SAME_LOWER")
        return AutoPad::SameLower;
    if (mode != "VALID")
        refuse("PW2045", "auto_pad has the unknown value '" + mode + "'");
    return AutoPad::Valid;
}

/// Extents that the model asks for by output_shape (with or without N and C in front); empty when it does not.
std::vector<std::int64_t> wantedExtents(const NodeView& node, std::size_t axes) {
    auto wanted = node.integers("output_shape");
    if (wanted.size() == axes + 2)
        wanted.erase(wanted.begin(), wanted.begin() + 2);
    if (!wanted.empty() && wanted.size() != axes)
        refuse("PW2045", "output_shape has " + std::to_string(wanted.size()) + " entries");
    if (wanted.size() == 1)
        wanted.insert(wanted.begin(), 1);
    for (std::int64_t extent : wanted)
        if (extent < 1 || extent > largestWindow)
            refuse("PW2045", "output_shape has the value " + std::to_string(extent));
    return wanted;
}

} // namespace

ir::Attributes Window::attributes() const {
    return {{"kernel_shape", std::vector<std::int64_t>(kernel.begin(), kernel.end())},
            {"strides", std::vector<std::int64_t>(strides.begin(), strides.end())},
            {"dilations", std::vector<std::int64_t>(dilations.begin(), dilations.end())},
            {"pads", std::vector<std::int64_t>(pads.begin(), pads.end())}};
}

Window readWindow(const NodeView& node, const ir::Shape& input, std::size_t axes,
                  const std::vector<std::int64_t>& kernel) {
    Window window;
    readKernel(node, axes, kernel, window);
    window.ceilMode = node.integer("ceil_mode", 0) != 0;
    const AutoPad mode = autoPadOf(node);
    if (mode == AutoPad::None)
        readPads(node, axes, window);
    else if (mode != AutoPad::Valid)
        autoPad(window, input, mode == AutoPad::SameUpper);
    window.output = {outputExtent(window, input, 0), outputExtent(window, input, 1)};
    return window;
}

void countWholeWindows(Window& window, const ir::Shape& input) {
    for (std::size_t d = 0; d < 2; ++d) {
        const std::int64_t end = (window.output[d] - 1) * window.strides[d] + reach(window, d);
        const std::int64_t padded = input[d + 2] + window.pads[d] + window.pads[d + 2];
        window.pads[d + 2] += std::max<std::int64_t>(end - padded, 0);
    }
}

TransposedWindow readTransposedWindow(const NodeView& node, const ir::Shape& input, std::size_t axes,
                                      const std::vector<std::int64_t>& kernel) {
    TransposedWindow window;
    readKernel(node, axes, kernel, window);
    window.outputPadding = pairOf(node, "output_padding", axes, 0, 0);
    const AutoPad mode = autoPadOf(node);
    const auto wanted = wantedExtents(node, axes);
    if (mode == AutoPad::None && wanted.empty())
        readPads(node, axes, window);
    for (std::size_t d = 0; d < 2; ++d) {
        std::int64_t full = window.strides[d] * (input[d + 2] - 1) + window.outputPadding[d] + reach(window, d);
        const bool isSame = mode == AutoPad::SameUpper || mode == AutoPad::SameLower;
        if (!wanted.empty() || isSame) {
            const std::int64_t missing = full - (wanted.empty() ? input[d + 2] * window.strides[d] : wanted[d]);
            sharePads(window, d, std::max<std::int64_t>(missing, 0), mode == AutoPad::SameUpper);
            // More than there is: bias alone, and only where the model asks for it (as ONNX Runtime does).
            const std::int64_t added = wanted.empty() ? 0 : std::max<std::int64_t>(-missing, 0);
            window.outputPadding[d] += added;
            full += added;
        }
        window.output[d] = full - window.pads[d] - window.pads[d + 2];
        if (window.output[d] < 1)
            refuse("PW2045", "the pads leave nothing of the output");
    }
    return window;
}

} // namespace poolwright::import
