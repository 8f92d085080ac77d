// SPDX-License-Identifier: Apache-2.0
#include "import/export_model.h"

#include "import/constants.h"
#include "import/export_node.h"
#include "import/export_quantisation.h"

#include <algorithm>

namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::OpKind;

constexpr std::size_t largestMessage = (std::size_t(1) << 31) - 1; // of protobuf

/// Writes node by node. A quantised activation has two names: its integers, and what a DequantizeLinear (made when the
/// first operator asks for it) makes of them.
class Exporter {
public:
    Exporter(const ir::Graph& graph, const ExportOptions& options)
        : m_graph(graph)
        , m_options(options)
        , m_names(graph.tensors.size()) {
        m_model.set_ir_version(6);
        m_model.set_producer_name("Poolwright");
        m_out = m_model.mutable_graph();
        m_out->set_name(graph.name.empty() ? "model" : graph.name);
        auto* opset = m_model.add_opset_import();
        opset->set_domain("");
        opset->set_version(m_opset = opsetOf(graph));
    }

    Result<ExportedModel> run() {
        for (TensorId input : m_graph.inputs)
            addInput(input);
        for (const ir::Node& node : m_graph.nodes)
            addNode(node);
        for (TensorId output : m_graph.outputs)
            addOutput(output);
        ExportedModel result;
        if (m_model.ByteSizeLong() > largestMessage || !m_model.SerializeToString(&result.onnx))
            return fail(makeError("PW2060", "the model is larger than the 2 GiB that an ONNX file can hold"));
        result.quantisation = quantisationText(m_exported, result.onnx, m_options);
        return result;
    }

private:
    struct Names {
        std::string integer, real; ///< `real` alone for tensors without parameters
    };

    static int opsetOf(const ir::Graph& graph) {
        int opset = 15;
        for (const ir::Node& node : graph.nodes)
            opset = std::max(opset, leastOpset(node.kind));
        for (const ir::Tensor& tensor : graph.tensors)
            if (!tensor.isConstant() && tensor.isQuantised() && ir::elementBytes(tensor.type) == 2)
                opset = 21;
        return opset;
    }

    Names& names(TensorId id) { return m_names[std::size_t(id.index)]; }
    std::string nextName(const std::string& kind) { return kind + "_" + std::to_string(m_counter++); }
    static std::string outputOf(const std::string& node, std::size_t index = 0) {
        return node + "_out_" + std::to_string(index);
    }

    // ---- tensors ----

    static void describe(onnx::ValueInfoProto& info, const std::string& name, ElementType type,
                         const ir::Shape& shape) {
        info.set_name(name);
        auto* tensor = info.mutable_type()->mutable_tensor_type();
        tensor->set_elem_type(onnxTypeOf(type));
        for (std::int64_t extent : shape)
            tensor->mutable_shape()->add_dim()->set_dim_value(extent);
        tensor->mutable_shape();
    }

    void addInitialiser(const std::string& name, const ir::Tensor& tensor) {
        onnx::TensorProto& proto = *m_out->add_initializer();
        proto.set_name(name);
        proto.set_data_type(onnxTypeOf(tensor.type));
        for (std::int64_t extent : tensor.shape)
            proto.add_dims(extent);
        proto.set_raw_data(tensor.data->data(), tensor.data->size());
    }

    /// Float values on the grid, and the grid in the JSON.
    void addConstant(const std::string& name, const ir::Tensor& tensor) {
        const bool isReal = tensor.isQuantised() || tensor.type == ElementType::Float32;
        if (isReal)
            m_exported.tensors[name] = {tensor.quantisation, tensor.quantisation ? tensor.type : ElementType::Float32};
        addInitialiser(name,
                       tensor.isQuantised() ? ir::makeFloatConstant(name, tensor.shape, ir::realsOf(tensor)) : tensor);
    }

    /// An activation under its name; `real` asks for the float side of a quantised one.
    void addValue(const std::string& name, const ir::Tensor& tensor, bool real) {
        const ElementType type = real ? ElementType::Float32 : tensor.type;
        describe(*m_out->add_value_info(), name, type, tensor.shape);
        if (tensor.isQuantised())
            m_exported.tensors[name] = {written(*tensor.quantisation), tensor.type};
        else if (tensor.type == ElementType::Float32)
            m_exported.tensors[name] = {};
    }

    /// Scales of activations stand in the model as float32.
    static ir::Quantisation written(ir::Quantisation q) {
        for (double& scale : q.scales)
            scale = double(float(scale));
        return q;
    }

    // ---- quantise and dequantise nodes ----

    onnx::NodeProto& addProto(const std::string& name, const char* type, const std::string& input,
                              const std::string& output) {
        onnx::NodeProto& proto = *m_out->add_node();
        proto.set_name(name);
        proto.set_op_type(type);
        proto.add_input(input);
        proto.add_output(output);
        return proto;
    }

    void addParameters(onnx::NodeProto& proto, const ir::Tensor& tensor, const char* side) {
        const ir::Quantisation& q = *tensor.quantisation;
        const std::string stem = proto.name() + "_" + side;
        addInitialiser(stem + "_scale", ir::makeFloatConstant({}, {}, {q.scales[0]}));
        addInitialiser(stem + "_zero_point", ir::makeIntegerConstant({}, tensor.type, {}, {q.zeroPoints[0]}));
        proto.add_input(stem + "_scale");
        proto.add_input(stem + "_zero_point");
    }

    void addQuantise(const std::string& node, const std::string& from, TensorId to) {
        names(to).integer = outputOf(node);
        addParameters(addProto(node, "QuantizeLinear", from, outputOf(node)), m_graph[to], "y");
        addValue(outputOf(node), m_graph[to], false);
        m_exported.nodes.try_emplace(node);
    }

    void addDequantise(const std::string& node, TensorId from, const std::string& to) {
        addParameters(addProto(node, "DequantizeLinear", names(from).integer, to), m_graph[from], "x");
        m_exported.nodes.try_emplace(node);
    }

    const std::string& realName(TensorId id) {
        Names& found = names(id);
        if (found.real.empty()) {
            const std::string node = nextName("Dequantize");
            addDequantise(node, id, outputOf(node));
            addValue(outputOf(node), m_graph[id], true);
            found.real = outputOf(node);
        }
        return found.real;
    }

    // ---- nodes ----

    std::vector<std::string> originalsOf(const ir::Node& node) const {
        return node.originalNames.empty() ? std::vector<std::string>{node.name} : node.originalNames;
    }

    void addNode(const ir::Node& node) {
        if (node.kind == OpKind::Quantize || node.kind == OpKind::Requantize) {
            const std::string from = realName(node.inputs[0]);
            addQuantise(nextName("Quantize"), from, node.outputs[0]);
        } else if (node.kind == OpKind::Dequantize) {
            const std::string name = nextName("Dequantize");
            names(node.outputs[0]).real = outputOf(name);
            addDequantise(name, node.inputs[0], outputOf(name));
            addValue(outputOf(name), m_graph[node.outputs[0]], false);
        } else if (node.kind == OpKind::Swish) {
            addSwish(node);
        } else {
            addOperator(node);
        }
    }

    /// Name of input `index` for the operator `name`; constants become its initialisers.
    std::string operand(const ir::Node& node, std::size_t index, const std::string& name) {
        const TensorId id = node.inputs[index];
        if (!id.isValid())
            return {};
        if (!m_graph[id].isConstant())
            return realName(id);
        static const char* const dense[] = {"x", "weights", "bias"};
        const bool isDense =
            node.kind == OpKind::Conv || node.kind == OpKind::ConvTranspose || node.kind == OpKind::Gemm;
        const std::string what = isDense && index < 3                       ? dense[index]
                                 : node.kind == OpKind::PRelu && index == 1 ? "alpha"
                                                                            : "input" + std::to_string(index);
        addConstant(name + "_" + what, m_graph[id]);
        return name + "_" + what;
    }

    void addOperator(const ir::Node& node) {
        std::vector<std::string> inputs; // dequantise nodes come first: ONNX wants nodes in order
        const std::string kind = node.kind == OpKind::Conv ? "Conv2D" : ir::opKindName(node.kind);
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            if (node.inputs[i].isValid() && !m_graph[node.inputs[i]].isConstant())
                realName(node.inputs[i]);
        const std::string name = nextName(kind);
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            inputs.push_back(operand(node, i, name));
        while (!inputs.empty() && inputs.back().empty())
            inputs.pop_back();
        onnx::NodeProto& proto = *m_out->add_node();
        proto.set_name(name);
        for (const std::string& input : inputs)
            proto.add_input(input);
        for (std::size_t i = 0; i < node.outputs.size(); ++i)
            proto.add_output(outputOf(name, i));
        encodeNode({m_graph, node, m_opset, proto, [&](const char* what, const ir::Tensor& tensor) {
                        addInitialiser(name + "_" + what, tensor);
                        proto.add_input(name + "_" + what);
                    }});
        requireDomain(proto.domain());
        m_exported.nodes[name] = originalsOf(node);
        for (std::size_t i = 0; i < node.outputs.size(); ++i)
            addResult(node.outputs[i],
                      node.attributes.contains("precision") ? addWidening(node, outputOf(name, i)) : outputOf(name, i));
    }

    void requireDomain(const std::string& domain) {
        for (const auto& opset : m_model.opset_import())
            if (opset.domain() == domain)
                return;
        auto* opset = m_model.add_opset_import();
        opset->set_domain(domain);
        opset->set_version(1);
    }

    /// Behind a Cast to a float of 16 bits, whose numbers the graph keeps as float32.
    std::string addWidening(const ir::Node& node, const std::string& narrow) {
        const std::string name = nextName("Cast");
        onnx::NodeProto& proto = addProto(name, "Cast", narrow, outputOf(name));
        onnx::AttributeProto& to = *proto.add_attribute();
        to.set_name("to");
        to.set_type(onnx::AttributeProto::INT);
        to.set_i(onnx::TensorProto::FLOAT);
        m_exported.nodes[name] = originalsOf(node);
        return outputOf(name);
    }

    /// Integers with parameters pass a QuantizeLinear; floats and plain numbers are there already.
    void addResult(TensorId id, const std::string& made) {
        const ir::Tensor& tensor = m_graph[id];
        addValue(made, tensor, tensor.isQuantised());
        if (tensor.isQuantised())
            addQuantise(nextName("Quantize"), made, id);
        else
            names(id).real = made;
    }

    /// ONNX has no Swish: x * sigmoid(alpha * x), with nothing quantised in between.
    void addSwish(const ir::Node& node) {
        const std::string x = realName(node.inputs[0]);
        const ir::Shape& shape = m_graph[node.outputs[0]].shape;
        const auto addStep = [&](const char* type, std::vector<std::string> inputs) {
            const std::string name = nextName(type);
            onnx::NodeProto& proto = addProto(name, type, inputs[0], outputOf(name));
            for (std::size_t i = 1; i < inputs.size(); ++i)
                proto.add_input(inputs[i]);
            m_exported.nodes[name] = originalsOf(node);
            return outputOf(name);
        };
        const auto addFloat = [&](const std::string& name) {
            describe(*m_out->add_value_info(), name, ElementType::Float32, shape);
            m_exported.tensors[name] = {};
        };
        std::string inner = x;
        if (const double alpha = node.real("alpha", 1); alpha != 1) {
            const std::string factor = nextName("Alpha");
            addConstant(factor, ir::makeFloatConstant({}, {}, {alpha}));
            addFloat(inner = addStep("Mul", {x, factor}));
        }
        const std::string gate = addStep("Sigmoid", {inner});
        addFloat(gate);
        addResult(node.outputs[0], addStep("Mul", {x, gate}));
    }

    // ---- inputs and outputs ----

    bool isTurnedFirst(TensorId input) const {
        for (const ir::Node& node : m_graph.nodes)
            if (node.inputs[0] == input)
                return node.kind == OpKind::Transpose && node.integers("perm") == std::vector<std::int64_t>{0, 3, 1, 2};
        return false;
    }

    static std::string originalOf(const ir::Tensor& tensor) {
        return tensor.originalName.empty() ? tensor.name : tensor.originalName;
    }

    void addInput(TensorId id) {
        const ir::Tensor& tensor = m_graph[id];
        const std::string name = outputOf(nextName("Input"));
        (tensor.isQuantised() ? names(id).integer : names(id).real) = name;
        describe(*m_out->add_input(), name, tensor.type, tensor.shape);
        if (tensor.isQuantised() || tensor.type == ElementType::Float32)
            m_exported.tensors[name] = {
                tensor.quantisation ? std::optional(written(*tensor.quantisation)) : std::nullopt, tensor.type};
        m_exported.inputs.push_back(
            {name, originalOf(tensor), tensor, isTurnedFirst(id), m_options.inputsUserAllocated});
    }

    bool isTurnedLast(TensorId output) const {
        for (const ir::Node& node : m_graph.nodes)
            if (node.outputs[0] == output)
                return node.kind == OpKind::Transpose && node.integers("perm") == std::vector<std::int64_t>{0, 2, 3, 1};
        return false;
    }

    void addOutput(TensorId id) {
        const ir::Tensor& tensor = m_graph[id];
        const std::string name = tensor.isQuantised() ? names(id).integer : names(id).real;
        describe(*m_out->add_output(), name, tensor.type, tensor.shape);
        m_exported.outputs.push_back(
            {name, originalOf(tensor), tensor, isTurnedLast(id), m_options.outputsUserAllocated});
    }

    const ir::Graph& m_graph;
    const ExportOptions& m_options;
    std::vector<Names> m_names;
    onnx::ModelProto m_model;
    onnx::GraphProto* m_out = nullptr;
    int m_opset = 15;
    int m_counter = 0;
    ExportedNames m_exported;
};

} // namespace

Result<ExportedModel> exportModel(const ir::Graph& graph, const ExportOptions& options) {
    return Exporter(graph, options).run();
}

std::string quantisationFileName(const std::string& onnxFileName) {
    const std::string extension = ".onnx";
    const bool has = onnxFileName.size() > extension.size() && onnxFileName.ends_with(extension);
    return onnxFileName.substr(0, onnxFileName.size() - (has ? extension.size() : 0)) + "_Q.json";
}

} // namespace poolwright::import
