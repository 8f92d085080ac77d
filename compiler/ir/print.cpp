// SPDX-License-Identifier: Apache-2.0
#include "ir/graph.h"

#include <charconv>
#include <cstdio>

namespace poolwright::ir {
namespace {

/// CRC-32 of ISO 3309 (the one of zip and PNG), bit by bit: only for golden texts.
std::uint32_t crc32(const std::vector<std::uint8_t>& bytes) {
    std::uint32_t crc = 0xFFFFFFFFu;
    for (std::uint8_t byte : bytes) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

std::string realText(double value) {
    char buffer[40];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
    return std::string(buffer, result.ptr);
}

template <typename T> std::string listText(const std::vector<T>& values) {
    std::string text = "[";
    for (std::size_t i = 0; i < values.size(); ++i) {
        text += i ? "," : "";
        if constexpr (std::is_floating_point_v<T>)
            text += realText(values[i]);
        else
            text += std::to_string(values[i]);
    }
    return text + "]";
}

std::string valueText(const AttributeValue& value) {
    struct Printer {
        std::string operator()(std::int64_t v) const { return std::to_string(v); }
        std::string operator()(double v) const { return realText(v); }
        std::string operator()(const std::string& v) const { return v; }
        std::string operator()(const std::vector<std::int64_t>& v) const { return listText(v); }
        std::string operator()(const std::vector<double>& v) const { return listText(v); }
    };
    return std::visit(Printer{}, value);
}

/// A list of channels is cut: golden texts stay readable, the first and last value catch a shifted or truncated list.
template <typename T> std::string shortList(const std::vector<T>& values) {
    if (values.size() <= 4)
        return listText(values);
    return listText(std::vector<T>{values.front(), values[1]}) + ".." + listText(std::vector<T>{values.back()});
}

std::string quantisationText(const Quantisation& q) {
    std::string text = " scale=" + shortList(q.scales) + " zero=" + shortList(q.zeroPoints);
    if (q.axis >= 0)
        text += " axis=" + std::to_string(q.axis);
    return text;
}

std::string constantText(const std::vector<std::uint8_t>& bytes) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, " constant %zu bytes crc32 %08X", bytes.size(), unsigned(crc32(bytes)));
    return buffer;
}

std::string tensorText(const Tensor& tensor) {
    std::string text = tensor.name + ": " + elementTypeName(tensor.type) + listText(tensor.shape);
    if (tensor.quantisation)
        text += quantisationText(*tensor.quantisation);
    if (tensor.data)
        text += constantText(*tensor.data);
    if (!tensor.originalName.empty())
        text += " original=" + tensor.originalName;
    return text;
}

std::string namesOf(const Graph& graph, const std::vector<TensorId>& ids) {
    std::string text;
    for (TensorId id : ids) {
        const bool known = id.isValid() && std::size_t(id.index) < graph.tensors.size();
        text += (text.empty() ? "" : ", ") + (known ? graph[id].name : std::string("-"));
    }
    return text;
}

std::string nodeText(const Graph& graph, const Node& node) {
    std::string text =
        namesOf(graph, node.outputs) + " = " + opKindName(node.kind) + "(" + namesOf(graph, node.inputs) + ")";
    for (const auto& [key, value] : node.attributes)
        text += " " + key + "=" + valueText(value);
    text += " # " + node.name;
    for (const std::string& original : node.originalNames)
        text += " <" + original + ">";
    return text;
}

} // namespace

std::string toText(const Graph& graph) {
    std::string text = "graph " + graph.name + "\n";
    text += "inputs " + namesOf(graph, graph.inputs) + "\n";
    text += "outputs " + namesOf(graph, graph.outputs) + "\n";
    for (const Tensor& tensor : graph.tensors)
        text += "tensor " + tensorText(tensor) + "\n";
    for (const Node& node : graph.nodes)
        text += "node " + nodeText(graph, node) + "\n";
    return text;
}

} // namespace poolwright::ir
