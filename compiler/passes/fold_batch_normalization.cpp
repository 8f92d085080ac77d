// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"
#include "passes/affine.h"
#include "passes/table.h"

#include <cmath>

namespace poolwright::passes {
namespace {

Affine affineOf(const ir::Graph& graph, const ir::Node& node) {
    const auto scale = ir::realsOf(graph[node.inputs[1]]);
    const auto bias = ir::realsOf(graph[node.inputs[2]]);
    const auto mean = ir::realsOf(graph[node.inputs[3]]);
    const auto variance = ir::realsOf(graph[node.inputs[4]]);
    Affine affine;
    for (std::size_t c = 0; c < scale.size(); ++c) {
        affine.factor.push_back(scale[c] / std::sqrt(variance[c] + node.real("epsilon", 1e-5)));
        affine.offset.push_back(bias[c] - mean[c] * affine.factor[c]);
    }
    return affine;
}

/// With nothing to fold into, it is a depthwise 1x1 convolution whose weights are exact: all 127 or -127 with one scale
/// a channel. The largest weights make the finest steps for the integer bias.
void becomeDepthwise(ir::Graph& graph, ir::Node& node, const Affine& affine) {
    const auto channels = std::int64_t(affine.factor.size());
    ir::Quantisation q{.scales = {}, .zeroPoints = std::vector<std::int32_t>(affine.factor.size(), 0), .axis = 0};
    constexpr int top = 127;
    std::vector<std::int64_t> weightsOfChannels;
    for (double factor : affine.factor) {
        q.scales.push_back(factor == 0 ? 1.0 : std::abs(factor) / top);
        weightsOfChannels.push_back(factor > 0 ? top : factor < 0 ? -top : 0);
    }
    const TensorId weights = graph.addTensor(ir::makeIntegerConstant(
        node.name + "_weights", ir::ElementType::Int8, {channels, 1, 1, 1}, weightsOfChannels, std::move(q)));
    const TensorId bias = graph.addTensor(ir::makeFloatConstant(node.name + "_bias", {channels}, affine.offset));
    using Integers = std::vector<std::int64_t>;
    node.kind = ir::OpKind::Conv;
    node.inputs = {node.inputs[0], weights, bias};
    node.attributes = {{"kernel_shape", Integers{1, 1}},
                       {"strides", Integers{1, 1}},
                       {"dilations", Integers{1, 1}},
                       {"pads", Integers{0, 0, 0, 0}},
                       {"group", channels}};
}

} // namespace

Result<ir::Graph> foldBatchNormalization(ir::Graph graph, Context&) {
    const ir::Uses uses = ir::usesOf(graph);
    std::vector<bool> folded(graph.nodes.size(), false);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        if (graph.nodes[n].kind != ir::OpKind::BatchNormalization)
            continue;
        const ir::Node node = graph.nodes[n];
        const Affine affine = affineOf(graph, node);
        const NodeId target = denseInFront(graph, uses, node.inputs[0]);
        folded[n] = target.isValid() && foldInto(graph, target, node, affine);
        if (!folded[n] && isFinite(affine) && graph[node.inputs[0]].shape.size() == 4)
            becomeDepthwise(graph, graph.nodes[n], affine);
    }
    std::size_t next = 0;
    std::erase_if(graph.nodes, [&](const ir::Node&) { return folded[next++]; });
    return graph;
}

} // namespace poolwright::passes
