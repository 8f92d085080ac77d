// SPDX-License-Identifier: Apache-2.0
#include "lower/conv_weights.h"

#include <algorithm>
#include <cstring>

namespace poolwright::lower {

Weights::Weights(const ir::Tensor& tensor) {
    const bool isUnsigned = tensor.type == ir::ElementType::UInt8;
    if (!tensor.isConstant() || !tensor.isQuantised() || (!isUnsigned && tensor.type != ir::ElementType::Int8)) {
        m_refusal = "units take constant 8-bit weights only; quantise the weights";
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
        const int zero = zeros.size() > 1 ? zeros[i / std::size_t(each)] : zeros.front();
        const int value = (isUnsigned ? int(raw) : int(std::int8_t(raw))) - zero;
        if (value < -128 || value > 127)
            m_refusal = "weights less their zero point exceed 8 bits; quantise the weights symmetrically";
        m_values[i] = std::int8_t(value);
    }
}

int Weights::at(std::int64_t output, std::int64_t channel, std::int64_t row, std::int64_t column) const {
    return m_values[std::size_t(((output * m_channels + channel) * m_rows + row) * m_columns + column)];
}

std::vector<std::int64_t> Weights::sums() const {
    std::vector<std::int64_t> sums(std::size_t(m_outputs), 0);
    const std::size_t each = std::size_t(m_channels * m_rows * m_columns);
    for (std::size_t i = 0; i < m_values.size(); ++i)
        sums[i / each] += m_values[i];
    return sums;
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

class KernelPacker {
public:
    KernelPacker(const Weights& weights, const ConvPlan& plan, const ConvPart& part)
        : m_weights(weights)
        , m_plan(plan)
        , m_part(part) {}

    /// The same in deep mode: blocks of 8 kernels, channel by channel, filled up to whole 24-bit words.
    void deepBlock(std::int64_t firstKernel, std::int64_t firstChannel, std::vector<std::uint8_t>& bytes) const {
        const std::size_t begin = bytes.size();
        for (std::int64_t first = 0; first < m_part.nKernels; first += 8)
            for (std::int64_t c = 0; c < m_part.batch; ++c)
                for (std::int64_t k = first; k < std::min(first + 8, m_part.nKernels); ++k)
                    bytes.push_back(tap(0, firstKernel + k, firstChannel + c, 0, 0));
        bytes.resize(begin + std::size_t(m_part.blockBytes(1)), 0);
    }

    /// One frame's kernels of one unit.
    void block(std::int64_t bundle, std::int64_t firstKernel, std::int64_t firstChannel, const KernelSlice& slice,
               std::vector<std::uint8_t>& bytes) const {
        for (std::int64_t k = 0; k < m_part.nKernels; ++k)
            for (std::int64_t row = 0; row < m_plan.sliceHeight; ++row)
                for (std::int64_t column = 0; column < m_plan.sliceWidth; ++column)
                    for (std::int64_t c = 0; c < m_part.batch; ++c)
                        bytes.push_back(tap(bundle, firstKernel + k, firstChannel + c, slice.firstRow + row,
                                            slice.firstColumn + column));
    }

private:
    /// Zero outside the kernel (rests of slices) and outside the output's own group (inflation).
    std::uint8_t tap(std::int64_t bundle, std::int64_t kernel, std::int64_t channel, std::int64_t row,
                     std::int64_t column) const {
        const ConvGeometry& g = m_plan.geometry;
        if (row >= g.kernelHeight || column >= g.kernelWidth)
            return 0;
        const std::int64_t output = m_part.firstOutput + bundle * m_part.bundleOutputs + kernel;
        const std::int64_t group = m_part.firstGroup + bundle * m_part.inflation + channel / g.groupChannels();
        if (output / g.groupOutputs() != group)
            return 0;
        return std::uint8_t(m_weights.at(output, channel % g.groupChannels(), row, column));
    }

    const Weights& m_weights;
    const ConvPlan& m_plan;
    const ConvPart& m_part;
};

} // namespace

std::vector<std::uint8_t> packKernels(const Weights& weights, const ConvPlan& plan, const ConvPart& part,
                                      const std::vector<Contribution>& pipe, std::int64_t iterations,
                                      std::int64_t channelStep) {
    const KernelPacker packer(weights, plan, part);
    std::vector<std::uint8_t> bytes;
    for (std::int64_t bundle = 0; bundle < part.bundles; ++bundle)
        for (std::int64_t group = 0; group < part.kernelGroups(); ++group)
            for (std::int64_t i = 0; i < iterations; ++i)
                for (const Contribution& unit : pipe) {
                    const std::int64_t channel = unit.channel + i * channelStep;
                    if (part.deep)
                        packer.deepBlock(group * part.nKernels, channel, bytes);
                    else
                        packer.block(bundle, group * part.nKernels, channel, plan.slices[unit.slice], bytes);
                }
    return bytes;
}

} // namespace poolwright::lower
