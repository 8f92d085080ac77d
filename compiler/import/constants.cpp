// SPDX-License-Identifier: Apache-2.0
#include "import/constants.h"

#include "import/failure.h"

#include <onnx/onnx_pb.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::Tensor;

template <typename T> std::vector<std::uint8_t> bytesOf(const std::vector<T>& values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
    if (!bytes.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

template <typename T> std::vector<T> elementsOf(const std::uint8_t* data, std::int64_t count) {
    std::vector<T> values(static_cast<std::size_t>(count));
    if (count > 0)
        std::memcpy(values.data(), data, values.size() * sizeof(T));
    return values;
}

/// IEEE binary16 to float, subnormals and infinities included.
float fromHalf(std::uint16_t half) {
    const int exponent = (half >> 10) & 31;
    const int mantissa = half & 1023;
    const float sign = (half & 0x8000) ? -1.0f : 1.0f;
    if (exponent == 31)
        return mantissa ? std::nanf("") : sign * INFINITY;
    if (exponent == 0)
        return sign * std::ldexp(float(mantissa), -24);
    return sign * std::ldexp(float(mantissa + 1024), exponent - 25);
}

/// bfloat16 is the upper half of a float32.
float fromBrain(std::uint16_t half) {
    return std::bit_cast<float>(std::uint32_t(half) << 16);
}

/// Numbers of 16 bits, in raw data and in the integers of a typed field.
using FromBits = float (*)(std::uint16_t);

FromBits halfReader(int type) {
    return type == onnx::TensorProto::FLOAT16 ? fromHalf : type == onnx::TensorProto::BFLOAT16 ? fromBrain : nullptr;
}

template <typename List> std::vector<std::uint8_t> bytesOfHalves(const List& halves, FromBits read) {
    std::vector<float> floats;
    for (auto half : halves)
        floats.push_back(read(std::uint16_t(half)));
    return bytesOf(floats);
}

std::int64_t fileBytes(int type) {
    using P = onnx::TensorProto;
    switch (type) {
    case P::DOUBLE:
        return 8;
    case P::FLOAT16:
    case P::BFLOAT16:
        return 2;
    default:
        return ir::elementBytes(elementTypeOf(type));
    }
}

void narrow(ElementType type, const std::vector<std::int64_t>& values, std::vector<std::uint8_t>& bytes) {
    const auto width = std::size_t(ir::elementBytes(type));
    bytes.resize(values.size() * width);
    for (std::size_t i = 0; i < values.size(); ++i)
        std::memcpy(bytes.data() + i * width, &values[i], width);
}

void expectCount(std::int64_t found, std::int64_t expected, const std::string& what) {
    if (found != expected)
        refuse("PW2011", what + " holds " + std::to_string(found) + ", its dimensions need " + std::to_string(expected),
               "the file is damaged; export the model again");
}

std::vector<std::uint8_t> readRaw(const onnx::TensorProto& proto, std::int64_t count) {
    const std::string& raw = proto.raw_data();
    expectCount(std::int64_t(raw.size()), count * fileBytes(proto.data_type()), "raw data in bytes");
    const auto* data = reinterpret_cast<const std::uint8_t*>(raw.data());
    if (proto.data_type() == onnx::TensorProto::DOUBLE) {
        const auto doubles = elementsOf<double>(data, count);
        return bytesOf(std::vector<float>(doubles.begin(), doubles.end()));
    }
    if (const FromBits read = halfReader(proto.data_type()))
        return bytesOfHalves(elementsOf<std::uint16_t>(data, count), read);
    return elementsOf<std::uint8_t>(data, std::int64_t(raw.size()));
}

std::vector<std::uint8_t> readTyped(const onnx::TensorProto& proto, std::int64_t count) {
    using P = onnx::TensorProto;
    switch (proto.data_type()) {
    case P::FLOAT:
        expectCount(proto.float_data_size(), count, "float data");
        return bytesOf(std::vector<float>(proto.float_data().begin(), proto.float_data().end()));
    case P::DOUBLE:
        expectCount(proto.double_data_size(), count, "double data");
        return bytesOf(std::vector<float>(proto.double_data().begin(), proto.double_data().end()));
    case P::INT64:
        expectCount(proto.int64_data_size(), count, "integer data");
        return bytesOf(std::vector<std::int64_t>(proto.int64_data().begin(), proto.int64_data().end()));
    case P::FLOAT16:
    case P::BFLOAT16:
        expectCount(proto.int32_data_size(), count, "16-bit float data");
        return bytesOfHalves(proto.int32_data(), halfReader(proto.data_type()));
    default: {
        expectCount(proto.int32_data_size(), count, "integer data");
        std::vector<std::uint8_t> bytes;
        narrow(elementTypeOf(proto.data_type()), {proto.int32_data().begin(), proto.int32_data().end()}, bytes);
        return bytes;
    }
    }
}

} // namespace

std::int64_t checkedCount(const ir::Shape& shape) {
    std::int64_t count = 1;
    for (std::int64_t extent : shape) {
        if (extent < 0)
            refuse("PW2010", "a dimension is negative");
        if (__builtin_mul_overflow(count, extent, &count) || count > largestTensor)
            refuse("PW2010", "the tensor is too large for any memory of the device", "the file may be damaged");
    }
    return count;
}

ElementType elementTypeOf(int onnxType) {
    using P = onnx::TensorProto;
    switch (onnxType) {
    case P::FLOAT:
    case P::FLOAT16:
    case P::BFLOAT16:
    case P::DOUBLE:
        return ElementType::Float32;
    case P::INT8:
        return ElementType::Int8;
    case P::UINT8:
        return ElementType::UInt8;
    case P::INT16:
        return ElementType::Int16;
    case P::UINT16:
        return ElementType::UInt16;
    case P::INT32:
        return ElementType::Int32;
    case P::INT64:
        return ElementType::Int64;
    case P::BOOL:
        return ElementType::Bool;
    default:
        break;
    }
    const bool named = P::DataType_IsValid(onnxType);
    refuse("PW2012",
           "element type " + (named ? P::DataType_Name(P::DataType(onnxType)) : std::to_string(onnxType)) +
               " is not supported",
           "quantise to int8, or use float32");
}

Tensor readTensor(const onnx::TensorProto& proto) {
    if (proto.data_location() == onnx::TensorProto::EXTERNAL || proto.external_data_size() > 0)
        refuse("PW2013", "its data lies in a side file",
               "save the model as one file (onnx.save without external data)");
    Tensor tensor;
    tensor.name = proto.name();
    tensor.shape.assign(proto.dims().begin(), proto.dims().end());
    const std::int64_t count = checkedCount(tensor.shape);
    tensor.type = elementTypeOf(proto.data_type());
    auto bytes = proto.has_raw_data() ? readRaw(proto, count) : readTyped(proto, count);
    tensor.data = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
    return tensor;
}

Tensor pick(const Tensor& tensor, std::string name, ir::Shape shape,
            const std::function<std::int64_t(std::int64_t)>& source) {
    const std::int64_t count = checkedCount(shape);
    const auto width = std::size_t(ir::elementBytes(tensor.type));
    std::vector<std::uint8_t> bytes(std::size_t(count) * width);
    for (std::int64_t i = 0; i < count; ++i)
        std::memcpy(bytes.data() + std::size_t(i) * width, tensor.data->data() + std::size_t(source(i)) * width, width);
    Tensor result{.name = std::move(name),
                  .type = tensor.type,
                  .shape = std::move(shape),
                  .quantisation = {},
                  .data = {},
                  .originalName = {}};
    result.data = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
    return result;
}

Tensor toSigned(Tensor tensor) {
    const bool isByte = tensor.type == ElementType::UInt8;
    if ((!isByte && tensor.type != ElementType::UInt16) || !tensor.quantisation)
        return tensor;
    std::vector<std::uint8_t> bytes = *tensor.data;
    const std::size_t width = isByte ? 1 : 2;
    for (std::size_t i = width - 1; i < bytes.size(); i += width)
        bytes[i] ^= 0x80; // q - 128 (32768) in two's complement, by the top bit
    for (std::int32_t& zero : tensor.quantisation->zeroPoints)
        zero -= isByte ? 128 : 32768;
    tensor.type = isByte ? ElementType::Int8 : ElementType::Int16;
    tensor.data = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
    return tensor;
}

Tensor transposed(const Tensor& tensor, const std::vector<std::int64_t>& permutation) {
    ir::Shape shape;
    for (std::int64_t d : permutation)
        shape.push_back(tensor.shape[std::size_t(d)]);
    const auto from = ir::rowMajorStrides(tensor.shape);
    const auto to = ir::rowMajorStrides(shape);
    Tensor result = pick(tensor, tensor.name, shape, [&](std::int64_t element) {
        std::int64_t source = 0;
        for (std::size_t d = 0; d < permutation.size(); ++d)
            source += element / to[d] % shape[d] * from[std::size_t(permutation[d])];
        return source;
    });
    result.quantisation = tensor.quantisation;
    if (result.quantisation && !result.quantisation->isPerTensor())
        for (std::size_t d = 0; d < permutation.size(); ++d)
            if (permutation[d] == tensor.quantisation->axis)
                result.quantisation->axis = int(d);
    return result;
}

Tensor reshaped(const Tensor& tensor, ir::Shape shape) {
    Tensor result = tensor;
    result.shape = shape;
    if (!tensor.quantisation || tensor.quantisation->isPerTensor())
        return result;
    const auto from = ir::rowMajorStrides(tensor.shape);
    const auto to = ir::rowMajorStrides(shape);
    const auto axis = std::size_t(tensor.quantisation->axis);
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (to[d] == from[axis] && shape[d] == tensor.shape[axis]) {
            result.quantisation->axis = int(d);
            return result;
        }
    return ir::makeFloatConstant(tensor.name, std::move(shape), ir::realsOf(tensor));
}

} // namespace poolwright::import
