// SPDX-License-Identifier: Apache-2.0
#include "ir/edit.h"
#include "passes/border_wishes.h"
#include "passes/quantisation_rules.h"
#include "passes/table.h"

#include <algorithm>
#include <numeric>

namespace poolwright::passes {
namespace {

using ir::ElementType;
using ir::OpKind;
using Permutation = std::vector<std::int64_t>;

/// N, C, spatial... -> N, spatial..., C.
Permutation toLast(std::size_t rank) {
    Permutation perm(rank);
    std::iota(perm.begin(), perm.end(), std::int64_t(0));
    std::rotate(perm.begin() + 1, perm.begin() + 2, perm.end());
    return perm;
}

Permutation toFirst(std::size_t rank) {
    Permutation perm(rank);
    std::iota(perm.begin(), perm.end(), std::int64_t(0));
    std::rotate(perm.begin() + 1, perm.end() - 1, perm.end());
    return perm;
}

bool isTranspose(const ir::Node& node, std::size_t rank, Permutation (*perm)(std::size_t)) {
    return node.kind == OpKind::Transpose && rank >= 3 && node.integers("perm") == perm(rank);
}

bool isByte(const ir::Tensor& tensor) {
    return (tensor.type == ElementType::Int8 || tensor.type == ElementType::UInt8) && tensor.isQuantised() &&
           tensor.quantisation->isPerTensor();
}

/// A change of signedness alone: the same reals in the same steps.
bool isZeroPointShift(const ir::Node& node, const ir::Tensor& from, const ir::Tensor& to) {
    return node.kind == OpKind::Requantize && isByte(from) && isByte(to) && signedForm(from) == signedForm(to);
}

/// Int8 or UInt8 of the same meaning.
ir::Quantisation byteQuantisation(const ir::Tensor& tensor, ElementType type) {
    ir::Quantisation quantisation = signedForm(tensor).quantisation;
    if (type == ElementType::UInt8)
        for (std::int32_t& zero : quantisation.zeroPoints)
            zero += 128;
    return quantisation;
}

/// A network input or output as the network itself uses it, behind what stands at the border for the application's
/// sake.
struct Port {
    TensorId outer, core;
    bool channelsLast = false; ///< a Transpose stands between the two
};

/// What any one side does: the border's nodes are taken off, then those that the application wants are put in.
class Side {
public:
    Side(ir::Graph& graph, bool isInput)
        : m_graph(graph)
        , m_isInput(isInput) {}

    Result<void> shape(TensorId& place, const PortWish& wish) {
        const Port port = m_isInput ? inputPort(place) : outputPort(place);
        const ElementType type = wish.type.value_or(m_graph[place].type);
        const bool hasChannels = m_graph[place].shape.size() >= 3;
        const bool last = hasChannels && wish.position ? *wish.position == ChannelPosition::Last : port.channelsLast;
        if (type == m_graph[place].type && last == port.channelsLast)
            return {};
        if (Diagnostics refused = refusal(port, wish); !refused.empty())
            return fail(std::move(refused));
        place = m_isInput ? rebuildInput(port, type, last) : rebuildOutput(port, type, last);
        return {};
    }

private:
    /// Whether this node belongs to the border: each sort at most once.
    struct Taken {
        bool scale = false, shift = false, order = false;
    };

    bool takes(const ir::Node& node, Taken& taken) const {
        const ir::Tensor &from = m_graph[node.inputs[0]], &to = m_graph[node.outputs[0]];
        const OpKind floatBorder = m_isInput ? OpKind::Quantize : OpKind::Dequantize;
        const bool scale = node.kind == floatBorder && isByte(m_isInput ? to : from);
        const bool shift = isZeroPointShift(node, from, to);
        const bool order = isTranspose(node, from.shape.size(), m_isInput ? toFirst : toLast);
        if ((scale && !taken.scale) || (shift && !taken.shift) || (order && !taken.order)) {
            taken = {taken.scale || scale, taken.shift || shift, taken.order || order};
            return true;
        }
        return false;
    }

    bool areAlike(const ir::Node& a, const ir::Node& b) const {
        const ir::Tensor &x = m_graph[a.outputs[0]], &y = m_graph[b.outputs[0]];
        return a.kind == b.kind && a.attributes == b.attributes && x.type == y.type && x.quantisation == y.quantisation;
    }

    Port inputPort(TensorId input) {
        Port port{input, input, false};
        Taken taken;
        for (;;) {
            const std::vector<NodeId> readers = ir::usesOf(m_graph).consumers[std::size_t(port.core.index)];
            if (readers.empty() || isOutput(port.core))
                break;
            const ir::Node first = m_graph[readers[0]];
            if (!std::all_of(readers.begin(), readers.end(),
                             [&](NodeId reader) { return areAlike(first, m_graph[reader]); }))
                break;
            // Copies of the border that are outputs themselves must stay.
            if (std::any_of(readers.begin(), readers.end(),
                            [&](NodeId reader) { return isOutput(m_graph[reader].outputs[0]); }) ||
                !takes(first, taken))
                break;
            for (std::size_t i = 1; i < readers.size(); ++i)
                ir::replaceUses(m_graph, m_graph[readers[i]].outputs[0], first.outputs[0]);
            port.core = first.outputs[0];
        }
        port.channelsLast = taken.order;
        return port;
    }

    Port outputPort(TensorId output) const {
        Port port{output, output, false};
        const ir::Uses uses = ir::usesOf(m_graph);
        Taken taken;
        for (;;) {
            const NodeId producer = uses.producer[std::size_t(port.core.index)];
            if (!producer.isValid() || !takes(m_graph[producer], taken))
                break;
            port.core = m_graph[producer].inputs[0];
        }
        port.channelsLast = taken.order;
        return port;
    }

    bool isOutput(TensorId id) const {
        return std::find(m_graph.outputs.begin(), m_graph.outputs.end(), id) != m_graph.outputs.end();
    }
    bool isInput(TensorId id) const {
        return std::find(m_graph.inputs.begin(), m_graph.inputs.end(), id) != m_graph.inputs.end();
    }

    /// Only a tensor with one scale has a meaning in every type.
    Diagnostics refusal(const Port& port, const PortWish& wish) const {
        const ir::Tensor& core = m_graph[port.core];
        const ir::Tensor& outer = m_graph[port.outer];
        if (!wish.type || *wish.type == outer.type || isByte(core))
            return {};
        const std::string what =
            core.isQuantised() && core.quantisation->isPerTensor()
                ? "is held as " + std::string(ir::elementTypeName(core.type)) + ", which no other type can stand for"
            : core.type == ElementType::Float32
                ? std::string(m_isInput ? "is read" : "is made") + " as float and has no scale"
                : "holds plain numbers (" + std::string(ir::elementTypeName(core.type)) + ")";
        return {makeError(
            "PW2113", std::string(wish.typeOption) + " " + wordOf(*wish.type) + ": tensor '" + outer.name + "' " + what,
            {{}, 0, 0, outer.name},
            "only an 8-bit tensor with one scale can change its type; leave this tensor's word empty "
            "where others shall change (\"int8,\")")};
    }

    static const char* wordOf(ElementType type) {
        return type == ElementType::Float32 ? "float32" : type == ElementType::UInt8 ? "uint8" : "int8";
    }

    TensorId addTensor(const std::string& name, ElementType type, ir::Shape shape,
                       std::optional<ir::Quantisation> quantisation) {
        ir::Tensor tensor;
        tensor.name = name;
        tensor.type = type;
        tensor.shape = std::move(shape);
        tensor.quantisation = std::move(quantisation);
        return m_graph.addTensor(std::move(tensor));
    }

    static ir::Node makeNode(const std::string& name, OpKind kind, TensorId from, TensorId to) {
        ir::Node node;
        node.name = name;
        node.kind = kind;
        node.inputs = {from};
        node.outputs = {to};
        return node;
    }

    ir::Node transposeNode(const std::string& name, TensorId from, TensorId to, Permutation perm) {
        ir::Node node = makeNode(name, OpKind::Transpose, from, to);
        node.attributes["perm"] = std::move(perm);
        return node;
    }

    static ir::Shape permuted(const ir::Shape& shape, const Permutation& perm) {
        ir::Shape result;
        for (std::int64_t d : perm)
            result.push_back(shape[std::size_t(d)]);
        return result;
    }

    /// The parameters of the border tensor; none for what has no scale.
    std::optional<ir::Quantisation> quantisationAs(TensorId core, ElementType type) const {
        const ir::Tensor& tensor = m_graph[core];
        if (type == ElementType::Float32)
            return std::nullopt;
        return isByte(tensor) ? byteQuantisation(tensor, type) : tensor.quantisation;
    }

    /// Every reader takes its input's type and parameters from the tensor itself.
    bool readersConvert(TensorId id) const {
        const std::vector<NodeId> readers = ir::usesOf(m_graph).consumers[std::size_t(id.index)];
        return !isOutput(id) && std::all_of(readers.begin(), readers.end(), [&](NodeId reader) {
            const OpKind kind = m_graph[reader].kind;
            return kind == OpKind::Requantize || kind == OpKind::Dequantize;
        });
    }

    /// The name that the application knows goes to the new tensor.
    std::string takeName(TensorId outer) {
        const std::string name = m_graph[outer].name;
        m_graph[outer].name = name + "_of_model";
        return name;
    }

    // The Transpose is outermost: lowering makes it an alias of the application's buffer, and what converts writes in
    // the network's own order.

    TensorId rebuildInput(const Port& port, ElementType type, bool last) {
        const std::string name = takeName(port.outer);
        const ir::Tensor core = m_graph[port.core];
        const std::size_t rank = core.shape.size();
        const auto quantisation = quantisationAs(port.core, type);
        const TensorId user =
            addTensor(name, type, last ? permuted(core.shape, toLast(rank)) : core.shape, quantisation);
        m_graph[user].originalName = m_graph[port.outer].originalName;
        std::vector<ir::Node> nodes;
        TensorId at = user;
        if (last) {
            at = addTensor(name + "_chfirst", type, core.shape, quantisation);
            nodes.push_back(transposeNode(name + "_to_chfirst", user, at, toFirst(rank)));
        }
        if (type != core.type && (type == ElementType::Float32 || !readersConvert(port.core))) {
            const TensorId next =
                addTensor(name + "_" + ir::elementTypeName(core.type), core.type, core.shape, core.quantisation);
            const OpKind kind = type == ElementType::Float32 ? OpKind::Quantize : OpKind::Requantize;
            nodes.push_back(makeNode(name + "_converted", kind, at, next));
            at = next;
        }
        ir::replaceUses(m_graph, port.core, at);
        m_graph.nodes.insert(m_graph.nodes.begin(), nodes.begin(), nodes.end());
        return user;
    }

    /// A tensor may leave the network as it is, under the output's name, unless it is an input or output of its own.
    bool canLeave(TensorId id) const { return !isInput(id) && !isOutput(id) && !m_graph[id].isConstant(); }

    TensorId rebuildOutput(const Port& port, ElementType type, bool last) {
        const ir::Tensor core = m_graph[port.core];
        if (type == core.type && !last && canLeave(port.core)) {
            m_graph[port.core].name = takeName(port.outer);
            return port.core;
        }
        const std::string name = takeName(port.outer);
        const auto quantisation = quantisationAs(port.core, type);
        TensorId at = port.core;
        if (type != core.type || !last) {
            const TensorId next = addTensor(last ? name + "_chfirst" : name, type, core.shape, quantisation);
            m_graph.nodes.push_back(makeNode(name + "_converted", conversion(core.type, type), at, next));
            at = next;
        }
        if (!last)
            return at;
        const Permutation perm = toLast(core.shape.size());
        const TensorId user = addTensor(name, type, permuted(core.shape, perm), quantisation);
        m_graph.nodes.push_back(transposeNode(name + "_to_chlast", at, user, perm));
        return user;
    }

    static OpKind conversion(ElementType from, ElementType to) {
        return from == to ? OpKind::Identity : to == ElementType::Float32 ? OpKind::Dequantize : OpKind::Requantize;
    }

    ir::Graph& m_graph;
    bool m_isInput;
};

} // namespace

Result<ir::Graph> shapeBorder(ir::Graph graph, Context& context) {
    const auto wishes = wishesOf(context.options.border, graph);
    if (!wishes)
        return fail(wishes.error());
    for (std::size_t i = 0; i < graph.inputs.size(); ++i)
        if (!wishes->inputs[i].isEmpty())
            if (auto done = Side(graph, true).shape(graph.inputs[i], wishes->inputs[i]); !done)
                return fail(done.error());
    for (std::size_t i = 0; i < graph.outputs.size(); ++i)
        if (!wishes->outputs[i].isEmpty())
            if (auto done = Side(graph, false).shape(graph.outputs[i], wishes->outputs[i]); !done)
                return fail(done.error());
    ir::makeNamesUnique(graph);
    return graph;
}

} // namespace poolwright::passes
