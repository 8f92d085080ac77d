// SPDX-License-Identifier: Apache-2.0
#include "ir/constant.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace poolwright::ir {
namespace {

static_assert(std::endian::native == std::endian::little, "constant data is little-endian and read in place");

template <typename T> std::vector<T> elementsOf(const Tensor& constant) {
    std::vector<T> values(std::size_t(constant.elements()));
    if (!values.empty())
        std::memcpy(values.data(), constant.data->data(), values.size() * sizeof(T));
    return values;
}

template <typename T> std::vector<std::int64_t> widened(const Tensor& constant) {
    const std::vector<T> values = elementsOf<T>(constant);
    return {values.begin(), values.end()};
}

std::vector<std::int64_t> truncated(const std::vector<float>& values) {
    std::vector<std::int64_t> integers;
    for (float value : values)
        integers.push_back(std::abs(value) < 9e18f ? std::int64_t(value) : 0);
    return integers;
}

void applyParameters(const Tensor& constant, const Quantisation& q, std::vector<double>& values) {
    const std::size_t step = q.isPerTensor() ? 1 : std::size_t(rowMajorStrides(constant.shape)[std::size_t(q.axis)]);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t channel = i / step % q.scales.size();
        values[i] = (values[i] - q.zeroPoints[channel]) * q.scales[channel];
    }
}

} // namespace

std::vector<std::int64_t> rowMajorStrides(const Shape& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = strides[d] * shape[d];
    return strides;
}

std::vector<std::int64_t> integersOf(const Tensor& constant) {
    switch (constant.type) {
    case ElementType::Int8:
        return widened<std::int8_t>(constant);
    case ElementType::Int16:
        return widened<std::int16_t>(constant);
    case ElementType::UInt16:
        return widened<std::uint16_t>(constant);
    case ElementType::Int32:
        return widened<std::int32_t>(constant);
    case ElementType::Int64:
        return widened<std::int64_t>(constant);
    case ElementType::Float32:
        return truncated(elementsOf<float>(constant));
    case ElementType::Bool:
    case ElementType::UInt8:
        break;
    }
    return widened<std::uint8_t>(constant);
}

std::vector<double> realsOf(const Tensor& constant) {
    if (constant.type == ElementType::Float32) {
        const std::vector<float> floats = elementsOf<float>(constant);
        return {floats.begin(), floats.end()};
    }
    const std::vector<std::int64_t> integers = integersOf(constant);
    std::vector<double> reals(integers.begin(), integers.end());
    if (constant.quantisation)
        applyParameters(constant, *constant.quantisation, reals);
    return reals;
}

Tensor makeFloatConstant(std::string name, Shape shape, const std::vector<double>& values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(float));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float value = float(values[i]);
        std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
    }
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.shape = std::move(shape);
    tensor.data = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
    return tensor;
}

Tensor makeIntegerConstant(std::string name, ElementType type, Shape shape, const std::vector<std::int64_t>& values,
                           std::optional<Quantisation> quantisation) {
    const auto width = std::size_t(elementBytes(type));
    std::vector<std::uint8_t> bytes(values.size() * width);
    for (std::size_t i = 0; i < values.size(); ++i)
        std::memcpy(bytes.data() + i * width, &values[i], width);
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.type = type;
    tensor.shape = std::move(shape);
    tensor.quantisation = std::move(quantisation);
    tensor.data = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
    return tensor;
}

} // namespace poolwright::ir
