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
    const int last = appendTail(builder, scale, {clamp, {}}, to.type == ir::ElementType::UInt8, node);
    const int out = builder.addStream(engineOf(nest, 1, to, program::Direction::ToMemory), node + "_out");
    builder.link(last, out);
    return builder.finish();
}

namespace {

constexpr std::size_t mostPieces = 40;

std::int64_t wordBytesOf(const Move& move) {
    return sameContents(move.from, move.to) ? ir::elementBytes(move.from.type) : 1;
}

/// The dimension of fewest elements, above one; the rank when there is none.
std::size_t shortestDimension(const ir::Shape& shape) {
    std::size_t shortest = shape.size();
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] > 1 && (shortest == shape.size() || shape[i] < shape[shortest]))
            shortest = i;
    return shortest;
}

/// Pieces of a move that engines can walk; false when there would be too many.
bool cutIntoPieces(const Move& move, std::vector<Move>& pieces) {
    if (fitsEngine(nestOf(move.from.shape, {move.from.strides, move.to.strides}, 1, wordBytesOf(move)))) {
        pieces.push_back(move);
        return pieces.size() <= mostPieces;
    }
    const std::size_t dim = shortestDimension(move.from.shape);
    if (dim == move.from.shape.size() || move.from.shape[dim] > std::int64_t(mostPieces))
        return false;
    for (std::int64_t i = 0; i < move.from.shape[dim]; ++i)
        if (!cutIntoPieces({slice(move.from, dim, i, 1), slice(move.to, dim, i, 1)}, pieces))
            return false;
    return true;
}

/// Reader, the units between when the contents change, writer.
void addMove(EpochBuilder& builder, const std::string& name, const Move& move) {
    const Nest nest = nestOf(move.from.shape, {move.from.strides, move.to.strides}, 1, wordBytesOf(move));
    program::StreamEngineConfig reader = engineOf(nest, 0, move.from, program::Direction::FromMemory);
    program::StreamEngineConfig writer = engineOf(nest, 1, move.to, program::Direction::ToMemory);
    if (sameContents(move.from, move.to)) {
        widenWords(reader, writer);
        const int in = builder.addStream(reader, name + "_copy_in");
        builder.link(in, builder.addStream(writer, name + "_copy_out"));
        return;
    }
    const ScalarRequant constants = requantise(inputScaleZero(move.from), outputScaleZero(move.to));
    program::ArithConfig arith = scalarAffine(constants.factor, constants.offset, constants.shift);
    readAsArith(reader, move.from, arith.inbytesX);
    const int in = builder.addStream(reader, name + "_in");
    const int scale = builder.addArith(arith, name + "_requantize", "Requantize");
    builder.link(in, scale);
    const int last = appendTail(builder, scale, {}, move.to.type == ir::ElementType::UInt8, name);
    builder.link(last, builder.addStream(writer, name + "_out"));
}

bool hasRoom(const EpochBuilder& builder) {
    return builder.left(target::UnitKind::StreamEngine) >= 2 && builder.left(target::UnitKind::Arith) >= 2;
}

} // namespace

Result<std::vector<program::HardwareWork>> moveWorks(Context& context, const std::string& name,
                                                     const std::vector<Move>& moves) {
    std::vector<Move> pieces;
    for (const Move& move : moves) {
        if (!sameContents(move.from, move.to) && (!isByteTensor(move.from) || !isByteTensor(move.to)))
            return fail(
                makeError("PW3003", "units requantise 8-bit tensors with one scale; use int8 per-tensor parameters"));
        if (!cutIntoPieces(move, pieces))
            return fail(makeError(layoutTooComplex, tooManyLoops));
    }
    std::vector<program::HardwareWork> works;
    std::optional<EpochBuilder> builder;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (!builder)
            builder.emplace(context.machine);
        addMove(*builder, pieces.size() == 1 ? name : name + "_" + std::to_string(i), pieces[i]);
        if (hasRoom(*builder) && i + 1 < pieces.size())
            continue;
        auto work = builder->finish();
        if (!work)
            return tl::unexpected(work.error());
        works.push_back(std::move(*work));
        builder.reset();
    }
    return works;
}

Result<void> copyStep(Context& context, NodeId node, const program::TensorView& from, const program::TensorView& to) {
    auto works = moveWorks(context, to.name, {{from, to}});
    if (works) {
        std::vector<program::Epoch> epochs;
        for (program::HardwareWork& work : *works)
            epochs.push_back(copyEpoch(context, node, std::move(work)));
        context.addStep(node, std::move(epochs));
        return {};
    }
    const ir::OpKind kind = sameContents(from, to) ? ir::OpKind::Identity : ir::OpKind::Requantize;
    return softwareCall(context, node, kind, {}, {from}, {to}, works.error().front().message);
}

} // namespace poolwright::lower
