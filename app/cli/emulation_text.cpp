// SPDX-License-Identifier: Apache-2.0
#include "cli/emulation_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace poolwright::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string agreementText(const std::string& title, const emulate::Agreement& total) {
    char text[160];
    std::snprintf(text, sizeof text, ": %lld of %lld values equal (%.3f %%), %lld within one step, largest difference %g\n",
                  static_cast<long long>(total.equal), static_cast<long long>(total.values),
                  total.values ? 100.0 * double(total.equal) / double(total.values) : 100.0,
                  static_cast<long long>(total.withinOne), total.largest);
    return title + text;
}

/// The tensors that agree least when each epoch reads exact inputs; nothing when all do.
std::string worstText(std::vector<emulate::Agreement> tensors) {
    constexpr std::size_t most = 5;
    std::erase_if(tensors, [](const emulate::Agreement& t) { return t.equal == t.values; });
    std::stable_sort(tensors.begin(), tensors.end(), [](const emulate::Agreement& a, const emulate::Agreement& b) {
        return double(a.equal) * double(b.values) < double(b.equal) * double(a.values);
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(most, tensors.size()); ++i)
        text += agreementText("  epoch " + std::to_string(tensors[i].epoch) + ", " + tensors[i].tensor, tensors[i]);
    return text;
}

/// Null for plain numbers; one value per tensor, else a list by channel.
template <typename Value> Json oneOrList(const std::vector<Value>& values) {
    return values.size() == 1 ? Json(values.front()) : Json(values);
}

Json tensorJson(const EmulatedTensor& tensor) {
    const program::TensorView& view = *tensor.view;
    Json json = {{"name", view.name},
                 {"file", tensor.file.empty() ? Json(nullptr) : Json(tensor.file)},
                 {"shape", view.shape},
                 {"type", ir::vendorTypeName(view.type)},
                 {"scale", nullptr},
                 {"zero_point", nullptr}};
    if (view.quantisation) {
        json["scale"] = oneOrList(view.quantisation->scales);
        json["zero_point"] = oneOrList(view.quantisation->zeroPoints);
    }
    return json;
}

Json tensorsJson(const std::vector<EmulatedTensor>& tensors) {
    Json list = Json::array();
    for (const EmulatedTensor& tensor : tensors)
        list.push_back(tensorJson(tensor));
    return list;
}

Json countsJson(const emulate::Agreement& agreement) {
    return {{"values", agreement.values},
            {"equal", agreement.equal},
            {"within_one", agreement.withinOne},
            {"largest_difference", agreement.largest}};
}

Json agreementsJson(const std::vector<emulate::Agreement>& agreements) {
    Json list = Json::array();
    for (const emulate::Agreement& agreement : agreements) {
        Json one = {{"name", agreement.tensor}};
        if (agreement.epoch >= 0)
            one["epoch"] = agreement.epoch;
        one.update(countsJson(agreement));
        list.push_back(std::move(one));
    }
    return list;
}

Json comparisonJson(const EmulationComparison& comparison, const std::string& model) {
    Json chained = countsJson(comparison.chained.total());
    chained["outputs"] = agreementsJson(comparison.chained.outputs);
    Json isolated = countsJson(emulate::sumOf(comparison.isolated.tensors));
    isolated["tensors"] = agreementsJson(comparison.isolated.tensors);
    return {{"model", model}, {"inferences", 1}, {"chained", chained}, {"isolated", isolated}};
}

} // namespace

std::string toText(const Emulation& emulation) {
    const auto counted = [](std::size_t count, const char* noun) {
        return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
    };
    std::string text = "emulated " + counted(emulation.inferences, "inference") + ", " +
                       counted(emulation.outputs.size(), "output") +
                       (emulation.outputFolder.empty() ? "" : " written into " + emulation.outputFolder) + "\n";
    if (!emulation.comparison)
        return text;
    const EmulationComparison& comparison = *emulation.comparison;
    text += agreementText("against the reference, chained", comparison.chained.total());
    text += agreementText("against the reference, each epoch on exact inputs", emulate::sumOf(comparison.isolated.tensors));
    return text + worstText(comparison.isolated.tensors);
}

std::string toJson(const Emulation& emulation) {
    Json json = {{"schema_version", 1},
                 {"inferences", emulation.inferences},
                 {"seed", emulation.seed ? Json(*emulation.seed) : Json(nullptr)},
                 {"inputs", tensorsJson(emulation.inputs)},
                 {"outputs", tensorsJson(emulation.outputs)},
                 {"reference", nullptr}};
    if (emulation.comparison)
        json["reference"] = comparisonJson(*emulation.comparison, emulation.reference);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace poolwright::cli
