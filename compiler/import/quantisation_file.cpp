// SPDX-License-Identifier: Apache-2.0
#include "import/quantisation_file.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/read_model.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace poolwright::import {
namespace {

using nlohmann::json;
using Entry = QuantisationFile::Entry;

std::optional<ir::ElementType> integerType(const std::string& name) {
    static const std::map<std::string, ir::ElementType> types = {
        {"S8", ir::ElementType::Int8},    {"U8", ir::ElementType::UInt8},  {"S16", ir::ElementType::Int16},
        {"U16", ir::ElementType::UInt16}, {"S32", ir::ElementType::Int32},
    };
    const auto found = types.find(name);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

std::string textMember(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string())
        refuse("PW2021", std::string("\"") + key + "\" is missing or no text");
    return found->get<std::string>();
}

double scaleOf(const json& value) {
    const double scale = value.is_number() ? value.get<double>() : 0;
    if (!(scale > 0) || !std::isfinite(scale))
        refuse("PW2021", "a scale is not a positive number");
    return scale;
}

std::int32_t zeroPointOf(const json& value) {
    const double zero = value.is_number() ? value.get<double>() : std::nan("");
    if (!(std::abs(zero) <= 2147483647.0) || zero != std::floor(zero))
        refuse("PW2021", "a zero point is not an integer");
    return std::int32_t(zero);
}

/// Output channels are dimension 0 unless our own exporter says otherwise (export_quantisation.cpp).
int axisOf(const json& format) {
    const auto axis = format.find("axis");
    if (axis == format.end())
        return 0;
    if (!axis->is_number_integer() || axis->get<std::int64_t>() < 0 || axis->get<std::int64_t>() > 7)
        refuse("PW2021", "\"axis\" is no dimension");
    return axis->get<int>();
}

ir::Quantisation parametersOf(const json& format) {
    const auto params = format.find("params");
    if (params == format.end() || !params->is_array() || params->size() != 2 || !(*params)[0].is_array() ||
        !(*params)[1].is_array())
        refuse("PW2021", "\"params\" is not a list of scales and a list of zero points");
    ir::Quantisation parameters;
    for (const json& scale : (*params)[0])
        parameters.scales.push_back(scaleOf(scale));
    for (const json& zero : (*params)[1])
        parameters.zeroPoints.push_back(zeroPointOf(zero));
    if (parameters.scales.empty() || parameters.scales.size() != parameters.zeroPoints.size())
        refuse("PW2021", "there are " + std::to_string(parameters.scales.size()) + " scales and " +
                             std::to_string(parameters.zeroPoints.size()) + " zero points");
    if (!parameters.isPerTensor())
        parameters.axis = axisOf(format);
    return parameters;
}

Entry entryOf(const json& tensor) {
    const auto format = tensor.find("format");
    if (!tensor.is_object() || format == tensor.end() || !format->is_object())
        refuse("PW2021", "\"format\" is missing");
    const std::string kind = textMember(*format, "class");
    const std::string type = textMember(*format, "type");
    if (kind == "float32" && type == "FLOAT32")
        return {};
    const auto integer = integerType(type);
    if (kind != "integer" || !integer)
        refuse("PW2021", "format " + kind + "/" + type + " is not known",
               "quantise this tensor to S8, or leave it float32");
    return {.isInteger = true, .type = *integer, .parameters = parametersOf(*format)};
}

void readOriginalNames(const json& root, QuantisationFile& file) {
    const auto nodes = root.find("nodes");
    if (nodes == root.end() || !nodes->is_object())
        return;
    for (const auto& [node, value] : nodes->items()) {
        const auto names = value.is_object() ? value.find("names") : value.end();
        if (!value.is_object() || names == value.end() || !names->is_array())
            continue;
        for (const json& name : *names)
            if (name.is_string() && name.get<std::string>() != "__FE_GENERATED__")
                file.originalNames[node].push_back(name.get<std::string>());
    }
}

/// environment.generated_model.model_files[0]; absent in files by hand.
void readModelFile(const json& root, QuantisationFile& file) {
    static const json::json_pointer pointer("/environment/generated_model/model_files/0");
    if (!root.contains(pointer) || !root.at(pointer).is_object())
        return;
    const json& model = root.at(pointer);
    if (model.contains("name") && model["name"].is_string() && model.contains("signature") &&
        model["signature"].is_string()) {
        file.modelName = model["name"].get<std::string>();
        file.signature = model["signature"].get<std::string>();
    }
}

std::vector<std::string> namesIn(const json& root, const char* key) {
    std::vector<std::string> names;
    const json* list = root.contains("model_info") && root["model_info"].is_object() && root["model_info"].contains(key)
                           ? &root["model_info"][key]
                           : nullptr;
    if (!list || !list->is_array())
        return names;
    for (const json& item : *list)
        names.push_back(item.is_object() && item.contains("name") && item["name"].is_string()
                            ? item["name"].get<std::string>()
                            : "");
    return names;
}

SourceLocation placeOf(const std::string& path, const std::string& object = {}) {
    return {.path = path, .line = 0, .column = 0, .object = object};
}

Result<QuantisationFile> readDocument(const json& root, const std::string& path) {
    const auto version = root.is_object() ? root.find("version") : root.end();
    const bool known = root.is_object() && version != root.end() && version->is_string() &&
                       version->get<std::string>().rfind("4.", 0) == 0;
    if (!known)
        return fail(makeError("PW2020", "unknown version of the quantisation file", placeOf(path),
                              "files of version 4.x are read (ST Edge AI Core 2.0 and later)"));
    const auto tensors = root.find("tensors");
    if (tensors == root.end() || !tensors->is_object())
        return fail(makeError("PW2020", "the quantisation file has no \"tensors\"", placeOf(path)));
    QuantisationFile file;
    file.path = path;
    Diagnostics errors;
    for (const auto& [name, value] : tensors->items()) {
        try {
            file.tensors[name] = entryOf(value);
        } catch (const Failure& failure) {
            errors.push_back(makeError(failure.code, failure.message, placeOf(path, name), failure.hint));
        }
    }
    readOriginalNames(root, file);
    readModelFile(root, file);
    file.originalInputs = namesIn(root, "original_inputs");
    file.originalOutputs = namesIn(root, "original_outputs");
    if (!errors.empty())
        return fail(std::move(errors));
    return file;
}

} // namespace

Result<QuantisationFile> parseQuantisation(const std::string& text, const std::string& path) {
    try {
        return readDocument(json::parse(text), path);
    } catch (const json::exception& error) {
        return fail(
            makeError("PW2020", std::string("the quantisation file is not JSON: ") + error.what(), placeOf(path)));
    }
}

Result<QuantisationFile> readQuantisation(const std::filesystem::path& path) {
    const auto text = readBytes(path);
    if (!text)
        return fail(text.error());
    return parseQuantisation(*text, path.string());
}

namespace {

struct IntegerRange {
    double lowest, highest;
};

IntegerRange rangeOf(ir::ElementType type) {
    const bool isUnsigned = type == ir::ElementType::UInt8 || type == ir::ElementType::UInt16;
    const double span = std::ldexp(1.0, int(8 * ir::elementBytes(type)));
    return isUnsigned ? IntegerRange{0, span - 1} : IntegerRange{-span / 2, span / 2 - 1};
}

/// The integer behind a real; a float32 holds 24 bits, so large biases cannot lie closer to the grid than their own
/// precision.
double integerBehind(double real, double scale, std::int32_t zeroPoint, std::size_t index, IntegerRange range) {
    const double steps = real / scale;
    const double tolerance = 0.01 + std::abs(steps) * 0x1p-22;
    if (!(std::abs(steps - std::nearbyint(steps)) <= tolerance))
        refuse("PW2022", "value " + std::to_string(index) + " does not lie on the grid of its scale",
               "the model and the _Q.json do not belong together");
    const double integer = std::nearbyint(steps) + zeroPoint;
    if (!(integer >= range.lowest && integer <= range.highest))
        refuse("PW2022", "value " + std::to_string(index) + " lies outside the integer type",
               "the model and the _Q.json do not belong together");
    return integer;
}

} // namespace

ir::Tensor recoverIntegers(const ir::Tensor& tensor, const Entry& entry) {
    const ir::Quantisation& q = entry.parameters;
    const std::size_t axis = q.isPerTensor() ? 0 : std::size_t(q.axis);
    if (!q.isPerTensor() && (axis >= tensor.shape.size() || tensor.shape[axis] != std::int64_t(q.scales.size())))
        refuse("PW2022", std::to_string(q.scales.size()) + " scales do not match the " +
                             (axis == 0 ? "first dimension" : "dimension " + std::to_string(axis)) + " of the tensor");
    const std::vector<double> reals = ir::realsOf(tensor);
    const std::size_t step = q.isPerTensor() ? 1 : std::size_t(ir::rowMajorStrides(tensor.shape)[axis]);
    const IntegerRange range = rangeOf(entry.type);
    std::vector<std::int64_t> integers(reals.size());
    for (std::size_t i = 0; i < reals.size(); ++i) {
        const std::size_t channel = i / step % q.scales.size();
        integers[i] = std::int64_t(integerBehind(reals[i], q.scales[channel], q.zeroPoints[channel], i, range));
    }
    ir::Tensor result = ir::makeIntegerConstant(tensor.name, entry.type, tensor.shape, integers);
    result.quantisation = q;
    return toSigned(std::move(result));
}

} // namespace poolwright::import
