// SPDX-License-Identifier: Apache-2.0
#include "passes/constant_data.h"

#include <cstring>

namespace poolwright::passes {
namespace {

template <typename T, typename To> std::vector<To> convert(const ir::Tensor& tensor) {
    std::vector<To> values(std::size_t(tensor.elements()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        T value;
        std::memcpy(&value, tensor.data->data() + i * sizeof(T), sizeof(T));
        values[i] = To(value);
    }
    return values;
}

template <typename T, typename From> ir::ConstantData pack(const std::vector<From>& values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const T value = T(values[i]);
        std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
}

std::size_t elementsBehind(const ir::Shape& shape, int axis) {
    std::int64_t count = 1;
    for (std::size_t d = std::size_t(axis) + 1; d < shape.size(); ++d)
        count *= shape[d];
    return std::size_t(count);
}

} // namespace

std::vector<std::int64_t> integersOf(const ir::Tensor& tensor) {
    switch (tensor.type) {
    case ir::ElementType::Int8:
        return convert<std::int8_t, std::int64_t>(tensor);
    case ir::ElementType::Int16:
        return convert<std::int16_t, std::int64_t>(tensor);
    case ir::ElementType::UInt16:
        return convert<std::uint16_t, std::int64_t>(tensor);
    case ir::ElementType::Int32:
        return convert<std::int32_t, std::int64_t>(tensor);
    case ir::ElementType::Int64:
        return convert<std::int64_t, std::int64_t>(tensor);
    default:
        return convert<std::uint8_t, std::int64_t>(tensor);
    }
}

std::vector<double> realsOf(const ir::Tensor& tensor) {
    if (tensor.type == ir::ElementType::Float32)
        return convert<float, double>(tensor);
    const std::vector<std::int64_t> integers = integersOf(tensor);
    std::vector<double> reals(integers.begin(), integers.end());
    if (!tensor.quantisation)
        return reals;
    const ir::Quantisation& q = *tensor.quantisation;
    const std::size_t step = q.isPerTensor() ? 1 : elementsBehind(tensor.shape, q.axis);
    for (std::size_t i = 0; i < reals.size(); ++i) {
        const std::size_t channel = q.isPerTensor() ? 0 : i / step % q.scales.size();
        reals[i] = (reals[i] - q.zeroPoints[channel]) * q.scales[channel];
    }
    return reals;
}

ir::Tensor floatConstant(std::string name, ir::Shape shape, const std::vector<double>& values) {
    ir::Tensor tensor;
    tensor.name = std::move(name);
    tensor.shape = std::move(shape);
    tensor.data = pack<float>(values);
    return tensor;
}

ir::Tensor integerConstant(std::string name, ir::ElementType type, ir::Shape shape,
                           const std::vector<std::int64_t>& values, ir::Quantisation quantisation) {
    ir::Tensor tensor;
    tensor.name = std::move(name);
    tensor.type = type;
    tensor.shape = std::move(shape);
    tensor.quantisation = std::move(quantisation);
    tensor.data = type == ir::ElementType::Int8 ? pack<std::int8_t>(values) : pack<std::int32_t>(values);
    return tensor;
}

} // namespace poolwright::passes
