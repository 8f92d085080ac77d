// SPDX-License-Identifier: Apache-2.0
#include "ir/graph.h"

namespace poolwright::ir {

const char* elementTypeName(ElementType type) {
    switch (type) {
    case ElementType::Bool:
        return "bool";
    case ElementType::Int8:
        return "s8";
    case ElementType::UInt8:
        return "u8";
    case ElementType::Int16:
        return "s16";
    case ElementType::UInt16:
        return "u16";
    case ElementType::Int32:
        return "s32";
    case ElementType::Int64:
        return "s64";
    case ElementType::Float32:
        return "f32";
    }
    return "?";
}

const char* vendorTypeName(ElementType type) {
    switch (type) {
    case ElementType::Int8:
        return "S8";
    case ElementType::UInt8:
        return "U8";
    case ElementType::Int16:
        return "S16";
    case ElementType::UInt16:
        return "U16";
    case ElementType::Int32:
        return "S32";
    case ElementType::Int64:
        return "S64";
    case ElementType::Bool:
        return "BOOL";
    case ElementType::Float32:
        break;
    }
    return "FLOAT";
}

template <typename T> static const T* find(const Attributes& attributes, const std::string& key) {
    const auto found = attributes.find(key);
    return found == attributes.end() ? nullptr : std::get_if<T>(&found->second);
}

std::int64_t Node::integer(const std::string& key, std::int64_t fallback) const {
    const auto* value = find<std::int64_t>(attributes, key);
    return value ? *value : fallback;
}

double Node::real(const std::string& key, double fallback) const {
    const auto* value = find<double>(attributes, key);
    return value ? *value : fallback;
}

std::string Node::text(const std::string& key, const std::string& fallback) const {
    const auto* value = find<std::string>(attributes, key);
    return value ? *value : fallback;
}

std::vector<std::int64_t> Node::integers(const std::string& key) const {
    const auto* value = find<std::vector<std::int64_t>>(attributes, key);
    return value ? *value : std::vector<std::int64_t>{};
}

TensorId Graph::addTensor(Tensor tensor) {
    tensors.push_back(std::move(tensor));
    return TensorId(tensors.size() - 1);
}

Uses usesOf(const Graph& graph) {
    Uses uses;
    uses.producer.resize(graph.tensors.size());
    uses.consumers.resize(graph.tensors.size());
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        for (TensorId output : graph.nodes[n].outputs)
            uses.producer[std::size_t(output.index)] = NodeId(n);
        for (TensorId input : graph.nodes[n].inputs) {
            if (!input.isValid())
                continue;
            auto& readers = uses.consumers[std::size_t(input.index)];
            if (readers.empty() || readers.back() != NodeId(n))
                readers.push_back(NodeId(n));
        }
    }
    return uses;
}

} // namespace poolwright::ir
