// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"
#include "ir/kinds.h"
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

/// Integers that only move keep their parameters where there is one scale for all.
bool movesIntegers(const ir::Graph& graph, const ir::Node& node) {
    const auto& q = graph[node.inputs[0]].quantisation;
    return ir::traitsOf(node.kind).effect == ir::Effect::Moves && node.kind != ir::OpKind::Resize &&
           node.kind != ir::OpKind::Pad && node.kind != ir::OpKind::Concat && q && q->isPerTensor();
}

/// What few bytes of a model can ask for without limit (Expand, Tile, Pad) is not worth its weight as a constant.
bool isSmall(const ir::Graph& graph, const ir::Node& node) {
    constexpr std::int64_t largestFold = 1 << 24;
    return std::all_of(node.outputs.begin(), node.outputs.end(),
                       [&](TensorId output) { return graph[output].elements() <= largestFold; });
}

/// False where the reference does not handle the operator: it then stays as it is.
bool fold(ir::Graph& graph, const ir::Node& node) {
    const bool asIntegers = movesIntegers(graph, node);
    std::vector<reference::Value> values;
    for (TensorId input : node.inputs)
        values.push_back(!input.isValid() ? reference::Value()
                         : asIntegers     ? reference::constantValue(graph[input])
                                          : operandOf(graph[input]));
    std::vector<const reference::Value*> operands;
    for (std::size_t i = 0; i < values.size(); ++i)
        operands.push_back(node.inputs[i].isValid() ? &values[i] : nullptr);
    std::vector<reference::OutputSpec> specs;
    for (TensorId output : node.outputs) {
        const ir::Tensor& kept = graph[asIntegers ? node.inputs[0] : output];
        specs.push_back({kept.type, graph[output].shape, kept.quantisation});
    }
    auto results = reference::evaluate(node.kind, node.attributes, operands, specs);
    if (!results)
        return false;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        ir::Tensor& output = graph[node.outputs[i]];
        output.type = specs[i].type;
        output.quantisation = specs[i].quantisation;
        output.data = std::make_shared<const std::vector<std::uint8_t>>(std::move((*results)[i].bytes));
    }
    return true;
}

} // namespace

Result<ir::Graph> foldConstants(ir::Graph graph, Context&) {
    std::vector<ir::Node> kept;
    for (ir::Node& node : graph.nodes) {
        const bool isOutput = std::any_of(node.outputs.begin(), node.outputs.end(), [&](TensorId output) {
            return std::find(graph.outputs.begin(), graph.outputs.end(), output) != graph.outputs.end();
        });
        if (isOutput && readsConstantsOnly(graph, node))
            return fail(makeError("PW2108", "the graph output does not depend on any input",
                                  {.path = {}, .line = 0, .column = 0, .object = graph[node.outputs[0]].name},
                                  "take it out of the model: the application knows it beforehand"));
        if (!readsConstantsOnly(graph, node) || !isSmall(graph, node) || !fold(graph, node))
            kept.push_back(std::move(node));
    }
    graph.nodes = std::move(kept);
    return graph;
}

} // namespace poolwright::passes
