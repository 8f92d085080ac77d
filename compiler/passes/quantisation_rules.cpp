// SPDX-License-Identifier: Apache-2.0
#include "passes/quantisation_rules.h"

#include "ir/constant.h"
#include "ir/kinds.h"

#include <algorithm>
#include <cmath>

namespace poolwright::passes {
namespace {

using ir::OpKind;
using Parameters = std::optional<IntegerForm>;

bool isInteger(const ir::Tensor& tensor) {
    return tensor.type == ir::ElementType::Int8 || tensor.type == ir::ElementType::UInt8 ||
           tensor.type == ir::ElementType::Int16 || tensor.type == ir::ElementType::UInt16;
}

class Assignment {
public:
    Assignment(const ir::Graph& graph, const ir::Uses& uses, Partials partials)
        : m_graph(graph)
        , m_uses(uses)
        , m_partials(partials)
        , m_parameters(graph.tensors.size()) {}

    std::vector<Parameters> run() {
        for (std::size_t t = 0; t < m_graph.tensors.size(); ++t)
            if (const ir::Tensor& tensor = m_graph.tensors[t];
                isInteger(tensor) && tensor.quantisation && !tensor.isConstant())
                m_parameters[t] = signedForm(tensor);
        // Consumers come later than producers, so one walk backwards sees every consumer's output first.
        for (auto node = m_graph.nodes.rbegin(); node != m_graph.nodes.rend(); ++node)
            for (TensorId output : node->outputs)
                if (node->kind != OpKind::Dequantize)
                    pushBack(output);
        for (TensorId input : m_graph.inputs)
            pushBack(input);
        for (const ir::Node& node : m_graph.nodes) {
            carryForward(node);
            if (m_partials == Partials::Int16 && node.integer("partial", 0) != 0 && !at(node.outputs[0]))
                at(node.outputs[0]) = partialForm(node);
        }
        return std::move(m_parameters);
    }

private:
    Parameters& at(TensorId id) { return m_parameters[std::size_t(id.index)]; }

    void pushBack(TensorId tensor) {
        if (at(tensor) || m_graph[tensor].type != ir::ElementType::Float32)
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
            at(tensor) = commonParameters(tensor, consumers);
    }

    /// A clamp's parameters may cut off values that another reader needs: all readers must agree.
    Parameters commonParameters(TensorId tensor, const std::vector<NodeId>& consumers) {
        const Parameters first = outputParameters(m_graph[consumers.front()]);
        for (NodeId consumer : consumers)
            if (!preservesValues(m_graph[consumer]) || !readsAsData(m_graph[consumer], tensor) ||
                outputParameters(m_graph[consumer]) != first)
                return std::nullopt;
        return first;
    }

    static bool readsAsData(const ir::Node& node, TensorId tensor) {
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            if (node.inputs[i] == tensor && !isDataInput(node, i))
                return false;
        return true;
    }

    /// What all outputs that are needed have in common.
    Parameters outputParameters(const ir::Node& node) {
        Parameters common;
        for (TensorId output : node.outputs) {
            if (node.outputs.size() > 1 && !isNeeded(output))
                continue;
            if (!at(output) || (common && common != at(output)))
                return std::nullopt;
            common = at(output);
        }
        return common;
    }

    bool isNeeded(TensorId tensor) const {
        return !m_uses.consumers[std::size_t(tensor.index)].empty() ||
               std::find(m_graph.outputs.begin(), m_graph.outputs.end(), tensor) != m_graph.outputs.end();
    }

    void carryForward(const ir::Node& node) {
        const Parameters carried = node.kind == OpKind::Dequantize ? at(node.inputs[0])
                                   : preservesValues(node)         ? inputParameters(node)
                                                                   : std::nullopt;
        for (TensorId output : node.outputs)
            if (!at(output))
                at(output) = carried;
    }

    /// Those of the first input with data, once all of them have some.
    Parameters inputParameters(const ir::Node& node) {
        Parameters first;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const TensorId input = node.inputs[i];
            if (!input.isValid() || !isDataInput(node, i) || m_graph[input].isConstant())
                continue;
            if (!at(input))
                return std::nullopt;
            if (!first)
                first = at(input);
        }
        return first ? first : constantParameters(m_graph[node.inputs[0]]);
    }

    struct Range {
        double lowest, highest;
    };

    /// Reals that a tensor can hold.
    std::optional<Range> rangeOf(TensorId id) {
        if (m_graph[id].isConstant()) {
            const std::vector<double> reals = ir::realsOf(m_graph[id]);
            const auto [lowest, highest] = std::minmax_element(reals.begin(), reals.end());
            return reals.empty() ? std::nullopt : std::optional(Range{*lowest, *highest});
        }
        if (!at(id) || !at(id)->quantisation.isPerTensor())
            return std::nullopt;
        const double extent = at(id)->type == ir::ElementType::Int16 ? 32768 : 128;
        const double scale = at(id)->quantisation.scales[0], zero = at(id)->quantisation.zeroPoints[0];
        return Range{(-extent - zero) * scale, (extent - 1 - zero) * scale};
    }

    Parameters partialForm(const ir::Node& node) {
        const auto a = rangeOf(node.inputs[0]), b = rangeOf(node.inputs[1]);
        if (!a || !b)
            return std::nullopt;
        const bool sum = node.kind == OpKind::Add;
        const double lowest = sum ? a->lowest + b->lowest : std::min(a->lowest, b->lowest);
        const double highest = sum ? a->highest + b->highest : std::max(a->highest, b->highest);
        const double scale = (highest - lowest) / 65535;
        const double zero = std::nearbyint(-32768 - lowest / scale);
        if (!(scale > 0) || !(std::abs(zero) <= 1e9))
            return std::nullopt;
        return IntegerForm{ir::ElementType::Int16, {.scales = {scale}, .zeroPoints = {std::int32_t(zero)}, .axis = -1}};
    }

    static Parameters constantParameters(const ir::Tensor& tensor) {
        const bool isWhole =
            tensor.isConstant() && isInteger(tensor) && tensor.quantisation && tensor.quantisation->isPerTensor();
        return isWhole ? Parameters(signedForm(tensor)) : std::nullopt;
    }

    const ir::Graph& m_graph;
    const ir::Uses& m_uses;
    Partials m_partials;
    std::vector<Parameters> m_parameters;
};

} // namespace

bool preservesValues(const ir::Node& node) {
    if (node.kind == OpKind::Resize)
        return node.text("mode") == "nearest" && node.text("coordinate_transformation_mode") != "tf_crop_and_resize";
    const ir::Effect effect = ir::traitsOf(node.kind).effect;
    return effect == ir::Effect::Moves || effect == ir::Effect::Clamps;
}

bool isDataInput(const ir::Node& node, std::size_t index) {
    const bool isIndex = node.kind == OpKind::Gather && index == 1;
    const bool isCondition = node.kind == OpKind::Where && index == 0;
    return !isIndex && !isCondition && node.kind != OpKind::Cast;
}

IntegerForm signedForm(const ir::Tensor& tensor) {
    IntegerForm form{tensor.type, *tensor.quantisation};
    const bool isByte = tensor.type == ir::ElementType::UInt8;
    if (!isByte && tensor.type != ir::ElementType::UInt16)
        return form;
    form.type = isByte ? ir::ElementType::Int8 : ir::ElementType::Int16;
    for (std::int32_t& zero : form.quantisation.zeroPoints)
        zero -= isByte ? 128 : 32768;
    return form;
}

std::vector<Parameters> assignForms(const ir::Graph& graph, const ir::Uses& uses, Partials partials) {
    return Assignment(graph, uses, partials).run();
}

} // namespace poolwright::passes
