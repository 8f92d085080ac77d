// SPDX-License-Identifier: Apache-2.0
#include "ir/kinds.h"

namespace poolwright::ir {
namespace {

class Verifier {
public:
    explicit Verifier(const Graph& graph)
        : m_graph(graph)
        , m_known(graph.tensors.size(), false) {}

    Diagnostics run() {
        for (const Tensor& tensor : m_graph.tensors)
            checkTensor(tensor);
        markKnown();
        for (const Node& node : m_graph.nodes)
            checkNode(node);
        for (TensorId output : m_graph.outputs)
            checkRead(output, "graph output");
        return m_found;
    }

private:
    void report(const std::string& object, const std::string& what) {
        m_found.push_back(
            makeError("PW9001", "broken graph: " + what, {.path = {}, .line = 0, .column = 0, .object = object}));
    }

    bool inRange(TensorId id) const { return id.isValid() && std::size_t(id.index) < m_graph.tensors.size(); }

    void checkTensor(const Tensor& tensor) {
        for (std::int64_t extent : tensor.shape)
            if (extent < 0)
                report(tensor.name, "negative dimension");
        if (tensor.data && std::int64_t(tensor.data->size()) != tensor.bytes())
            report(tensor.name, "constant holds " + std::to_string(tensor.data->size()) + " bytes, its shape needs " +
                                    std::to_string(tensor.bytes()));
        if (tensor.quantisation)
            checkQuantisation(tensor, *tensor.quantisation);
    }

    void checkQuantisation(const Tensor& tensor, const Quantisation& q) {
        if (tensor.type == ElementType::Float32)
            report(tensor.name, "a float tensor has quantisation parameters");
        if (q.scales.empty() || q.scales.size() != q.zeroPoints.size())
            report(tensor.name, "scales and zero points differ in number");
        for (double scale : q.scales)
            if (!(scale > 0))
                report(tensor.name, "scale is not positive");
        if (q.isPerTensor())
            return;
        const bool axisExists = q.axis >= 0 && std::size_t(q.axis) < tensor.shape.size();
        if (!axisExists || std::int64_t(q.scales.size()) != tensor.shape[std::size_t(q.axis)])
            report(tensor.name, "number of scales does not match the quantised dimension");
    }

    void markKnown() {
        for (std::size_t t = 0; t < m_graph.tensors.size(); ++t)
            m_known[t] = m_graph.tensors[t].isConstant();
        for (TensorId input : m_graph.inputs) {
            if (!inRange(input))
                report(m_graph.name, "graph input handle out of range");
            else
                m_known[std::size_t(input.index)] = true;
        }
    }

    void checkNode(const Node& node) {
        const KindTraits& arity = traitsOf(node.kind);
        if (node.inputs.size() < arity.leastInputs || node.inputs.size() > arity.mostInputs)
            report(node.name,
                   std::string(opKindName(node.kind)) + " has " + std::to_string(node.inputs.size()) + " inputs");
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            if (node.inputs[i].isValid() || i < arity.leastInputs)
                checkRead(node.inputs[i], node.name);
        if (node.outputs.empty() || (node.outputs.size() > 1 && node.kind != OpKind::Split))
            report(node.name, "only Split has more than one output, and none has no output");
        for (TensorId output : node.outputs)
            checkWrite(output, node.name);
    }

    void checkRead(TensorId id, const std::string& reader) {
        if (!inRange(id))
            report(reader, "reads a tensor that does not exist");
        else if (!m_known[std::size_t(id.index)])
            report(reader, "reads " + m_graph[id].name + " before it is made");
    }

    void checkWrite(TensorId id, const std::string& writer) {
        if (!inRange(id))
            report(writer, "writes a tensor that does not exist");
        else if (m_known[std::size_t(id.index)])
            report(writer, "writes " + m_graph[id].name + ", which has a value already");
        else
            m_known[std::size_t(id.index)] = true;
    }

    const Graph& m_graph;
    std::vector<bool> m_known;
    Diagnostics m_found;
};

} // namespace

Diagnostics verify(const Graph& graph) {
    return Verifier(graph).run();
}

} // namespace poolwright::ir
