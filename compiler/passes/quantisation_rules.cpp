// SPDX-License-Identifier: Apache-2.0
#include "passes/quantisation_rules.h"

#include "ir/kinds.h"

#include <algorithm>

namespace poolwright::passes {
namespace {

using ir::OpKind;
using Parameters = std::optional<ir::Quantisation>;

bool isInteger(const ir::Tensor& tensor) {
    return tensor.type == ir::ElementType::Int8 || tensor.type == ir::ElementType::UInt8;
}

class Assignment {
public:
    Assignment(const ir::Graph& graph, const ir::Uses& uses)
        : m_graph(graph)
        , m_uses(uses)
        , m_parameters(graph.tensors.size()) {}

    std::vector<Parameters> run() {
        for (std::size_t t = 0; t < m_graph.tensors.size(); ++t)
            if (const ir::Tensor& tensor = m_graph.tensors[t];
                isInteger(tensor) && tensor.quantisation && !tensor.isConstant())
                m_parameters[t] = asSigned(*tensor.quantisation, tensor.type);
        // Consumers come later than producers, so one walk backwards sees every consumer's output first.
        for (auto node = m_graph.nodes.rbegin(); node != m_graph.nodes.rend(); ++node)
            for (TensorId output : node->outputs)
                if (node->kind != OpKind::Dequantize)
                    pushBack(output);
        for (TensorId input : m_graph.inputs)
            pushBack(input);
        for (const ir::Node& node : m_graph.nodes)
            carryForward(node);
        return std::move(m_parameters);
    }

private:
    Parameters& at(TensorId id) { return m_parameters[std::size_t(id.index)]; }

    void pushBack(TensorId tensor) {
        if (at(tensor) || isInteger(m_graph[tensor]))
            return;
        const auto& consumers = m_uses.consumers[std::size_t(tensor.index)];
        for (NodeId consumer : consumers)
            if (m_graph[consumer].kind == OpKind::Quantize) {
                at(tensor) = at(m_graph[consumer].outputs[0]);
                return;
            }
        const bool isOutput =
            std::find(m_graph.outputs.begin(), m_graph.outputs.end(), tensor) != m_graph.outputs.end();
        if (!consumers.empty() && !isOutput)
            at(tensor) = commonParameters(consumers);
    }

    /// A clamp's parameters may cut off values that another reader needs: all readers must agree.
    Parameters commonParameters(const std::vector<NodeId>& consumers) {
        const Parameters first = at(m_graph[consumers.front()].outputs[0]);
        for (NodeId consumer : consumers)
            if (!preservesValues(m_graph[consumer]) || at(m_graph[consumer].outputs[0]) != first)
                return std::nullopt;
        return first;
    }

    void carryForward(const ir::Node& node) {
        const TensorId output = node.outputs[0];
        if (at(output))
            return;
        if (node.kind == OpKind::Dequantize) {
            at(output) = at(node.inputs[0]);
            return;
        }
        if (!preservesValues(node))
            return;
        for (TensorId input : node.inputs)
            if (!m_graph[input].isConstant() && !at(input))
                return;
        at(output) = at(node.inputs[0]);
    }

    const ir::Graph& m_graph;
    const ir::Uses& m_uses;
    std::vector<Parameters> m_parameters;
};

} // namespace

bool preservesValues(const ir::Node& node) {
    if (node.kind == OpKind::Resize)
        return node.text("mode") == "nearest";
    const ir::Effect effect = ir::traitsOf(node.kind).effect;
    return effect == ir::Effect::Moves || effect == ir::Effect::Clamps;
}

ir::Quantisation asSigned(ir::Quantisation quantisation, ir::ElementType type) {
    if (type == ir::ElementType::UInt8)
        for (std::int32_t& zero : quantisation.zeroPoints)
            zero -= 128;
    return quantisation;
}

std::vector<Parameters> assignParameters(const ir::Graph& graph, const ir::Uses& uses) {
    return Assignment(graph, uses).run();
}

} // namespace poolwright::passes
