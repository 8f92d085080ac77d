// SPDX-License-Identifier: Apache-2.0
#include "lower/copy.h"

#include "lower/software.h"
#include "lower/streams.h"
#include "lower/tail.h"

namespace poolwright::lower {

namespace {

const char* const tooManyLoops =
    "the layouts differ in more loops than a stream engine has; keep the tensor in one layout";

bool sameContents(const program::TensorView& from, const program::TensorView& to) {
    return from.type == to.type && from.quantisation == to.quantisation;
}

program::Epoch copyEpoch(const Context& context, NodeId node, program::HardwareWork work) {
    program::Epoch epoch = context.hardwareEpoch(node, std::move(work));
    epoch.name = context.graph[node].name + " (copy)";
    epoch.operators.resize(1);
    return epoch;
}

} // namespace

Result<program::HardwareWork> copyWork(const Context& context, const std::string& node, const program::TensorView& from,
                                       const program::TensorView& to) {
    const Nest nest = nestOf(from.shape, {from.strides, to.strides}, 1, ir::elementBytes(from.type));
    if (!fitsEngine(nest))
        return fail(makeError(layoutTooComplex, tooManyLoops));
    EpochBuilder builder(context.machine);
    program::StreamEngineConfig reader = engineOf(nest, 0, from, program::Direction::FromMemory);
    program::StreamEngineConfig writer = engineOf(nest, 1, to, program::Direction::ToMemory);
    widenWords(reader, writer);
    const int in = builder.addStream(reader, node + "_copy_in");
    const int out = builder.addStream(writer, node + "_copy_out");
    builder.link(in, out);
    return builder.finish();
}

Result<program::HardwareWork> requantiseWork(Context& context, const std::string& node, const program::TensorView& from,
                                             const program::TensorView& to, Clamp clamp) {
    if (!isByteTensor(from) || !isByteTensor(to))
        return fail(
            makeError("PW3003", "units requantise 8-bit tensors with one scale; use int8 per-tensor parameters"));
    const Nest nest = nestOf(from.shape, {from.strides, to.strides}, 1, 1);
    if (!fitsEngine(nest))
        return fail(makeError(layoutTooComplex, tooManyLoops));
    const ScalarRequant constants = requantise(inputScaleZero(from), outputScaleZero(to));
    program::ArithConfig arith = scalarAffine(constants.factor, constants.offset, constants.shift);
    program::StreamEngineConfig reader = engineOf(nest, 0, from, program::Direction::FromMemory);
    readAsArith(reader, from, arith.inbytesX);
    EpochBuilder builder(context.machine);
    const int in = builder.addStream(reader, node + "_in");
    const int scale = builder.addArith(arith, node + "_requantize", "Requantize");
    builder.link(in, scale);
    const int last = appendTail(builder, scale, clamp, to.type == ir::ElementType::UInt8, node);
    const int out = builder.addStream(engineOf(nest, 1, to, program::Direction::ToMemory), node + "_out");
    builder.link(last, out);
    return builder.finish();
}

Result<void> copyStep(Context& context, NodeId node, const program::TensorView& from, const program::TensorView& to) {
    const std::string name = to.name;
    auto work = sameContents(from, to) ? copyWork(context, name, from, to) : requantiseWork(context, name, from, to);
    if (work) {
        context.addStep(node, {copyEpoch(context, node, std::move(*work))});
        return {};
    }
    const ir::OpKind kind = sameContents(from, to) ? ir::OpKind::Identity : ir::OpKind::Requantize;
    return softwareCall(context, node, kind, {}, {from}, {to}, work.error().front().message);
}

} // namespace poolwright::lower
