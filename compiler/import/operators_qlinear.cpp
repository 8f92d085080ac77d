// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/rewrite.h"

/// Operators with their quantisation inside (ONNX QLinear*, and those of com.microsoft) become DequantizeLinear, the
/// plain operator, QuantizeLinear: the passes fold that as they fold QDQ models.
namespace poolwright::import {
namespace {

/// Where an operator has a quantised tensor and its parameters among its inputs.
struct Operand {
    int tensor, scale, zeroPoint;
};

void requireQuantised(const NodeView& node, int input) {
    const ir::ElementType type = node.tensor(input).type;
    if (type == ir::ElementType::Float32 || type == ir::ElementType::Bool)
        refuse("PW2043", "input '" + node.tensor(input).name + "' is no integer tensor");
}

/// A zero point that is absent is 0 of the first operand's type.
std::string zeroPointOf(const Rewrite& rewrite, int input, int tensor) {
    const NodeView& node = rewrite.node();
    if (node.has(input))
        return rewrite.input(input);
    const ir::ElementType type = node.tensor(tensor).type;
    return rewrite.constant("zero" + std::to_string(input), ir::makeIntegerConstant({}, type, {}, {0}));
}

/// Answers the name of the operand as reals. Per-channel parameters lie along `axis`.
std::string dequantised(const Rewrite& rewrite, const Operand& operand, std::int64_t axis = 0) {
    requireQuantised(rewrite.node(), operand.tensor);
    const std::string name = rewrite.temporary("operand" + std::to_string(operand.tensor));
    onnx::NodeProto step = stepOf("DequantizeLinear",
                                  {rewrite.input(operand.tensor), rewrite.input(operand.scale),
                                   zeroPointOf(rewrite, operand.zeroPoint, operand.tensor)},
                                  name);
    setInteger(step, "axis", axis);
    step.set_name(rewrite.node().name() + "_dequantise" + std::to_string(operand.tensor));
    rewrite.read(std::move(step));
    return name;
}

void quantiseResult(const Rewrite& rewrite, const std::string& real, int scale, int zeroPoint, int tensor) {
    onnx::NodeProto step = stepOf(
        "QuantizeLinear", {real, rewrite.input(scale), zeroPointOf(rewrite, zeroPoint, tensor)}, rewrite.output());
    step.set_name(rewrite.node().name() + "_quantise");
    rewrite.read(std::move(step));
}

void copyAttributes(const NodeView& node, onnx::NodeProto& step) {
    for (const auto& attribute : node.proto().attribute())
        if (attribute.name() != "channels_last" && attribute.name() != "opset")
            *step.add_attribute() = attribute;
}

/// Bias as int32 whose scale is the product of those of both factors.
std::string dequantisedBias(const Rewrite& rewrite, int bias, int scale, int weightScale) {
    const NodeView& node = rewrite.node();
    if (!node.has(bias))
        return {};
    ir::Tensor constant = node.constant(bias, "bias");
    if (constant.type != ir::ElementType::Int32)
        refuse("PW2043", "the bias is no 32-bit integer tensor");
    ir::Quantisation product;
    for (double weights : ir::realsOf(node.constant(weightScale, "the scale of the weights")))
        product.scales.push_back(double(float(node.constantScalar(scale, "the scale")) * float(weights)));
    for (double value : product.scales)
        if (!(value > 0))
            refuse("PW2049", "a scale is not a positive number");
    const bool fits = product.isPerTensor() ||
                      (constant.shape.size() == 1 && constant.shape[0] == std::int64_t(product.scales.size()));
    if (!fits)
        refuse("PW2049", "the number of scales does not match the bias");
    product.zeroPoints.assign(product.scales.size(), 0);
    product.axis = product.isPerTensor() ? -1 : 0;
    constant.quantisation = std::move(product);
    return rewrite.constant("bias", std::move(constant));
}

// ---- layouts

/// Permutation between [N, C, spatial...] and [N, spatial..., C].
std::vector<std::int64_t> permutation(std::size_t rank, bool channelsFirst) {
    std::vector<std::int64_t> perm{0};
    if (channelsFirst)
        perm.push_back(std::int64_t(rank) - 1);
    for (std::size_t d = 1; d + 1 < rank; ++d)
        perm.push_back(std::int64_t(d) + (channelsFirst ? 0 : 1));
    if (!channelsFirst)
        perm.push_back(1);
    return perm;
}

void transpose(const Rewrite& rewrite, const std::string& from, const std::string& to, bool channelsFirst,
               std::size_t rank) {
    onnx::NodeProto step = stepOf("Transpose", {from}, to);
    setIntegers(step, "perm", permutation(rank, channelsFirst));
    step.set_name(to + "_transpose");
    rewrite.read(std::move(step));
}

/// The plain operator on reals; answers the name of its result.
std::string plain(const Rewrite& rewrite, const std::string& opType, std::vector<std::string> inputs, int opset) {
    const NodeView& node = rewrite.node();
    const bool channelsLast = node.integer("channels_last", 0) != 0;
    const std::size_t rank = node.context().graph[node.context().tensors.at(inputs[0])].shape.size();
    if (channelsLast && rank < 3)
        refuse("PW2045", "channels_last needs an image");
    if (channelsLast) {
        transpose(rewrite, inputs[0], rewrite.temporary("channels_first"), true, rank);
        inputs[0] = rewrite.temporary("channels_first");
    }
    const std::string real = rewrite.temporary("real");
    onnx::NodeProto step = stepOf(opType, inputs, channelsLast ? rewrite.temporary("pooled") : real);
    copyAttributes(node, step);
    rewrite.read(std::move(step), opset);
    if (channelsLast)
        transpose(rewrite, rewrite.temporary("pooled"), real, false, rank);
    return real;
}

} // namespace

/// QLinearSigmoid, QLinearAveragePool and the like: X, its scale and zero point, those of the result.
void readQLinearUnary(const NodeView& node) {
    const Rewrite rewrite(node);
    const std::string op = node.opType().substr(std::string("QLinear").size());
    // The axes of QLinearReduceMean are an attribute whatever the model's opset; QLinearSoftmax says whose meaning it
    // has.
    const int opset = op == "ReduceMean" ? 13 : op == "Softmax" ? int(node.integer("opset", 13)) : node.opset();
    const std::string x = dequantised(rewrite, {0, 1, 2});
    quantiseResult(rewrite, plain(rewrite, op, {x}, opset), 3, 4, 0);
}

/// QLinearAdd and QLinearMul.
void readQLinearBinary(const NodeView& node) {
    const Rewrite rewrite(node);
    const std::string op = node.opType().substr(std::string("QLinear").size());
    const std::string a = dequantised(rewrite, {0, 1, 2});
    const std::string b = dequantised(rewrite, {3, 4, 5});
    quantiseResult(rewrite, plain(rewrite, op, {a, b}, node.opset()), 6, 7, 0);
}

void readQLinearConv(const NodeView& node) {
    const Rewrite rewrite(node);
    const std::string x = dequantised(rewrite, {0, 1, 2});
    const std::string weights = dequantised(rewrite, {3, 4, 5});
    const std::string bias = dequantisedBias(rewrite, 8, 1, 4);
    quantiseResult(rewrite, plain(rewrite, "Conv", {x, weights, bias}, node.opset()), 6, 7, 0);
}

void readQLinearMatMul(const NodeView& node) {
    const Rewrite rewrite(node);
    const std::string a = dequantised(rewrite, {0, 1, 2});
    const std::string b = dequantised(rewrite, {3, 4, 5}, std::int64_t(node.shape(3).size()) - 1);
    quantiseResult(rewrite, plain(rewrite, "MatMul", {a, b}, node.opset()), 6, 7, 0);
}

/// com.microsoft QGemm: without an output scale the result stays float.
void readQGemm(const NodeView& node) {
    const Rewrite rewrite(node);
    const std::string a = dequantised(rewrite, {0, 1, 2});
    const std::string b = dequantised(rewrite, {3, 4, 5}, node.integer("transB", 0) != 0 ? 0 : 1);
    const std::string bias = dequantisedBias(rewrite, 6, 1, 4);
    if (node.real("alpha", 1.0) != 1.0 && !bias.empty())
        refuse("PW2048", "alpha other than 1 beside a bias is not supported");
    if (node.has(7)) {
        quantiseResult(rewrite, plain(rewrite, "Gemm", {a, b, bias}, node.opset()), 7, 8, 0);
        return;
    }
    onnx::NodeProto step = stepOf("Gemm", {a, b, bias}, rewrite.output());
    copyAttributes(node, step);
    rewrite.read(std::move(step));
}

/// com.microsoft QLinearConcat: parameters of the result come first.
void readQLinearConcat(const NodeView& node) {
    const Rewrite rewrite(node);
    if (node.inputCount() < 5 || node.inputCount() % 3 != 2)
        refuse("PW2040", "the inputs do not come in threes behind the result's scale and zero point");
    std::vector<std::string> parts;
    for (int i = 2; i < node.inputCount(); i += 3)
        parts.push_back(dequantised(rewrite, {i, i + 1, i + 2}));
    quantiseResult(rewrite, plain(rewrite, "Concat", parts, node.opset()), 0, 1, 2);
}

} // namespace poolwright::import
