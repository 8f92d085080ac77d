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

} // namespace poolwright::import
