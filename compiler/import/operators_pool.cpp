// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/image.h"
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
    const ImageOperator image(node);
    const Window window = readWindow(node, image.shape(), image.spatialAxes(), {});
    ir::Attributes attributes = window.attributes();
    attributes["ceil_mode"] = std::int64_t(window.ceilMode);
    image.emit(OpKind::MaxPool, {image.input()}, std::move(attributes), movedSort(node, 0),
               pooledShape(image.shape(), window));
}

void readAveragePool(const NodeView& node) {
    requireReal(node, 0);
    const ImageOperator image(node);
    Window window = readWindow(node, image.shape(), image.spatialAxes(), {});
    const bool countsPads = node.integer("count_include_pad", 0) != 0;
    if (countsPads && window.ceilMode && node.opset() < 19)
        countWholeWindows(window, image.shape());
    ir::Attributes attributes = window.attributes();
    attributes["ceil_mode"] = std::int64_t(window.ceilMode);
    attributes["count_include_pad"] = std::int64_t(countsPads);
    image.emit(OpKind::AveragePool, {image.input()}, std::move(attributes), {}, pooledShape(image.shape(), window));
}

/// Global pools take any number of spatial axes: [N, C, A, B, D] is as good as [N, C, A * B, D].
static void emitGlobal(const NodeView& node, OpKind kind, const ElementSort& sort) {
    const Shape x = node.shape(0);
    if (x.size() < 3)
        refuse("PW2045", "the input has " + std::to_string(x.size()) + " dimensions; a global pool needs 3 or more");
    const Shape image{x[0], x[1], checkedCount({x.begin() + 2, x.end() - 1}), x.back()};
    ir::Attributes attributes;
    if (kind == OpKind::MaxPool) {
        const Window window{.kernel = {image[2], image[3]},
                            .strides = {1, 1},
                            .dilations = {1, 1},
                            .output = {1, 1},
                            .pads = {},
                            .ceilMode = false};
        attributes = window.attributes();
        attributes["ceil_mode"] = std::int64_t(0);
    }
    const Shape pooled{x[0], x[1], 1, 1};
    if (x.size() == 4) {
        node.emit(kind, {node.input(0)}, std::move(attributes), sort.type, pooled, sort.quantisation);
        return;
    }
    const ElementSort moved = movedSort(node, 0);
    const TensorId flat = node.emitStep("_image", OpKind::Reshape, {node.input(0)}, {}, moved.type, image);
    node.context().graph[flat].quantisation = moved.quantisation;
    const TensorId result = node.emitStep("_rows", kind, {flat}, std::move(attributes), sort.type, pooled);
    node.context().graph[result].quantisation = sort.quantisation;
    Shape shape(x.size(), 1);
    shape[0] = x[0];
    shape[1] = x[1];
    node.emit(OpKind::Reshape, {result}, {}, sort.type, shape, sort.quantisation);
}

void readGlobalAveragePool(const NodeView& node) {
    requireReal(node, 0);
    emitGlobal(node, OpKind::GlobalAveragePool, {});
}

void readGlobalMaxPool(const NodeView& node) {
    emitGlobal(node, OpKind::MaxPool, movedSort(node, 0));
}

void readLpPool(const NodeView&) {
    refuse("PW2048", "pooling by a norm is not supported", "use MaxPool or AveragePool");
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
