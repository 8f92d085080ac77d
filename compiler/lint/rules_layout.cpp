// SPDX-License-Identifier: Apache-2.0
#include "lint/view.h"

#include <cstdio>

namespace poolwright::lint {

std::vector<Finding> highRanks(const View& view) {
    std::vector<Finding> found;
    bool inside = false; // one finding for a chain of such tensors
    for (const ir::Node& node : view.graph().nodes) {
        if (node.kind == ir::OpKind::Quantize || node.kind == ir::OpKind::Dequantize)
            continue;
        const std::size_t rank = view.outputShape(node).size();
        if (rank > 4 && !inside)
            found.push_back(
                {node.name, "makes a tensor of rank " + std::to_string(rank) + "; the vendor's tool takes at most 4",
                 "for a pixel shuffle use DepthToSpace or ConvTranspose; else reshape so that four dimensions do"});
        inside = rank > 4;
    }
    return found;
}

std::vector<Finding> emptyPadValues(const View& view) {
    std::vector<Finding> found;
    for (const ir::Node* node : view.nodesOf(ir::OpKind::Pad))
        if (node->integer("empty_value_input", 0) != 0)
            found.push_back(
                {node->name, "the padding value is given as an empty input, on which the vendor's tool may crash",
                 "taken as 0 here; drop the empty name from the node's inputs before the vendor's tool reads it"});
    return found;
}

std::vector<Finding> smoothResizes(const View& view) {
    std::vector<Finding> found;
    for (const ir::Node* node : view.nodesOf(ir::OpKind::Resize)) {
        const std::string mode = node->text("mode", "nearest");
        if (mode == "nearest")
            continue;
        const std::int64_t read = ir::elementCount(view.inputShape(*node)),
                           written = ir::elementCount(view.outputShape(*node));
        // Ten CPU cycles an element, as the calibrated estimate has it (target/machine.h).
        const double milliseconds = double(written) * 10 / 800e3;
        char time[32];
        std::snprintf(time, sizeof time, "%.1f", milliseconds);
        found.push_back({node->name,
                         mode + " resizing is a software epoch: the CPU reads " + std::to_string(read) +
                             " and writes " + std::to_string(written) + " elements, about " + time + " ms at 800 MHz",
                         "use mode nearest (asymmetric, floor) or a ConvTranspose, which run on hardware"});
    }
    return found;
}

} // namespace poolwright::lint
