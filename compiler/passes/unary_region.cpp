// SPDX-License-Identifier: Apache-2.0
#include "passes/unary_region.h"

#include "ir/constant.h"

#include <algorithm>
#include <map>
#include <set>

namespace poolwright::passes {
namespace {

using ir::OpKind;

constexpr std::size_t mostNodes = 40; ///< the longest way to write a GELU, with quantisers everywhere

bool isRounding(OpKind kind) {
    return kind == OpKind::Quantize || kind == OpKind::Dequantize;
}

bool isElementwise(OpKind kind) {
    static const std::set<OpKind> kinds{OpKind::Add,      OpKind::Sub,      OpKind::Mul,         OpKind::Div,
                                        OpKind::Pow,      OpKind::Min,      OpKind::Max,         OpKind::Relu,
                                        OpKind::Clip,     OpKind::Sigmoid,  OpKind::HardSigmoid, OpKind::Tanh,
                                        OpKind::Erf,      OpKind::Neg,      OpKind::Exp,         OpKind::Reciprocal,
                                        OpKind::Identity, OpKind::Quantize, OpKind::Dequantize};
    return kinds.count(kind) != 0;
}

bool isNumber(const ir::Tensor& tensor) {
    return tensor.isConstant() && tensor.elements() == 1;
}

/// Walks from the tail to its operands, latest node first, until what is left to make is one tensor.
class Search {
public:
    Search(const ir::Graph& graph, const ir::Uses& uses, NodeId tail)
        : m_graph(graph)
        , m_uses(uses)
        , m_tail(tail) {}

    std::vector<UnaryRegion> run() {
        std::vector<UnaryRegion> found;
        NodeId next = m_tail;
        while (next.isValid() && m_nodes.size() < mostNodes && take(next)) {
            if (m_open.size() == 1 && m_nodes.size() > 1 && isClosed())
                found.push_back(region());
            next = latestProducer();
        }
        return found;
    }

private:
    NodeId producer(TensorId tensor) const { return m_uses.producer[std::size_t(tensor.index)]; }

    bool take(NodeId id) {
        const ir::Node& node = m_graph[id];
        if (!isElementwise(node.kind) || node.outputs.size() != 1 ||
            m_graph[node.outputs[0]].shape != m_graph[m_graph[m_tail].outputs[0]].shape)
            return false;
        m_nodes.insert(id.index);
        m_open.erase(node.outputs[0].index);
        for (TensorId input : node.inputs)
            if (input.isValid() && !isNumber(m_graph[input]))
                m_open.insert(input.index);
        return true;
    }

    /// Graphs are in topological order, so the operand made last depends on none of the others' consumers.
    NodeId latestProducer() const {
        NodeId latest;
        for (int tensor : m_open)
            if (const NodeId made = producer(TensorId(tensor)); !made.isValid())
                continue;
            else if (!latest.isValid() || made.index > latest.index)
                latest = made;
        return latest;
    }

    bool isClosed() const {
        const TensorId entry(*m_open.begin());
        if (m_graph[entry].isConstant() || m_graph[entry].shape != m_graph[m_graph[m_tail].outputs[0]].shape)
            return false;
        return std::all_of(m_nodes.begin(), m_nodes.end(), [this](int node) {
            const NodeId id{node};
            return id == m_tail || isRounding(m_graph[id].kind) || isReadInsideOnly(m_graph[id].outputs[0]);
        });
    }

    bool isReadInsideOnly(TensorId tensor) const {
        const auto& readers = m_uses.consumers[std::size_t(tensor.index)];
        const bool leaves = std::find(m_graph.outputs.begin(), m_graph.outputs.end(), tensor) != m_graph.outputs.end();
        return !leaves && std::all_of(readers.begin(), readers.end(),
                                      [this](NodeId reader) { return m_nodes.count(reader.index) != 0; });
    }

    UnaryRegion region() const {
        UnaryRegion result;
        result.entry = TensorId(*m_open.begin());
        result.exit = m_graph[m_tail].outputs[0];
        for (int node : m_nodes) {
            result.nodes.push_back(NodeId(node));
            result.quantisesInside =
                result.quantisesInside || m_graph.nodes[std::size_t(node)].kind == OpKind::Quantize;
        }
        return result;
    }

    const ir::Graph& m_graph;
    const ir::Uses& m_uses;
    NodeId m_tail;
    std::set<int> m_nodes, m_open; ///< nodes of the region; tensors that it reads and does not make
};

ir::Node withoutRounding(ir::Node node) {
    if (isRounding(node.kind))
        node.kind = OpKind::Identity;
    return node;
}

/// A tensor of a region for `shape` elements at once; numbers stand for their reals.
ir::Tensor copied(const ir::Tensor& tensor, const ir::Shape& shape, Rounding rounding) {
    if (tensor.isConstant())
        return ir::makeFloatConstant(tensor.name, {}, ir::realsOf(tensor));
    ir::Tensor copy = tensor;
    copy.shape = shape;
    if (rounding == Rounding::None) {
        copy.type = ir::ElementType::Float32;
        copy.quantisation.reset();
    }
    return copy;
}

reference::Value valueOf(const ir::Tensor& tensor, const std::vector<double>& reals) {
    if (!tensor.isQuantised())
        return reference::constantValue(ir::makeFloatConstant({}, tensor.shape, reals));
    std::vector<std::int64_t> integers;
    for (double real : reals)
        integers.push_back(
            reference::quantise(real, tensor.quantisation->scales[0], tensor.quantisation->zeroPoints[0], tensor.type));
    return reference::constantValue(
        ir::makeIntegerConstant({}, tensor.type, tensor.shape, integers, tensor.quantisation));
}

} // namespace

bool UnaryRegion::has(const ir::Graph& graph, OpKind kind) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) { return graph[node].kind == kind; });
}

std::size_t UnaryRegion::operators(const ir::Graph& graph) const {
    return std::size_t(
        std::count_if(nodes.begin(), nodes.end(), [&](NodeId node) { return !isRounding(graph[node].kind); }));
}

std::vector<UnaryRegion> regionsAt(const ir::Graph& graph, const ir::Uses& uses, NodeId tail) {
    return isRounding(graph[tail].kind) ? std::vector<UnaryRegion>() : Search(graph, uses, tail).run();
}

Result<std::vector<double>> evaluateRegion(const ir::Graph& graph, const UnaryRegion& region,
                                           const std::vector<double>& inputs, Rounding rounding) {
    const ir::Shape shape{std::int64_t(inputs.size())};
    ir::Graph part;
    std::map<int, TensorId> copies;
    const auto copyOf = [&](TensorId id) {
        if (const auto known = copies.find(id.index); known != copies.end())
            return known->second;
        return copies[id.index] = part.addTensor(copied(graph[id], shape, rounding));
    };
    for (NodeId id : region.nodes) {
        ir::Node node = rounding == Rounding::AsWritten ? graph[id] : withoutRounding(graph[id]);
        for (TensorId& input : node.inputs)
            if (input.isValid())
                input = copyOf(input);
        node.outputs = {copyOf(node.outputs[0])};
        part.nodes.push_back(std::move(node));
    }
    part.inputs = {copyOf(region.entry)};
    part.outputs = {copyOf(region.exit)};
    const auto results = reference::run(part, {valueOf(part[part.inputs[0]], inputs)});
    if (!results)
        return tl::unexpected(results.error());
    const float* first = results->front().as<float>();
    return std::vector<double>(first, first + inputs.size());
}

} // namespace poolwright::passes
