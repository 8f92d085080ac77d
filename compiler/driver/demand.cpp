// SPDX-License-Identifier: Apache-2.0
#include "driver/demand.h"

#include "ir/kinds.h"
#include "place/fit.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace poolwright::driver {

namespace {

using ir::OpKind;

bool keepsBytes(OpKind kind) {
    return kind == OpKind::Reshape || kind == OpKind::Identity;
}

bool isElementWise(OpKind kind) {
    const bool unary = kind >= OpKind::Relu && kind <= OpKind::Atanh;
    return unary || kind == OpKind::BatchNormalization || kind == OpKind::Quantize || kind == OpKind::Dequantize ||
           kind == OpKind::Requantize || kind == OpKind::Cast;
}

class Collector {
public:
    Collector(const ir::Graph& graph, Width width, Concats concats)
        : m_graph(graph)
        , m_uses(ir::usesOf(graph))
        , m_width(width)
        , m_storage(graph.tensors.size())
        , m_live(graph.tensors.size(), EpochRange{-1, -1}) {
        std::iota(m_storage.begin(), m_storage.end(), 0);
        share();
        m_joined = concats == Concats::InPlace ? joinedConcats() : std::vector<bool>(graph.nodes.size(), false);
        measure();
    }

    std::vector<place::BufferSpec> buffers() const {
        std::vector<place::BufferSpec> specs;
        for (std::size_t t = 0; t < m_graph.tensors.size(); ++t)
            if (const ir::Tensor& tensor = m_graph.tensors[t]; tensor.isConstant() && isRead(t))
                specs.push_back(specOf(t, {0, lastStep()}, true));
        for (std::size_t t = 0; t < m_graph.tensors.size(); ++t)
            if (m_storage[t] == int(t) && m_live[t].first >= 0)
                specs.push_back(specOf(t, m_live[t], false));
        return specs;
    }

private:
    int lastStep() const { return std::max(0, int(m_graph.nodes.size()) - 1); }
    bool isRead(std::size_t tensor) const { return !m_uses.consumers[tensor].empty(); }
    bool isInput(TensorId id) const { return std::ranges::count(m_graph.inputs, id) > 0; }
    bool isOutput(TensorId id) const { return std::ranges::count(m_graph.outputs, id) > 0; }

    std::int64_t bytesOf(const ir::Tensor& tensor) const {
        if (m_width == Width::Own)
            return tensor.bytes();
        return tensor.elements() * (tensor.isConstant() && tensor.shape.size() < 2 ? 4 : 1);
    }

    place::BufferSpec specOf(std::size_t tensor, EpochRange live, bool constant) const {
        place::BufferSpec spec;
        const ir::Tensor& it = m_graph.tensors[tensor];
        spec.name = it.originalName.empty() ? it.name : it.originalName;
        spec.size = ByteCount(m_joinedAway.contains(int(tensor)) ? 0 : largestOf(tensor));
        spec.live = live;
        spec.isConstant = constant;
        return spec;
    }

    std::int64_t largestOf(std::size_t storage) const {
        std::int64_t bytes = bytesOf(m_graph.tensors[storage]);
        for (std::size_t t = storage + 1; t < m_storage.size(); ++t)
            if (m_storage[t] == int(storage))
                bytes = std::max(bytes, bytesOf(m_graph.tensors[t]));
        return bytes;
    }

    /// Outputs that lie in their input's bytes.
    void share() {
        for (const ir::Node& node : m_graph.nodes) {
            if (node.inputs.empty() || node.outputs.size() != 1 || m_graph[node.inputs[0]].isConstant())
                continue;
            const TensorId from = node.inputs[0], to = node.outputs[0];
            const bool staysWhole = isInput(from) && !(m_width == Width::Int8 && node.kind == OpKind::Quantize);
            const bool overwrites = isElementWise(node.kind) && !staysWhole && !isOutput(from) &&
                                    m_uses.consumers[std::size_t(from.index)].size() == 1 &&
                                    fitsInto(m_graph[to], m_graph[from]);
            if (keepsBytes(node.kind) || overwrites)
                m_storage[std::size_t(to.index)] = m_storage[std::size_t(from.index)];
        }
    }

    bool fitsInto(const ir::Tensor& result, const ir::Tensor& place) const { return bytesOf(result) <= bytesOf(place); }

    std::vector<bool> joinedConcats() {
        std::vector<bool> joined(m_graph.nodes.size(), false);
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n) {
            const ir::Node& node = m_graph.nodes[n];
            const auto isConstant = [&](TensorId id) { return m_graph[id].isConstant(); };
            if (node.kind != OpKind::Concat || std::ranges::any_of(node.inputs, isConstant))
                continue;
            joined[n] = true;
            m_joinedAway.insert(m_storage[std::size_t(node.outputs[0].index)]);
        }
        return joined;
    }

    void touch(TensorId id, int step) {
        EpochRange& live = m_live[std::size_t(m_storage[std::size_t(id.index)])];
        live =
            live.first < 0 ? EpochRange{step, step} : EpochRange{std::min(live.first, step), std::max(live.last, step)};
    }

    void measure() {
        for (TensorId input : m_graph.inputs)
            touch(input, 0);
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n)
            for (const auto* list : {&m_graph.nodes[n].inputs, &m_graph.nodes[n].outputs})
                for (TensorId id : *list)
                    if (id.isValid() && !m_graph[id].isConstant())
                        touch(id, int(n));
        for (TensorId output : m_graph.outputs)
            if (!m_graph[output].isConstant())
                touch(output, lastStep());
        // From the last concatenation backwards: what a joined result keeps alive, its parts are.
        for (std::size_t n = m_graph.nodes.size(); n-- > 0;)
            if (m_joined[n])
                for (TensorId part : m_graph.nodes[n].inputs)
                    touch(part, m_live[std::size_t(m_storage[std::size_t(m_graph.nodes[n].outputs[0].index)])].last);
    }

    const ir::Graph& m_graph;
    const ir::Uses m_uses;
    const Width m_width;
    std::vector<int> m_storage; ///< by tensor: the first tensor in the same bytes
    std::vector<EpochRange> m_live;
    std::vector<bool> m_joined; ///< by node
    std::set<int> m_joinedAway; ///< storages without bytes of their own
};

} // namespace

std::vector<place::BufferSpec> demandOf(const ir::Graph& graph, Width width, Concats concats) {
    return Collector(graph, width, concats).buffers();
}

report::Demand demandFigures(const ir::Graph& graph, Width width, const std::vector<place::BufferSpec>& built) {
    report::Demand demand = demandFigures(built);
    demand.width = width == Width::Int8 ? "int8" : "as in the model";
    demand.peakConcatsInPlace = ByteCount(place::liveSet(demandOf(graph, width, Concats::InPlace)).peak);
    for (const ir::Node& node : graph.nodes)
        demand.steps.push_back(node.name);
    if (demand.peakStep >= 0 && demand.peakStep < int(graph.nodes.size())) {
        demand.peakName = graph.nodes[std::size_t(demand.peakStep)].name;
        demand.peakKind = ir::opKindName(graph.nodes[std::size_t(demand.peakStep)].kind);
    }
    return demand;
}

report::Demand demandFigures(const std::vector<place::BufferSpec>& buffers) {
    report::Demand demand;
    const place::LiveSet live = place::liveSet(buffers);
    demand.peak = ByteCount(live.peak);
    demand.peakStep = live.peakEpoch;
    demand.peakConcatsInPlace = ByteCount(-1);
    demand.bytes = live.bytes;
    for (int index : live.aliveAtPeak) {
        const place::BufferSpec& buffer = buffers[std::size_t(index)];
        demand.aliveAtPeak.push_back({buffer.name, buffer.size, buffer.live});
    }
    for (const place::BufferSpec& buffer : buffers) {
        (buffer.isConstant ? demand.constants : demand.sum) += buffer.size;
        if (!buffer.isConstant && buffer.size > demand.largest.size)
            demand.largest = {buffer.name, buffer.size, buffer.live};
    }
    return demand;
}

static std::int64_t macsOf(const ir::Graph& graph, const ir::Node& node) {
    const auto shape = [&](std::size_t input) -> const ir::Shape& { return graph[node.inputs[input]].shape; };
    const std::int64_t results = graph[node.outputs[0]].elements();
    switch (node.kind) {
    case OpKind::Conv:
        return results * (ir::elementCount(shape(1)) / shape(1)[0]);
    case OpKind::ConvTranspose:
        return graph[node.inputs[0]].elements() * (ir::elementCount(shape(1)) / shape(1)[0]);
    case OpKind::Gemm:
        return results * shape(1).back();
    case OpKind::MatMul:
        return results * shape(0).back();
    default:
        return 0;
    }
}

std::int64_t macsOf(const ir::Graph& graph) {
    std::int64_t macs = 0;
    for (const ir::Node& node : graph.nodes)
        macs += macsOf(graph, node);
    return macs;
}

std::int64_t weightElementsOf(const ir::Graph& graph) {
    std::set<int> counted;
    std::int64_t elements = 0;
    for (const ir::Node& node : graph.nodes)
        if (macsOf(graph, node) > 0 && graph[node.inputs[1]].isConstant() &&
            counted.insert(node.inputs[1].index).second)
            elements += graph[node.inputs[1]].elements();
    return elements;
}

} // namespace poolwright::driver
