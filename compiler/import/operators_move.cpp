// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/numbers.h"
#include "import/slice_ranges.h"

#include <numeric>

namespace poolwright::import {
namespace {

using ir::OpKind;
using ir::Shape;
using Integers = std::vector<std::int64_t>;

/// A node whose output holds nothing but elements of the first input.
void emitMove(const NodeView& node, OpKind kind, std::vector<TensorId> inputs, ir::Attributes attributes,
              const Shape& shape) {
    const ElementSort sort = movedSort(node, 0);
    node.emit(kind, std::move(inputs), std::move(attributes), sort.type, shape, sort.quantisation);
}

/// Extents of equal parts: the last one is smaller when the dimension does not divide (ONNX Split, opset 18).
Integers equalParts(std::int64_t extent, std::int64_t count) {
    if (count < 1 || count > extent)
        refuse("PW2046", "a dimension of " + std::to_string(extent) + " cannot be split into " + std::to_string(count) +
                             " parts");
    const std::int64_t part = (extent + count - 1) / count;
    Integers parts(std::size_t(count), part);
    parts.back() = extent - part * (count - 1);
    if (parts.back() < 1)
        refuse("PW2046",
               "a dimension of " + std::to_string(extent) + " cannot be split into " + std::to_string(count) +
                   " parts of equal size",
               "give the sizes in the input split");
    return parts;
}

/// Extents of the parts, from the attribute (opset < 13), the input, or their number.
Integers partsOf(const NodeView& node, std::int64_t extent) {
    const bool asInput = node.opset() >= 13;
    Integers parts = !asInput ? node.integers("split") : node.has(1) ? node.constantIntegers(1, "split") : Integers();
    const std::int64_t outputs = node.outputCount();
    if (parts.empty()) {
        const std::int64_t count = node.integer("num_outputs", outputs);
        if (count != outputs)
            refuse("PW2046", "num_outputs is " + std::to_string(count) + ", but there are " + std::to_string(outputs) +
                                 " outputs");
        if (node.opset() < 18 && extent % count != 0)
            refuse("PW2046", "a dimension of " + std::to_string(extent) + " does not divide into " +
                                 std::to_string(count) + " equal parts");
        return equalParts(extent, count);
    }
    std::int64_t sum = 0;
    for (std::int64_t part : parts) {
        if (part < 1 || part > extent - sum)
            refuse("PW2046", "the parts of a split do not add up to the dimension of " + std::to_string(extent));
        sum += part;
    }
    if (sum != extent || std::int64_t(parts.size()) != outputs)
        refuse("PW2046", "the parts of a split do not match its outputs or the dimension of " + std::to_string(extent));
    return parts;
}

std::int64_t blockOf(const NodeView& node, const Shape& x) {
    constexpr std::int64_t largestBlock = 4096;
    const std::int64_t block = node.integer("blocksize", 0);
    if (x.size() != 4)
        refuse("PW2045", "the input has " + std::to_string(x.size()) + " dimensions; blocks need [N, C, H, W]");
    if (block < 1 || block > largestBlock)
        refuse("PW2045", "blocksize has the value " + std::to_string(block));
    return block;
}

/// Shape arithmetic needs the parts of a constant as constants.
void bindParts(const NodeView& node, std::size_t axis, const std::vector<Shape>& shapes) {
    const ir::Tensor x = node.tensor(0);
    const std::int64_t inner = ir::rowMajorStrides(x.shape)[axis];
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::int64_t run = shapes[i][axis] * inner, step = x.shape[axis] * inner;
        if (node.hasOutput(int(i))) {
            const std::string& name = node.outputName(int(i));
            node.context().tensors[name] = node.addConstant(
                pick(x, name, shapes[i], [&](std::int64_t e) { return e / run * step + begin + e % run; }));
        }
        begin += run;
    }
}

} // namespace

void readSplit(const NodeView& node) {
    const Shape x = node.shape(0);
    const std::int64_t axis = normalisedAxis(node.integer("axis", 0), x.size());
    const Integers parts = partsOf(node, x[std::size_t(axis)]);
    std::vector<Shape> shapes;
    for (std::int64_t part : parts) {
        shapes.push_back(x);
        shapes.back()[std::size_t(axis)] = part;
    }
    if (node.isConstant(0) && !node.tensor(0).isQuantised()) {
        bindParts(node, std::size_t(axis), shapes);
        return;
    }
    node.emitParts(OpKind::Split, {node.input(0)}, {{"axis", axis}, {"split", parts}}, movedSort(node, 0), shapes);
}

void readSlice(const NodeView& node) {
    Integers starts, ends, steps;
    Shape shape;
    for (const SliceRange& range : sliceRanges(node)) {
        starts.push_back(range.start);
        ends.push_back(range.end());
        steps.push_back(range.step);
        shape.push_back(range.count);
    }
    emitMove(node, OpKind::Slice, {node.input(0)}, {{"starts", starts}, {"ends", ends}, {"steps", steps}}, shape);
}

void readGather(const NodeView& node) {
    const Shape x = node.shape(0);
    const std::int64_t axis = normalisedAxis(node.integer("axis", 0), x.size());
    const ir::Tensor& indices = node.tensor(1);
    if (indices.type != ir::ElementType::Int32 && indices.type != ir::ElementType::Int64)
        refuse("PW2043", "the indices are no integers of 32 or 64 bits");
    if (indices.isConstant())
        for (std::int64_t index : ir::integersOf(indices))
            if (index < -x[std::size_t(axis)] || index >= x[std::size_t(axis)])
                refuse("PW2046", "index " + std::to_string(index) + " is outside a dimension of " +
                                     std::to_string(x[std::size_t(axis)]));
    Shape shape(x.begin(), x.begin() + axis);
    shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
    shape.insert(shape.end(), x.begin() + axis + 1, x.end());
    emitMove(node, OpKind::Gather, {node.input(0), node.input(1)}, {{"axis", axis}}, shape);
}

void readExpand(const NodeView& node) {
    const Integers wanted = node.constantIntegers(1, "the new shape");
    for (std::int64_t extent : wanted)
        if (extent < 1)
            refuse("PW2046", "the new shape is invalid");
    emitMove(node, OpKind::Expand, {node.input(0)}, {}, broadcast(node.shape(0), wanted));
}

void readTile(const NodeView& node) {
    Shape shape = node.shape(0);
    const Integers repeats = node.constantIntegers(1, "repeats");
    if (repeats.size() != shape.size())
        refuse("PW2046", "repeats does not have one entry for each dimension");
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (repeats[d] < 1 || __builtin_mul_overflow(shape[d], repeats[d], &shape[d]))
            refuse("PW2046", "repeats has the value " + std::to_string(repeats[d]));
    emitMove(node, OpKind::Tile, {node.input(0)}, {{"repeats", repeats}}, shape);
}

void readDepthToSpace(const NodeView& node) {
    const Shape x = node.shape(0);
    const std::int64_t block = blockOf(node, x);
    const std::string mode = node.opset() < 11 ? "DCR" : node.text("mode", "DCR");
    if (mode != "DCR" && mode != "CRD")
        refuse("PW2048", "mode '" + mode + "' is neither DCR nor CRD");
    if (x[1] % (block * block) != 0)
        refuse("PW2045", std::to_string(x[1]) + " channels do not divide into blocks of " + std::to_string(block));
    emitMove(node, OpKind::DepthToSpace, {node.input(0)}, {{"blocksize", block}, {"mode", mode}},
             {x[0], x[1] / (block * block), x[2] * block, x[3] * block});
}

void readSpaceToDepth(const NodeView& node) {
    const Shape x = node.shape(0);
    const std::int64_t block = blockOf(node, x);
    if (x[2] % block != 0 || x[3] % block != 0)
        refuse("PW2045", "an image of " + std::to_string(x[2]) + "x" + std::to_string(x[3]) +
                             " does not divide into blocks of " + std::to_string(block));
    emitMove(node, OpKind::SpaceToDepth, {node.input(0)}, {{"blocksize", block}},
             {x[0], x[1] * block * block, x[2] / block, x[3] / block});
}

} // namespace poolwright::import
