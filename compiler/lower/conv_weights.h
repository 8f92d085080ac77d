// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/conv_plan.h"
#include "lower/requant.h"

/// Weights and bias of a convolution as the units want them.
namespace poolwright::lower {

/// Integer weights with their zero point taken off, by (output, channel of the group, row, column).
class Weights {
public:
    /// `tensor`: constant, int8 or uint8, [O, C/g, kh, kw] or [O, K], quantised per tensor or along axis 0.
    /// `transposedGroups` > 0: weights of a ConvTranspose of so many groups, [C, O/g, kh, kw] and axis 1.
    explicit Weights(const ir::Tensor& tensor, std::int64_t transposedGroups = 0);

    /// Empty when CONV_ACC can take the weights; else "rule; rewrite".
    std::string refusal() const { return m_refusal; }
    int at(std::int64_t output, std::int64_t channel, std::int64_t row, std::int64_t column) const;
    /// CONV_ACC takes kernels of 8 bits. With a zero point, weights may have 9: then they are the sum of two planes,
    /// and the second one is what is missing in the first.
    int planes() const { return m_planes; }
    int at(int plane, std::int64_t output, std::int64_t channel, std::int64_t row, std::int64_t column) const;
    std::int64_t outputs() const { return m_outputs; }
    std::int64_t channels() const { return m_channels; } ///< of a group
    const std::vector<double>& scales() const { return m_scales; }
    /// Kernel rows as channels (conv_plan.h, folded()): channel column * channels() + c.
    Weights folded() const;

private:
    void transpose(std::int64_t groups);

    std::vector<std::int16_t> m_values;
    int m_planes = 1;
    std::vector<double> m_scales;
    std::int64_t m_outputs = 0, m_channels = 0, m_rows = 1, m_columns = 1;
    std::string m_refusal;
};

/// Bias in reals, one a channel; zeros when there is none. `scales`: input scale times weight scale, one or one a
/// channel.
std::vector<float> realBias(const ir::Tensor* bias, std::int64_t outputs, double inputScale,
                            const std::vector<double>& weightScales);

/// What one CONV_ACC of the pipe takes: a slice of the kernel, and channels of a bundle.
struct Contribution {
    std::size_t slice = 0;
    Lane lane;
};

/// Sums of the weights that one result takes, by their sign, for each output channel.
struct TapSums {
    std::vector<std::int64_t> positive, negative;
};
/// One for a convolution, one for each phase of a ConvTranspose (whose results take only every stride-th tap).
std::vector<TapSums> tapSums(const Weights& weights, const ConvGeometry& geometry);
/// For each output channel the signed sum of largest magnitude (facts/numerics.md section 2). Phases of a ConvTranspose
/// share their constants, so that the shift fits all of them.
std::vector<std::int64_t> largestSums(const std::vector<TapSums>& sums);

/// The kernel stream of one epoch (facts/neural-art-target.md section 2.3.4): for each repeat with weights of its own,
/// bundle, kernel group, iteration and unit of the pipe a block of kernel -> row -> column -> channel. `sliceStep`:
/// slices from iteration to iteration.
std::vector<std::uint8_t> packKernels(const Weights& weights, const ConvPlan& plan, const ConvPart& part,
                                      const std::vector<Contribution>& pipe, std::int64_t iterations,
                                      std::int64_t sliceStep);

} // namespace poolwright::lower
