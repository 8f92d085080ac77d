// SPDX-License-Identifier: Apache-2.0
#include "ir/edit.h"
#include "passes/table.h"

#include <algorithm>
#include <cmath>

namespace poolwright::passes {
namespace {

/// The integers that bound the output, as an unbounded number: saturation to [-128, 127] enforces what lies outside.
double boundOf(double real, const ir::Quantisation& q) {
    return std::nearbyint(real / q.scales[0]) + q.zeroPoints[0];
}

bool saturationEnforces(const ir::Graph& graph, const ir::Node& node) {
    const ir::Tensor& output = graph[node.outputs[0]];
    if (output.type != ir::ElementType::Int8 || !output.quantisation ||
        graph[node.inputs[0]].quantisation != output.quantisation)
        return false;
    if (node.kind == ir::OpKind::Relu)
        return output.quantisation->zeroPoints[0] <= -128;
    if (node.kind == ir::OpKind::Clip)
        return boundOf(node.real("min"), *output.quantisation) <= -128 &&
               boundOf(node.real("max"), *output.quantisation) >= 127;
    return false;
}

} // namespace

Result<ir::Graph> dropNoOpClips(ir::Graph graph, Context&) {
    const ir::Uses uses = ir::usesOf(graph);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const ir::Node node = graph.nodes[n];
        if (!saturationEnforces(graph, node))
            continue;
        const TensorId from = node.inputs[0], to = node.outputs[0];
        const bool isOutput = std::find(graph.outputs.begin(), graph.outputs.end(), to) != graph.outputs.end();
        const NodeId producer = uses.producer[std::size_t(from.index)];
        const bool fromOutside =
            !producer.isValid() || std::find(graph.outputs.begin(), graph.outputs.end(), from) != graph.outputs.end();
        if (isOutput && fromOutside)
            continue;
        if (isOutput)
            graph[from].name = graph[to].name;
        if (producer.isValid()) {
            auto& names = graph[producer].originalNames;
            names.insert(names.end(), node.originalNames.begin(), node.originalNames.end());
        }
        ir::replaceUses(graph, to, from);
    }
    return graph;
}

} // namespace poolwright::passes
