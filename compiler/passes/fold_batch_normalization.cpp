// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"
#include "ir/edit.h"
#include "passes/table.h"

#include <algorithm>
#include <cmath>

namespace poolwright::passes {
namespace {

/// y = x * factor + offset for each channel.
struct Affine {
    std::vector<double> factor, offset;
};

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

ir::Tensor scaledFloats(const ir::Tensor& weights, const std::vector<double>& factor) {
    std::vector<double> values = ir::realsOf(weights);
    const std::size_t perChannel = values.size() / factor.size();
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] *= factor[i / perChannel];
    return ir::makeFloatConstant(weights.name + "_bn", weights.shape, values);
}

/// The factor goes into the scales, so the integers stay exact; a negative one turns their signs, which -128 does not
/// allow.
std::optional<ir::Tensor> scaledIntegers(const ir::Tensor& weights, const std::vector<double>& factor) {
    const ir::Quantisation& q = *weights.quantisation;
    const bool symmetric =
        std::all_of(q.zeroPoints.begin(), q.zeroPoints.end(), [](std::int32_t zero) { return zero == 0; });
    if (weights.type != ir::ElementType::Int8 || !symmetric || (!q.isPerTensor() && q.axis != 0))
        return std::nullopt;
    std::vector<std::int64_t> integers = ir::integersOf(weights);
    const std::size_t perChannel = integers.size() / factor.size();
    ir::Quantisation scaled{.scales = {}, .zeroPoints = std::vector<std::int32_t>(factor.size(), 0), .axis = 0};
    for (std::size_t c = 0; c < factor.size(); ++c) {
        const double scale = q.scales[q.isPerTensor() ? 0 : c] * std::abs(factor[c]);
        scaled.scales.push_back(scale > 0 ? scale : 1.0);
        for (std::size_t i = c * perChannel; i < (c + 1) * perChannel; ++i) {
            if (factor[c] < 0 && integers[i] == -128)
                return std::nullopt;
            integers[i] = factor[c] < 0 ? -integers[i] : scale > 0 ? integers[i] : 0;
        }
    }
    return ir::makeIntegerConstant(weights.name + "_bn", weights.type, weights.shape, integers, scaled);
}

ir::Tensor foldedBias(const ir::Graph& graph, const ir::Node& dense, const Affine& affine) {
    std::vector<double> bias(affine.factor.size(), 0.0);
    std::string name = dense.name + "_bias";
    if (dense.inputs.size() > 2 && dense.inputs[2].isValid()) {
        bias = ir::realsOf(graph[dense.inputs[2]]);
        name = graph[dense.inputs[2]].name;
    }
    for (std::size_t c = 0; c < bias.size(); ++c)
        bias[c] = bias[c] * affine.factor[c] + affine.offset[c];
    return ir::makeFloatConstant(name + "_bn", {std::int64_t(bias.size())}, bias);
}

/// The Conv or Gemm in front, when only this BatchNormalization reads it.
NodeId foldTarget(const ir::Graph& graph, const ir::Uses& uses, const ir::Node& node) {
    const TensorId x = node.inputs[0];
    const NodeId producer = uses.producer[std::size_t(x.index)];
    const bool alone = uses.consumers[std::size_t(x.index)].size() == 1 &&
                       std::find(graph.outputs.begin(), graph.outputs.end(), x) == graph.outputs.end();
    if (!producer.isValid() || !alone)
        return {};
    const ir::OpKind kind = graph[producer].kind;
    return kind == ir::OpKind::Conv || kind == ir::OpKind::Gemm ? producer : NodeId();
}

bool foldInto(ir::Graph& graph, NodeId target, const ir::Node& node) {
    const Affine affine = affineOf(graph, node);
    const ir::Tensor weights = graph[graph[target].inputs[1]];
    const auto scaled = weights.isQuantised() ? scaledIntegers(weights, affine.factor)
                                              : std::optional(scaledFloats(weights, affine.factor));
    if (!scaled)
        return false;
    ir::Tensor bias = foldedBias(graph, graph[target], affine);
    const TensorId weightsId = graph.addTensor(*scaled);
    const TensorId biasId = graph.addTensor(std::move(bias));
    ir::Node& dense = graph[target];
    dense.inputs = {dense.inputs[0], weightsId, biasId};
    dense.outputs = node.outputs;
    dense.originalNames.insert(dense.originalNames.end(), node.originalNames.begin(), node.originalNames.end());
    return true;
}

/// With nothing to fold into, it is a depthwise 1x1 convolution whose weights are exact: 1 or -1 with one scale a
/// channel.
void becomeDepthwise(ir::Graph& graph, ir::Node& node) {
    const Affine affine = affineOf(graph, node);
    const auto channels = std::int64_t(affine.factor.size());
    ir::Quantisation q{.scales = {}, .zeroPoints = std::vector<std::int32_t>(affine.factor.size(), 0), .axis = 0};
    std::vector<std::int64_t> signs;
    for (double factor : affine.factor) {
        q.scales.push_back(factor == 0 ? 1.0 : std::abs(factor));
        signs.push_back(factor > 0 ? 1 : factor < 0 ? -1 : 0);
    }
    const TensorId weights = graph.addTensor(ir::makeIntegerConstant(node.name + "_weights", ir::ElementType::Int8,
                                                                     {channels, 1, 1, 1}, signs, std::move(q)));
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
        const NodeId target = foldTarget(graph, uses, graph.nodes[n]);
        folded[n] = target.isValid() && foldInto(graph, target, ir::Node(graph.nodes[n]));
        if (!folded[n] && graph[graph.nodes[n].inputs[0]].shape.size() == 4)
            becomeDepthwise(graph, graph.nodes[n]);
    }
    std::size_t next = 0;
    std::erase_if(graph.nodes, [&](const ir::Node&) { return folded[next++]; });
    return graph;
}

} // namespace poolwright::passes
