// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

/// One axis of a convolution, and how it becomes what CONV_ACC can do: rasters of the output, each a plain convolution
/// of strided rasters of the input. Pure arithmetic; nothing is copied, because stream engines walk arbitrary strides
/// (facts/neural-art-target.md section 2.1).
namespace poolwright::lower {

/// Output firstOutput + outputStep * j (j < outputs) is the sum over t < taps of kernel[firstTap + tapStep * t] *
/// input[start + stride * j + dilation * t]; what lies outside the input counts as zero.
struct AxisConv {
    std::int64_t firstOutput = 0, outputStep = 1, outputs = 1;
    std::int64_t firstTap = 0, tapStep = 1, taps = 1;
    std::int64_t start = 0, stride = 1, dilation = 1;
};

/// ONNX Conv: input o * stride - pad + k * dilation.
AxisConv convolutionAxis(std::int64_t outputs, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                         std::int64_t pad);

/// ONNX ConvTranspose (o = i * stride - pad + k * dilation): one convolution with a part of the kernel, in reverse
/// order, for each residue of the output by the stride. Residues that no tap reaches have no taps.
std::vector<AxisConv> transposedAxis(std::int64_t outputs, std::int64_t kernel, std::int64_t stride,
                                     std::int64_t dilation, std::int64_t pad);

/// The outputs in `parts` ranges of nearly equal length.
std::vector<AxisConv> stripesOf(const AxisConv& conv, std::int64_t parts);

/// Neighbouring taps of one CONV_ACC: element start + inputStep * (stride * j + t) meets kernel[firstTap + tapStep *
/// t].
struct TapRun {
    std::int64_t firstTap = 0, tapStep = 1, taps = 1;
    std::int64_t start = 0, inputStep = 1;

    bool operator==(const TapRun&) const = default;
};

/// A raster of outputs as a sum of plain convolutions that share stride and kernel size (shorter runs are filled up
/// with zeros).
struct AxisRaster {
    std::int64_t firstOutput = 0, outputStep = 1, outputs = 1;
    std::int64_t stride = 1, taps = 1;
    std::vector<TapRun> runs;
};

/// How an axis is brought within the unit's limits.
struct AxisWay {
    bool tapByTap = false;    ///< every tap a run of its own: no rasters of the output, however dilated
    bool wholeStride = false; ///< a stride over the limit is taken whole by the input raster, else as little as needed
    std::int64_t maxTaps = 3; ///< of a run at stride 1
    std::int64_t maxTapsStrided = 3; ///< of a run at larger strides
    std::int64_t maxStride = 7;      ///< native
};

/// Dilation becomes rasters of the output (phases), strides over the limit and long kernels become runs.
std::vector<AxisRaster> rastersOf(const AxisConv& conv, const AxisWay& way);

/// What a run sees of `size` elements: pads in steps of the raster, first element, and number of elements.
struct RunExtent {
    std::int64_t padBefore = 0, padAfter = 0, first = 0, count = 0;

    bool isEmpty() const { return count <= 0; } ///< nothing but padding: adds zero
    bool operator==(const RunExtent&) const = default;
};
RunExtent extentOf(const AxisRaster& raster, const TapRun& run, std::int64_t size);

} // namespace poolwright::lower
