// SPDX-License-Identifier: Apache-2.0
#include "lower/fusion.h"

#include "lower/byte_region.h"
#include "lower/context.h"
#include "lower/pool_units.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poolwright::lower {

namespace {

using ir::OpKind;

bool endsInArith(const ir::Graph& graph, const ir::Node& node) {
    switch (node.kind) {
    case OpKind::Conv:
    case OpKind::ConvTranspose:
    case OpKind::Gemm:
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
        return true;
    case OpKind::Div:
        return graph[node.inputs[1]].isConstant(); // the reciprocal is in the coefficients
    default:
        return false;
    }
}

bool isOutput(const ir::Graph& graph, TensorId tensor) {
    return std::find(graph.outputs.begin(), graph.outputs.end(), tensor) != graph.outputs.end();
}

bool sameParameters(const ir::Tensor& a, const ir::Tensor& b) {
    return a.type == b.type && a.quantisation == b.quantisation && a.isQuantised() && a.quantisation->isPerTensor();
}

/// Nearest integer of a bound, kept inside int8.
int boundOf(double real, double scale, int zero) {
    if (!std::isfinite(real))
        return real > 0 ? 127 : -128;
    return int(std::clamp(std::nearbyint(real / scale) + zero, -128.0, 127.0));
}

/// The consumers of a tensor, seen through aliases.
void collectReaders(const ir::Graph& graph, const ir::Uses& uses, TensorId tensor, std::vector<NodeId>& readers,
                    bool& isSeen) {
    isSeen = isSeen || isOutput(graph, tensor);
    for (NodeId consumer : uses.consumers[std::size_t(tensor.index)]) {
        if (!isAlias(graph[consumer]))
            readers.push_back(consumer);
        else
            for (TensorId output : graph[consumer].outputs)
                collectReaders(graph, uses, output, readers, isSeen);
    }
}

bool writesBytes(OpKind kind) {
    return kind == OpKind::Conv || kind == OpKind::ConvTranspose || kind == OpKind::Gemm || kind == OpKind::Add ||
           kind == OpKind::Relu || kind == OpKind::Clip || kind == OpKind::Quantize;
}

} // namespace

bool isAlias(const ir::Node& node) {
    switch (node.kind) {
    case OpKind::Reshape:
    case OpKind::Transpose:
    case OpKind::Identity:
    case OpKind::Split:
    case OpKind::Expand:
        return true;
    case OpKind::Slice: {
        const auto steps = node.integers("steps");
        return std::all_of(steps.begin(), steps.end(), [](std::int64_t step) { return step > 0; });
    }
    default:
        return false;
    }
}

Clamp clampOf(const ir::Node& node, const ir::Tensor& tensor) {
    const double scale = tensor.quantisation->scales.front();
    const int zero = tensor.quantisation->zeroPoints.front() - (tensor.type == ir::ElementType::UInt8 ? 128 : 0);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (node.kind == OpKind::Relu)
        return {boundOf(0, scale, zero), 127};
    return {boundOf(node.real("min", -infinity), scale, zero), boundOf(node.real("max", infinity), scale, zero)};
}

std::vector<NodeId> Chain::absorbed() const {
    std::vector<NodeId> nodes = followers;
    for (const Stage& stage : stages) {
        nodes.push_back(stage.node);
        nodes.insert(nodes.end(), stage.followers.begin(), stage.followers.end());
    }
    return nodes;
}

Fusion::Fusion(const ir::Graph& graph, const ir::Uses& uses, const target::Limits& limits)
    : m_graph(graph)
    , m_uses(uses)
    , m_limits(limits) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const NodeId anchor(i);
        if (isAbsorbed(anchor))
            continue;
        if (endsInArith(graph, graph.nodes[i]))
            extend(anchor);
        else if (isByteFunction(graph.nodes[i].kind))
            extendFunction(anchor);
    }
}

/// The one node that reads a tensor which nobody else wants.
NodeId Fusion::onlyReader(TensorId tensor) const {
    const auto& consumers = m_uses.consumers[std::size_t(tensor.index)];
    if (consumers.size() != 1 || isOutput(m_graph, tensor))
        return {};
    return isAbsorbed(consumers[0]) ? NodeId() : consumers[0];
}

void Fusion::extendByClamps(Finish& chain) const {
    for (;;) {
        const NodeId reader = onlyReader(chain.output);
        if (!reader.isValid())
            return;
        const ir::Node& next = m_graph[reader];
        if (next.kind != OpKind::Relu && next.kind != OpKind::Clip)
            return;
        if (!sameParameters(m_graph[chain.output], m_graph[next.outputs[0]]))
            return;
        const Clamp clamp = clampOf(next, m_graph[chain.output]);
        chain.ending.clamp = {std::max(chain.ending.clamp.low, clamp.low),
                              std::min(chain.ending.clamp.high, clamp.high)};
        chain.output = next.outputs[0];
        chain.followers.push_back(reader);
    }
}

void Fusion::extendByFunction(Finish& chain) const {
    const ir::Tensor& entry = m_graph[chain.output];
    if (!isByteTensor(entry) || entry.type != ir::ElementType::Int8 || isOutput(m_graph, chain.output))
        return;
    const ByteRegion region = findRegion(m_graph, m_uses, chain.output, true);
    if (region.nodes.empty())
        return;
    constexpr int steepest =
        4; // an arithmetic result may be off by one: the end of the chain by four, as it would in two epochs
    auto fit = fitRegion(m_graph, region, chain.ending.clamp, steepest);
    if (!fit)
        return;
    chain.ending.clamp = {};
    chain.ending.function = std::move(fit);
    chain.output = region.exit;
    chain.followers.insert(chain.followers.end(), region.nodes.begin(), region.nodes.end());
}

/// A sum or difference of what a convolution makes with a tensor of the same shape.
std::optional<Stage> Fusion::sumBehind(TensorId tensor) const {
    const NodeId reader = onlyReader(tensor);
    if (!reader.isValid() || (m_graph[reader].kind != OpKind::Add && m_graph[reader].kind != OpKind::Sub))
        return std::nullopt;
    const ir::Node& sum = m_graph[reader];
    const int operand = sum.inputs[0] == tensor ? 1 : 0;
    const TensorId other = sum.inputs[std::size_t(operand)], result = sum.outputs[0];
    if (other == tensor || m_graph[other].isConstant() || !isByteTensor(m_graph[other]) ||
        !isByteTensor(m_graph[result]) || m_graph[result].shape != m_graph[tensor].shape)
        return std::nullopt;
    Stage stage{{result, {}, {}}, reader, operand};
    extendByClamps(stage);
    extendByFunction(stage);
    return stage;
}

std::optional<Stage> Fusion::poolBehind(TensorId tensor) const {
    const NodeId reader = onlyReader(tensor);
    if (!reader.isValid() || !isChainedPool(m_graph, m_graph[reader], m_limits))
        return std::nullopt;
    return Stage{{m_graph[reader].outputs[0], {}, {}}, reader, -1};
}

/// One sum, then pools, as far as results are signed bytes on the way.
void Fusion::extendByStages(NodeId anchor, Chain& chain) const {
    if (m_graph[anchor].kind != OpKind::Conv)
        return;
    for (;;) {
        const TensorId end = chain.written();
        const ir::Tensor& result = m_graph[end];
        if (!isByteTensor(result) || result.type != ir::ElementType::Int8 || result.shape.size() != 4)
            return;
        auto stage = chain.stages.empty() ? sumBehind(end) : std::nullopt;
        if (!stage)
            stage = poolBehind(end);
        if (!stage)
            return;
        chain.stages.push_back(std::move(*stage));
    }
}

void Fusion::extend(NodeId anchor) {
    Chain chain{{m_graph[anchor].outputs[0], {}, {}}, {}};
    extendByClamps(chain);
    extendByFunction(chain);
    extendByStages(anchor, chain);
    const std::vector<NodeId> absorbed = chain.absorbed();
    if (absorbed.empty())
        return;
    for (NodeId follower : absorbed)
        m_absorbed.insert(follower.index);
    m_chains[anchor.index] = chain;
}

/// A function of an operand that others may read too, and what follows from it.
void Fusion::extendFunction(NodeId anchor) {
    for (TensorId entry : m_graph[anchor].inputs) {
        if (m_graph[entry].isConstant() || !isByteTensor(m_graph[entry]))
            continue;
        const ByteRegion region = findRegion(m_graph, m_uses, entry, false);
        if (region.nodes.size() < 2 || region.nodes.front() != anchor)
            continue;
        if (std::any_of(region.nodes.begin(), region.nodes.end(), [&](NodeId node) { return isAbsorbed(node); }))
            continue;
        auto fit = fitRegion(m_graph, region, {});
        if (!fit)
            continue;
        Chain& chain = m_chains[anchor.index];
        chain.output = region.exit;
        chain.ending.function = std::move(fit);
        chain.followers.assign(region.nodes.begin() + 1, region.nodes.end());
        for (NodeId follower : chain.followers)
            m_absorbed.insert(follower.index);
        return;
    }
}

Chain Fusion::chainOf(NodeId anchor) const {
    const auto found = m_chains.find(anchor.index);
    return found != m_chains.end() ? found->second : Chain{{m_graph[anchor].outputs[0], {}, {}}, {}};
}

NodeId Fusion::placeOf(NodeId anchor) const {
    const auto found = m_chains.find(anchor.index);
    if (found != m_chains.end())
        for (const Stage& stage : found->second.stages)
            if (stage.isSum())
                return stage.node;
    return anchor;
}

NodeId Fusion::dueAt(NodeId node) const {
    if (!isAbsorbed(node))
        return placeOf(node) == node ? node : NodeId();
    for (const auto& [anchor, chain] : m_chains)
        if (!chain.stages.empty() && placeOf(NodeId(anchor)) == node)
            return NodeId(anchor);
    return {};
}

void Fusion::release(NodeId anchor) {
    shorten(anchor, 0);
    const auto found = m_chains.find(anchor.index);
    if (found == m_chains.end())
        return;
    for (NodeId follower : found->second.followers)
        m_absorbed.erase(follower.index);
    m_chains.erase(found);
}

void Fusion::shorten(NodeId anchor, std::size_t count) {
    const auto found = m_chains.find(anchor.index);
    if (found == m_chains.end())
        return;
    std::vector<Stage>& stages = found->second.stages;
    for (; stages.size() > count; stages.pop_back()) {
        const Stage& stage = stages.back();
        m_absorbed.erase(stage.node.index);
        if (!stage.followers.empty())
            m_chains[stage.node.index] = Chain{{stage.output, stage.ending, stage.followers}, {}};
    }
}

std::set<int> unsignedTensors(const ir::Graph& graph, const ir::Uses& uses, const std::set<int>& hardwareConvs) {
    std::set<int> result;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const ir::Tensor& tensor = graph.tensors[i];
        const NodeId producer = uses.producer[i];
        if (tensor.type != ir::ElementType::Int8 || !tensor.isQuantised() || !tensor.quantisation->isPerTensor() ||
            tensor.quantisation->zeroPoints.front() != -128 || !producer.isValid() ||
            !writesBytes(graph[producer].kind))
            continue;
        std::vector<NodeId> readers;
        bool isSeen = false;
        collectReaders(graph, uses, TensorId(i), readers, isSeen);
        const bool convsAlone = std::all_of(readers.begin(), readers.end(),
                                            [&](NodeId reader) { return hardwareConvs.count(reader.index) != 0; });
        if (!isSeen && !readers.empty() && convsAlone)
            result.insert(int(i));
    }
    return result;
}

} // namespace poolwright::lower
