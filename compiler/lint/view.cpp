// SPDX-License-Identifier: Apache-2.0
#include "lint/view.h"

#include <algorithm>

namespace poolwright::lint {

View::View(const Subject& subject)
    : m_graph(subject.graph)
    , m_fileName(subject.fileName)
    , m_uses(ir::usesOf(subject.graph)) {}

const ir::Shape& View::inputShape(const ir::Node& node, std::size_t input) const {
    return m_graph[node.inputs[input]].shape;
}

const ir::Node* View::producer(TensorId id) const {
    const NodeId node = m_uses.producer[std::size_t(id.index)];
    return node.isValid() ? &m_graph[node] : nullptr;
}

const ir::Quantisation* View::parametersBefore(TensorId id) const {
    const ir::Node* node = producer(id);
    if (!node || node->kind != ir::OpKind::Dequantize)
        return nullptr;
    const auto& parameters = m_graph[node->inputs.front()].quantisation;
    return parameters ? &*parameters : nullptr;
}

const ir::Quantisation* View::parametersBehind(TensorId id) const {
    for (NodeId reader : m_uses.consumers[std::size_t(id.index)])
        if (m_graph[reader].kind == ir::OpKind::Quantize)
            if (const auto& parameters = m_graph[m_graph[reader].outputs.front()].quantisation)
                return &*parameters;
    return nullptr;
}

bool View::reachesOutput(TensorId id) const {
    if (std::find(m_graph.outputs.begin(), m_graph.outputs.end(), id) != m_graph.outputs.end())
        return true;
    const auto& readers = m_uses.consumers[std::size_t(id.index)];
    return std::any_of(readers.begin(), readers.end(), [&](NodeId reader) {
        const ir::OpKind kind = m_graph[reader].kind;
        const bool passesOn = kind == ir::OpKind::Quantize || kind == ir::OpKind::Dequantize ||
                              kind == ir::OpKind::Reshape || kind == ir::OpKind::Identity;
        return passesOn && reachesOutput(m_graph[reader].outputs.front());
    });
}

std::vector<const ir::Node*> View::nodesOf(ir::OpKind kind) const {
    std::vector<const ir::Node*> nodes;
    for (const ir::Node& node : m_graph.nodes)
        if (node.kind == kind)
            nodes.push_back(&node);
    return nodes;
}

} // namespace poolwright::lint
