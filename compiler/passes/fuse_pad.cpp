// SPDX-License-Identifier: Apache-2.0
#include "passes/table.h"

#include <algorithm>

namespace poolwright::passes {
namespace {

/// Pads height and width only, with what a convolution's own padding stands for.
bool isConvolutionPadding(const ir::Node& pad) {
    const auto pads = pad.integers("pads");
    const bool crops = std::any_of(pads.begin(), pads.end(), [](std::int64_t p) { return p < 0; });
    return pads.size() == 8 && pads[0] == 0 && pads[1] == 0 && pads[4] == 0 && pads[5] == 0 && !crops &&
           pad.text("mode", "constant") == "constant" && pad.real("value") == 0;
}

void absorb(ir::Node& conv, const ir::Node& pad) {
    const auto outer = pad.integers("pads");
    auto pads = conv.integers("pads");
    pads[0] += outer[2];
    pads[1] += outer[3];
    pads[2] += outer[6];
    pads[3] += outer[7];
    conv.attributes["pads"] = pads;
    conv.inputs[0] = pad.inputs[0];
    conv.originalNames.insert(conv.originalNames.begin(), pad.originalNames.begin(), pad.originalNames.end());
}

} // namespace

Result<ir::Graph> fusePad(ir::Graph graph, Context&) {
    const ir::Uses uses = ir::usesOf(graph);
    for (ir::Node& node : graph.nodes) {
        if (node.kind != ir::OpKind::Conv)
            continue;
        const NodeId before = uses.producer[std::size_t(node.inputs[0].index)];
        if (before.isValid() && graph[before].kind == ir::OpKind::Pad && isConvolutionPadding(graph[before]))
            absorb(node, graph[before]);
    }
    return graph;
}

} // namespace poolwright::passes
