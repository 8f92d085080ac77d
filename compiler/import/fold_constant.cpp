// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/fold_numbers.h"
#include "import/slice_ranges.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <limits>

namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::Shape;
using ir::Tensor;

Tensor foldShape(const NodeView& node) {
    const Shape x = node.shape(0);
    const auto rank = std::int64_t(x.size());
    const auto inRange = [rank](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + rank : i, 0, rank); };
    const std::int64_t start = inRange(node.integer("start", 0));
    const std::int64_t end = std::max(start, inRange(node.integer("end", rank)));
    return ir::makeIntegerConstant({}, ElementType::Int64, {end - start}, {x.begin() + start, x.begin() + end});
}

Tensor foldSize(const NodeView& node) {
    return ir::makeIntegerConstant({}, ElementType::Int64, {}, {node.tensor(0).elements()});
}

Tensor foldCast(const NodeView& node) {
    const ElementType type = elementTypeOf(int(node.integer("to", 0)));
    const Tensor& x = node.tensor(0);
    if (type == ElementType::Float32)
        return ir::makeFloatConstant({}, x.shape, ir::realsOf(x));
    std::vector<std::int64_t> values = ir::integersOf(x);
    if (type == ElementType::Bool)
        for (std::int64_t& value : values)
            value = value != 0;
    return ir::makeIntegerConstant({}, type, x.shape, values);
}

/// The operand under which elements can be moved about: parameters per channel would not survive that.
Tensor movable(const Tensor& x) {
    const bool perChannel = x.quantisation && !x.quantisation->isPerTensor();
    return perChannel ? ir::makeFloatConstant(x.name, x.shape, ir::realsOf(x)) : x;
}

Tensor picked(const Tensor& x, const Shape& shape, const std::function<std::int64_t(std::int64_t)>& source) {
    Tensor result = pick(x, {}, shape, source);
    result.quantisation = x.quantisation;
    return result;
}

Tensor foldGather(const NodeView& node) {
    const Tensor x = movable(node.tensor(0));
    const auto axis = std::size_t(normalisedAxis(node.integer("axis", 0), x.shape.size()));
    std::vector<std::int64_t> indices = ir::integersOf(node.tensor(1));
    for (std::int64_t& index : indices)
        index = normalisedAxis(index, std::size_t(x.shape[axis]));
    Shape shape(x.shape.begin(), x.shape.begin() + std::ptrdiff_t(axis));
    shape.insert(shape.end(), node.shape(1).begin(), node.shape(1).end());
    shape.insert(shape.end(), x.shape.begin() + std::ptrdiff_t(axis) + 1, x.shape.end());
    if (checkedCount(shape) > largestFold)
        refuse("PW2010", "the constant is too large");
    const std::int64_t inner = ir::rowMajorStrides(x.shape)[axis];
    const auto chosen = std::int64_t(indices.size());
    return picked(x, shape, [&](std::int64_t i) {
        return (i / inner / chosen * x.shape[axis] + indices[std::size_t(i / inner % chosen)]) * inner + i % inner;
    });
}

/// The operands of a Concat under one type: with differing parameters they become floats.
std::vector<Tensor> partsOf(const NodeView& node) {
    std::vector<Tensor> parts;
    for (int i = 0; i < node.inputCount(); ++i)
        parts.push_back(movable(node.tensor(i)));
    const bool alike = std::all_of(parts.begin(), parts.end(), [&](const Tensor& part) {
        return part.type == parts[0].type && part.quantisation == parts[0].quantisation;
    });
    if (!alike)
        for (Tensor& part : parts)
            if (part.isQuantised())
                part = ir::makeFloatConstant(part.name, part.shape, ir::realsOf(part));
    return parts;
}

Tensor foldConcat(const NodeView& node) {
    const std::vector<Tensor> parts = partsOf(node);
    Tensor result{.name = {},
                  .type = parts.at(0).type,
                  .shape = parts[0].shape,
                  .quantisation = parts[0].quantisation,
                  .data = {},
                  .originalName = {}};
    const auto axis = std::size_t(normalisedAxis(node.integer("axis", 0), result.shape.size()));
    result.shape[axis] = 0;
    for (const Tensor& part : parts) {
        Shape shape = part.shape;
        if (shape.size() != result.shape.size() || part.type != result.type)
            refuse("PW2046", "the inputs differ in rank or type");
        result.shape[axis] += shape[axis];
        shape[axis] = result.shape[axis];
        if (shape != result.shape)
            refuse("PW2046", "the inputs differ outside the joined dimension");
    }
    const std::int64_t count = checkedCount(result.shape);
    const std::int64_t inner = ir::rowMajorStrides(result.shape)[axis];
    const auto width = std::size_t(ir::elementBytes(result.type));
    std::vector<std::uint8_t> bytes;
    bytes.reserve(std::size_t(count) * width);
    const std::int64_t rows = count ? count / inner / result.shape[axis] : 0;
    for (std::int64_t row = 0; row < rows; ++row)
        for (const Tensor& part : parts) {
            const auto run = std::size_t(part.shape[axis] * inner) * width;
            const auto begin = part.data->begin() + std::ptrdiff_t(std::size_t(row) * run);
            bytes.insert(bytes.end(), begin, begin + std::ptrdiff_t(run));
        }
    result.data = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
    return result;
}

Tensor foldSlice(const NodeView& node) {
    const Tensor x = movable(node.tensor(0));
    const std::vector<SliceRange> ranges = sliceRanges(node);
    Shape shape;
    for (const SliceRange& range : ranges)
        shape.push_back(range.count);
    const auto from = ir::rowMajorStrides(x.shape);
    const auto to = ir::rowMajorStrides(shape);
    return picked(x, shape, [&](std::int64_t element) {
        std::int64_t source = 0;
        for (std::size_t d = 0; d < shape.size(); ++d)
            source += (ranges[d].start + element / to[d] % shape[d] * ranges[d].step) * from[d];
        return source;
    });
}

Tensor foldConstantOfShape(const NodeView& node) {
    const Shape shape = ir::integersOf(node.tensor(0));
    const std::int64_t count = checkedCount(shape);
    if (count > largestFold)
        refuse("PW2010", "the constant is too large");
    const auto* value = node.find("value");
    if (!value)
        return ir::makeFloatConstant({}, shape, std::vector<double>(std::size_t(count), 0.0));
    const Tensor one = readTensor(value->t());
    if (one.elements() != 1)
        refuse("PW2042", "value is not one number");
    return pick(one, {}, shape, [](std::int64_t) { return std::int64_t(0); });
}

std::optional<Tensor> evaluate(const NodeView& node) {
    const std::string& op = node.opType();
    if (op == "Shape")
        return foldShape(node);
    if (op == "Size")
        return foldSize(node);
    for (int i = 0; i < node.inputCount(); ++i)
        if (node.has(i) && !node.isConstant(i))
            return std::nullopt;
    if (op == "Cast")
        return foldCast(node);
    if (op == "Gather")
        return foldGather(node);
    if (op == "Concat")
        return foldConcat(node);
    if (op == "Slice")
        return foldSlice(node);
    if (op == "ConstantOfShape")
        return foldConstantOfShape(node);
    return foldNumbers(node);
}

} // namespace

std::span<const char* const> foldableOperators() {
    static const char* const names[] = {"Shape", "Size", "ConstantOfShape", "Range"};
    return names;
}

bool isFoldableOnly(const std::string& op) {
    const auto names = foldableOperators();
    return foldsNumbers(op) || std::any_of(names.begin(), names.end(), [&](const char* name) { return op == name; });
}

bool foldConstant(const NodeView& node) {
    auto folded = evaluate(node);
    if (!folded)
        return false;
    folded->name = node.outputName();
    node.bind(node.addConstant(std::move(*folded)));
    return true;
}

} // namespace poolwright::import
