// SPDX-License-Identifier: Apache-2.0
#include "lower/conv_lower.h"

#include "ir/constant.h"
#include "lower/batch.h"
#include "lower/conv_epoch.h"
#include "lower/conv_saturation.h"
#include "lower/copy.h"
#include "lower/pool_plan.h"
#include "lower/tail.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poolwright::lower {

namespace {

Weights weightsOf(const ir::Graph& graph, const ir::Node& node) {
    const bool transposed = node.kind == ir::OpKind::ConvTranspose;
    return Weights(graph[node.inputs[1]], transposed ? std::max<std::int64_t>(1, node.integer("group", 1)) : 0);
}

Refusal refuseTensors(const ir::Graph& graph, const ir::Node& node) {
    const ir::Tensor& x = graph[node.inputs[0]];
    const ir::Tensor& y = graph[node.outputs[0]];
    if (!isByteTensor(x) || !isByteTensor(y))
        return "units convolve 8-bit tensors with one scale; quantise input and output to int8";
    if (x.isConstant())
        return "the input is a constant; fold it";
    const Refusal weights = weightsOf(graph, node).refusal();
    if (!weights.empty())
        return weights;
    const bool hasBias = node.inputs.size() > 2 && node.inputs[2].isValid();
    if (!hasBias)
        return {};
    const ir::Tensor& bias = graph[node.inputs[2]];
    const bool isNumber = bias.type == ir::ElementType::Int32 || bias.type == ir::ElementType::Float32;
    if (!bias.isConstant() || !isNumber || bias.elements() != geometryOf(graph, node).outputs)
        return "the bias is no constant of one int32 or float for each channel; make it one";
    const auto isNoNumber = [](double value) { return !std::isfinite(value); };
    if (bias.type == ir::ElementType::Float32 && std::ranges::any_of(ir::realsOf(bias), isNoNumber))
        return "the bias holds values that are infinite or no numbers; mend the model's constants";
    return {};
}

Refusal refuseShape(const ir::Graph& graph, const ir::Node& node) {
    const ir::Tensor& x = graph[node.inputs[0]];
    if (node.real("alpha", 1) != 1 || node.real("beta", 1) != 1)
        return "units have no factor on a matrix product; fold alpha and beta into weights and bias";
    if (node.kind == ir::OpKind::Gemm)
        return x.shape.size() > 3 || x.shape.empty() ? "units multiply matrices of rank 2 or 3; reshape the input" : "";
    if (x.shape.size() != 4)
        return "units convolve images of rank 4; give a 1-D signal a height of 1";
    return {};
}

/// Everything of a convolution that does not change from epoch to epoch.
struct Operands {
    ConvEpochs::Views inputs; ///< more than one: the channels lie in these in turn
    program::TensorView output;
};

/// A matrix of one row stride as an image of one line.
program::TensorView asImage(const program::TensorView& matrix) {
    program::TensorView image = matrix;
    const std::int64_t rows = matrix.shape[0], step = matrix.strides[0];
    image.shape = {1, matrix.shape[1], 1, rows};
    image.strides = {rows * step, 1, rows * step, step};
    return image;
}

/// Input of a fully connected layer: rows at one distance, copied together when they are not.
Result<program::TensorView> matrixInput(Context& context, NodeId id, const program::TensorView& input,
                                        const ConvGeometry& g) {
    if (auto flat = reshaped(input, {g.width, g.channels}))
        return asImage(*flat);
    const program::TensorView rows = context.newBufferLike(input, input.name + "_row_major", true);
    if (auto done = copyStep(context, id, input, rows); !done)
        return tl::unexpected(done.error());
    return asImage(*reshaped(rows, {g.width, g.channels}));
}

Result<Operands> operandsOf(Context& context, NodeId id, const ConvGeometry& g) {
    const ir::Node& node = context.graph[id];
    auto inputs = context.channelLastParts(node.inputs[0], id);
    if (!inputs)
        return tl::unexpected(inputs.error());
    Operands operands{*inputs, context.outputView(context.fusion.chainOf(id).written(), true)};
    if (node.kind != ir::OpKind::Gemm)
        return operands;
    auto matrix = matrixInput(context, id, operands.inputs.front(), g);
    if (!matrix)
        return tl::unexpected(matrix.error());
    const auto result = reshaped(operands.output, {g.width, g.outputs});
    if (!result)
        return fail(
            makeError(layoutTooComplex, "the rows of the result do not lie at one distance; reshape it to rank 2"));
    operands.inputs = {*matrix};
    operands.output = asImage(*result);
    return operands;
}

ConvRequant requantOf(const Context& context, NodeId id, const Weights& weights, const std::vector<TapSums>& sums,
                      const program::TensorView& output) {
    const ir::Graph& graph = context.graph;
    const ir::Node& node = graph[id];
    const double inputScale = graph[node.inputs[0]].quantisation->scales.front();
    const bool hasBias = node.inputs.size() > 2 && node.inputs[2].isValid();
    const auto bias =
        realBias(hasBias ? &graph[node.inputs[2]] : nullptr, weights.outputs(), inputScale, weights.scales());
    return convRequant(largestSums(sums), inputScale, weights.scales(), anchorScaleZero(context, id, output), bias);
}

ConvResources resourcesOf(const Context& context, const Chain& chain) {
    const options::CompilerOptions& o = context.options;
    const auto have = [&](target::UnitKind kind) { return context.machine.count(kind); };
    const TailNeed need = tailNeed(context.graph, chain, context.isStoredUnsigned(chain.written()));
    ConvResources resources{have(target::UnitKind::ConvAcc), have(target::UnitKind::StreamEngine)};
    resources.chains =
        std::min({have(target::UnitKind::Arith) / need.ariths, have(target::UnitKind::Activ) / std::max(need.activs, 1),
                  have(target::UnitKind::Pool) / std::max(need.pools, 1)});
    resources.spareAriths = have(target::UnitKind::Arith) - need.ariths;
    resources.tailEngines = need.engines;
    resources.maxPipe = o.maxCaPipe;
    resources.splitChannels = o.convSplitCw;
    resources.splitKernels = o.convSplitKw;
    resources.stripes = o.convSplitStripe;
    resources.stripesOfAll = o.convSplitStripeFull;
    return resources;
}

/// With what the pools of a chain ask of the frames.
ConvResources chainResources(const Context& context, const Chain& chain) {
    ConvResources resources = resourcesOf(context, chain);
    for (const Stage& stage : chain.stages) {
        if (stage.isSum())
            continue;
        const target::Limits& l = context.limits();
        const std::int64_t width = poolShapeOf(context.graph, context.graph[stage.node]).width.in;
        const auto most = int(std::min<std::int64_t>(l.poolMaxBatch, std::min(l.poolFrameElements, l.poolLineElements) /
                                                                         std::max<std::int64_t>(width, 1)));
        resources.maxKernels = resources.maxKernels > 0 ? std::min(resources.maxKernels, most) : most;
        resources.wholeImages = true;
    }
    return resources;
}

/// The other operand of a sum can be walked in the order of the convolution's results.
bool canFollow(Context& context, const Stage& stage) {
    const ir::Node& sum = context.graph[stage.node];
    const program::TensorView other = context.view(sum.inputs[std::size_t(stage.operand)]);
    const auto whole = broadcast(other, context.graph[sum.outputs[0]].shape);
    return whole && (whole->shape[1] == 1 || whole->strides[1] == 1);
}

/// Cycles of what a chain leaves to epochs of their own.
std::int64_t cyclesOf(const Context& context, const Stage& stage) {
    return context.graph[context.graph[stage.node].inputs[0]].elements() + epochOverhead;
}

/// How many stages of the chain to keep: as many as make the whole cheapest.
std::size_t worthwhileStages(Context& context, NodeId id, const ConvGeometry& geometry) {
    Chain chain = context.fusion.chainOf(id);
    const std::size_t all = chain.stages.size();
    if (all == 0)
        return 0;
    const ir::Tensor& input = context.graph[context.graph[id].inputs[0]];
    const bool wide =
        input.quantisation->zeroPoints.front() != 0 && !context.isStoredUnsigned(context.graph[id].inputs[0]);
    std::size_t best = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max(), others = 0;
    for (std::size_t count = all;; --count) {
        const bool follows = std::all_of(chain.stages.begin(), chain.stages.end(), [&](const Stage& stage) {
            return !stage.isSum() || canFollow(context, stage);
        });
        const ConvResources resources = chainResources(context, chain);
        std::string refusal;
        if (follows && resources.chains > 0) {
            const std::int64_t cycles =
                planConv(geometry, wide, context.limits(), resources, refusal).cycles() + others;
            if (refusal.empty() && cycles < least) {
                least = cycles;
                best = count;
            }
        }
        if (count == 0)
            return best;
        others += cyclesOf(context, chain.stages.back());
        chain.stages.pop_back();
    }
}

/// Kernel rows as pixels of the folded convolution.
program::TensorView foldedView(const program::TensorView& x, const ConvGeometry& original, const ConvGeometry& now) {
    program::TensorView view = x;
    view.shape[1] = now.channels;
    view.shape[3] = now.width;
    view.strides[3] = x.strides[3] * original.strideWidth;
    return view;
}

bool hasDensePixels(const program::TensorView& x) {
    return x.strides[3] == x.shape[1] && (x.shape[1] == 1 || x.strides[1] == 1);
}

} // namespace

Refusal refuseConv(const ir::Graph& graph, const ir::Node& node) {
    const Refusal shape = refuseShape(graph, node);
    if (!shape.empty())
        return shape;
    return refuseTensors(graph, node);
}

std::optional<std::int64_t> convCycles(const Context& context, NodeId id, const std::vector<std::int64_t>& sources) {
    const ir::Node& node = context.graph[id];
    ConvGeometry geometry = geometryOf(context.graph, node);
    geometry.sources = sources;
    geometry.weightPlanes = weightsOf(context.graph, node).planes();
    Chain alone = context.fusion.chainOf(id);
    alone.stages.clear();
    std::string refusal;
    const bool wide = context.graph[node.inputs[0]].quantisation->zeroPoints.front() != 0;
    const ConvPlans plans = planConv(geometry, wide, context.limits(), chainResources(context, alone), refusal);
    if (!refusal.empty())
        return std::nullopt;
    return plans.cycles();
}

namespace {

/// The view is all of its buffer, channel-last, and nothing else is seen in it.
bool ownsBuffer(const Context& context, const program::TensorView& view) {
    const program::Buffer& buffer = context.result.buffers[std::size_t(view.buffer.index)];
    return view.offset == 0 && view.shape.size() == 4 && view.shape[0] == 1 && ir::elementBytes(view.type) == 1 &&
           buffer.kind == program::BufferKind::Activation && buffer.tensors.size() == 1 &&
           buffer.size.value == ir::elementCount(view.shape) &&
           sameStrides(view.shape, view.strides, channelLastStrides(view.shape, 1));
}

/// Nobody else reads what lies there.
bool isReadOnce(const Context& context, TensorId whole) {
    const auto parts = context.concats.parts.find(whole.index);
    const TensorId last = parts != context.concats.parts.end() ? parts->second.back() : whole;
    const auto readers = [&](TensorId tensor) { return context.uses.consumers[std::size_t(tensor.index)].size(); };
    const NodeId producer = context.uses.producer[std::size_t(last.index)];
    return readers(whole) == 1 && readers(last) == 1 && producer.isValid() && !isAlias(context.graph[producer]) &&
           !context.isNetworkOutput(last);
}

/// Bytes on the chip: what is larger lies in external memory anyway.
std::int64_t bytesOnChip() {
    std::int64_t bytes = 0;
    for (const target::Bank& bank : target::builtinTarget().banks)
        bytes += bank.external ? 0 : bank.range.size.value;
    return bytes;
}

/// Partial sums must not raise the peak of a network that needs external memory: at the peak they take idle rows of
/// output and input instead of a buffer, where these can be had.
void avoidScratch(const Context& context, NodeId id, const Operands& operands, const ConvGeometry& geometry,
                  ConvResources& resources, ConvPlans& plans) {
    const std::int64_t alive = context.concats.live[std::size_t(id.index)];
    const bool raises = plans.sumsBytes() > context.concats.peak - alive && alive > bytesOnChip();
    const bool isPlain = !plans.isFolded && geometry.groups == 1 && !geometry.isTransposed && geometry.batches == 1 &&
                         geometry.dilationHeight * geometry.dilationWidth == 1 &&
                         context.fusion.chainOf(id).stages.empty();
    if (!raises || !isPlain || !ownsBuffer(context, operands.output) || !ownsBuffer(context, operands.inputs.back()) ||
        !isReadOnce(context, context.graph[id].inputs[0]))
        return;
    resources.idleOutputRow = operands.output.strides[2];
    resources.idleInputRow = operands.inputs.back().strides[2];
    const bool wide = operands.inputs.front().quantisation->zeroPoints.front() != 0;
    std::string refusal;
    ConvPlans frugal = planConv(geometry, wide, context.limits(), resources, refusal);
    if (refusal.empty() && !frugal.isFolded && frugal.cycles() < plans.cycles() + plans.cycles() / 8)
        plans = std::move(frugal);
}

} // namespace

Result<Refusal> lowerConv(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    Refusal refusal = refuseConv(context.graph, node);
    if (refusal.empty() && context.machine.count(target::UnitKind::ConvAcc) == 0)
        refusal = "the machine has no CONV_ACC; compile for one that has";
    if (!refusal.empty())
        return refusal;
    ConvGeometry geometry = geometryOf(context.graph, node);
    if (refusal = refuseBatch(geometry.batches); !refusal.empty())
        return refusal;
    Weights weights = weightsOf(context.graph, node);
    geometry.weightPlanes = weights.planes();
    geometry.sources = context.channelsOfParts(node.inputs[0]);
    context.fusion.shorten(id, worthwhileStages(context, id, geometry));
    auto operands = operandsOf(context, id, geometry);
    if (!operands)
        return tl::unexpected(operands.error());
    geometry.isDense = operands->inputs.size() == 1 && hasDensePixels(operands->inputs.front());
    const bool wide = operands->inputs.front().quantisation->zeroPoints.front() != 0;
    ConvResources resources = chainResources(context, context.fusion.chainOf(id));
    ConvPlans plans = planConv(geometry, wide, context.limits(), resources, refusal);
    if (!refusal.empty())
        return refusal;
    avoidScratch(context, id, *operands, geometry, resources, plans);
    if (plans.isFolded) {
        weights = weights.folded();
        operands->inputs.front() = foldedView(operands->inputs.front(), geometry, plans.geometry);
    }
    const std::vector<TapSums> sums = tapSums(weights, plans.geometry);
    const ConvRequant requant = requantOf(context, id, weights, sums, operands->output);
    noteSaturation(saturationOf(node.name, sums, operands->inputs.front(), requant.sa), context.saturations);
    ConvEpochs epochs(context, id, plans, weights, requant);
    auto made = epochs.make(operands->inputs, operands->output);
    if (!made)
        return tl::unexpected(made.error());
    context.addStep(id, std::move(*made));
    return Refusal();
}

} // namespace poolwright::lower
