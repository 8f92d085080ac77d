// SPDX-License-Identifier: Apache-2.0
#include "passes/table.h"

#include <algorithm>

namespace poolwright::passes {
namespace {

bool isWholeMean(const ir::Graph& graph, const ir::Node& node) {
    const ir::Shape& x = graph[node.inputs[0]].shape;
    if (x.size() != 4)
        return false;
    if (node.kind == ir::OpKind::ReduceMean)
        return node.integers("axes") == std::vector<std::int64_t>{2, 3};
    if (node.kind != ir::OpKind::AveragePool)
        return false;
    const auto pads = node.integers("pads");
    return node.integers("kernel_shape") == std::vector<std::int64_t>{x[2], x[3]} &&
           std::all_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad == 0; });
}

} // namespace

Result<ir::Graph> recogniseGlobalPool(ir::Graph graph, Context&) {
    std::vector<ir::Node> nodes;
    for (ir::Node& node : graph.nodes) {
        if (!isWholeMean(graph, node)) {
            nodes.push_back(std::move(node));
            continue;
        }
        const ir::Shape x = graph[node.inputs[0]].shape;
        const TensorId output = node.outputs[0];
        node.kind = ir::OpKind::GlobalAveragePool;
        node.attributes.clear();
        if (graph[output].shape.size() == 4) {
            nodes.push_back(std::move(node));
            continue;
        }
        ir::Tensor pooled = graph[output]; // ReduceMean without keepdims: the reshape that it implies becomes visible
        pooled.name += "_pooled";
        pooled.shape = {x[0], x[1], 1, 1};
        ir::Node reshape;
        reshape.name = node.name + "_reshape";
        reshape.kind = ir::OpKind::Reshape;
        reshape.outputs = {output};
        node.outputs = {graph.addTensor(std::move(pooled))};
        reshape.inputs = node.outputs;
        nodes.push_back(std::move(node));
        nodes.push_back(std::move(reshape));
    }
    graph.nodes = std::move(nodes);
    return graph;
}

} // namespace poolwright::passes
