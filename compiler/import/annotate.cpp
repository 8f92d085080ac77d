// SPDX-License-Identifier: Apache-2.0
#include "import/annotate.h"

#include "ir/edit.h"
#include "ir/kinds.h"

#include <algorithm>
#include <cmath>

namespace poolwright::import {
namespace {

SourceLocation placeOf(const std::string& path, const std::string& object = {}) {
    return {.path = path, .line = 0, .column = 0, .object = object};
}

void nameTensors(ir::Graph& graph, const std::vector<TensorId>& ids, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < std::min(ids.size(), names.size()); ++i)
        graph[ids[i]].originalName = names[i];
}

/// The model holds float32 scales; the JSON may have them with fewer or more digits.
bool agree(const ir::Quantisation& model, const ir::Quantisation& given) {
    if (model.zeroPoints != given.zeroPoints || model.scales.size() != given.scales.size())
        return false;
    for (std::size_t i = 0; i < model.scales.size(); ++i)
        if (!(std::abs(given.scales[i] - model.scales[i]) <= 1e-6 * model.scales[i]))
            return false;
    return true;
}

void compareParameters(ir::Tensor& tensor, const QuantisationFile& file, Diagnostics& findings) {
    const auto entry = file.tensors.find(tensor.name);
    if (entry == file.tensors.end() || !entry->second.isInteger || entry->second.type != tensor.type)
        return;
    const ir::Quantisation& given = entry->second.parameters;
    if (!tensor.quantisation && given.isPerTensor())
        tensor.quantisation = given;
    else if (tensor.quantisation && !agree(*tensor.quantisation, given))
        findings.push_back(makeError("PW2023", "scale or zero point differ from those in the model",
                                     placeOf(file.path, tensor.name),
                                     "the entry is wrong, or the model and the _Q.json do not belong together"));
}

// ---- results that are integers by the file alone

bool makesReals(const ir::Node& node) {
    return ir::traitsOf(node.kind).effect == ir::Effect::Computes && node.kind != ir::OpKind::Dequantize;
}

bool passesOn(const ir::Node& node) {
    const ir::Effect effect = ir::traitsOf(node.kind).effect;
    return effect == ir::Effect::Moves || effect == ir::Effect::Clamps;
}

/// For each tensor whether a QuantizeLinear says its parameters, maybe behind operators that keep values.
std::vector<bool> reachingQuantize(const ir::Graph& graph) {
    std::vector<bool> reaches(graph.tensors.size(), false);
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        const bool behind = passesOn(*node) && std::any_of(node->outputs.begin(), node->outputs.end(),
                                                           [&](TensorId t) { return reaches[std::size_t(t.index)]; });
        if (node->kind == ir::OpKind::Quantize || behind)
            for (TensorId input : node->inputs)
                if (input.isValid())
                    reaches[std::size_t(input.index)] = true;
    }
    return reaches;
}

/// The entry of a float result that is 8-bit integers in the vendor's eyes though the model has no node that says so.
const QuantisationFile::Entry* silentEntry(const ir::Graph& graph, const std::vector<bool>& reaches,
                                           const ir::Node& node, const QuantisationFile& file) {
    const ir::Tensor& result = graph[node.outputs[0]];
    const auto entry = file.tensors.find(result.name);
    const bool isOutput = std::find(graph.outputs.begin(), graph.outputs.end(), node.outputs[0]) != graph.outputs.end();
    const bool isSilent = makesReals(node) && result.type == ir::ElementType::Float32 && entry != file.tensors.end() &&
                          entry->second.isInteger && ir::elementBytes(entry->second.type) == 1 &&
                          entry->second.parameters.isPerTensor() && !isOutput &&
                          !reaches[std::size_t(node.outputs[0].index)];
    return isSilent ? &entry->second : nullptr;
}

ir::Node stepOf(ir::OpKind kind, const std::string& name, TensorId from, TensorId to) {
    return {.name = name, .kind = kind, .inputs = {from}, .outputs = {to}, .attributes = {}, .originalNames = {}};
}

/// Puts a QuantizeLinear and a DequantizeLinear behind every such result.
void quantiseSilentResults(ir::Graph& graph, const QuantisationFile& file) {
    const std::vector<bool> reaches = reachingQuantize(graph);
    const std::vector<ir::Node> nodes = graph.nodes;
    std::vector<ir::Node> added;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        added.push_back(graph.nodes[n]); // its inputs may have been replaced
        const auto* entry = silentEntry(graph, reaches, nodes[n], file);
        if (!entry)
            continue;
        const TensorId real = nodes[n].outputs[0];
        ir::Tensor integers = graph[real], reals = graph[real];
        integers.name += "_integers";
        integers.type = entry->type;
        integers.quantisation = entry->parameters;
        reals.name += "_reals";
        const TensorId quantised = graph.addTensor(integers), dequantised = graph.addTensor(reals);
        ir::replaceUses(graph, real, dequantised);
        added.push_back(stepOf(ir::OpKind::Quantize, "Quantize_" + nodes[n].name, real, quantised));
        added.push_back(stepOf(ir::OpKind::Dequantize, "Dequantize_" + nodes[n].name, quantised, dequantised));
    }
    graph.nodes = std::move(added);
}

} // namespace

void annotate(ir::Graph& graph, const QuantisationFile& file, Diagnostics& findings) {
    for (ir::Node& node : graph.nodes)
        if (const auto names = file.originalNames.find(node.name); names != file.originalNames.end())
            node.originalNames = names->second;
    nameTensors(graph, graph.inputs, file.originalInputs);
    nameTensors(graph, graph.outputs, file.originalOutputs);
    for (ir::Tensor& tensor : graph.tensors)
        if (!tensor.isConstant() && tensor.type != ir::ElementType::Float32)
            compareParameters(tensor, file, findings);
    quantiseSilentResults(graph, file);
}

void warnOfFloatWeights(const ir::Graph& graph, const std::string& path, Diagnostics& warnings) {
    bool quantised = false;
    std::vector<const ir::Tensor*> floats;
    for (const ir::Node& node : graph.nodes) {
        quantised = quantised || node.kind == ir::OpKind::Quantize || node.kind == ir::OpKind::Dequantize;
        const bool dense = node.kind == ir::OpKind::Conv || node.kind == ir::OpKind::Gemm;
        if (dense && graph[node.inputs[1]].isConstant() && graph[node.inputs[1]].type == ir::ElementType::Float32)
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
