// SPDX-License-Identifier: Apache-2.0
#include "lower/conv_axis.h"

#include <algorithm>
#include <numeric>

namespace poolwright::lower {

namespace {

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return -floorDiv(-a, b);
}

/// Elements 0, step, 2 * step, ... below `size`, from `first` on.
std::int64_t countFrom(std::int64_t first, std::int64_t step, std::int64_t size) {
    return first >= size ? 0 : (size - first - 1) / step + 1;
}

/// The smallest part of the stride that the input raster must take so that the unit can do the rest.
std::int64_t rasterShare(std::int64_t stride, const AxisWay& way) {
    if (stride <= way.maxStride)
        return 1;
    if (way.wholeStride)
        return stride;
    std::int64_t share = 2;
    while (stride % share != 0 || stride / share > way.maxStride)
        ++share;
    return share;
}

/// Cuts `taps` taps into runs of equal length within the limit.
void appendRuns(const TapRun& whole, std::int64_t length, std::vector<TapRun>& runs) {
    for (std::int64_t first = 0; first < whole.taps; first += length) {
        TapRun run = whole;
        run.firstTap += first * whole.tapStep;
        run.start += first * whole.inputStep;
        run.taps = std::min(length, whole.taps - first);
        runs.push_back(run);
    }
}

/// A convolution whose taps lie `stride * k` or one raster step apart: dilation counts as the raster's step.
AxisRaster rasterOf(const AxisConv& conv, const AxisWay& way) {
    AxisRaster raster{conv.firstOutput, conv.outputStep, conv.outputs, 1, 1, {}};
    if (conv.taps <= 1 || way.tapByTap) {
        for (std::int64_t t = 0; t < conv.taps; ++t)
            raster.runs.push_back(
                {conv.firstTap + conv.tapStep * t, conv.tapStep, 1, conv.start + conv.dilation * t, conv.stride});
        return raster;
    }
    const std::int64_t stride = conv.stride / conv.dilation; // phases() made it divide
    const std::int64_t share = rasterShare(stride, way);
    raster.stride = stride / share;
    const std::int64_t longest = ceilDiv(conv.taps, share);
    raster.taps = ceilDiv(longest, ceilDiv(longest, raster.stride > 1 ? way.maxTapsStrided : way.maxTaps));
    if (raster.taps == 1 && share == 1) { // the raster walks in the steps of the stride
        for (std::int64_t t = 0; t < conv.taps; ++t)
            raster.runs.push_back(
                {conv.firstTap + conv.tapStep * t, conv.tapStep, 1, conv.start + conv.dilation * t, conv.stride});
        raster.stride = 1;
        return raster;
    }
    for (std::int64_t first = 0; first < std::min(share, conv.taps); ++first)
        appendRuns({conv.firstTap + conv.tapStep * first, conv.tapStep * share, countFrom(first, share, conv.taps),
                    conv.start + conv.dilation * first, conv.dilation * share},
                   raster.taps, raster.runs);
    return raster;
}

/// Output rasters in which the stride is a multiple of the dilation.
std::vector<AxisConv> phases(const AxisConv& conv) {
    const std::int64_t count = conv.dilation / std::gcd(conv.stride, conv.dilation);
    std::vector<AxisConv> result;
    for (std::int64_t r = 0; r < std::min(count, conv.outputs); ++r) {
        AxisConv phase = conv;
        phase.firstOutput += conv.outputStep * r;
        phase.outputStep *= count;
        phase.outputs = countFrom(r, count, conv.outputs);
        phase.start += conv.stride * r;
        phase.stride *= count;
        result.push_back(phase);
    }
    return result;
}

} // namespace

AxisConv convolutionAxis(std::int64_t outputs, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                         std::int64_t pad) {
    return {0, 1, outputs, 0, 1, kernel, -pad, stride, dilation};
}

std::vector<AxisConv> transposedAxis(std::int64_t outputs, std::int64_t kernel, std::int64_t stride,
                                     std::int64_t dilation, std::int64_t pad) {
    const std::int64_t common = std::gcd(stride, dilation), tapStep = stride / common;
    std::vector<AxisConv> result;
    for (std::int64_t r = 0; r < std::min(stride, outputs); ++r) {
        AxisConv part{r, stride, countFrom(r, stride, outputs), 0, -tapStep, 0, 0, 1, dilation / common};
        std::int64_t first = 0; // the lowest tap of this residue
        while (first < kernel && (r + pad - first * dilation) % stride != 0)
            ++first;
        part.taps = countFrom(first, tapStep, kernel);
        part.firstTap = first + (part.taps - 1) * tapStep;
        part.start = floorDiv(r + pad - part.firstTap * dilation, stride);
        result.push_back(part);
    }
    return result;
}

std::vector<AxisConv> stripesOf(const AxisConv& conv, std::int64_t parts) {
    std::vector<AxisConv> result;
    for (std::int64_t i = 0; i < parts; ++i) {
        const std::int64_t first = conv.outputs * i / parts, end = conv.outputs * (i + 1) / parts;
        if (first == end)
            continue;
        AxisConv stripe = conv;
        stripe.firstOutput += conv.outputStep * first;
        stripe.outputs = end - first;
        stripe.start += conv.stride * first;
        result.push_back(stripe);
    }
    return result;
}

std::vector<AxisRaster> rastersOf(const AxisConv& conv, const AxisWay& way) {
    std::vector<AxisRaster> result;
    if (conv.taps <= 1 || way.tapByTap)
        return {rasterOf(conv, way)};
    for (const AxisConv& phase : phases(conv))
        result.push_back(rasterOf(phase, way));
    return result;
}

RunExtent extentOf(const AxisRaster& raster, const TapRun& run, std::int64_t size) {
    const std::int64_t end = (raster.outputs - 1) * raster.stride + raster.taps - 1; // last step that is touched
    const std::int64_t first = std::max<std::int64_t>(0, ceilDiv(-run.start, run.inputStep));
    const std::int64_t last = std::min(end, floorDiv(size - 1 - run.start, run.inputStep));
    return {first, end - last, run.start + run.inputStep * first, last - first + 1};
}

} // namespace poolwright::lower
