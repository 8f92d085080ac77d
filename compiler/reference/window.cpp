// SPDX-License-Identifier: Apache-2.0
#include "reference/window.h"

namespace poolwright::reference {

namespace {

constexpr std::int64_t largestExtent = 1 << 24; // keeps every index product far from overflow

bool inRange(std::int64_t value, std::int64_t lowest) {
    return value >= lowest && value <= largestExtent;
}

bool isSane(const Window& w) {
    return inRange(w.in, 1) && inRange(w.out, 1) && inRange(w.kernel, 1) && inRange(w.stride, 1) &&
           inRange(w.dilation, 1) && inRange(w.padBegin, 0) && inRange(w.padEnd, 0);
}

/// The output extent is the floor of the ONNX formula, or with ceil_mode its ceiling (from which the newer definition
/// drops a last window that would start in the end padding).
bool fitsOutput(const Window& w, bool ceilMode) {
    const std::int64_t room = w.in + w.padBegin + w.padEnd - (w.kernel - 1) * w.dilation - 1;
    if (room < 0)
        return false;
    const std::int64_t least = room / w.stride + 1;
    const bool partial = room % w.stride != 0;
    return w.out == least || (ceilMode && partial && w.out == least + 1);
}

/// All input elements that the windows of one operator read. What is beyond this would take hours.
constexpr double largestWork = 1099511627776.0; // 2^40

double workOf(const Call& call, const Windows& windows) {
    const double taps = double(std::min(windows.height.kernel, windows.height.in)) *
                        double(std::min(windows.width.kernel, windows.width.in));
    return double(call.output().elements()) * taps;
}

} // namespace

std::int64_t Window::firstTap(std::int64_t o) const {
    const std::int64_t outside = -start(o);
    return outside <= 0 ? 0 : std::min(kernel, (outside + dilation - 1) / dilation);
}

std::int64_t Window::endTap(std::int64_t o) const {
    const std::int64_t inside = in - start(o);
    return inside <= 0 ? 0 : std::min(kernel, (inside + dilation - 1) / dilation);
}

Result<Windows> windowsOf(const Call& call, const std::vector<std::int64_t>& kernelShape) {
    const std::size_t axes = kernelShape.size();
    const ir::Shape& in = call.input().shape;
    const ir::Shape& out = call.output().shape;
    if (axes < 1 || axes > 2)
        return unsupported(call, "only one and two spatial axes are handled");
    if (in.size() != axes + 2 || out.size() != axes + 2 || in[0] != out[0])
        return mismatch(call, "input and output need the shape [N, C, spatial axes...] with equal N");
    const std::string autoPad = call.text("auto_pad", "NOTSET");
    if (autoPad != "NOTSET" && autoPad != "VALID" && !autoPad.empty())
        return unsupported(call, "auto_pad " + autoPad + " must be resolved into pads before");
    const std::vector<std::int64_t> ones(axes, 1);
    const std::vector<std::int64_t> strides = call.integers("strides", ones);
    const std::vector<std::int64_t> dilations = call.integers("dilations", ones);
    const std::vector<std::int64_t> pads = call.integers("pads", std::vector<std::int64_t>(2 * axes, 0));
    if (strides.size() != axes || dilations.size() != axes || pads.size() != 2 * axes)
        return mismatch(call, "strides, dilations or pads have the wrong length");
    Window windows[2];
    for (std::size_t a = 0; a < axes; ++a) {
        Window& w = windows[2 - axes + a];
        w = {in[2 + a], out[2 + a], kernelShape[a], strides[a], dilations[a], pads[a], pads[axes + a]};
        if (!isSane(w))
            return mismatch(call, "a kernel, stride, dilation or pad is out of range");
        if (!fitsOutput(w, call.integer("ceil_mode", 0) != 0))
            return mismatch(call,
                            "the output's spatial extents do not follow from kernel, strides, pads and dilations");
    }
    const Windows result{windows[0], windows[1]};
    if (workOf(call, result) > largestWork)
        return unsupported(call, "the windows read more than 2^40 elements");
    return result;
}

} // namespace poolwright::reference
