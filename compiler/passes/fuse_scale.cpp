// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"
#include "passes/affine.h"
#include "passes/table.h"

#include <algorithm>

namespace poolwright::passes {
namespace {

/// The values of a constant that has one for each output channel (or one for all); empty for any other.
std::vector<double> channelFactors(const ir::Tensor& constant, const ir::Shape& output) {
    const std::size_t fromEnd = output.size() - 1;
    const ir::Shape& shape = constant.shape;
    if (!constant.isConstant() || shape.size() > output.size())
        return {};
    for (std::size_t i = 1; i <= shape.size(); ++i) {
        const std::int64_t extent = shape[shape.size() - i];
        if (extent != 1 && (i != fromEnd || extent != output[1]))
            return {};
    }
    std::vector<double> factors = ir::realsOf(constant);
    if (factors.size() == 1)
        factors.assign(std::size_t(output[1]), factors[0]);
    return factors;
}

/// A Mul or Div. Only behind integer weights: there it is the second half of a dequantisation, and float sums would
/// change by it.
bool fuse(ir::Graph& graph, const ir::Uses& uses, const ir::Node& mul) {
    for (std::size_t i = mul.kind == ir::OpKind::Div ? 1 : 0; i < 2; ++i) {
        const TensorId x = mul.inputs[1 - i];
        const NodeId target = denseInFront(graph, uses, x);
        if (!target.isValid() || !graph[graph[target].inputs[1]].isQuantised())
            continue;
        Affine affine{channelFactors(graph[mul.inputs[i]], graph[x].shape), {}};
        if (mul.kind == ir::OpKind::Div)
            for (double& factor : affine.factor)
                factor = 1.0 / factor;
        if (affine.factor.empty() || graph[x].shape != graph[mul.outputs[0]].shape)
            continue;
        affine.offset.assign(affine.factor.size(), 0.0);
        return foldInto(graph, target, mul, affine);
    }
    return false;
}

} // namespace

Result<ir::Graph> fuseScale(ir::Graph graph, Context&) {
    const ir::Uses uses = ir::usesOf(graph);
    std::vector<bool> fused(graph.nodes.size(), false);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n)
        if (graph.nodes[n].kind == ir::OpKind::Mul || graph.nodes[n].kind == ir::OpKind::Div)
            fused[n] = fuse(graph, uses, ir::Node(graph.nodes[n]));
    std::size_t next = 0;
    std::erase_if(graph.nodes, [&](const ir::Node&) { return fused[next++]; });
    return graph;
}

} // namespace poolwright::passes
