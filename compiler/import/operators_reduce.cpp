// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/failure.h"
#include "import/numbers.h"
#include "ir/kinds.h"

#include <algorithm>
#include <numeric>

/// Reductions over axes, and the index of an extremum.
namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::OpKind;
using ir::Shape;
using Axes = std::vector<std::int64_t>;

/// The axes became an input in opset 13 for ReduceSum, in 18 for the others. Empty: all, or none by
/// noop_with_empty_axes.
Axes givenAxes(const NodeView& node) {
    if (node.opset() < (node.opType() == "ReduceSum" ? 13 : 18))
        return node.integers("axes");
    return node.has(1) ? node.constantIntegers(1, "axes") : Axes();
}

/// Non-negative and ascending.
Axes normalisedAxes(Axes axes, std::size_t rank) {
    for (std::int64_t& axis : axes)
        axis = normalisedAxis(axis, rank);
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    return axes;
}

Shape reducedShape(const Shape& x, const Axes& axes, bool keep) {
    Shape shape;
    for (std::size_t d = 0; d < x.size(); ++d) {
        const bool reduced = std::binary_search(axes.begin(), axes.end(), std::int64_t(d));
        if (!reduced || keep)
            shape.push_back(reduced ? 1 : x[d]);
    }
    return shape;
}

bool choosesElements(OpKind kind) {
    return kind == OpKind::ReduceMax || kind == OpKind::ReduceMin;
}

bool takesIntegers(OpKind kind) {
    return kind == OpKind::ReduceSum || kind == OpKind::ReduceProd || kind == OpKind::ReduceL1 ||
           kind == OpKind::ReduceSumSquare;
}

ElementSort sortOf(const NodeView& node, OpKind kind) {
    if (choosesElements(kind))
        return movedSort(node, 0);
    if (takesIntegers(kind))
        return {commonType(node, 0, 1), {}};
    requireReal(node, 0);
    return {};
}

} // namespace

void readReduction(const NodeView& node) {
    const OpKind kind = *ir::kindNamed(node.opType());
    const ElementSort sort = sortOf(node, kind);
    const Shape x = node.shape(0);
    Axes axes = normalisedAxes(givenAxes(node), x.size());
    const bool keep = node.integer("keepdims", 1) != 0;
    const bool none = axes.empty() && node.integer("noop_with_empty_axes", 0) != 0;
    if (none || x.empty()) {
        node.emit(OpKind::Identity, {node.input(0)}, {}, sort.type, x, sort.quantisation);
        return;
    }
    if (axes.empty()) {
        axes.resize(x.size());
        std::iota(axes.begin(), axes.end(), 0);
    }
    const Shape shape = reducedShape(x, axes, keep);
    node.emit(kind, {node.input(0)}, {{"axes", std::move(axes)}, {"keepdims", std::int64_t(keep)}}, sort.type, shape,
              sort.quantisation);
}

void readArgExtremum(const NodeView& node) {
    commonType(node, 0, 1);
    const Shape x = node.shape(0);
    const std::int64_t axis = normalisedAxis(node.integer("axis", 0), x.size());
    const bool keep = node.integer("keepdims", 1) != 0;
    ir::Attributes attributes{{"axis", axis},
                              {"keepdims", std::int64_t(keep)},
                              {"select_last_index", std::int64_t(node.integer("select_last_index", 0) != 0)}};
    node.emit(*ir::kindNamed(node.opType()), {node.input(0)}, std::move(attributes), ElementType::Int64,
              reducedShape(x, {axis}, keep));
}

} // namespace poolwright::import
