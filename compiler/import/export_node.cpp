// SPDX-License-Identifier: Apache-2.0
#include "import/export_node.h"

#include "import/constants.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace poolwright::import {
namespace {

using ir::OpKind;
using Integers = std::vector<std::int64_t>;
using Encoder = void (*)(const NodeEncoding&);

onnx::AttributeProto& addAttribute(const NodeEncoding& e, const std::string& key,
                                   onnx::AttributeProto::AttributeType type) {
    onnx::AttributeProto& attribute = *e.proto.add_attribute();
    attribute.set_name(key);
    attribute.set_type(type);
    return attribute;
}

struct SetValue {
    const NodeEncoding& encoding;
    const std::string& key;

    void operator()(std::int64_t value) const { addAttribute(encoding, key, onnx::AttributeProto::INT).set_i(value); }
    void operator()(double value) const {
        addAttribute(encoding, key, onnx::AttributeProto::FLOAT).set_f(float(value));
    }
    void operator()(const std::string& value) const {
        addAttribute(encoding, key, onnx::AttributeProto::STRING).set_s(value);
    }
    void operator()(const Integers& values) const {
        onnx::AttributeProto& attribute = addAttribute(encoding, key, onnx::AttributeProto::INTS);
        for (std::int64_t value : values)
            attribute.add_ints(value);
    }
    void operator()(const std::vector<double>& values) const {
        onnx::AttributeProto& attribute = addAttribute(encoding, key, onnx::AttributeProto::FLOATS);
        for (double value : values)
            attribute.add_floats(float(value));
    }
};

void copyAttribute(const NodeEncoding& e, const std::string& key, const ir::AttributeValue& value) {
    std::visit(SetValue{e, key}, value);
}

void copyAttributes(const NodeEncoding& e, std::initializer_list<const char*> but = {}) {
    for (const auto& [key, value] : e.node.attributes)
        if (std::none_of(but.begin(), but.end(), [&](const char* name) { return key == name; }))
            copyAttribute(e, key, value);
}

const ir::Shape& inputShape(const NodeEncoding& e) {
    return e.graph[e.node.inputs[0]].shape;
}

const ir::Shape& outputShape(const NodeEncoding& e) {
    return e.graph[e.node.outputs[0]].shape;
}

void addIntegers(const NodeEncoding& e, const char* what, const Integers& values) {
    e.addInput(what, ir::makeIntegerConstant({}, ir::ElementType::Int64, {std::int64_t(values.size())}, values));
}

void addReals(const NodeEncoding& e, const char* what, const std::vector<double>& values) {
    e.addInput(what, ir::makeFloatConstant({}, {std::int64_t(values.size())}, values));
}

void addReal(const NodeEncoding& e, const char* what, double value) {
    e.addInput(what, ir::makeFloatConstant({}, {}, {value}));
}

// ---- operators whose ONNX form differs from the graph's ----

void encodeGemm(const NodeEncoding& e) {
    copyAttributes(e);
    copyAttribute(e, "transB", std::int64_t(1));
}

void encodeClip(const NodeEncoding& e) {
    const double top = double(std::numeric_limits<float>::max());
    addReal(e, "min", std::clamp(e.node.real("min", -top), -top, top));
    addReal(e, "max", std::clamp(e.node.real("max", top), -top, top));
}

void encodeReshape(const NodeEncoding& e) {
    addIntegers(e, "shape", outputShape(e));
}

void encodeExpand(const NodeEncoding& e) {
    addIntegers(e, "shape", outputShape(e));
}

void encodeTile(const NodeEncoding& e) {
    addIntegers(e, "repeats", e.node.integers("repeats"));
}

void encodeSplit(const NodeEncoding& e) {
    copyAttributes(e, {"split"});
    addIntegers(e, "split", e.node.integers("split"));
}

void encodePad(const NodeEncoding& e) {
    copyAttributes(e, {"pads", "value", "empty_value_input"}); // the last is a mark for lint
    addIntegers(e, "pads", e.node.integers("pads"));
    addReal(e, "constant_value", e.node.real("value"));
}

/// An end of -1 means "in front of the first element" here, but "the last element" in ONNX.
void encodeSlice(const NodeEncoding& e) {
    const Integers steps = e.node.integers("steps");
    Integers ends = e.node.integers("ends"), axes(ends.size());
    for (std::size_t d = 0; d < ends.size(); ++d) {
        axes[d] = std::int64_t(d);
        if (ends[d] < 0)
            ends[d] = -inputShape(e)[d] - 1;
    }
    addIntegers(e, "starts", e.node.integers("starts"));
    addIntegers(e, "ends", ends);
    addIntegers(e, "axes", axes);
    addIntegers(e, "steps", steps);
}

/// Sizes where the scales follow from them, which says the same in fewer words; else the scales.
bool followFromSizes(const ir::Shape& x, const ir::Shape& y, const std::vector<double>& scales) {
    for (std::size_t d = 0; d < x.size(); ++d)
        if (scales[d] != double(float(y[d]) / float(x[d])))
            return false;
    return true;
}

void encodeResize(const NodeEncoding& e) {
    copyAttributes(e, {"scales", "roi"});
    std::vector<double> scales{1.0};
    if (const auto found = e.node.attributes.find("scales"); found != e.node.attributes.end())
        if (const auto* values = std::get_if<std::vector<double>>(&found->second))
            scales = *values;
    std::vector<double> region;
    if (const auto found = e.node.attributes.find("roi"); found != e.node.attributes.end())
        if (const auto* values = std::get_if<std::vector<double>>(&found->second))
            region = *values;
    if (region.empty())
        e.proto.add_input("");
    else
        addReals(e, "roi", region);
    if (scales.size() == inputShape(e).size() && !followFromSizes(inputShape(e), outputShape(e), scales)) {
        addReals(e, "scales", scales);
        return;
    }
    e.proto.add_input("");
    addIntegers(e, "sizes", outputShape(e));
}

void encodeGlobalPool(const NodeEncoding& e) {
    e.proto.set_op_type("AveragePool");
    const ir::Shape& x = inputShape(e);
    copyAttribute(e, "kernel_shape", Integers(x.begin() + 2, x.end()));
    copyAttribute(e, "pads", Integers(2 * (x.size() - 2), 0));
    copyAttribute(e, "strides", Integers(x.size() - 2, 1));
}

/// AveragePool has dilations from opset 19 on only.
void encodeAveragePool(const NodeEncoding& e) {
    const Integers dilations = e.node.integers("dilations");
    if (e.opset < 19 && std::all_of(dilations.begin(), dilations.end(), [](std::int64_t d) { return d == 1; }))
        copyAttributes(e, {"dilations"});
    else
        copyAttributes(e);
}

/// Axes went from attribute to input with opset 18, for ReduceSum with 13.
void encodeReduce(const NodeEncoding& e) {
    const bool asInput = e.opset >= 18 || e.node.kind == OpKind::ReduceSum;
    if (!asInput)
        return copyAttributes(e);
    copyAttributes(e, {"axes"});
    if (e.node.attributes.contains("axes"))
        addIntegers(e, "axes", e.node.integers("axes"));
}

void encodeCast(const NodeEncoding& e) {
    copyAttributes(e, {"to", "precision"});
    const std::string precision = e.node.text("precision");
    const int type = precision == "float16"    ? int(onnx::TensorProto::FLOAT16)
                     : precision == "bfloat16" ? int(onnx::TensorProto::BFLOAT16)
                                               : onnxTypeOf(e.graph[e.node.outputs[0]].type);
    copyAttribute(e, "to", std::int64_t(type));
}

/// A factor or an addend makes it a Gemm, which has rank 2, or the fused product of com.microsoft.
void encodeMatMul(const NodeEncoding& e) {
    if (e.node.inputs.size() < 3 && e.node.real("alpha", 1.0) == 1.0)
        return;
    const bool isFlat = outputShape(e).size() == 2 && inputShape(e).size() == 2;
    e.proto.set_op_type(isFlat ? "Gemm" : "FusedMatMul");
    if (!isFlat)
        e.proto.set_domain("com.microsoft");
    copyAttributes(e);
}

/// With a second input the fused form of com.microsoft.
void encodeGelu(const NodeEncoding& e) {
    if (e.node.inputs.size() < 2)
        return copyAttributes(e);
    e.proto.set_op_type(e.node.text("approximate") == "tanh" ? "FastGelu" : "BiasGelu");
    e.proto.set_domain("com.microsoft");
}

void encodePlain(const NodeEncoding& e) {
    copyAttributes(e);
}

Encoder encoderOf(OpKind kind) {
    static const std::map<OpKind, Encoder> encoders = {
        {OpKind::Gemm, encodeGemm},
        {OpKind::MatMul, encodeMatMul},
        {OpKind::Gelu, encodeGelu},
        {OpKind::Clip, encodeClip},
        {OpKind::Reshape, encodeReshape},
        {OpKind::Expand, encodeExpand},
        {OpKind::Tile, encodeTile},
        {OpKind::Split, encodeSplit},
        {OpKind::Pad, encodePad},
        {OpKind::Slice, encodeSlice},
        {OpKind::Resize, encodeResize},
        {OpKind::GlobalAveragePool, encodeGlobalPool},
        {OpKind::AveragePool, encodeAveragePool},
        {OpKind::ReduceMean, encodeReduce},
        {OpKind::ReduceSum, encodeReduce},
        {OpKind::ReduceMax, encodeReduce},
        {OpKind::ReduceMin, encodeReduce},
        {OpKind::ReduceProd, encodeReduce},
        {OpKind::ReduceL1, encodeReduce},
        {OpKind::ReduceL2, encodeReduce},
        {OpKind::ReduceSumSquare, encodeReduce},
        {OpKind::ReduceLogSum, encodeReduce},
        {OpKind::ReduceLogSumExp, encodeReduce},
        {OpKind::Cast, encodeCast},
    };
    const auto found = encoders.find(kind);
    return found == encoders.end() ? encodePlain : found->second;
}

} // namespace

void encodeNode(const NodeEncoding& encoding) {
    encoding.proto.set_op_type(ir::opKindName(encoding.node.kind));
    encoderOf(encoding.node.kind)(encoding);
}

int leastOpset(ir::OpKind kind) {
    return kind == OpKind::Gelu ? 20 : kind == OpKind::LayerNormalization ? 17 : 15;
}

int onnxTypeOf(ir::ElementType type) {
    static const std::map<ir::ElementType, int> types = {
        {ir::ElementType::Bool, onnx::TensorProto::BOOL},     {ir::ElementType::Int8, onnx::TensorProto::INT8},
        {ir::ElementType::UInt8, onnx::TensorProto::UINT8},   {ir::ElementType::Int16, onnx::TensorProto::INT16},
        {ir::ElementType::UInt16, onnx::TensorProto::UINT16}, {ir::ElementType::Int32, onnx::TensorProto::INT32},
        {ir::ElementType::Int64, onnx::TensorProto::INT64},   {ir::ElementType::Float32, onnx::TensorProto::FLOAT},
    };
    return types.at(type);
}

} // namespace poolwright::import
