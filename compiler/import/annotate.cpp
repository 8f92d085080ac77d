// SPDX-License-Identifier: Apache-2.0
#include "import/annotate.h"

#include <algorithm>

namespace poolwright::import {
namespace {

SourceLocation placeOf(const std::string& path, const std::string& object = {}) {
    return {.path = path, .line = 0, .column = 0, .object = object};
}

void nameTensors(ir::Graph& graph, const std::vector<TensorId>& ids, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < std::min(ids.size(), names.size()); ++i)
        graph[ids[i]].originalName = names[i];
}

void compareParameters(ir::Tensor& tensor, const QuantisationFile& file, Diagnostics& warnings) {
    const auto entry = file.tensors.find(tensor.name);
    if (entry == file.tensors.end() || !entry->second.isInteger || entry->second.type != tensor.type)
        return;
    const ir::Quantisation& given = entry->second.parameters;
    if (!tensor.quantisation && given.isPerTensor())
        tensor.quantisation = given;
    else if (tensor.quantisation && *tensor.quantisation != given)
        warnings.push_back(makeWarning("PW2023", "scale or zero point differ from those in the model, which are used",
                                       placeOf(file.path, tensor.name),
                                       "the model and the _Q.json may not belong together"));
}

} // namespace

void annotate(ir::Graph& graph, const QuantisationFile& file, Diagnostics& warnings) {
    for (ir::Node& node : graph.nodes)
        if (const auto names = file.originalNames.find(node.name); names != file.originalNames.end())
            node.originalNames = names->second;
    nameTensors(graph, graph.inputs, file.originalInputs);
    nameTensors(graph, graph.outputs, file.originalOutputs);
    for (ir::Tensor& tensor : graph.tensors)
        if (!tensor.isConstant() && tensor.type != ir::ElementType::Float32)
            compareParameters(tensor, file, warnings);
}

void warnOfFloatWeights(const ir::Graph& graph, const std::string& path, Diagnostics& warnings) {
    bool quantised = false;
    std::vector<const ir::Tensor*> floats;
    for (const ir::Node& node : graph.nodes) {
        quantised = quantised || node.kind == ir::OpKind::Quantize || node.kind == ir::OpKind::Dequantize;
        const bool dense = node.kind == ir::OpKind::Conv || node.kind == ir::OpKind::Gemm;
        if (dense && graph[node.inputs[1]].type == ir::ElementType::Float32)
            floats.push_back(&graph[node.inputs[1]]);
    }
    if (!quantised || floats.empty())
        return;
    warnings.push_back(
        makeWarning("PW2024",
                    std::to_string(floats.size()) +
                        " weight tensors are float among quantised activations, the first '" + floats[0]->name + "'",
                    placeOf(path, floats[0]->name), "an OE model needs its _Q.json (--json-quant-file)"));
}

Diagnostic quantisedNote(const ir::Graph& graph, const std::string& path) {
    const auto quantised =
        std::count_if(graph.tensors.begin(), graph.tensors.end(), [](const ir::Tensor& t) { return t.isQuantised(); });
    Diagnostic note = makeWarning(
        "PW2090", std::to_string(quantised) + " of " + std::to_string(graph.tensors.size()) + " tensors quantised",
        placeOf(path));
    note.severity = Severity::Note;
    return note;
}

} // namespace poolwright::import
