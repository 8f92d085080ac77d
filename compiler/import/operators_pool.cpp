// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/window.h"

#include <algorithm>

namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::OpKind;
using ir::Shape;

Shape pooledShape(const Shape& x, const Window& window) {
    return {x[0], x[1], window.output[0], window.output[1]};
}

void requireImage(const Shape& x) {
    if (x.size() != 4)
        refuse("PW2045", "the input has " + std::to_string(x.size()) + " dimensions; only [N, C, H, W] is supported");
}

std::vector<std::int64_t> reducedAxes(const NodeView& node, std::size_t rank) {
    std::vector<std::int64_t> axes;
    if (node.opset() >= 18) {
        if (node.has(1))
            axes = node.constantIntegers(1, "axes");
    } else {
        axes = node.integers("axes");
    }
    if (axes.empty() && node.integer("noop_with_empty_axes", 0) == 0)
        for (std::size_t d = 0; d < rank; ++d)
            axes.push_back(std::int64_t(d));
    for (std::int64_t& axis : axes)
        axis = normalisedAxis(axis, rank);
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    return axes;
}

} // namespace

void readMaxPool(const NodeView& node) {
    if (node.hasOutput(1))
        refuse("PW2048", "the output of indices is not supported");
    const ir::Tensor x = node.tensor(0);
    requireImage(x.shape);
    const Window window = readWindow(node, x.shape, {});
    ir::Attributes attributes = window.attributes();
    attributes["ceil_mode"] = std::int64_t(window.ceilMode);
    node.emit(OpKind::MaxPool, {node.input(0)}, std::move(attributes), x.type, pooledShape(x.shape, window),
              x.quantisation);
}

void readAveragePool(const NodeView& node) {
    requireReal(node, 0);
    const Shape x = node.shape(0);
    requireImage(x);
    const Window window = readWindow(node, x, {});
    ir::Attributes attributes = window.attributes();
    attributes["ceil_mode"] = std::int64_t(window.ceilMode);
    attributes["count_include_pad"] = std::int64_t(node.integer("count_include_pad", 0) != 0);
    node.emit(OpKind::AveragePool, {node.input(0)}, std::move(attributes), ElementType::Float32,
              pooledShape(x, window));
}

void readGlobalAveragePool(const NodeView& node) {
    requireReal(node, 0);
    const Shape x = node.shape(0);
    requireImage(x);
    node.emit(OpKind::GlobalAveragePool, {node.input(0)}, {}, ElementType::Float32, {x[0], x[1], 1, 1});
}

void readGlobalMaxPool(const NodeView& node) {
    const ir::Tensor x = node.tensor(0);
    requireImage(x.shape);
    const Window window{.kernel = {x.shape[2], x.shape[3]},
                        .strides = {1, 1},
                        .dilations = {1, 1},
                        .output = {1, 1},
                        .pads = {},
                        .ceilMode = false};
    ir::Attributes attributes = window.attributes();
    attributes["ceil_mode"] = std::int64_t(0);
    node.emit(OpKind::MaxPool, {node.input(0)}, std::move(attributes), x.type, pooledShape(x.shape, window),
              x.quantisation);
}

void readReduceMean(const NodeView& node) {
    requireReal(node, 0);
    const Shape x = node.shape(0);
    const auto axes = reducedAxes(node, x.size());
    const bool keep = node.integer("keepdims", 1) != 0;
    Shape shape;
    for (std::size_t d = 0; d < x.size(); ++d) {
        const bool reduced = std::find(axes.begin(), axes.end(), std::int64_t(d)) != axes.end();
        if (!reduced)
            shape.push_back(x[d]);
        else if (keep)
            shape.push_back(1);
    }
    node.emit(OpKind::ReduceMean, {node.input(0)}, {{"axes", axes}, {"keepdims", std::int64_t(keep)}},
              ElementType::Float32, shape);
}

} // namespace poolwright::import
