// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"
#include "passes/quantisation_rules.h"
#include "passes/quantised_constants.h"
#include "passes/table.h"

#include <algorithm>
#include <charconv>

namespace poolwright::passes {
namespace {

using ir::ElementType;
using ir::OpKind;
using ir::Quantisation;

/// Rebuilds a graph node by node. Each activation of the source has up to two forms in the result, int8 and float; the
/// missing one is made (a Quantize or Dequantize at the border) when somebody reads it.
class Folder {
public:
    Folder(const ir::Graph& source, Context& context)
        : m_source(source)
        , m_context(context)
        , m_uses(ir::usesOf(source))
        , m_parameters(assignParameters(source, m_uses))
        , m_forms(source.tensors.size()) {}

    Result<ir::Graph> run() {
        m_result.name = m_source.name;
        for (TensorId input : m_source.inputs)
            addInput(input);
        for (const ir::Node& node : m_source.nodes)
            addNode(node);
        for (TensorId output : m_source.outputs)
            m_result.outputs.push_back(outputForm(output));
        reportFloats();
        if (!m_errors.empty())
            return fail(std::move(m_errors));
        return std::move(m_result);
    }

private:
    struct Forms {
        TensorId integer, real;
    };

    Forms& forms(TensorId id) { return m_forms[std::size_t(id.index)]; }
    const std::optional<Quantisation>& parameters(TensorId id) const { return m_parameters[std::size_t(id.index)]; }

    // ---- small builders ----

    TensorId addTensor(std::string name, ElementType type, const ir::Shape& shape,
                       std::optional<Quantisation> quantisation) {
        ir::Tensor tensor;
        tensor.name = std::move(name);
        tensor.type = type;
        tensor.shape = shape;
        tensor.quantisation = std::move(quantisation);
        return m_result.addTensor(std::move(tensor));
    }

    void addStep(OpKind kind, const std::string& name, TensorId from, TensorId to) {
        ir::Node node;
        node.name = name;
        node.kind = kind;
        node.inputs = {from};
        node.outputs = {to};
        m_result.nodes.push_back(std::move(node));
    }

    TensorId requantised(TensorId integer, const Quantisation& wanted, ElementType type, const std::string& name) {
        const ir::Tensor tensor = m_result[integer];
        if (tensor.quantisation == wanted && tensor.type == type)
            return integer;
        for (const ir::Node& node : m_result.nodes) // several readers with the same wish share one
            if (node.kind == OpKind::Requantize && node.inputs[0] == integer &&
                m_result[node.outputs[0]].quantisation == wanted && m_result[node.outputs[0]].type == type)
                return node.outputs[0];
        const TensorId result = addTensor(name, type, tensor.shape, wanted);
        addStep(OpKind::Requantize, "Requantize_" + name, integer, result);
        return result;
    }

    // ---- forms of an activation ----

    TensorId integerForm(TensorId id) {
        Forms& found = forms(id);
        if (!found.integer.isValid()) {
            const ir::Tensor& tensor = m_source[id];
            found.integer = addTensor(tensor.name + "_quantised", ElementType::Int8, tensor.shape, parameters(id));
            addStep(OpKind::Quantize, "Quantize_" + tensor.name, found.real, found.integer);
        }
        return found.integer;
    }

    TensorId realForm(TensorId id) {
        Forms& found = forms(id);
        if (found.real.isValid())
            return found.real;
        const ir::Tensor& tensor = m_source[id];
        if (tensor.isConstant())
            return found.real = m_result.addTensor(
                       tensor.isQuantised() ? ir::makeFloatConstant(tensor.name, tensor.shape, ir::realsOf(tensor))
                                            : tensor);
        found.real = addTensor(tensor.type == ElementType::Float32 ? tensor.name : tensor.name + "_real",
                               ElementType::Float32, tensor.shape, {});
        addStep(OpKind::Dequantize, "Dequantize_" + tensor.name, found.integer, found.real);
        return found.real;
    }

    void addInput(TensorId id) {
        const ir::Tensor& tensor = m_source[id];
        const TensorId input = m_result.addTensor(tensor);
        m_result.inputs.push_back(input);
        if (tensor.type == ElementType::Float32)
            forms(id).real = input;
        else if (parameters(id))
            forms(id).integer = requantised(input, *parameters(id), ElementType::Int8, tensor.name + "_signed");
        else
            fault("PW2103", tensor.name, "an integer graph input has no scale and zero point",
                  "put a DequantizeLinear behind it, or give the _Q.json with --json-quant-file");
    }

    TensorId outputForm(TensorId id) {
        const ir::Tensor& tensor = m_source[id];
        if (tensor.type == ElementType::Float32)
            return named(realForm(id), tensor.name);
        if (!forms(id).integer.isValid())
            return TensorId(); // reported where it was lost
        if (tensor.type == ElementType::Int8)
            return named(forms(id).integer, tensor.name);
        return requantised(forms(id).integer, *tensor.quantisation, tensor.type, tensor.name);
    }

    /// The application knows outputs by their names in the model.
    TensorId named(TensorId id, const std::string& name) {
        const auto taken = [id](const std::vector<TensorId>& ids) {
            return std::find(ids.begin(), ids.end(), id) != ids.end();
        };
        if (!taken(m_result.inputs) && !taken(m_result.outputs))
            m_result[id].name = name;
        return id;
    }

    // ---- nodes ----

    void addNode(const ir::Node& node) {
        if (node.kind == OpKind::Quantize)
            addQuantize(node);
        else if (node.kind == OpKind::Dequantize)
            forms(node.outputs[0]).integer = forms(node.inputs[0]).integer;
        else if (runsOnIntegers(node))
            addIntegerNode(node);
        else
            addFloatNode(node);
    }

    void addQuantize(const ir::Node& node) {
        const TensorId from = node.inputs[0], to = node.outputs[0];
        if (!available(from))
            return; // reported where it was lost
        Forms& source = forms(from);
        const ir::Tensor& target = m_source[to];
        if (!source.integer.isValid() && parameters(from) == parameters(to)) {
            source.integer = addTensor(target.name, ElementType::Int8, target.shape, parameters(to));
            addStep(OpKind::Quantize, node.name, source.real, source.integer);
        }
        if (parameters(from) == parameters(to)) {
            forms(to).integer = source.integer;
        } else if (source.real.isValid()) { // a second QuantizeLinear of one float tensor
            forms(to).integer = addTensor(target.name, ElementType::Int8, target.shape, parameters(to));
            addStep(OpKind::Quantize, node.name, source.real, forms(to).integer);
        } else {
            forms(to).integer = requantised(source.integer, *parameters(to), ElementType::Int8, target.name);
        }
    }

    bool runsOnIntegers(const ir::Node& node) const {
        if (!parameters(node.outputs[0]) || node.kind == OpKind::BatchNormalization)
            return false;
        const bool dense = node.kind == OpKind::Conv || node.kind == OpKind::Gemm;
        if (dense && !areQuantisedWeights(m_source[node.inputs[1]]))
            return false;
        return std::all_of(node.inputs.begin(), node.inputs.end(), [&](TensorId input) {
            return !input.isValid() || m_source[input].isConstant() || (parameters(input) && available(input));
        });
    }

    bool available(TensorId id) const {
        const Forms& found = m_forms[std::size_t(id.index)];
        return found.integer.isValid() || found.real.isValid();
    }

    void addIntegerNode(const ir::Node& node) {
        const TensorId output = node.outputs[0];
        const Quantisation wanted = *parameters(output);
        ir::Node copy = node;
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            if (node.inputs[i].isValid())
                copy.inputs[i] = operandOf(node, i, wanted);
        // A maximum commutes with requantisation, and there is less of it behind the pool than in front.
        const bool late = node.kind == OpKind::MaxPool;
        const Quantisation made = late ? *m_result[copy.inputs[0]].quantisation : wanted;
        const ir::Tensor& tensor = m_source[output];
        const std::string suffix = made == wanted ? "" : "_unscaled";
        const TensorId result = addTensor(tensor.name + suffix, ElementType::Int8, tensor.shape, made);
        copy.outputs = {result};
        m_result.nodes.push_back(std::move(copy));
        forms(output).integer = requantised(result, wanted, ElementType::Int8, tensor.name);
    }

    TensorId operandOf(const ir::Node& node, std::size_t index, const Quantisation& wanted) {
        const TensorId id = node.inputs[index];
        const ir::Tensor& tensor = m_source[id];
        const bool dense = node.kind == OpKind::Conv || node.kind == OpKind::Gemm;
        if (dense && index == 1)
            return m_result.addTensor(tensor);
        if (dense && index == 2)
            return m_result.addTensor(
                quantisedBias(tensor, *parameters(node.inputs[0]), *m_source[node.inputs[1]].quantisation));
        const TensorId integer = tensor.isConstant() ? constantOperand(node, tensor) : integerForm(id);
        if (preservesValues(node) && node.kind != OpKind::MaxPool)
            return requantised(integer, wanted, ElementType::Int8, m_result[integer].name + "_requantised");
        return integer;
    }

    TensorId constantOperand(const ir::Node& node, const ir::Tensor& tensor) {
        double error = 0;
        const TensorId id = m_result.addTensor(quantisedOperand(tensor, error));
        if (error > 0) {
            char text[32];
            const auto end = std::to_chars(text, text + sizeof text, error, std::chars_format::general, 3);
            Diagnostic hint = makeWarning("PW2102",
                                          "the float constant '" + tensor.name +
                                              "' is quantised to int8, largest error " + std::string(text, end.ptr),
                                          placeOf(node.name));
            hint.severity = Severity::Hint;
            m_context.diagnostics.push_back(std::move(hint));
        }
        return id;
    }

    void addFloatNode(const ir::Node& node) {
        const TensorId output = node.outputs[0];
        const ir::Tensor& tensor = m_source[output];
        if (tensor.type != ElementType::Float32) {
            fault("PW2103", tensor.name, "an integer tensor has no scale and zero point",
                  "put a DequantizeLinear behind it");
            return;
        }
        ir::Node copy = node;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (!node.inputs[i].isValid())
                continue;
            if (!m_source[node.inputs[i]].isConstant() && !available(node.inputs[i]))
                return;
            copy.inputs[i] = realForm(node.inputs[i]);
        }
        forms(output).real = addTensor(tensor.name, ElementType::Float32, tensor.shape, {});
        copy.outputs = {forms(output).real};
        m_result.nodes.push_back(std::move(copy));
        m_floats.push_back(&node);
    }

    // ---- messages ----

    static SourceLocation placeOf(const std::string& object) {
        return {.path = {}, .line = 0, .column = 0, .object = object};
    }

    void fault(const char* code, const std::string& object, const std::string& message, const std::string& hint) {
        m_errors.push_back(makeError(code, message, placeOf(object), hint));
    }

    void reportFloats() {
        if (m_floats.empty() || m_context.options.nativeFloat)
            return;
        constexpr std::size_t shown = 8;
        std::string list;
        for (std::size_t i = 0; i < std::min(shown, m_floats.size()); ++i)
            list += (i ? ", '" : "'") + m_source[m_floats[i]->outputs[0]].name + "' (" + opKindName(m_floats[i]->kind) +
                    ")";
        if (m_floats.size() > shown)
            list += ", ...";
        fault("PW2101", m_floats[0]->name,
              std::to_string(m_floats.size()) + " activations have no quantisation: " + list,
              "quantise them, give the _Q.json with --json-quant-file, or keep them float in software with "
              "--native-float");
    }

    const ir::Graph& m_source;
    Context& m_context;
    ir::Uses m_uses;
    std::vector<std::optional<Quantisation>> m_parameters;
    std::vector<Forms> m_forms;
    ir::Graph m_result;
    std::vector<const ir::Node*> m_floats;
    Diagnostics m_errors;
};

} // namespace

Result<ir::Graph> foldQdq(ir::Graph graph, Context& context) {
    return Folder(graph, context).run();
}

} // namespace poolwright::passes
