// SPDX-License-Identifier: Apache-2.0
#include "lower/byte_region.h"

#include "lower/activation.h"
#include "lower/hardware.h"
#include "reference/reference.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

using ir::OpKind;

constexpr std::size_t mostNodes = 8;

bool isOutput(const ir::Graph& graph, TensorId tensor) {
    return std::find(graph.outputs.begin(), graph.outputs.end(), tensor) != graph.outputs.end();
}

bool isRegionKind(OpKind kind) {
    return isByteFunction(kind) || kind == OpKind::Relu || kind == OpKind::Clip || kind == OpKind::Add ||
           kind == OpKind::Sub || kind == OpKind::Mul || kind == OpKind::Div || kind == OpKind::Min ||
           kind == OpKind::Max || kind == OpKind::Requantize;
}

class Region {
public:
    Region(const ir::Graph& graph, const ir::Uses& uses, TensorId entry, bool ownsEntry)
        : m_graph(graph)
        , m_uses(uses)
        , m_entry(entry)
        , m_ownsEntry(ownsEntry)
        , m_tensors{entry.index} {}

    /// Adds nodes in their order as long as some fit, and remembers the last state in which the region was closed.
    ByteRegion grow() {
        ByteRegion best{m_entry, m_entry, {}};
        while (m_nodes.size() < mostNodes) {
            const auto next = nextNode();
            if (!next)
                break;
            m_nodes.push_back(*next);
            m_tensors.insert(m_graph[*next].outputs[0].index);
            if (isClosed())
                best = {m_entry, m_graph[*next].outputs[0], m_nodes};
        }
        return best;
    }

private:
    bool isIn(NodeId node) const { return std::find(m_nodes.begin(), m_nodes.end(), node) != m_nodes.end(); }

    bool fits(NodeId id) const {
        const ir::Node& node = m_graph[id];
        if (!isRegionKind(node.kind) || node.outputs.size() != 1)
            return false;
        const ir::Tensor& y = m_graph[node.outputs[0]];
        const bool operandsFit = std::all_of(node.inputs.begin(), node.inputs.end(), [&](TensorId input) {
            if (!input.isValid())
                return false;
            const ir::Tensor& x = m_graph[input];
            return m_tensors.count(input.index) != 0 || (x.isConstant() && x.elements() == 1);
        });
        return operandsFit && isByteTensor(y) && y.shape == m_graph[m_entry].shape;
    }

    std::optional<NodeId> nextNode() const {
        std::optional<NodeId> first;
        for (int tensor : m_tensors)
            for (NodeId consumer : m_uses.consumers[std::size_t(tensor)])
                if (!isIn(consumer) && fits(consumer) && (!first || consumer.index < first->index))
                    first = consumer;
        return first;
    }

    bool isClosed() const {
        const TensorId exit = m_graph[m_nodes.back()].outputs[0];
        return std::all_of(m_tensors.begin(), m_tensors.end(), [&](int tensor) {
            if (tensor == exit.index || (tensor == m_entry.index && !m_ownsEntry))
                return true;
            const auto& readers = m_uses.consumers[std::size_t(tensor)];
            return !isOutput(m_graph, TensorId(tensor)) &&
                   std::all_of(readers.begin(), readers.end(), [&](NodeId reader) { return isIn(reader); });
        });
    }

    const ir::Graph& m_graph;
    const ir::Uses& m_uses;
    TensorId m_entry;
    bool m_ownsEntry;
    std::set<int> m_tensors;
    std::vector<NodeId> m_nodes;
};

/// Constants of one element broadcast against a row of 256.
reference::Value singleNumber(const ir::Tensor& constant) {
    reference::Value value = reference::constantValue(constant);
    value.shape = {1};
    return value;
}

using Values = std::map<int, reference::Value>;

bool evaluateInto(const ir::Graph& graph, NodeId id, Values& values) {
    const ir::Node& node = graph[id];
    std::vector<const reference::Value*> inputs;
    for (TensorId input : node.inputs) {
        if (values.count(input.index) == 0)
            values[input.index] = singleNumber(graph[input]);
        inputs.push_back(&values[input.index]);
    }
    const ir::Tensor& y = graph[node.outputs[0]];
    auto results = reference::evaluate(node.kind, node.attributes, inputs, {{y.type, {256}, y.quantisation}});
    if (!results)
        return false;
    values[node.outputs[0].index] = std::move(results->front());
    return true;
}

/// How much a table makes of an input that is off by one.
int largestStep(const ByteTable& table) {
    int largest = 0;
    for (std::size_t i = 1; i < table.size(); ++i)
        largest = std::max(largest, std::abs(table[i] - table[i - 1]));
    return largest;
}

} // namespace

bool isByteFunction(OpKind kind) {
    return hardwareLowering(kind) == lowerActivation && kind != OpKind::Relu && kind != OpKind::Clip;
}

ByteRegion findRegion(const ir::Graph& graph, const ir::Uses& uses, TensorId entry, bool ownsEntry) {
    return Region(graph, uses, entry, ownsEntry).grow();
}

std::optional<program::ActivConfig> fitRegion(const ir::Graph& graph, const ByteRegion& region, const Clamp& clamp,
                                              int steepest) {
    const ir::Tensor& entry = graph[region.entry];
    reference::Value all{entry.type, {256}, entry.quantisation, {}};
    for (int value = -128; value < 128; ++value)
        all.bytes.push_back(std::uint8_t(std::clamp(value, clamp.low, clamp.high)));
    Values values{{region.entry.index, std::move(all)}};
    for (NodeId node : region.nodes)
        if (!evaluateInto(graph, node, values))
            return std::nullopt;
    ByteTable table{};
    const reference::Value& results = values[region.exit.index];
    const int offset = results.type == ir::ElementType::UInt8 ? 128 : 0;
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = std::int8_t(int(results.bytes[i]) - offset);
    if (steepest > 0 && largestStep(table) > steepest)
        return std::nullopt;
    const auto fit = fitFunction(table);
    return fit ? std::optional(fit->config) : std::nullopt;
}

} // namespace poolwright::lower
