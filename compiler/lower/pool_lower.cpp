// SPDX-License-Identifier: Apache-2.0
#include "lower/pool_lower.h"

#include "lower/layout_lower.h"
#include "lower/tail.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

using program::TensorView;

struct PoolShape {
    std::int64_t images = 1, channels = 1, height = 1, width = 1, outHeight = 1, outWidth = 1;
    std::int64_t windowHeight = 1, windowWidth = 1, strideHeight = 1, strideWidth = 1;
    bool isGlobal = false, isMax = false, hasPadding = false;
    std::int64_t padTop = 0, padLeft = 0, padBottom = 0, padRight = 0; ///< what the windows really reach
    std::int64_t batch = 1;
};

PoolShape shapeOf(const ir::Graph& graph, const ir::Node& node) {
    const ir::Shape& x = graph[node.inputs[0]].shape;
    PoolShape s;
    s.images = x[0];
    s.channels = x[1];
    s.height = s.windowHeight = x[2];
    s.width = s.windowWidth = x[3];
    s.isMax = node.kind == ir::OpKind::MaxPool;
    s.isGlobal = true;
    if (node.kind == ir::OpKind::GlobalAveragePool)
        return s;
    const ir::Shape& y = graph[node.outputs[0]].shape;
    const auto kernel = node.integers("kernel_shape"), strides = node.integers("strides");
    s.outHeight = y[2];
    s.outWidth = y[3];
    s.windowHeight = kernel[0];
    s.windowWidth = kernel[1];
    s.strideHeight = strides.empty() ? 1 : strides[0];
    s.strideWidth = strides.empty() ? 1 : strides[1];
    const auto pads = node.integers("pads");
    if (pads.size() == 4) {
        s.padTop = pads[0];
        s.padLeft = pads[1];
    }
    // ceil_mode lets the last window hang over the edge: padding by another name.
    s.padBottom = std::max<std::int64_t>(0, (s.outHeight - 1) * s.strideHeight + s.windowHeight - s.height - s.padTop);
    s.padRight = std::max<std::int64_t>(0, (s.outWidth - 1) * s.strideWidth + s.windowWidth - s.width - s.padLeft);
    s.hasPadding = s.padTop + s.padLeft + s.padBottom + s.padRight > 0;
    s.isGlobal = !s.isMax && s.windowHeight == s.height && s.windowWidth == s.width && !s.hasPadding;
    return s;
}

Refusal refuseTensors(const ir::Graph& graph, const ir::Node& node) {
    const ir::Tensor& x = graph[node.inputs[0]];
    const ir::Tensor& y = graph[node.outputs[0]];
    if (x.type != ir::ElementType::Int8 || !isByteTensor(x) || !isByteTensor(y))
        return "units pool int8 tensors with one scale; quantise input and output to int8";
    if (x.shape.size() != 4)
        return "units pool images of rank 4; give a 1-D signal a height of 1";
    if (node.kind == ir::OpKind::MaxPool && (x.quantisation != y.quantisation || x.type != y.type))
        return "a maximum keeps scale and zero point; give input and output the same parameters";
    if (std::any_of(node.outputs.begin() + 1, node.outputs.end(), [](TensorId t) { return t.isValid(); }))
        return "units do not return the indices of maxima; do without them";
    return {};
}

Refusal refuseWindow(const PoolShape& s, const ir::Node& node, const target::Limits& limits) {
    const auto dilations = node.integers("dilations");
    if (std::any_of(dilations.begin(), dilations.end(), [](std::int64_t d) { return d != 1; }))
        return "units have no dilated pooling; pool twice";
    if (s.isGlobal)
        return {};
    if (s.hasPadding && !s.isMax)
        return "an average that leaves padding out is not mapped; pool without padding";
    if (s.windowHeight > limits.poolWindow || s.windowWidth > limits.poolWindow)
        return "windows above " + std::to_string(limits.poolWindow) + " have no unit; pool in several steps";
    if (s.strideHeight > limits.poolMaxStride || s.strideWidth > limits.poolMaxStride)
        return "strides above " + std::to_string(limits.poolMaxStride) + " have no unit; pool in several steps";
    return {};
}

/// Largest number of channels of a frame that divides them all and fits the line memory; 0 when not even one does.
std::int64_t batchOf(const PoolShape& s, const target::Limits& limits) {
    for (std::int64_t batch = std::min<std::int64_t>(s.channels, limits.poolMaxBatch); batch >= 1; --batch)
        if (s.channels % batch == 0 && s.width * batch <= limits.poolFrameElements &&
            (s.isGlobal || s.width * batch <= limits.poolLineElements))
            return batch;
    return 0;
}

program::PoolConfig poolConfig(const PoolShape& s) {
    program::PoolConfig pool;
    pool.inputX = int(s.width);
    pool.inputY = int(s.height);
    pool.batchSize = int(s.batch);
    pool.rightCrop = int(s.width) - 1;
    pool.bottomCrop = int(s.height) - 1;
    pool.dualLine = true;
    if (s.isGlobal) { // as the vendor's tool prints it (facts/neural-art-target.md 2.4): no window, one more than the
                      // input
        pool.operation = program::PoolOperation::GlobalAvg;
        pool.outputX = int(s.width) + 1;
        pool.outputY = int(s.height) + 1;
    } else {
        pool.operation = s.isMax ? program::PoolOperation::Max : program::PoolOperation::Avg;
        pool.outputX = int(s.outWidth);
        pool.outputY = int(s.outHeight);
        pool.windowX = int(s.windowWidth);
        pool.windowY = int(s.windowHeight);
        pool.strideX = int(s.strideWidth);
        pool.strideY = int(s.strideHeight);
    }
    if (s.isMax)
        return pool;
    const AverageConstants average = averageConstants(s.windowHeight * s.windowWidth);
    pool.mulval = average.mulval;
    pool.shiftO = average.shift;
    pool.roundingO = pool.saturationO = true;
    pool.outbytesF = pool.outbytesO = 2;
    return pool;
}

/// Frames are groups of channels; reading and writing differ in size only.
program::StreamEngineConfig engine(const TensorView& view, std::int64_t height, std::int64_t width, const PoolShape& s,
                                   program::Direction direction) {
    program::StreamEngineConfig config;
    config.direction = direction;
    config.buffer = view.buffer;
    config.tensor = view.name;
    config.offsetStart = config.offsetEnd = view.offset;
    config.fheight = height;
    config.fwidth = width;
    config.batchDepth = s.batch;
    config.batchOffset = view.strides[3];
    config.lineOffset = view.strides[2];
    config.frameOffset = s.batch;
    config.frameTotal = s.channels / s.batch;
    return config;
}

Result<program::HardwareWork> poolWork(Context& context, const std::string& name, const PoolShape& s,
                                       const TensorView& x, const TensorView& y) {
    EpochBuilder builder(context.machine);
    const int in = builder.addStream(engine(x, s.height, s.width, s, program::Direction::FromMemory), name + "_in");
    int last = builder.addPool(poolConfig(s), name, s.isMax ? "MaxPool" : "AveragePool");
    builder.link(in, last);
    if (!s.isMax) {
        // The mean has 8 fractional bits, which the ARITH takes off again.
        const ScalarRequant constants = requantise(inputScaleZero(x), outputScaleZero(y));
        program::ArithConfig arith = scalarAffine(constants.factor, constants.offset, constants.shift);
        arith.inbytesX = 2;
        arith.axShift = 8;
        const int scale = builder.addArith(arith, name + "_requantize", "Requantize");
        builder.link(last, scale);
        last = appendTail(builder, scale, {}, y.type == ir::ElementType::UInt8, name);
    }
    const int out =
        builder.addStream(engine(y, s.outHeight, s.outWidth, s, program::Direction::ToMemory), name + "_out");
    builder.link(last, out);
    return builder.finish();
}

} // namespace

namespace {

/// Padding never wins a maximum: the lowest byte stands in for it, in a copy with a border.
Result<Refusal> padInput(Context& context, NodeId id, TensorView& input, PoolShape& shape) {
    TensorView padded = input;
    padded.shape[2] += shape.padTop + shape.padBottom;
    padded.shape[3] += shape.padLeft + shape.padRight;
    padded = context.newBufferLike(padded, input.name + "_padded", false);
    const std::vector<std::int64_t> pads{0, 0, shape.padTop, shape.padLeft, 0, 0, shape.padBottom, shape.padRight};
    auto done = padStep(context, id, input, padded, pads, -128);
    if (!done || !done->empty())
        return done;
    input = padded;
    shape.height = padded.shape[2];
    shape.width = padded.shape[3];
    return Refusal();
}

} // namespace

Result<Refusal> lowerPool(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    Refusal refusal = refuseTensors(context.graph, node);
    if (!refusal.empty())
        return refusal;
    PoolShape shape = shapeOf(context.graph, node);
    refusal = refuseWindow(shape, node, context.limits());
    if (!refusal.empty())
        return refusal;
    auto input = context.channelLast(node.inputs[0], id);
    if (!input)
        return tl::unexpected(input.error());
    if (shape.hasPadding) {
        auto done = padInput(context, id, *input, shape);
        if (!done || !done->empty())
            return done;
    }
    shape.batch = batchOf(shape, context.limits());
    if (shape.batch == 0)
        return Refusal("a line of " + std::to_string(shape.width) +
                       " elements exceeds the line memory; split the image");
    const TensorView output = context.outputView(node.outputs[0], true);
    std::vector<program::Epoch> epochs;
    for (std::int64_t image = 0; image < shape.images; ++image) {
        auto work = poolWork(context, node.name, shape, slice(*input, 0, image, 1), slice(output, 0, image, 1));
        if (!work)
            return tl::unexpected(work.error());
        epochs.push_back(context.hardwareEpoch(id, std::move(*work)));
    }
    context.addStep(id, std::move(epochs));
    return Refusal();
}

} // namespace poolwright::lower
