// SPDX-License-Identifier: Apache-2.0
#include "import/belongs.h"

#include "text/md5.h"

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <set>

namespace poolwright::import {
namespace {

const char* const regenerate = "take the _Q.json that was written together with this model";

struct ModelNames {
    std::set<std::string> tensors, nodes;
};

ModelNames namesOf(const onnx::GraphProto& graph) {
    ModelNames names;
    for (const auto& input : graph.input())
        names.tensors.insert(input.name());
    for (const auto& initialiser : graph.initializer())
        names.tensors.insert(initialiser.name());
    for (const auto& node : graph.node()) {
        names.nodes.insert(node.name());
        names.tensors.insert(node.input().begin(), node.input().end());
        names.tensors.insert(node.output().begin(), node.output().end());
    }
    return names;
}

/// The vendor lists constants of nodes under names that the model does not have ("Pad_3_constant" of node "Pad_3").
bool isKnown(const ModelNames& names, const std::string& tensor) {
    if (names.tensors.contains(tensor))
        return true;
    const std::size_t end = tensor.rfind('_');
    return end != std::string::npos && names.nodes.contains(tensor.substr(0, end));
}

SourceLocation placeOf(const QuantisationFile& file, const std::string& object = {}) {
    return {.path = file.path, .line = 0, .column = 0, .object = object};
}

Diagnostics checkNames(const QuantisationFile& file, const onnx::GraphProto& graph) {
    const ModelNames names = namesOf(graph);
    Diagnostics unknown;
    for (const auto& entry : file.tensors)
        if (!isKnown(names, entry.first))
            unknown.push_back(makeError("PW2026", "the model has no tensor '" + entry.first + "'",
                                        placeOf(file, entry.first), regenerate));
    if (unknown.size() * 2 <= file.tensors.size())
        return unknown;
    return {makeError("PW2025",
                      "the quantisation file belongs to another model: " + std::to_string(unknown.size()) + " of its " +
                          std::to_string(file.tensors.size()) + " tensors are not in this one, the first '" +
                          unknown[0].where.object + "'",
                      placeOf(file), regenerate)};
}

} // namespace

Diagnostics checkBelongs(const QuantisationFile& file, const onnx::GraphProto& graph, const std::string& bytes,
                         const std::string& path) {
    Diagnostics found = checkNames(file, graph);
    if (!found.empty() || file.signature.empty() || file.signature == "0x" + text::md5(bytes))
        return found;
    if (file.modelName == std::filesystem::path(path).filename().string())
        return {makeWarning("PW2027", "the model has changed since its quantisation file was written", placeOf(file),
                            regenerate)};
    return {makeError("PW2025",
                      "the quantisation file belongs to another model: it was written for '" + file.modelName + "'",
                      placeOf(file), regenerate)};
}

} // namespace poolwright::import
