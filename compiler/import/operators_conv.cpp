// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/image.h"
#include "import/window.h"

namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::OpKind;
using ir::Shape;

/// The weights with a height.
TensorId weightsOf(const ImageOperator& image) {
    const NodeView& node = image.node();
    requireReal(node, 1);
    const ir::Tensor weights = node.tensor(1);
    if (weights.shape.size() != node.shape(0).size())
        refuse("PW2046", "the weight tensor has " + std::to_string(weights.shape.size()) + " dimensions instead of " +
                             std::to_string(node.shape(0).size()));
    if (weights.shape.size() == 4)
        return node.input(1);
    if (!weights.isConstant())
        return node.emitStep("_weights", OpKind::Reshape, {node.input(1)}, {}, ElementType::Float32,
                             withHeight(weights.shape));
    return node.addConstant(reshaped(weights, withHeight(weights.shape)));
}

TensorId biasOf(const NodeView& node, std::int64_t channels) {
    if (!node.has(2))
        return {};
    requireReal(node, 2);
    if (node.shape(2) != Shape{channels})
        refuse("PW2045", "the bias does not have " + std::to_string(channels) + " values");
    return node.input(2);
}

[[noreturn]] void refuseChannels(std::int64_t channels, std::int64_t group, const Shape& weights) {
    refuse("PW2045", std::to_string(channels) + " input channels in " + std::to_string(group) +
                         " groups do not match weights of " + std::to_string(weights[0]) + "x" +
                         std::to_string(weights[1]) + " channels");
}

} // namespace

void readConv(const NodeView& node) {
    requireReal(node, 0);
    const ImageOperator image(node);
    const TensorId weights = weightsOf(image);
    const Shape& x = image.shape();
    const Shape w = node.context().graph[weights].shape;
    const std::int64_t group = node.integer("group", 1);
    if (group < 1 || w[1] < 1 || x[1] % group != 0 || x[1] / group != w[1] || w[0] % group != 0)
        refuseChannels(x[1], group, w);
    const Window window = readWindow(node, x, image.spatialAxes(), {w[2], w[3]});
    ir::Attributes attributes = window.attributes();
    attributes["group"] = group;
    image.emit(OpKind::Conv, {image.input(), weights, biasOf(node, w[0])}, std::move(attributes), {},
               {x[0], w[0], window.output[0], window.output[1]});
}

void readConvTranspose(const NodeView& node) {
    requireReal(node, 0);
    const ImageOperator image(node);
    const TensorId weights = weightsOf(image);
    const Shape& x = image.shape();
    const Shape w = node.context().graph[weights].shape;
    const std::int64_t group = node.integer("group", 1);
    if (group < 1 || w[1] < 1 || x[1] % group != 0 || w[0] != x[1] || group > x[1])
        refuseChannels(x[1], group, w);
    const TransposedWindow window = readTransposedWindow(node, x, image.spatialAxes(), {w[2], w[3]});
    ir::Attributes attributes = window.attributes();
    attributes["group"] = group;
    attributes["output_padding"] = std::vector<std::int64_t>(window.outputPadding.begin(), window.outputPadding.end());
    const std::int64_t channels = w[1] * group;
    image.emit(OpKind::ConvTranspose, {image.input(), weights, biasOf(node, channels)}, std::move(attributes), {},
               {x[0], channels, window.output[0], window.output[1]});
}

} // namespace poolwright::import
