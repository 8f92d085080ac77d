// SPDX-License-Identifier: Apache-2.0
#include "lower/conv_weights.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace poolwright::lower {

Weights::Weights(const ir::Tensor& tensor, std::int64_t transposedGroups) {
    const bool isUnsigned = tensor.type == ir::ElementType::UInt8;
    if (!tensor.isConstant() || !tensor.isQuantised() || (!isUnsigned && tensor.type != ir::ElementType::Int8)) {
        m_refusal = "units take constant 8-bit weights only; quantise the weights";
        return;
    }
    if (tensor.quantisation->zeroPoints.size() > 1 && tensor.quantisation->axis != (transposedGroups > 0 ? 1 : 0)) {
        m_refusal = "units take one weight scale, or one for each output; quantise the weights along the outputs";
        return;
    }
    m_outputs = tensor.shape[0];
    m_channels = tensor.shape[1];
    if (tensor.shape.size() == 4) {
        m_rows = tensor.shape[2];
        m_columns = tensor.shape[3];
    }
    m_scales = tensor.quantisation->scales;
    const auto& zeros = tensor.quantisation->zeroPoints;
    const std::int64_t each = m_channels * m_rows * m_columns;
    m_values.resize(std::size_t(m_outputs * each));
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const std::uint8_t raw = (*tensor.data)[i];
        const std::size_t row = i / std::size_t(each), column = i / std::size_t(each / m_channels) % zeros.size();
        const int zero = zeros.size() == 1 ? zeros.front() : zeros[transposedGroups > 0 ? column : row];
        const int value = (isUnsigned ? int(raw) : int(std::int8_t(raw))) - zero;
        if (value < -128 || value > 127)
            m_planes = 2;
        m_values[i] = std::int16_t(value);
    }
    if (transposedGroups > 0)
        transpose(transposedGroups);
}

/// [C, O/g, kh, kw] becomes [O, C/g, kh, kw]; scales along O/g are those of every group.
void Weights::transpose(std::int64_t groups) {
    const std::int64_t groupOutputs = m_channels, groupChannels = m_outputs / groups, taps = m_rows * m_columns;
    std::vector<std::int16_t> values(m_values.size());
    for (std::int64_t o = 0; o < groupOutputs * groups; ++o)
        for (std::int64_t c = 0; c < groupChannels; ++c) {
            const std::int64_t channel = o / groupOutputs * groupChannels + c;
            const auto from = m_values.begin() + (channel * groupOutputs + o % groupOutputs) * taps;
            std::copy(from, from + taps, values.begin() + (o * groupChannels + c) * taps);
        }
    m_values = std::move(values);
    m_outputs = groupOutputs * groups;
    m_channels = groupChannels;
    const std::vector<double> scales = m_scales;
    for (std::int64_t g = 1; g < groups && scales.size() > 1; ++g)
        m_scales.insert(m_scales.end(), scales.begin(), scales.end());
}

Weights Weights::folded() const {
    Weights result = *this;
    result.m_channels *= m_columns;
    result.m_columns = 1;
    std::size_t i = 0;
    for (std::int64_t o = 0; o < m_outputs; ++o)
        for (std::int64_t column = 0; column < m_columns; ++column)
            for (std::int64_t c = 0; c < m_channels; ++c)
                for (std::int64_t row = 0; row < m_rows; ++row, ++i)
                    result.m_values[std::size_t(((o * m_columns + column) * m_channels + c) * m_rows + row)] =
                        std::int16_t(at(o, c, row, column));
    return result;
}

int Weights::at(int plane, std::int64_t output, std::int64_t channel, std::int64_t row, std::int64_t column) const {
    const int whole = at(output, channel, row, column), first = std::clamp(whole, -128, 127);
    return plane == 0 ? first : whole - first;
}

int Weights::at(std::int64_t output, std::int64_t channel, std::int64_t row, std::int64_t column) const {
    return m_values[std::size_t(((output * m_channels + channel) * m_rows + row) * m_columns + column)];
}

std::vector<float> realBias(const ir::Tensor* bias, std::int64_t outputs, double inputScale,
                            const std::vector<double>& weightScales) {
    std::vector<float> values(std::size_t(outputs), 0.0F);
    if (!bias || !bias->data)
        return values;
    for (std::size_t c = 0; c < values.size(); ++c) {
        const std::uint8_t* word = bias->data->data() + 4 * c;
        if (bias->type == ir::ElementType::Float32) {
            std::memcpy(&values[c], word, 4);
            continue;
        }
        std::int32_t integer = 0;
        std::memcpy(&integer, word, 4);
        double scale = double(float(inputScale) * float(weightScales[weightScales.size() > 1 ? c : 0]));
        if (bias->isQuantised())
            scale = bias->quantisation->scales[bias->quantisation->isPerTensor() ? 0 : c];
        values[c] = float(integer * scale);
    }
    return values;
}

namespace {

/// Sets of taps of one axis, one for each phase.
std::vector<std::vector<std::int64_t>> phasesOf(bool transposed, std::int64_t outputs, std::int64_t kernel,
                                                std::int64_t stride, std::int64_t dilation, std::int64_t pad) {
    std::vector<std::vector<std::int64_t>> phases;
    if (!transposed)
        stride = 1;
    for (std::int64_t r = 0; r < std::min(stride, outputs); ++r) {
        phases.emplace_back();
        for (std::int64_t k = 0; k < kernel; ++k)
            if ((r + pad - k * dilation) % stride == 0)
                phases.back().push_back(k);
    }
    return phases;
}

TapSums sumsOf(const Weights& weights, const std::vector<std::int64_t>& rows,
               const std::vector<std::int64_t>& columns) {
    TapSums sums{std::vector<std::int64_t>(std::size_t(weights.outputs()), 0), {}};
    sums.negative = sums.positive;
    for (std::int64_t o = 0; o < weights.outputs(); ++o)
        for (std::int64_t c = 0; c < weights.channels(); ++c)
            for (std::int64_t row : rows)
                for (std::int64_t column : columns) {
                    const int weight = weights.at(o, c, row, column);
                    (weight > 0 ? sums.positive : sums.negative)[std::size_t(o)] += weight;
                }
    return sums;
}

} // namespace

std::vector<TapSums> tapSums(const Weights& weights, const ConvGeometry& g) {
    std::vector<TapSums> result;
    const auto columns = phasesOf(g.isTransposed, g.outWidth, g.kernelWidth, g.strideWidth, g.dilationWidth, g.padLeft);
    for (const auto& y :
         phasesOf(g.isTransposed, g.outHeight, g.kernelHeight, g.strideHeight, g.dilationHeight, g.padTop))
        for (const auto& x : columns)
            result.push_back(sumsOf(weights, y, x));
    return result;
}

std::vector<std::int64_t> largestSums(const std::vector<TapSums>& sums) {
    std::vector<std::int64_t> largest(sums.empty() ? 0 : sums.front().positive.size(), 0);
    for (const TapSums& one : sums)
        for (std::size_t o = 0; o < largest.size(); ++o) {
            const std::int64_t sum = one.positive[o] + one.negative[o];
            largest[o] = std::abs(sum) > std::abs(largest[o]) ? sum : largest[o];
        }
    return largest;
}

namespace {

class KernelPacker {
public:
    KernelPacker(const Weights& weights, const ConvPlan& plan, const ConvPart& part)
        : m_weights(weights)
        , m_plan(plan)
        , m_part(part) {}

    struct Frame {
        std::int64_t repeat, bundle, firstKernel, firstChannel;
        const Lane& lane;
    };

    /// One frame's kernels of one unit.
    void block(const Frame& frame, const KernelSlice& slice, std::vector<std::uint8_t>& bytes) const {
        if (m_part.deep)
            return deepBlock(frame, slice, bytes);
        for (std::int64_t k = 0; k < m_part.nKernels; ++k)
            for (std::int64_t row = 0; row < m_plan.sliceHeight; ++row)
                for (std::int64_t column = 0; column < m_plan.sliceWidth; ++column)
                    for (std::int64_t c = 0; c < m_part.batch; ++c)
                        bytes.push_back(tap({frame, frame.firstKernel + k, c}, slice, row, column));
    }

private:
    struct Place {
        const Frame& frame;
        std::int64_t kernel, channel;
    };

    /// The same in deep mode: blocks of 8 kernels, channel by channel, filled up to whole 24-bit words.
    void deepBlock(const Frame& frame, const KernelSlice& slice, std::vector<std::uint8_t>& bytes) const {
        const std::size_t begin = bytes.size();
        for (std::int64_t first = 0; first < m_part.nKernels; first += 8)
            for (std::int64_t c = 0; c < m_part.batch; ++c)
                for (std::int64_t k = first; k < std::min(first + 8, m_part.nKernels); ++k)
                    bytes.push_back(tap({frame, frame.firstKernel + k, c}, slice, 0, 0));
        bytes.resize(begin + std::size_t(m_part.blockBytes(1)), 0);
    }

    /// Zero outside the kernel (rests of slices) and outside the output's own group (inflation).
    std::uint8_t tap(const Place& at, const KernelSlice& slice, std::int64_t row, std::int64_t column) const {
        const ConvGeometry& g = m_plan.geometry;
        if (row >= slice.rows.taps || column >= slice.columns.taps || slice.rows.firstTap < 0 ||
            !at.frame.lane.owns(at.frame.firstChannel, at.channel))
            return 0;
        const Frame& frame = at.frame;
        const std::int64_t firstGroup = m_part.firstGroup + frame.bundle * m_part.bundleStep;
        const std::int64_t output =
            m_part.firstOutput + frame.bundle * m_part.bundleStep * g.groupOutputs() + at.kernel;
        const std::int64_t channel = frame.firstChannel + at.channel;
        if (output / g.groupOutputs() != firstGroup + channel / g.groupChannels())
            return 0;
        return std::uint8_t(
            m_weights.at(slice.plane, output, channel % g.groupChannels(),
                         slice.rows.firstTap + row * slice.rows.tapStep + frame.repeat * m_plan.repeats.tapY,
                         slice.columns.firstTap + column * slice.columns.tapStep + frame.repeat * m_plan.repeats.tapX));
    }

    const Weights& m_weights;
    const ConvPlan& m_plan;
    const ConvPart& m_part;
};

} // namespace

std::vector<std::uint8_t> packKernels(const Weights& weights, const ConvPlan& plan, const ConvPart& part,
                                      const std::vector<Contribution>& pipe, std::int64_t iterations,
                                      std::int64_t sliceStep) {
    const KernelPacker packer(weights, plan, part);
    const std::int64_t repeats = plan.repeats.sharesKernels() ? 1 : plan.repeats.count;
    std::vector<std::uint8_t> bytes;
    for (std::int64_t repeat = 0; repeat < repeats; ++repeat)
        for (std::int64_t bundle = 0; bundle < part.bundles; ++bundle)
            for (std::int64_t group = 0; group < part.kernelGroups; ++group)
                for (std::int64_t i = 0; i < iterations; ++i)
                    for (const Contribution& unit : pipe)
                        packer.block({repeat, bundle, group * part.kernelStep,
                                      unit.lane.firstChannel + i * unit.lane.step, unit.lane},
                                     plan.slices[unit.slice + std::size_t(i * sliceStep)], bytes);
    return bytes;
}

} // namespace poolwright::lower
