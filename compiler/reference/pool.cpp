// SPDX-License-Identifier: Apache-2.0
#include "reference/kernel.h"
#include "reference/window.h"

namespace poolwright::reference {

namespace {

Result<Windows> poolWindows(const Call& call) {
    if (!call.hasInput(0))
        return mismatch(call, "an input is required");
    const ir::Shape& in = call.input().shape;
    if (call.output().shape.size() != in.size() || in.size() < 2 || in[1] != call.output().shape[1])
        return mismatch(call, "input and output need equal channels");
    return windowsOf(call, call.integers("kernel_shape"));
}

/// Calls visit(n*C + c, oh, ow) for all output elements in their order.
template <typename Visit> void forEachOutput(const Value& output, const Windows& windows, Visit&& visit) {
    const std::int64_t planes = output.shape[0] * output.shape[1];
    for (std::int64_t plane = 0; plane < planes; ++plane)
        for (std::int64_t oh = 0; oh < windows.height.out; ++oh)
            for (std::int64_t ow = 0; ow < windows.width.out; ++ow)
                visit(plane, oh, ow);
}

/// Calls visit(offset) for the elements of a plane that a window covers; padding is left out.
template <typename Visit> void forEachCovered(const Windows& windows, std::int64_t oh, std::int64_t ow, Visit&& visit) {
    const Window& height = windows.height;
    const Window& width = windows.width;
    for (std::int64_t kh = height.firstTap(oh); kh < height.endTap(oh); ++kh) {
        const std::int64_t row = (height.start(oh) + kh * height.dilation) * width.in;
        for (std::int64_t kw = width.firstTap(ow); kw < width.endTap(ow); ++kw)
            visit(row + width.start(ow) + kw * width.dilation);
    }
}

/// Taps of a window that lie on the image or its padding: with ceil_mode the last window may reach beyond both.
std::int64_t tapsWithPadding(const Window& w, std::int64_t o) {
    Window padded = w;
    padded.in += w.padBegin + w.padEnd;
    padded.padBegin = 0;
    return padded.endTap(o);
}

template <typename T> void maximum(const Value& x, const Windows& windows, Value& result) {
    const std::int64_t pixels = windows.height.in * windows.width.in;
    T* out = result.as<T>();
    forEachOutput(result, windows, [&](std::int64_t plane, std::int64_t oh, std::int64_t ow) {
        const T* image = x.as<T>() + plane * pixels;
        T best = std::numeric_limits<T>::lowest();
        forEachCovered(windows, oh, ow, [&](std::int64_t offset) { best = std::max(best, image[offset]); });
        *out++ = best;
    });
}

/// Elements less their zero point where all share one scale, so that sums stay exact; else reals.
struct Addends {
    std::vector<double> values;
    double unit = 1.0;
};

Addends addendsOf(const Value& x) {
    if (!x.quantisation || !x.quantisation->isPerTensor())
        return {realsOf(x), 1.0};
    Value units = x;
    units.quantisation->scales = {1.0};
    return {realsOf(units), scaleOf(x)};
}

std::vector<bool> reducedAxes(const Call& call) {
    const std::size_t rank = call.input().shape.size();
    std::vector<bool> reduced(rank, false);
    std::vector<std::int64_t> axes = call.integers("axes");
    if (call.kind == ir::OpKind::GlobalAveragePool)
        for (std::size_t d = 2; d < rank; ++d)
            reduced[d] = true;
    else if (axes.empty())
        reduced.assign(rank, true);
    for (std::int64_t axis : axes) {
        if (call.kind == ir::OpKind::GlobalAveragePool)
            break;
        if (normalisedAxis(axis, rank) < 0)
            return {};
        reduced[std::size_t(normalisedAxis(axis, rank))] = true;
    }
    return reduced;
}

/// Offset into the result for each element of x in turn: reduced axes have the stride 0.
std::vector<std::int64_t> resultStrides(const ir::Shape& shape, const std::vector<bool>& reduced) {
    std::vector<std::int64_t> strides(shape.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        if (reduced[d])
            continue;
        strides[d] = stride;
        stride *= shape[d];
    }
    return strides;
}

std::vector<double> sumsOver(const ir::Shape& shape, const std::vector<std::int64_t>& strides,
                             const std::vector<double>& values, std::size_t results) {
    std::vector<double> sums(results, 0.0);
    std::vector<std::int64_t> position(shape.size(), 0);
    std::int64_t offset = 0;
    for (double value : values) {
        sums[std::size_t(offset)] += value;
        for (std::size_t d = shape.size(); d-- > 0;) {
            offset += strides[d];
            if (++position[d] < shape[d])
                break;
            offset -= strides[d] * shape[d];
            position[d] = 0;
        }
    }
    return sums;
}

} // namespace

Done evaluateMaxPool(const Call& call) {
    const Result<Windows> windows = poolWindows(call);
    if (!windows)
        return fail(windows.error());
    if (call.outputs.size() != 1)
        return unsupported(call, "the indices output is not handled");
    const Value& x = call.input();
    Value result{x.type, call.output().shape, x.quantisation, {}};
    result.bytes.resize(std::size_t(result.elements() * ir::elementBytes(x.type)));
    withType(x.type, [&](auto zero) { maximum<decltype(zero)>(x, *windows, result); });
    convert(result, call.output());
    return {};
}

Done evaluateAveragePool(const Call& call) {
    const Result<Windows> windows = poolWindows(call);
    if (!windows)
        return fail(windows.error());
    const Addends addends = addendsOf(call.input());
    const double factor = addends.unit / scaleOf(call.output());
    const bool countPadding = call.integer("count_include_pad", 0) != 0;
    const std::int64_t pixels = windows->height.in * windows->width.in;
    std::vector<double> steps;
    steps.reserve(std::size_t(call.output().elements()));
    forEachOutput(call.output(), *windows, [&](std::int64_t plane, std::int64_t oh, std::int64_t ow) {
        double sum = 0;
        std::int64_t count = 0;
        forEachCovered(*windows, oh, ow, [&](std::int64_t offset) {
            sum += addends.values[std::size_t(plane * pixels + offset)];
            ++count;
        });
        if (countPadding)
            count = tapsWithPadding(windows->height, oh) * tapsWithPadding(windows->width, ow);
        steps.push_back(count ? sum / double(count) * factor : 0.0);
    });
    storeSteps(call.output(), steps);
    return {};
}

Done evaluateMean(const Call& call) {
    if (!call.hasInput(0))
        return mismatch(call, "an input is required");
    const Value& x = call.input();
    const std::vector<bool> reduced = reducedAxes(call);
    if (reduced.size() != x.shape.size())
        return mismatch(call, "an axis is out of range");
    std::int64_t count = 1;
    for (std::size_t d = 0; d < reduced.size(); ++d)
        count *= reduced[d] ? x.shape[d] : 1;
    if (count < 1 || call.output().elements() * count != x.elements())
        return mismatch(call, "the output's shape is not the input's without the reduced axes");
    const Addends addends = addendsOf(x);
    std::vector<double> steps =
        sumsOver(x.shape, resultStrides(x.shape, reduced), addends.values, std::size_t(call.output().elements()));
    const double factor = addends.unit / scaleOf(call.output());
    for (double& step : steps)
        step = step / double(count) * factor;
    storeSteps(call.output(), steps);
    return {};
}

} // namespace poolwright::reference
