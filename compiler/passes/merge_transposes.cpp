// SPDX-License-Identifier: Apache-2.0
#include "passes/table.h"

namespace poolwright::passes {

Result<ir::Graph> mergeTransposes(ir::Graph graph, Context&) {
    const ir::Uses uses = ir::usesOf(graph);
    for (ir::Node& node : graph.nodes) {
        if (node.kind != ir::OpKind::Transpose)
            continue;
        const NodeId before = uses.producer[std::size_t(node.inputs[0].index)];
        if (!before.isValid() || graph[before].kind != ir::OpKind::Transpose)
            continue;
        // Output dimension d of the second is dimension second[d] of the first's output, which is first[second[d]] of
        // its input.
        const auto first = graph[before].integers("perm");
        auto perm = node.integers("perm");
        for (std::int64_t& d : perm)
            d = first[std::size_t(d)];
        node.attributes["perm"] = perm;
        node.inputs[0] = graph[before].inputs[0];
    }
    return graph;
}

} // namespace poolwright::passes
