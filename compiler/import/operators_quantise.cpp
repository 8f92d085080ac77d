// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>

namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::OpKind;

/// Inputs 1 and 2 of a QuantizeLinear or DequantizeLinear.
ir::Quantisation parametersOf(const NodeView& node) {
    ir::Quantisation q;
    q.scales = ir::realsOf(node.constant(1, "the scale"));
    for (double scale : q.scales)
        if (!(scale > 0) || !std::isfinite(scale))
            refuse("PW2049", "a scale is not a positive number");
    if (node.has(2)) {
        for (std::int64_t zero : node.constantIntegers(2, "the zero point"))
            q.zeroPoints.push_back(std::int32_t(zero));
    } else {
        q.zeroPoints.assign(q.scales.size(), 0);
    }
    if (q.scales.empty() || q.zeroPoints.size() != q.scales.size())
        refuse("PW2049", "scales and zero points differ in number");
    if (node.integer("block_size", 0) != 0)
        refuse("PW2049", "blocked quantisation is not supported", "quantise per tensor or per channel");
    if (!q.isPerTensor()) {
        const ir::Shape& x = node.shape(0);
        q.axis = int(normalisedAxis(node.integer("axis", 1), x.size()));
        if (x[std::size_t(q.axis)] != std::int64_t(q.scales.size()))
            refuse("PW2049", "the number of scales does not match the quantised dimension");
    }
    return q;
}

ElementType quantisedType(const NodeView& node) {
    if (node.has(2))
        return node.tensor(2).type;
    const std::int64_t type = node.integer("output_dtype", 0);
    return type == 0 ? ElementType::UInt8 : elementTypeOf(int(type));
}

bool isUnsigned(ElementType type) {
    return type == ElementType::UInt8 || type == ElementType::UInt16;
}

/// Units work on 8 bits; 16 bits run in software.
void requireShort(ElementType type, const std::string& what) {
    if (!isUnsigned(type) && type != ElementType::Int8 && type != ElementType::Int16)
        refuse("PW2049", what + " of type " + ir::elementTypeName(type) + " are not supported",
               "quantise to int8 or int16");
}

ir::Tensor quantised(const ir::Tensor& tensor, const ir::Quantisation& q, ElementType type) {
    const double span = ir::elementBytes(type) == 1 ? 256 : 65536;
    const double lowest = isUnsigned(type) ? 0 : -span / 2;
    const double highest = lowest + span - 1;
    const auto reals = ir::realsOf(tensor);
    const std::int64_t step = q.isPerTensor() ? 0 : ir::rowMajorStrides(tensor.shape)[std::size_t(q.axis)];
    std::vector<std::int64_t> integers;
    for (std::size_t i = 0; i < reals.size(); ++i) {
        const std::size_t channel = q.isPerTensor() ? 0 : i / std::size_t(step) % q.scales.size();
        const double value = std::nearbyint(reals[i] / q.scales[channel]) + q.zeroPoints[channel];
        integers.push_back(std::isnan(value) ? 0 : std::int64_t(std::clamp(value, lowest, highest)));
    }
    ir::Tensor result = ir::makeIntegerConstant(tensor.name + "_quantised", type, tensor.shape, integers);
    result.quantisation = q;
    return result;
}

/// A zero point is an integer of the quantised type.
void requireZeroPoints(const ir::Quantisation& q, ElementType type) {
    const std::int64_t span = ir::elementBytes(type) == 1 ? 256 : ir::elementBytes(type) == 2 ? 65536 : 0;
    const std::int64_t lowest = isUnsigned(type) ? 0 : -span / 2;
    for (std::int64_t zero : q.zeroPoints)
        if (span > 0 ? zero < lowest || zero >= lowest + span : zero != 0)
            refuse("PW2049",
                   "the zero point " + std::to_string(zero) + " is outside the type " + ir::elementTypeName(type));
}

void setParameters(ir::Tensor& tensor, const ir::Quantisation& q) {
    if (tensor.quantisation && *tensor.quantisation != q)
        refuse("PW2049", "its scale or zero point differ from those that '" + tensor.name + "' was quantised with",
               "requantise the model with one tool");
    tensor.quantisation = q;
}

} // namespace

void readQuantizeLinear(const NodeView& node) {
    requireReal(node, 0);
    const ir::Quantisation q = parametersOf(node);
    const ElementType type = quantisedType(node);
    requireZeroPoints(q, type);
    if (node.isConstant(0)) {
        requireShort(type, "constants");
        node.bind(node.addConstant(quantised(node.tensor(0), q, type)));
        return;
    }
    requireShort(type, "activations");
    if (!q.isPerTensor())
        refuse("PW2049", "activations quantised per channel are not supported", "quantise activations per tensor");
    node.emit(OpKind::Quantize, {node.input(0)}, {}, type, node.shape(0), q);
}

void readDequantizeLinear(const NodeView& node) {
    if (!node.isConstant(1) || (node.has(2) && !node.isConstant(2)))
        return readComputedDequantizeLinear(node);
    const ir::Quantisation q = parametersOf(node);
    const ir::Tensor x = node.tensor(0);
    if (x.type == ElementType::Float32)
        refuse("PW2043", "its input is no integer tensor");
    requireZeroPoints(q, x.type);
    if (x.isConstant()) {
        if (x.type != ElementType::Int32)
            requireShort(x.type, "constants");
        ir::Tensor constant = x;
        setParameters(constant, q);
        node.bind(node.addConstant(toSigned(std::move(constant))));
        return;
    }
    requireShort(x.type, "activations");
    if (!q.isPerTensor())
        refuse("PW2049", "activations quantised per channel are not supported", "quantise activations per tensor");
    setParameters(node.context().graph[node.input(0)], q);
    node.emit(OpKind::Dequantize, {node.input(0)}, {}, ElementType::Float32, x.shape);
}

void readConstant(const NodeView& node) {
    ir::Tensor tensor;
    if (const auto* value = node.find("value")) {
        if (value->type() != onnx::AttributeProto::TENSOR)
            refuse("PW2042", "attribute value has the wrong type");
        tensor = readTensor(value->t());
    } else if (node.hasAttribute("value_float")) {
        tensor = ir::makeFloatConstant({}, {}, {node.real("value_float", 0)});
    } else if (node.hasAttribute("value_int")) {
        tensor = ir::makeIntegerConstant({}, ElementType::Int64, {}, {node.integer("value_int", 0)});
    } else if (node.hasAttribute("value_floats")) {
        const auto values = node.reals("value_floats");
        tensor = ir::makeFloatConstant({}, {std::int64_t(values.size())}, values);
    } else if (node.hasAttribute("value_ints")) {
        const auto values = node.integers("value_ints");
        tensor = ir::makeIntegerConstant({}, ElementType::Int64, {std::int64_t(values.size())}, values);
    } else {
        refuse("PW2042", "the constant is neither a tensor nor numbers");
    }
    tensor.name = node.outputName();
    node.bind(node.addConstant(std::move(tensor)));
}

} // namespace poolwright::import
