// SPDX-License-Identifier: Apache-2.0
#include "passes/border_wishes.h"

namespace poolwright::passes {
namespace {

std::vector<std::string> wordsOf(const std::string& text) {
    std::vector<std::string> words{""};
    for (char c : text) {
        if (c == ',')
            words.emplace_back();
        else
            words.back() += c;
    }
    return words;
}

template <typename Value> struct Word {
    const char* text;
    Value value;
};
constexpr Word<ir::ElementType> types[] = {
    {"float32", ir::ElementType::Float32}, {"int8", ir::ElementType::Int8}, {"uint8", ir::ElementType::UInt8}};
constexpr Word<ChannelPosition> positions[] = {{"chfirst", ChannelPosition::First}, {"chlast", ChannelPosition::Last}};

template <typename Value, std::size_t n> std::string choices(const Word<Value> (&words)[n]) {
    std::string text = words[0].text;
    for (std::size_t i = 1; i < n; ++i)
        text += (i + 1 == n ? " or " : ", ") + std::string(words[i].text);
    return text;
}

template <typename Value, std::size_t n>
Result<std::optional<Value>> valueOf(const std::string& word, const char* option, const std::string& tensor,
                                     const Word<Value> (&words)[n]) {
    if (word.empty())
        return std::nullopt;
    for (const Word<Value>& known : words)
        if (word == known.text)
            return known.value;
    return fail(makeError(
        "PW2111", std::string(option) + " " + word + ": '" + word + "' is not possible for tensor '" + tensor + "'",
        {{}, 0, 0, option}, "write " + choices(words)));
}

/// Fills `field` of each port's wish.
template <typename Value, std::size_t n>
Result<void> readInto(std::vector<PortWish>& wishes, std::optional<Value> PortWish::*field, const std::string& text,
                      const char* option, const ir::Graph& graph, const std::vector<TensorId>& tensors,
                      const Word<Value> (&known)[n]) {
    const std::vector<std::string> words = wordsOf(text);
    if (words.size() != 1 && words.size() != tensors.size())
        return fail(makeError("PW2112",
                              std::string(option) + " " + text + ": " + std::to_string(words.size()) + " words for " +
                                  std::to_string(tensors.size()) + " tensors",
                              {{}, 0, 0, option}, "give one word for all tensors, or one for each"));
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        auto value = valueOf(words[words.size() == 1 ? 0 : i], option, graph[tensors[i]].name, known);
        if (!value)
            return fail(value.error());
        wishes[i].*field = *value;
    }
    return {};
}

Result<std::vector<PortWish>> wishesOfSide(const std::string& typeText, const char* typeOption,
                                           const std::string& positionText, const char* positionOption,
                                           const ir::Graph& graph, const std::vector<TensorId>& tensors) {
    std::vector<PortWish> wishes(tensors.size());
    for (PortWish& wish : wishes)
        wish.typeOption = typeOption;
    if (auto done = readInto(wishes, &PortWish::type, typeText, typeOption, graph, tensors, types); !done)
        return fail(done.error());
    if (auto done = readInto(wishes, &PortWish::position, positionText, positionOption, graph, tensors, positions);
        !done)
        return fail(done.error());
    return wishes;
}

} // namespace

Result<BorderWishes> wishesOf(const Border& border, const ir::Graph& graph) {
    auto inputs = wishesOfSide(border.inputTypes, "--input-data-type", border.inputPositions, "--inputs-ch-position",
                               graph, graph.inputs);
    if (!inputs)
        return fail(inputs.error());
    auto outputs = wishesOfSide(border.outputTypes, "--output-data-type", border.outputPositions,
                                "--outputs-ch-position", graph, graph.outputs);
    if (!outputs)
        return fail(outputs.error());
    return BorderWishes{std::move(*inputs), std::move(*outputs)};
}

} // namespace poolwright::passes
