// SPDX-License-Identifier: Apache-2.0
#include "passes/affine.h"

#include "ir/constant.h"

#include <algorithm>
#include <cmath>

namespace poolwright::passes {
namespace {

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

} // namespace

bool isFinite(const Affine& affine) {
    const auto isNumber = [](double value) { return std::isfinite(float(value)); };
    return std::ranges::all_of(affine.factor, isNumber) && std::ranges::all_of(affine.offset, isNumber);
}

NodeId denseInFront(const ir::Graph& graph, const ir::Uses& uses, TensorId x) {
    const NodeId producer = uses.producer[std::size_t(x.index)];
    const bool alone = uses.consumers[std::size_t(x.index)].size() == 1 &&
                       std::find(graph.outputs.begin(), graph.outputs.end(), x) == graph.outputs.end();
    if (!producer.isValid() || !alone)
        return {};
    const auto isComputed = [&](TensorId input) { return input.isValid() && !graph[input].isConstant(); };
    const auto& operands = graph[producer].inputs;
    if (operands.empty() || std::any_of(operands.begin() + 1, operands.end(), isComputed))
        return {};
    const ir::OpKind kind = graph[producer].kind;
    return kind == ir::OpKind::Conv || kind == ir::OpKind::Gemm ? producer : NodeId();
}

bool foldInto(ir::Graph& graph, NodeId target, const ir::Node& node, const Affine& affine) {
    if (!isFinite(affine))
        return false;
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

} // namespace poolwright::passes
