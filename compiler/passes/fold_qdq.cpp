// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"
#include "ir/kinds.h"
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
        , m_parameters(assignForms(source, m_uses, context.options.nativeFloat ? Partials::Float : Partials::Int16))
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
        checkOutputs();
        if (!m_errors.empty())
            return fail(std::move(m_errors));
        return std::move(m_result);
    }

private:
    struct Forms {
        TensorId integer, real;
    };

    Forms& forms(TensorId id) { return m_forms[std::size_t(id.index)]; }
    const std::optional<IntegerForm>& parameters(TensorId id) const { return m_parameters[std::size_t(id.index)]; }

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

    TensorId addTensor(std::string name, const IntegerForm& form, const ir::Shape& shape) {
        return addTensor(std::move(name), form.type, shape, form.quantisation);
    }

    void addStep(OpKind kind, const std::string& name, TensorId from, TensorId to) {
        ir::Node node;
        node.name = name;
        node.kind = kind;
        node.inputs = {from};
        node.outputs = {to};
        m_result.nodes.push_back(std::move(node));
    }

    TensorId requantised(TensorId integer, const IntegerForm& wanted, const std::string& name) {
        const ir::Tensor tensor = m_result[integer];
        const auto isWanted = [&wanted](const ir::Tensor& made) {
            return made.type == wanted.type && made.quantisation == wanted.quantisation;
        };
        if (isWanted(tensor))
            return integer;
        for (const ir::Node& node : m_result.nodes) // several readers with the same wish share one
            if (node.kind == OpKind::Requantize && node.inputs[0] == integer && isWanted(m_result[node.outputs[0]]))
                return node.outputs[0];
        const TensorId result = addTensor(name, wanted, tensor.shape);
        addStep(OpKind::Requantize, "Requantize_" + name, integer, result);
        return result;
    }

    // ---- forms of an activation ----

    TensorId integerForm(TensorId id) {
        Forms& found = forms(id);
        if (!found.integer.isValid()) {
            const ir::Tensor& tensor = m_source[id];
            found.integer = addTensor(tensor.name + "_quantised", *parameters(id), tensor.shape);
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
        if (parameters(id) && tensor.type != ElementType::Float32)
            forms(id).integer = requantised(input, *parameters(id), tensor.name + "_signed");
        else if (tensor.type == ElementType::Float32 || tensor.type == ElementType::Bool ||
                 ir::elementBytes(tensor.type) > 1 || isReadAsNumbers(id))
            forms(id).real = input;
        else
            fault("PW2103", tensor.name, "an integer graph input has no scale and zero point",
                  "put a DequantizeLinear behind it, or give the _Q.json with --json-quant-file");
    }

    /// No reader takes the integers for quantised reals.
    bool isReadAsNumbers(TensorId id) const {
        const auto& readers = m_uses.consumers[std::size_t(id.index)];
        return std::all_of(readers.begin(), readers.end(), [&](NodeId reader) {
            return ir::traitsOf(m_source[reader].kind).effect == ir::Effect::Decides;
        });
    }

    TensorId outputForm(TensorId id) {
        const ir::Tensor& tensor = m_source[id];
        if (tensor.type == ElementType::Float32 || (forms(id).real.isValid() && !parameters(id)))
            return named(realForm(id), tensor.name);
        if (!forms(id).integer.isValid())
            return TensorId(); // reported where it was lost
        const IntegerForm own{tensor.type, *tensor.quantisation};
        if (signedForm(tensor) == own)
            return named(forms(id).integer, tensor.name);
        return requantised(forms(id).integer, own, tensor.name);
    }

    /// The application knows outputs by their names in the model, so the integers behind one give theirs up.
    TensorId named(TensorId id, const std::string& name) {
        for (ir::Tensor& other : m_result.tensors)
            if (&other != &m_result[id] && other.name == name && !other.isConstant())
                other.name += "_quantised";
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
        else if (node.kind == OpKind::Dequantize && m_source[node.inputs[0]].isConstant())
            forms(node.outputs[0]).real = realForm(node.inputs[0]);
        else if (node.kind == OpKind::Dequantize)
            forms(node.outputs[0]).integer = forms(node.inputs[0]).integer;
        else if (runsOnIntegers(node))
            addIntegerNode(node);
        else
            addPlainNode(node);
    }

    void addQuantize(const ir::Node& node) {
        const TensorId from = node.inputs[0], to = node.outputs[0];
        if (m_source[from].isConstant())
            realForm(from);
        if (!available(from))
            return; // reported where it was lost
        Forms& source = forms(from);
        const ir::Tensor& target = m_source[to];
        if (!source.integer.isValid() && parameters(from) == parameters(to)) {
            source.integer = addTensor(target.name, *parameters(to), target.shape);
            addStep(OpKind::Quantize, node.name, source.real, source.integer);
        }
        if (parameters(from) == parameters(to)) {
            forms(to).integer = source.integer;
        } else if (source.real.isValid()) { // a second QuantizeLinear of one float tensor
            forms(to).integer = addTensor(target.name, *parameters(to), target.shape);
            addStep(OpKind::Quantize, node.name, source.real, forms(to).integer);
        } else {
            forms(to).integer = requantised(source.integer, *parameters(to), target.name);
        }
    }

    bool runsOnIntegers(const ir::Node& node) const {
        const auto hasParameters = [&](TensorId output) { return parameters(output).has_value(); };
        if (!std::all_of(node.outputs.begin(), node.outputs.end(), hasParameters))
            return false;
        if (hasConstantWeights(node) && !areQuantisedWeights(m_source[node.inputs[1]], channelAxis(node)))
            return false;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const TensorId input = node.inputs[i];
            if (!input.isValid() || m_source[input].isConstant())
                continue;
            if (!available(input) || (isDataInput(node, i) && !parameters(input)))
                return false;
        }
        return true;
    }

    static int channelAxis(const ir::Node& node) { return node.kind == OpKind::ConvTranspose ? 1 : 0; }

    /// Parameters of the weights, one for each output channel where they differ: those of a ConvTranspose are the same
    /// in every group.
    Quantisation weightParameters(const ir::Node& node) const {
        Quantisation q = *m_source[node.inputs[1]].quantisation;
        const std::int64_t groups = node.kind == OpKind::ConvTranspose ? node.integer("group", 1) : 1;
        const Quantisation once = q;
        for (std::int64_t g = 1; g < groups && !once.isPerTensor(); ++g) {
            q.scales.insert(q.scales.end(), once.scales.begin(), once.scales.end());
            q.zeroPoints.insert(q.zeroPoints.end(), once.zeroPoints.begin(), once.zeroPoints.end());
        }
        q.axis = q.isPerTensor() ? -1 : 0;
        return q;
    }

    static bool isDense(const ir::Node& node) {
        return node.kind == OpKind::Conv || node.kind == OpKind::ConvTranspose || node.kind == OpKind::Gemm;
    }

    /// What is computed instead counts as any other operand.
    bool hasConstantWeights(const ir::Node& node) const {
        return isDense(node) && m_source[node.inputs[1]].isConstant();
    }

    bool available(TensorId id) const {
        const Forms& found = m_forms[std::size_t(id.index)];
        return found.integer.isValid() || found.real.isValid();
    }

    /// A maximum and a choice of elements commute with requantisation, and there is less of it behind them; the parts
    /// of a Split may even differ in their parameters.
    static bool requantisesLate(OpKind kind) {
        return kind == OpKind::MaxPool || kind == OpKind::ReduceMax || kind == OpKind::ReduceMin ||
               kind == OpKind::Split || kind == OpKind::Slice;
    }

    void addIntegerNode(const ir::Node& node) {
        ir::Node copy = node;
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            if (node.inputs[i].isValid())
                copy.inputs[i] = operandOf(node, i, *parameters(node.outputs[0]));
        const bool late = requantisesLate(node.kind);
        const ir::Tensor& first = m_result[copy.inputs[0]];
        const IntegerForm given{first.type, first.quantisation.value_or(Quantisation())};
        for (TensorId& output : copy.outputs) {
            const IntegerForm made = late ? given : *parameters(output);
            const std::string suffix = made == *parameters(output) ? "" : "_unscaled";
            output = addTensor(m_source[output].name + suffix, made, m_source[output].shape);
        }
        const std::vector<TensorId> results = copy.outputs;
        m_result.nodes.push_back(std::move(copy));
        for (std::size_t i = 0; i < results.size(); ++i) {
            const TensorId output = node.outputs[i];
            forms(output).integer = requantised(results[i], *parameters(output), m_source[output].name);
        }
    }

    /// Units add and multiply integers. Everything else either takes a constant in the unit's coefficients, whatever
    /// its form (a slope, a divisor), or is software: there the constant stays as exact as the model has it.
    static bool needsQuantisedOperands(OpKind kind) {
        return kind == OpKind::Add || kind == OpKind::Sub || kind == OpKind::Mul;
    }

    TensorId operandOf(const ir::Node& node, std::size_t index, const IntegerForm& wanted) {
        const TensorId id = node.inputs[index];
        const ir::Tensor& tensor = m_source[id];
        if (!isDataInput(node, index))
            return anyForm(id);
        if (hasConstantWeights(node) && index == 1)
            return m_result.addTensor(tensor);
        if (hasConstantWeights(node) && index == 2 && tensor.isConstant())
            return m_result.addTensor(
                quantisedBias(tensor, parameters(node.inputs[0])->quantisation, weightParameters(node)));
        const bool takesWanted = preservesValues(node) && !requantisesLate(node.kind);
        if (tensor.isConstant() && takesWanted)
            return m_result.addTensor(quantisedTo(tensor, wanted));
        if (tensor.isConstant())
            return needsQuantisedOperands(node.kind) ? constantOperand(node, tensor, wanted.type)
                                                     : m_result.addTensor(tensor);
        const TensorId integer = integerForm(id);
        if (takesWanted)
            return requantised(integer, wanted, m_result[integer].name + "_requantised");
        return integer;
    }

    /// The form that there is, for readers that take either.
    TensorId anyForm(TensorId id) { return forms(id).integer.isValid() ? forms(id).integer : realForm(id); }

    TensorId constantOperand(const ir::Node& node, const ir::Tensor& tensor, ElementType type) {
        double error = 0;
        const TensorId id = m_result.addTensor(quantisedOperand(tensor, type, error));
        if (error > 0) {
            char text[32];
            const auto end = std::to_chars(text, text + sizeof text, error, std::chars_format::general, 3);
            Diagnostic hint = makeWarning("PW2102",
                                          "the float constant '" + tensor.name + "' is quantised to " +
                                              (type == ElementType::Int8 ? "int8" : "int16") + ", largest error " +
                                              std::string(text, end.ptr),
                                          placeOf(node.name));
            hint.severity = Severity::Hint;
            m_context.diagnostics.push_back(std::move(hint));
        }
        return id;
    }

    /// On floats, or on numbers that stand for themselves (indices, truth values).
    void addPlainNode(const ir::Node& node) {
        ir::Node copy = node;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (!node.inputs[i].isValid())
                continue;
            if (!m_source[node.inputs[i]].isConstant() && !available(node.inputs[i]))
                return; // reported where it was lost
            const bool eitherForm = ir::traitsOf(node.kind).effect == ir::Effect::Decides;
            copy.inputs[i] = eitherForm ? anyForm(node.inputs[i]) : realForm(node.inputs[i]);
        }
        bool isFloat = false;
        for (TensorId& output : copy.outputs) {
            const ir::Tensor& tensor = m_source[output];
            isFloat = isFloat || tensor.type == ElementType::Float32;
            if (!isFloat && ir::traitsOf(node.kind).effect == ir::Effect::Moves &&
                m_result[copy.inputs[0]].type != tensor.type) {
                fault("PW2103", tensor.name, "an integer tensor has no scale and zero point",
                      "put a DequantizeLinear behind it");
                return;
            }
            const TensorId made = addTensor(tensor.name, tensor.type, tensor.shape, {});
            forms(output).real = made;
            output = made;
        }
        m_result.nodes.push_back(std::move(copy));
        if (isFloat)
            m_floats.push_back(&node);
    }

    // ---- messages ----

    /// Every output has a form, or there is an error that says why not.
    void checkOutputs() {
        for (std::size_t i = 0; i < m_result.outputs.size(); ++i)
            if (!m_result.outputs[i].isValid() && m_errors.empty())
                fault("PW2103", m_source[m_source.outputs[i]].name, "the graph output has no scale and zero point",
                      "put a DequantizeLinear behind it");
    }

    static SourceLocation placeOf(const std::string& object) {
        return {.path = {}, .line = 0, .column = 0, .object = object};
    }

    void fault(const char* code, const std::string& object, const std::string& message, const std::string& hint) {
        m_errors.push_back(makeError(code, message, placeOf(object), hint));
    }

    void reportFloats() {
        if (m_floats.empty() || m_context.options.nativeFloat)
            return;
        std::string list;
        for (std::size_t i = 0; i < m_floats.size(); ++i)
            list += (i ? ", '" : "'") + m_source[m_floats[i]->outputs[0]].name + "' (" + opKindName(m_floats[i]->kind) +
                    ")";
        fault("PW2101", m_floats[0]->name,
              std::to_string(m_floats.size()) + " activations have no quantisation: " + list,
              "quantise them, give the _Q.json with --json-quant-file, or keep them float in software with "
              "--native-float");
    }

    const ir::Graph& m_source;
    Context& m_context;
    ir::Uses m_uses;
    std::vector<std::optional<IntegerForm>> m_parameters;
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
