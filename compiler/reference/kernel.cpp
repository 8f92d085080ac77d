// SPDX-License-Identifier: Apache-2.0
#include "reference/kernel.h"

#include <cstring>

namespace poolwright::reference {

namespace {

template <typename T> T attributeOr(const ir::Attributes& attributes, const std::string& key, const T& fallback) {
    const auto found = attributes.find(key);
    if (found == attributes.end())
        return fallback;
    const T* value = std::get_if<T>(&found->second);
    return value ? *value : fallback;
}

std::string describeTensor(ir::ElementType type, const ir::Shape& shape) {
    std::string text = std::string(ir::elementTypeName(type)) + "[";
    for (std::size_t d = 0; d < shape.size(); ++d)
        text += (d ? "," : "") + std::to_string(shape[d]);
    return text + "]";
}

/// How often one entry of the parameters holds in a row, and how many entries there are.
struct ParameterRuns {
    std::int64_t entries = 1;
    std::int64_t run = 1;
};

ParameterRuns parameterRuns(const Value& value) {
    ParameterRuns runs{1, value.elements()};
    if (!value.quantisation || value.quantisation->isPerTensor())
        return runs;
    runs = {std::int64_t(value.quantisation->scales.size()), 1};
    for (std::size_t d = std::size_t(value.quantisation->axis) + 1; d < value.shape.size(); ++d)
        runs.run *= value.shape[d];
    return runs;
}

} // namespace

std::int64_t Call::integer(const std::string& key, std::int64_t fallback) const {
    return attributeOr(attributes, key, fallback);
}

double Call::real(const std::string& key, double fallback) const {
    const auto found = attributes.find(key);
    if (found != attributes.end() && std::holds_alternative<std::int64_t>(found->second))
        return double(std::get<std::int64_t>(found->second));
    return attributeOr(attributes, key, fallback);
}

std::string Call::text(const std::string& key, const std::string& fallback) const {
    return attributeOr(attributes, key, fallback);
}

std::vector<std::int64_t> Call::integers(const std::string& key, const std::vector<std::int64_t>& fallback) const {
    return attributeOr(attributes, key, fallback);
}

std::vector<double> Call::reals(const std::string& key) const {
    return attributeOr(attributes, key, std::vector<double>());
}

std::string describe(const Call& call) {
    std::string text = std::string(ir::opKindName(call.kind)) + "(";
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        text += i ? ", " : "";
        text += call.inputs[i] ? describeTensor(call.inputs[i]->type, call.inputs[i]->shape) : std::string("-");
    }
    text += ") ->";
    for (const Value& output : call.outputs)
        text += " " + describeTensor(output.type, output.shape);
    return text;
}

tl::unexpected<Diagnostics> unsupported(const Call& call, const std::string& what) {
    return fail(makeError("PW2201", describe(call) + ": " + what));
}

tl::unexpected<Diagnostics> mismatch(const Call& call, const std::string& what) {
    return fail(makeError("PW2202", describe(call) + ": " + what));
}

std::int64_t checkedBytes(ir::ElementType type, const ir::Shape& shape) {
    std::int64_t bytes = ir::elementBytes(type);
    bool empty = false;
    for (std::int64_t extent : shape) {
        if (extent < 0 || extent > largestTensor)
            return -1;
        empty = empty || extent == 0;
        if (extent > 0 && bytes > largestTensor / extent)
            return -1;
        bytes *= extent == 0 ? 1 : extent;
    }
    return empty ? 0 : bytes;
}

bool isInteger(ir::ElementType type) {
    return type != ir::ElementType::Float32 && type != ir::ElementType::Bool;
}

bool isQuantisedByte(const Value& value) {
    return value.quantisation && (value.type == ir::ElementType::Int8 || value.type == ir::ElementType::UInt8);
}

bool isPlainInteger(const Value& value) {
    return isInteger(value.type) && !value.quantisation;
}

double scaleOf(const Value& value, std::int64_t index) {
    if (!value.quantisation)
        return 1.0;
    const std::vector<double>& scales = value.quantisation->scales;
    return scales[scales.size() == 1 ? 0 : std::size_t(index)];
}

double zeroPointOf(const Value& value, std::int64_t index) {
    if (!value.quantisation || value.quantisation->zeroPoints.empty())
        return 0.0;
    const std::vector<std::int32_t>& zeroPoints = value.quantisation->zeroPoints;
    return zeroPoints[zeroPoints.size() == 1 ? 0 : std::size_t(index)];
}

/// All elements, dequantised in the arithmetic of `Real`.
template <typename Real> static std::vector<Real> dequantised(const Value& value) {
    std::vector<Real> reals(std::size_t(value.elements()));
    const ParameterRuns runs = parameterRuns(value);
    withType(value.type, [&](auto zero) {
        const auto* elements = value.as<decltype(zero)>();
        for (std::size_t start = 0, part = 0; start < reals.size(); start += std::size_t(runs.run), ++part) {
            const std::int64_t entry = std::int64_t(part) % runs.entries;
            const Real scale = Real(scaleOf(value, entry));
            const Real zeroPoint = Real(zeroPointOf(value, entry));
            for (std::size_t i = start; i < start + std::size_t(runs.run); ++i)
                reals[i] = (Real(elements[i]) - zeroPoint) * scale;
        }
    });
    return reals;
}

std::vector<double> realsOf(const Value& value) {
    return dequantised<double>(value);
}

std::vector<float> floatsOf(const Value& value) {
    return dequantised<float>(value);
}

std::vector<std::int64_t> integersOf(const Value& value) {
    std::vector<std::int64_t> integers(std::size_t(value.elements()));
    if (value.type == ir::ElementType::Float32)
        return {};
    withType(value.type, [&](auto zero) {
        const auto* elements = value.as<decltype(zero)>();
        for (std::size_t i = 0; i < integers.size(); ++i)
            integers[i] = std::int64_t(elements[i]);
    });
    return integers;
}

void storeReals(Value& output, const std::vector<double>& reals) {
    const double scale = scaleOf(output);
    const double zeroPoint = zeroPointOf(output);
    withType(output.type, [&](auto zero) {
        using T = decltype(zero);
        T* elements = output.as<T>();
        for (std::size_t i = 0; i < reals.size(); ++i)
            elements[i] = encode<T>(reals[i] / scale, zeroPoint);
    });
}

void storeFloats(Value& output, const std::vector<float>& floats) {
    const auto scale = float(scaleOf(output));
    std::vector<double> steps(floats.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i] = double(floats[i] / scale);
    storeSteps(output, steps);
}

void storeSteps(Value& output, const std::vector<double>& steps) {
    const double zeroPoint = zeroPointOf(output);
    withType(output.type, [&](auto zero) {
        using T = decltype(zero);
        T* elements = output.as<T>();
        for (std::size_t i = 0; i < steps.size(); ++i)
            elements[i] = encode<T>(steps[i], zeroPoint);
    });
}

bool sameMeaning(const Value& a, const Value& b) {
    return a.type == b.type && a.quantisation == b.quantisation;
}

void convert(const Value& from, Value& to) {
    if (sameMeaning(from, to))
        to.bytes = from.bytes;
    else
        storeReals(to, realsOf(from));
}

std::vector<std::int64_t> stridesOf(const ir::Shape& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d > 1; --d)
        strides[d - 2] = strides[d - 1] * shape[d - 1];
    return strides;
}

std::int64_t normalisedAxis(std::int64_t axis, std::size_t rank) {
    const std::int64_t n = std::int64_t(rank);
    if (axis < -n || axis >= n)
        return -1;
    return axis < 0 ? axis + n : axis;
}

} // namespace poolwright::reference
