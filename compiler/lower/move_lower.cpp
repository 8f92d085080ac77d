// SPDX-License-Identifier: Apache-2.0
#include "lower/move_lower.h"

#include "lower/copy.h"

#include <algorithm>
#include <cstring>

namespace poolwright::lower {

namespace {

using program::TensorView;

std::size_t axisOf(const ir::Node& node, std::size_t rank) {
    const std::int64_t axis = node.integer("axis");
    return std::size_t(axis < 0 ? axis + std::int64_t(rank) : axis);
}

/// Epochs of one node that carry out `moves`.
Result<Refusal> moveStep(Context& context, NodeId id, const std::vector<Move>& moves) {
    auto works = moveWorks(context, context.graph[id].name, moves);
    if (!works)
        return Refusal(works.error().front().message);
    std::vector<program::Epoch> epochs;
    for (program::HardwareWork& work : *works)
        epochs.push_back(context.hardwareEpoch(id, std::move(work)));
    context.addStep(id, std::move(epochs));
    return Refusal();
}

/// `part` of the node's input becomes its output: as it lies there, or requantised when the parameters change.
Result<Refusal> viewOrCopy(Context& context, NodeId id, TensorId output, TensorView part) {
    const ir::Tensor& x = context.graph[context.graph[id].inputs[0]];
    const ir::Tensor& y = context.graph[output];
    if (x.type != y.type || x.quantisation != y.quantisation)
        return moveStep(context, id, {{part, context.outputView(output)}});
    part.name = y.name;
    context.setView(output, part);
    return Refusal();
}

} // namespace

Result<Refusal> lowerSplit(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    const TensorView x = context.view(node.inputs[0]);
    const std::size_t axis = axisOf(node, x.shape.size());
    std::int64_t first = 0;
    for (TensorId output : node.outputs) {
        const std::int64_t count = context.graph[output].shape[axis];
        if (auto done = viewOrCopy(context, id, output, slice(x, axis, first, count)); !done || !done->empty())
            return done;
        first += count;
    }
    return Refusal();
}

Result<Refusal> lowerSlice(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    if (!isAlias(node))
        return Refusal("stream engines walk memory upwards only; slice with positive steps");
    const TensorView x = context.view(node.inputs[0]);
    return viewOrCopy(
        context, id, node.outputs[0],
        stepped(x, node.integers("starts"), node.integers("steps"), context.graph[node.outputs[0]].shape));
}

Result<Refusal> lowerExpand(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    const auto wide = broadcast(context.view(node.inputs[0]), context.graph[node.outputs[0]].shape);
    if (!wide)
        return Refusal("the input's shape does not broadcast to the output's; reshape it");
    return viewOrCopy(context, id, node.outputs[0], *wide);
}

Result<Refusal> lowerCast(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    const ir::Tensor &x = context.graph[node.inputs[0]], &y = context.graph[node.outputs[0]];
    if (x.type != y.type || x.quantisation != y.quantisation)
        return Refusal("units keep the type of plain numbers; leave the cast to the application");
    return viewOrCopy(context, id, node.outputs[0], context.view(node.inputs[0]));
}

// ---- Gather

namespace {

/// Constant indices along a dimension of `extent` elements, counted from its start; nothing when they are unknown.
std::optional<std::vector<std::int64_t>> constantIndices(const ir::Tensor& tensor, std::int64_t extent) {
    const bool isKnown = tensor.isConstant() && !tensor.isQuantised() &&
                         (tensor.type == ir::ElementType::Int64 || tensor.type == ir::ElementType::Int32);
    if (!isKnown)
        return std::nullopt;
    std::vector<std::int64_t> indices;
    const std::size_t size = std::size_t(ir::elementBytes(tensor.type));
    for (std::size_t at = 0; at + size <= tensor.data->size(); at += size) {
        std::int64_t index = 0;
        std::memcpy(&index, tensor.data->data() + at, size);
        if (size == 4)
            index = std::int32_t(index);
        index += index < 0 ? extent : 0;
        if (index < 0 || index >= extent)
            return std::nullopt;
        indices.push_back(index);
    }
    return indices;
}

/// Indices first, first + step, ... from position `at` on: how many.
std::size_t runLength(const std::vector<std::int64_t>& indices, std::size_t at) {
    if (at + 1 >= indices.size())
        return indices.size() - at;
    const std::int64_t step = indices[at + 1] - indices[at];
    if (step < 0)
        return 1;
    std::size_t end = at + 2;
    while (end < indices.size() && indices[end] - indices[end - 1] == step)
        ++end;
    return end - at;
}

TensorView runOf(const TensorView& x, std::size_t axis, const std::vector<std::int64_t>& indices, std::size_t at,
                 std::size_t count) {
    TensorView run = slice(x, axis, indices[at], std::int64_t(count));
    run.strides[axis] *= count > 1 ? indices[at + 1] - indices[at] : 1;
    return run;
}

/// Dimension `axis` becomes the dimensions of the indices (none for a single number).
TensorView withIndexShape(const TensorView& flat, std::size_t axis, const ir::Shape& indexShape) {
    TensorView result = flat;
    const auto at = std::ptrdiff_t(axis);
    result.shape.erase(result.shape.begin() + at);
    result.strides.erase(result.strides.begin() + at);
    result.shape.insert(result.shape.begin() + at, indexShape.begin(), indexShape.end());
    Strides strides = rowMajorStrides(indexShape, flat.strides[axis]);
    result.strides.insert(result.strides.begin() + at, strides.begin(), strides.end());
    return result;
}

} // namespace

Result<Refusal> lowerGather(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    const TensorView x = context.view(node.inputs[0]);
    const std::size_t axis = axisOf(node, x.shape.size());
    const ir::Tensor& indexTensor = context.graph[node.inputs[1]];
    const auto indices = constantIndices(indexTensor, x.shape[axis]);
    if (!indices || indices->empty())
        return Refusal("engines fetch from addresses that are fixed when compiling; give constant indices");
    if (runLength(*indices, 0) == indices->size())
        return viewOrCopy(context, id, node.outputs[0],
                          withIndexShape(runOf(x, axis, *indices, 0, indices->size()), axis, indexTensor.shape));
    const TensorView y = context.outputView(node.outputs[0]);
    ir::Shape flatShape = x.shape;
    flatShape[axis] = std::int64_t(indices->size());
    const auto flat = reshaped(y, flatShape);
    if (!flat)
        return Refusal("the output's layout keeps the indexed dimensions apart; index with a vector");
    std::vector<Move> moves;
    for (std::size_t at = 0; at < indices->size();) {
        const std::size_t count = runLength(*indices, at);
        moves.push_back(
            {runOf(x, axis, *indices, at, count), slice(*flat, axis, std::int64_t(at), std::int64_t(count))});
        at += count;
    }
    return moveStep(context, id, moves);
}

// ---- Tile, DepthToSpace, SpaceToDepth

Result<Refusal> lowerTile(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    TensorView from = context.view(node.inputs[0]), to = context.outputView(node.outputs[0]);
    const auto repeats = node.integers("repeats");
    for (std::size_t i = repeats.size(); i-- > 0;) { // from the back: earlier dimensions keep their places
        to = split(to, i, repeats[i]);
        from.shape.insert(from.shape.begin() + std::ptrdiff_t(i), repeats[i]);
        from.strides.insert(from.strides.begin() + std::ptrdiff_t(i), 0);
    }
    return moveStep(context, id, {{from, to}});
}

namespace {

/// The deep side of a DepthToSpace or SpaceToDepth as [N, C, H, rows of a block, W, columns of a block].
TensorView deepBlocks(const TensorView& deep, std::int64_t block, bool blockOutermost) {
    TensorView parts = split(split(deep, 1, blockOutermost ? block : deep.shape[1] / (block * block)), 2,
                             block); // [N, b, b, C, H, W] or [N, C, b, b, H, W]
    return blockOutermost ? transposed(parts, {0, 3, 4, 1, 5, 2}) : transposed(parts, {0, 1, 4, 2, 5, 3});
}

/// The wide side, cut the same way.
TensorView wideBlocks(const TensorView& wide, std::int64_t block) {
    return split(split(wide, 3, wide.shape[3] / block), 2, wide.shape[2] / block);
}

Refusal refuseBlocks(const TensorView& deep, std::int64_t block) {
    if (deep.shape.size() != 4 || block < 1 || deep.shape[1] % (block * block) != 0)
        return "only images of rank 4 have blocks; reshape";
    return {};
}

} // namespace

Result<Refusal> lowerDepthToSpace(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    const std::int64_t block = node.integer("blocksize");
    const TensorView deep = context.view(node.inputs[0]), wide = context.outputView(node.outputs[0]);
    if (const Refusal refusal = refuseBlocks(deep, block); !refusal.empty())
        return refusal;
    return moveStep(context, id,
                    {{deepBlocks(deep, block, node.text("mode", "DCR") == "DCR"), wideBlocks(wide, block)}});
}

Result<Refusal> lowerSpaceToDepth(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    const std::int64_t block = node.integer("blocksize");
    const TensorView wide = context.view(node.inputs[0]), deep = context.outputView(node.outputs[0]);
    if (const Refusal refusal = refuseBlocks(deep, block); !refusal.empty())
        return refusal;
    return moveStep(context, id, {{wideBlocks(wide, block), deepBlocks(deep, block, true)}});
}

} // namespace poolwright::lower
