// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"
#include "passes/table.h"
#include "reference/reference.h"

#include <algorithm>

namespace poolwright::passes {
namespace {

bool readsConstantsOnly(const ir::Graph& graph, const ir::Node& node) {
    return std::all_of(node.inputs.begin(), node.inputs.end(),
                       [&](TensorId input) { return !input.isValid() || graph[input].isConstant(); });
}

/// In the imported graph a quantised constant stands for its reals.
reference::Value operandOf(const ir::Tensor& tensor) {
    if (!tensor.isQuantised())
        return reference::constantValue(tensor);
    return reference::constantValue(ir::makeFloatConstant(tensor.name, tensor.shape, ir::realsOf(tensor)));
}

/// False where the reference does not handle the operator: it then stays as it is.
bool fold(ir::Graph& graph, const ir::Node& node) {
    std::vector<reference::Value> values;
    for (TensorId input : node.inputs)
        values.push_back(input.isValid() ? operandOf(graph[input]) : reference::Value());
    std::vector<const reference::Value*> operands;
    for (std::size_t i = 0; i < values.size(); ++i)
        operands.push_back(node.inputs[i].isValid() ? &values[i] : nullptr);
    ir::Tensor& output = graph[node.outputs[0]];
    auto result =
        reference::evaluate(node.kind, node.attributes, operands, {{output.type, output.shape, output.quantisation}});
    if (!result)
        return false;
    output.data = std::make_shared<const std::vector<std::uint8_t>>(std::move(result->front().bytes));
    return true;
}

} // namespace

Result<ir::Graph> foldConstants(ir::Graph graph, Context&) {
    std::vector<ir::Node> kept;
    for (ir::Node& node : graph.nodes) {
        const bool isOutput =
            std::find(graph.outputs.begin(), graph.outputs.end(), node.outputs[0]) != graph.outputs.end();
        if (isOutput || !readsConstantsOnly(graph, node) || !fold(graph, node))
            kept.push_back(std::move(node));
    }
    graph.nodes = std::move(kept);
    return graph;
}

} // namespace poolwright::passes
