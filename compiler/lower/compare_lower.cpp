// SPDX-License-Identifier: Apache-2.0
#include "lower/compare_lower.h"

#include "lower/activation.h"
#include "lower/streams.h"
#include "lower/tail.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

using ir::OpKind;
using program::ArithConfig;
using program::ArithOperation;
using program::TensorView;

const char* const tooManyLoops =
    "the operands' layouts differ in more loops than a stream engine has; keep them in one layout";

ArithOperation operationOf(OpKind kind) {
    switch (kind) {
    case OpKind::Min:
        return ArithOperation::Min;
    case OpKind::Max:
        return ArithOperation::Max;
    case OpKind::Equal:
        return ArithOperation::Eq;
    case OpKind::Less:
        return ArithOperation::Lt;
    case OpKind::LessOrEqual:
        return ArithOperation::Le;
    case OpKind::Greater:
        return ArithOperation::Gt;
    case OpKind::GreaterOrEqual:
        return ArithOperation::Ge;
    case OpKind::And:
        return ArithOperation::And;
    case OpKind::Or:
        return ArithOperation::Or;
    default:
        return ArithOperation::Xor;
    }
}

bool isLogic(OpKind kind) {
    return kind == OpKind::And || kind == OpKind::Or || kind == OpKind::Xor;
}

bool picks(OpKind kind) {
    return kind == OpKind::Min || kind == OpKind::Max;
}

bool hasNumber(const ir::Graph& graph, const ir::Node& node) {
    return std::any_of(node.inputs.begin(), node.inputs.end(),
                       [&](TensorId t) { return graph[t].isConstant() && graph[t].elements() == 1; });
}

bool isSignedByte(const ir::Tensor& tensor) {
    return isByteTensor(tensor) && tensor.type == ir::ElementType::Int8;
}

Refusal refuse(const ir::Graph& graph, const ir::Node& node) {
    const ir::Tensor &x = graph[node.inputs[0]], &y = graph[node.inputs[1]], &out = graph[node.outputs[0]];
    if (isLogic(node.kind)) {
        if (x.type != ir::ElementType::Bool || y.type != ir::ElementType::Bool)
            return "units combine truth values of one byte; compare first";
        return {};
    }
    if (!isSignedByte(x) || !isSignedByte(y))
        return "units compare int8 tensors with one scale; quantise both operands to int8";
    if (picks(node.kind))
        return isSignedByte(out) ? "" : "units write 8-bit results with one scale; quantise the result to int8";
    if (x.quantisation != y.quantisation)
        return "units compare integers: operands of different scales would be rounded; give both the same parameters";
    return {};
}

ArithConfig plainOperation(ArithOperation operation) {
    ArithConfig arith;
    arith.operation = operation;
    arith.dualinput = true;
    arith.inbytesX = arith.inbytesY = arith.outbytesX = arith.outbytesY = arith.outbytesO = 1;
    arith.saturationO = true;
    return arith;
}

/// An operand in the scale of the result: minimum and maximum commute with that.
int inScaleOf(EpochBuilder& builder, int stream, const TensorView& from, const TensorView& to,
              const std::string& name) {
    if (from.quantisation == to.quantisation)
        return stream;
    const ScalarRequant constants = requantise(inputScaleZero(from), outputScaleZero(to));
    const int unit =
        builder.addArith(scalarAffine(constants.factor, constants.offset, constants.shift), name, "Requantize");
    builder.link(stream, unit);
    return unit;
}

} // namespace

Result<Refusal> lowerCompare(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    if (hasNumber(context.graph, node) && !isLogic(node.kind))
        return lowerActivation(context, id);
    if (const Refusal refusal = refuse(context.graph, node); !refusal.empty())
        return refusal;
    const TensorView out = context.outputView(node.outputs[0]);
    const auto x = broadcast(context.view(node.inputs[0]), out.shape),
               y = broadcast(context.view(node.inputs[1]), out.shape);
    if (!x || !y)
        return Refusal("the operands' shapes do not broadcast; reshape one of them");
    const Nest nest = nestOf(out.shape, {x->strides, y->strides, out.strides}, 2, 1);
    if (!fitsEngine(nest))
        return Refusal(tooManyLoops);
    EpochBuilder builder(context.machine);
    int inX = builder.addStream(engineOf(nest, 0, *x, program::Direction::FromMemory), node.name + "_in");
    int inY = builder.addStream(engineOf(nest, 1, *y, program::Direction::FromMemory), node.name + "_in_1");
    if (picks(node.kind)) {
        inX = inScaleOf(builder, inX, *x, out, node.name + "_requantize");
        inY = inScaleOf(builder, inY, *y, out, node.name + "_requantize_1");
    }
    int last = builder.addArith(plainOperation(operationOf(node.kind)), node.name, ir::opKindName(node.kind));
    builder.link(inX, last, 0);
    builder.link(inY, last, 1);
    last = appendTail(builder, last, {}, out.type == ir::ElementType::UInt8, node.name);
    builder.link(last, builder.addStream(engineOf(nest, 2, out, program::Direction::ToMemory), node.name + "_out"));
    return addEpoch(context, id, builder);
}

/// 1 - x: what the unit's own NOT makes of a byte is not documented.
Result<Refusal> lowerNot(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    const TensorView x = context.view(node.inputs[0]), y = context.outputView(node.outputs[0]);
    if (x.type != ir::ElementType::Bool)
        return Refusal("units negate truth values of one byte; compare first");
    const Nest nest = nestOf(y.shape, {x.strides, y.strides}, 1, 1);
    if (!fitsEngine(nest))
        return Refusal(tooManyLoops);
    EpochBuilder builder(context.machine);
    const int in = builder.addStream(engineOf(nest, 0, x, program::Direction::FromMemory), node.name + "_in");
    const int unit = builder.addArith(scalarAffine(-1, 1, 0), node.name, "Not");
    builder.link(in, unit);
    builder.link(unit, builder.addStream(engineOf(nest, 1, y, program::Direction::ToMemory), node.name + "_out"));
    return addEpoch(context, id, builder);
}

} // namespace poolwright::lower
