// SPDX-License-Identifier: Apache-2.0
#include "lower/prelu_lower.h"

#include "lower/coefficients.h"
#include "lower/streams.h"
#include "lower/tail.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

using program::ArithConfig;
using program::TensorView;

Refusal refuse(const ir::Graph& graph, const ir::Node& node) {
    const ir::Tensor& slope = graph[node.inputs[1]];
    if (!isByteTensor(graph[node.inputs[0]]) || !isByteTensor(graph[node.outputs[0]]))
        return "units take 8-bit tensors with one scale; quantise input and output to int8";
    if (!realValues(slope))
        return "the slope is no constant; make it one";
    if (varyingAxis(slope, graph[node.outputs[0]].shape) == -2)
        return "the slope varies along more than one dimension; give one slope a channel";
    return {};
}

/// The part of x below its zero point; x itself passes by.
ArithConfig negativePart(const TensorView& x, int wordBytes) {
    ArithConfig clip;
    clip.operation = program::ArithOperation::Clip;
    clip.inbytesX = clip.outbytesX = clip.outbytesO = wordBytes;
    clip.clipmin = x.type == ir::ElementType::UInt8 ? 0 : -128;
    clip.clipmax = x.quantisation->zeroPoints.front();
    clip.saturationO = true;
    return clip;
}

ArithConfig slopeSum(Context& context, const std::string& name, const PReluRequant& constants, const TensorView& y,
                     int axis, int wordBytes) {
    ArithConfig arith = dualAffine({constants.a, constants.b.front(), constants.c.front(), constants.axShift,
                                    constants.byShift, constants.cShift, constants.shiftO});
    arith.inbytesX = arith.inbytesY = wordBytes;
    if (constants.b.size() == 1)
        return arith;
    arith.scalar = false;
    arith.bScalar = 0;
    arith.cScalar = 0;
    arith.vecCount = int(constants.b.size());
    arith.vecBits[2] = 16;
    arith.bVector = context.addWords(name + "_slope", constants.b, 16);
    arith.cVector = context.addWords(name + "_off_bias", constants.c, 16);
    followAxis(arith, y, std::size_t(axis));
    return arith;
}

Result<program::HardwareWork> preluWork(Context& context, const std::string& name, const TensorView& x,
                                        const TensorView& y, const std::vector<double>& slopes, int axis) {
    const Nest nest = nestOf(y.shape, {x.strides, y.strides}, 1, 1);
    if (!fitsEngine(nest))
        return fail(
            makeError(layoutTooComplex,
                      "the layouts differ in more loops than a stream engine has; keep the tensor in one layout"));
    program::StreamEngineConfig reader = engineOf(nest, 0, x, program::Direction::FromMemory);
    int wordBytes = 1;
    readAsArith(reader, x, wordBytes);
    const PReluRequant constants = preluRequant(inputScaleZero(x), outputScaleZero(y), slopes);
    EpochBuilder builder(context.machine);
    const int in = builder.addStream(reader, name + "_in");
    const int negative = builder.addArith(negativePart(x, wordBytes), name + "_negative", "Clip");
    const int sum = builder.addArith(slopeSum(context, name, constants, y, axis, wordBytes), name, "PRelu");
    builder.link(in, negative);
    builder.link(in, sum, 0);
    builder.link(negative, sum, 1);
    const int last = appendTail(builder, sum, {}, y.type == ir::ElementType::UInt8, name);
    builder.link(last, builder.addStream(engineOf(nest, 1, y, program::Direction::ToMemory), name + "_out"));
    return builder.finish();
}

} // namespace

Result<Refusal> lowerPRelu(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    if (const Refusal refusal = refuse(context.graph, node); !refusal.empty())
        return refusal;
    const ir::Tensor& slope = context.graph[node.inputs[1]];
    const std::vector<double> slopes = *realValues(slope);
    const TensorView x = context.view(node.inputs[0]), y = context.outputView(node.outputs[0]);
    const int axis = varyingAxis(slope, y.shape);
    const std::size_t dim = axis < 0 ? 0 : std::size_t(axis);
    const auto ranges = axis < 0 ? std::vector<std::pair<std::int64_t, std::int64_t>>{{0, y.shape[0]}}
                                 : coefficientRanges(y.shape[dim], context.limits());
    std::vector<program::Epoch> epochs;
    for (const auto& [first, count] : ranges) {
        auto work = preluWork(context, node.name, slice(x, dim, first, count), slice(y, dim, first, count),
                              rangeOf(slopes, first, count), axis);
        if (!work)
            return tl::unexpected(work.error());
        epochs.push_back(context.hardwareEpoch(id, std::move(*work)));
    }
    context.addStep(id, std::move(epochs));
    return Refusal();
}

} // namespace poolwright::lower
