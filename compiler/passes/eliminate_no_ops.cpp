// SPDX-License-Identifier: Apache-2.0
#include "ir/edit.h"
#include "passes/table.h"

#include <algorithm>

namespace poolwright::passes {
namespace {

/// A permutation that moves only dimensions of extent 1 leaves the elements where they are, but is kept unless the
/// shape stays the same.
bool keepsOrder(const ir::Graph& graph, const ir::Node& node) {
    const ir::Shape& shape = graph[node.inputs[0]].shape;
    std::int64_t last = -1;
    for (std::int64_t d : node.integers("perm")) {
        if (shape[std::size_t(d)] == 1)
            continue;
        if (d < last)
            return false;
        last = d;
    }
    return shape == graph[node.outputs[0]].shape;
}

bool changesNothing(const ir::Graph& graph, const ir::Node& node) {
    const ir::Tensor& from = graph[node.inputs[0]];
    const ir::Tensor& to = graph[node.outputs[0]];
    if (from.type != to.type || from.quantisation != to.quantisation)
        return false;
    switch (node.kind) {
    case ir::OpKind::Identity:
    case ir::OpKind::Requantize:
        return true;
    case ir::OpKind::Reshape:
    case ir::OpKind::Pad:
    case ir::OpKind::Concat:
        return from.shape == to.shape;
    case ir::OpKind::Transpose:
        return keepsOrder(graph, node);
    default:
        return false;
    }
}

bool isOneOf(const std::vector<TensorId>& ids, TensorId id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// A graph output keeps its name; a graph input that is an output at once needs the node in between.
bool removeNode(ir::Graph& graph, const ir::Node& node) {
    const TensorId from = node.inputs[0], to = node.outputs[0];
    if (isOneOf(graph.outputs, to)) {
        if (isOneOf(graph.inputs, from) || isOneOf(graph.outputs, from) || graph[from].isConstant())
            return false;
        graph[from].name = graph[to].name;
    }
    ir::replaceUses(graph, to, from);
    return true;
}

} // namespace

Result<ir::Graph> eliminateNoOps(ir::Graph graph, Context&) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n)
        if (changesNothing(graph, graph.nodes[n]))
            removeNode(graph, ir::Node(graph.nodes[n]));
    ir::dropUnused(graph);
    return graph;
}

} // namespace poolwright::passes
