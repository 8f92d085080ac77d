// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"

#include <algorithm>
#include <numeric>

namespace poolwright::import {
namespace {

using ir::OpKind;
using ir::Shape;

/// Constants are reshaped here; everything else becomes a Reshape node.
void emitReshape(const NodeView& node, const Shape& shape) {
    const ir::Tensor x = node.tensor(0);
    if (checkedCount(shape) != x.elements())
        refuse("PW2046", std::to_string(x.elements()) + " elements cannot take the new shape");
    if (x.isConstant()) {
        ir::Tensor constant = reshaped(x, shape);
        constant.name = node.outputName();
        node.bind(node.addConstant(std::move(constant)));
        return;
    }
    node.emit(OpKind::Reshape, {node.input(0)}, {}, x.type, shape, x.quantisation);
}

std::vector<std::int64_t> axesOf(const NodeView& node) {
    if (node.opset() >= 13)
        return node.has(1) ? node.constantIntegers(1, "axes") : std::vector<std::int64_t>{};
    return node.integers("axes");
}

Shape resolved(const NodeView& node, const Shape& x, Shape shape) {
    const bool zeroIsZero = node.integer("allowzero", 0) != 0;
    std::int64_t known = 1;
    int open = -1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 0 && !zeroIsZero) {
            if (d >= x.size())
                refuse("PW2046", "the new shape copies a dimension that the input does not have");
            shape[d] = x[d];
        }
        if (shape[d] == -1) {
            if (open >= 0)
                refuse("PW2046", "the new shape leaves two dimensions open");
            open = int(d);
        } else if (shape[d] < 0 || __builtin_mul_overflow(known, shape[d], &known)) {
            refuse("PW2046", "the new shape is invalid");
        }
    }
    if (open >= 0)
        shape[std::size_t(open)] = known > 0 ? checkedCount(x) / known : 0;
    return shape;
}

} // namespace

void readReshape(const NodeView& node) {
    const Shape x = node.shape(0);
    const auto wanted = node.constantIntegers(1, "the new shape");
    emitReshape(node, resolved(node, x, wanted));
}

void readFlatten(const NodeView& node) {
    const Shape x = node.shape(0);
    std::int64_t axis = node.integer("axis", 1);
    axis = axis == std::int64_t(x.size()) ? axis : normalisedAxis(axis, x.size());
    emitReshape(node, {checkedCount({x.begin(), x.begin() + axis}), checkedCount({x.begin() + axis, x.end()})});
}

void readSqueeze(const NodeView& node) {
    const Shape x = node.shape(0);
    std::vector<bool> dropped(x.size(), false);
    const auto axes = axesOf(node);
    for (std::int64_t axis : axes) {
        const auto d = std::size_t(normalisedAxis(axis, x.size()));
        if (x[d] != 1)
            refuse("PW2046", "dimension " + std::to_string(d) + " is not 1");
        dropped[d] = true;
    }
    Shape shape;
    for (std::size_t d = 0; d < x.size(); ++d)
        if (axes.empty() ? x[d] != 1 : !dropped[d])
            shape.push_back(x[d]);
    emitReshape(node, shape);
}

void readUnsqueeze(const NodeView& node) {
    const Shape x = node.shape(0);
    const auto axes = axesOf(node);
    const std::size_t rank = x.size() + axes.size();
    Shape shape(rank, 0);
    for (std::int64_t axis : axes) {
        std::int64_t& extent = shape[std::size_t(normalisedAxis(axis, rank))];
        if (extent == 1)
            refuse("PW2044", "an axis is named twice");
        extent = 1;
    }
    auto next = x.begin();
    for (std::int64_t& extent : shape)
        if (extent == 0)
            extent = *next++;
    emitReshape(node, shape);
}

void readTranspose(const NodeView& node) {
    const ir::Tensor x = node.tensor(0);
    std::vector<std::int64_t> perm = node.integers("perm");
    if (perm.empty() && !node.hasAttribute("perm")) {
        perm.resize(x.shape.size());
        std::iota(perm.rbegin(), perm.rend(), 0);
    }
    std::vector<std::int64_t> sorted = perm;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t d = 0; d < sorted.size(); ++d)
        if (sorted[d] != std::int64_t(d))
            refuse("PW2044", "perm is no permutation");
    if (perm.size() != x.shape.size())
        refuse("PW2044", "perm does not have one entry for each dimension");
    ir::Shape shape;
    for (std::int64_t d : perm)
        shape.push_back(x.shape[std::size_t(d)]);
    if (x.isConstant()) {
        ir::Tensor constant = transposed(x, perm);
        constant.name = node.outputName();
        node.bind(node.addConstant(std::move(constant)));
        return;
    }
    node.emit(OpKind::Transpose, {node.input(0)}, {{"perm", perm}}, x.type, shape, x.quantisation);
}

void readConcat(const NodeView& node) {
    const ir::Tensor first = node.tensor(0);
    const auto axis = normalisedAxis(node.integer("axis", node.opset() < 4 ? 1 : 0), first.shape.size());
    Shape shape = first.shape;
    shape[std::size_t(axis)] = 0;
    std::vector<TensorId> inputs;
    for (int i = 0; i < node.inputCount(); ++i) {
        Shape part = node.shape(i);
        if (part.size() != shape.size())
            refuse("PW2046", "the inputs differ in rank");
        shape[std::size_t(axis)] += part[std::size_t(axis)];
        part[std::size_t(axis)] = shape[std::size_t(axis)];
        if (part != shape)
            refuse("PW2046", "the inputs differ outside the joined dimension");
        inputs.push_back(node.input(i));
        requireReal(node, i);
    }
    node.emit(OpKind::Concat, std::move(inputs), {{"axis", axis}}, ir::ElementType::Float32, shape);
}

void readIdentity(const NodeView& node) {
    const ir::Tensor x = node.tensor(0);
    if (x.isConstant())
        node.bind(node.input(0));
    else
        node.emit(OpKind::Identity, {node.input(0)}, {}, x.type, x.shape, x.quantisation);
}

} // namespace poolwright::import
