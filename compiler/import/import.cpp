// SPDX-License-Identifier: Apache-2.0
#include "import/import.h"

#include "import/annotate.h"
#include "import/belongs.h"
#include "import/constants.h"
#include "import/context.h"
#include "import/failure.h"
#include "import/finish.h"
#include "import/operators.h"
#include "import/quantisation_file.h"
#include "import/read_model.h"

#include <onnx/onnx_pb.h>

#include <map>
#include <set>

namespace poolwright::import {
namespace {

constexpr int largestNodeCount = 1 << 20;

/// What is not supported, gathered so that one model gives one error for each operator and not one for each node.
struct Unsupported {
    std::string domain, op, firstNode, hint;
    int nodes = 0;
};

class Importer {
public:
    Importer(const onnx::ModelProto& model, const std::string& path, const Options& options,
             const QuantisationFile* quantisation)
        : m_model(model)
        , m_graph(model.graph())
        , m_path(path)
        , m_options(options)
        , m_quantisation(quantisation) {}

    Result<ir::Graph> run(Diagnostics& warnings) {
        m_context.graph.name = m_graph.name();
        guard({}, [&] { readOpset(); });
        readInitialisers();
        readInputs();
        if (!hasErrors(m_found))
            readNodes();
        reportUnsupported();
        if (!hasErrors(m_found))
            readOutputs();
        if (hasErrors(m_found))
            return fail(std::move(m_found));
        warnings.insert(warnings.end(), m_found.begin(), m_found.end());
        finish(m_context.graph);
        if (m_quantisation)
            annotate(m_context.graph, *m_quantisation, m_found);
        if (hasErrors(m_found))
            return fail(std::move(m_found));
        noteOtherFloats(warnings);
        if (!m_options.nativeFloat)
            warnOfFloatWeights(m_context.graph, m_path, warnings);
        warnings.push_back(quantisedNote(m_context.graph, m_path));
        return std::move(m_context.graph);
    }

private:
    SourceLocation place(const std::string& object) const {
        return {.path = m_path, .line = 0, .column = 0, .object = object};
    }

    /// Runs one step; a Failure becomes an error at `object`. True when it went well.
    template <typename Step> bool guard(const std::string& object, Step step) {
        try {
            step();
            return true;
        } catch (const Failure& failure) {
            m_found.push_back(makeError(failure.code, failure.message, place(object), failure.hint));
        }
        return false;
    }

    void readOpset() {
        for (const auto& import : m_model.opset_import())
            if (import.domain().empty() || import.domain() == "ai.onnx")
                m_opset = int(std::min<std::int64_t>(import.version(), 1000));
        if (m_opset < 7)
            refuse("PW2003", "opset " + std::to_string(m_opset) + " of the default domain is not supported",
                   "convert the model to opset 13 (onnx.version_converter)");
        if (m_opset > 21)
            m_found.push_back(makeWarning(
                "PW2004", "opset " + std::to_string(m_opset) + " is newer than 21 and read by the rules of 21",
                place({})));
        if (m_graph.node_size() > largestNodeCount)
            refuse("PW2010", "the model has more than a million nodes");
        if (m_graph.sparse_initializer_size() > 0)
            refuse("PW2013", "sparse initialisers are not supported", "store the weights densely");
    }

    void readInitialisers() {
        for (const auto& proto : m_graph.initializer())
            guard(proto.name(), [&] {
                ir::Tensor tensor = readTensor(proto);
                countFloats(proto.data_type());
                applyQuantisation(tensor);
                m_context.tensors[proto.name()] = m_context.graph.addTensor(std::move(tensor));
            });
    }

    void countFloats(int onnxType) {
        if (elementTypeOf(onnxType) == ir::ElementType::Float32 && onnxType != onnx::TensorProto::FLOAT)
            ++m_otherFloats[onnx::TensorProto::DataType_Name(onnx::TensorProto::DataType(onnxType))];
    }

    void noteOtherFloats(Diagnostics& notes) const {
        for (const auto& [type, count] : m_otherFloats) {
            notes.push_back(makeWarning("PW2005",
                                        std::to_string(count) + " initialisers and graph inputs of type " + type +
                                            " are float32 here, and computed in float32",
                                        place({})));
            notes.back().severity = Severity::Note;
        }
    }

    void applyQuantisation(ir::Tensor& tensor) const {
        if (!m_quantisation || tensor.type != ir::ElementType::Float32)
            return;
        const auto entry = m_quantisation->tensors.find(tensor.name);
        if (entry != m_quantisation->tensors.end() && entry->second.isInteger)
            tensor = recoverIntegers(tensor, entry->second);
    }

    void readInputs() {
        for (const auto& input : m_graph.input())
            if (!m_context.tensors.contains(input.name()))
                guard(input.name(), [&] { readInput(input); });
    }

    void readInput(const onnx::ValueInfoProto& input) {
        if (!input.type().has_tensor_type() || !input.type().tensor_type().has_shape())
            refuse("PW2014", "the graph input has no tensor shape", "export the model with fixed input shapes");
        ir::Tensor tensor;
        tensor.name = input.name();
        tensor.type = elementTypeOf(input.type().tensor_type().elem_type());
        countFloats(input.type().tensor_type().elem_type());
        tensor.shape = shapeOf(input);
        if (checkedCount(tensor.shape) == 0)
            refuse("PW2014", "the graph input is empty");
        const TensorId id = m_context.graph.addTensor(std::move(tensor));
        m_context.graph.inputs.push_back(id);
        m_context.tensors[input.name()] = id;
    }

    ir::Shape shapeOf(const onnx::ValueInfoProto& input) const {
        if (const auto given = m_options.inputShapes.find(input.name()); given != m_options.inputShapes.end())
            return given->second;
        ir::Shape shape;
        const auto& dims = input.type().tensor_type().shape().dim();
        for (int d = 0; d < dims.size(); ++d)
            shape.push_back(extentOf(dims[d], d));
        return shape;
    }

    std::int64_t extentOf(const onnx::TensorShapeProto::Dimension& dim, int index) const {
        if (dim.has_dim_value() && dim.dim_value() > 0)
            return dim.dim_value();
        if (dim.has_dim_value() && dim.dim_value() < 0)
            refuse("PW2010", "a dimension is negative");
        if (index == 0)
            return m_options.batch;
        const std::string name = dim.dim_param().empty() ? "without a name" : "'" + dim.dim_param() + "'";
        refuse("PW2014", "dimension " + std::to_string(index) + " (" + name + ") is not fixed",
               "the device needs static shapes: fix it when exporting (only a symbolic batch is set to 1 by itself)");
    }

    void readNodes() {
        for (const auto& node : m_graph.node())
            for (const std::string& input : node.input())
                m_context.readers[input].push_back(&node);
        for (int i = 0; i < m_graph.node_size(); ++i) {
            const auto& node = m_graph.node(i);
            if (!readNode(node, node.name().empty() ? node.op_type() + "_" + std::to_string(i) : node.name()))
                for (const std::string& output : node.output())
                    m_lost.insert(output);
        }
    }

    bool readNode(const onnx::NodeProto& node, const std::string& name) {
        const OperatorReader reader = readerOf(node.domain(), node.op_type());
        const bool isStandard = node.domain().empty() || node.domain() == "ai.onnx";
        const bool known = reader || (isStandard && isFoldableOnly(node.op_type()));
        if (!known) {
            countUnsupported(node, name, {});
            return false;
        }
        for (const std::string& input : node.input())
            if (m_lost.contains(input))
                return false; // the reason stands at the node that failed
        return guard(name, [&] {
            const NodeView view(m_context, node, m_opset, name);
            if (isStandard && foldConstant(view))
                return;
            if (reader)
                reader(view);
            else {
                countUnsupported(node, name, "it is supported only where its inputs are constants");
                for (const std::string& output : node.output())
                    m_lost.insert(output);
            }
        });
    }

    void countUnsupported(const onnx::NodeProto& node, const std::string& name, const std::string& hint) {
        for (Unsupported& seen : m_unsupported)
            if (seen.domain == node.domain() && seen.op == node.op_type()) {
                ++seen.nodes;
                return;
            }
        m_unsupported.push_back({node.domain(), node.op_type(), name, hint, 1});
    }

    static std::string hintFor(const Unsupported& kind) {
        if (!kind.hint.empty())
            return kind.hint;
        if (!kind.domain.empty() && kind.domain != "ai.onnx")
            return "operators of other domains are not read; export the model with standard "
                   "QuantizeLinear/DequantizeLinear nodes";
        return "replace it by supported operators, or cut the model in front of it and run the rest in the application";
    }

    void reportUnsupported() {
        for (const Unsupported& kind : m_unsupported) {
            const std::string domain = kind.domain.empty() ? "ai.onnx" : kind.domain;
            const std::string count = kind.nodes == 1 ? "1 node" : std::to_string(kind.nodes) + " nodes, the first";
            m_found.push_back(makeError("PW2030",
                                        "operator " + kind.op + " (domain " + domain + ") is not supported: " + count +
                                            " '" + kind.firstNode + "'",
                                        place(kind.firstNode), hintFor(kind)));
        }
    }

    void readOutputs() {
        for (const auto& output : m_graph.output())
            guard(output.name(), [&] {
                const auto found = m_context.tensors.find(output.name());
                if (found == m_context.tensors.end())
                    refuse("PW2040", "the graph output is made by no node");
                if (m_context.graph[found->second].isConstant())
                    refuse("PW2040", "the graph output is a constant");
                m_context.graph.outputs.push_back(found->second);
            });
    }

    const onnx::ModelProto& m_model;
    const onnx::GraphProto& m_graph;
    std::string m_path;
    const Options& m_options;
    const QuantisationFile* m_quantisation;
    int m_opset = 0;
    Context m_context;
    std::set<std::string> m_lost; ///< outputs of nodes that could not be read
    std::vector<Unsupported> m_unsupported;
    std::map<std::string, int> m_otherFloats; ///< by type
    Diagnostics m_found;
};

Result<ir::Graph> importWith(const std::string& bytes, const std::string& name, const Options& options,
                             Diagnostics& warnings) {
    onnx::ModelProto model;
    if (const auto parsed = parseModel(bytes, name, model); !parsed)
        return fail(parsed.error());
    if (options.quantisation.empty())
        return Importer(model, name, options, nullptr).run(warnings);
    const auto quantisation = readQuantisation(options.quantisation);
    if (!quantisation)
        return fail(quantisation.error());
    Diagnostics belongs = checkBelongs(*quantisation, model.graph(), bytes, name);
    if (hasErrors(belongs))
        return fail(std::move(belongs));
    warnings.insert(warnings.end(), belongs.begin(), belongs.end());
    return Importer(model, name, options, &*quantisation).run(warnings);
}

} // namespace

Result<ir::Graph> importBytes(const std::string& bytes, const std::string& name, const Options& options,
                              Diagnostics& warnings) {
    try {
        return importWith(bytes, name, options, warnings);
    } catch (const std::exception& error) { // protobuf, and memory that ran out
        return fail(makeError("PW2002", std::string("the model cannot be read: ") + error.what(),
                              {.path = name, .line = 0, .column = 0, .object = {}}));
    }
}

Result<ir::Graph> importModel(const std::filesystem::path& path, const Options& options, Diagnostics& warnings) {
    const auto bytes = readBytes(path);
    if (!bytes)
        return fail(bytes.error());
    return importBytes(*bytes, path.string(), options, warnings);
}

} // namespace poolwright::import
