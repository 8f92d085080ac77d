// SPDX-License-Identifier: Apache-2.0
#include "lower/mean_conv.h"

#include "lower/conv_epoch.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

/// Weights [C, 1, kh, kw] of one whose scale makes the mean of them.
ir::Tensor meanWeights(const ConvGeometry& g) {
    ir::Tensor weights;
    weights.type = ir::ElementType::Int8;
    weights.shape = {g.channels, 1, g.kernelHeight, g.kernelWidth};
    weights.quantisation = ir::Quantisation{{1.0 / double(g.kernelHeight * g.kernelWidth)}, {0}, -1};
    weights.data = std::make_shared<const std::vector<std::uint8_t>>(std::size_t(weights.elements()), std::uint8_t(1));
    return weights;
}

} // namespace

Result<Refusal> lowerMeanConv(Context& context, NodeId id, const ConvGeometry& geometry, const program::TensorView& x,
                              const program::TensorView& y) {
    if (std::max(geometry.strideHeight, geometry.strideWidth) > context.limits().convMaxStride)
        return Refusal("an average with a large window and a stride above " +
                       std::to_string(context.limits().convMaxStride) + " has no unit; pool in several steps");
    ConvResources resources{context.machine.count(target::UnitKind::ConvAcc),
                            context.machine.count(target::UnitKind::StreamEngine)};
    resources.chains = 1;
    Refusal refusal;
    const bool wide = x.quantisation->zeroPoints.front() != 0;
    const ConvPlans plans = planConv(geometry, wide, context.limits(), resources, refusal);
    if (!refusal.empty())
        return refusal;
    const Weights weights(meanWeights(geometry));
    const ConvRequant requant =
        convRequant(largestSums(tapSums(weights, plans.geometry)), inputScaleZero(x).scale, weights.scales(),
                    outputScaleZero(y), std::vector<float>(std::size_t(geometry.channels), 0));
    ConvEpochs epochs(context, id, plans, weights, requant);
    auto made = epochs.make({x}, y);
    if (!made)
        return tl::unexpected(made.error());
    context.addStep(id, std::move(*made));
    return Refusal();
}

} // namespace poolwright::lower
