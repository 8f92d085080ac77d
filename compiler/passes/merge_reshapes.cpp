// SPDX-License-Identifier: Apache-2.0
#include "passes/table.h"

namespace poolwright::passes {

Result<ir::Graph> mergeReshapes(ir::Graph graph, Context&) {
    const ir::Uses uses = ir::usesOf(graph);
    for (ir::Node& node : graph.nodes) {
        if (node.kind != ir::OpKind::Reshape)
            continue;
        const NodeId before = uses.producer[std::size_t(node.inputs[0].index)];
        // Nodes are in topological order, so the one in front has been shortened already.
        if (before.isValid() && graph[before].kind == ir::OpKind::Reshape)
            node.inputs[0] = graph[before].inputs[0];
    }
    return graph;
}

} // namespace poolwright::passes
