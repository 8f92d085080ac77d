// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/rewrite.h"

/// MatMulInteger and ConvInteger: products of integers less their zero points, as int32. Where a Cast to float follows
/// they are read as the product of reals whose scales multiply to 1; the Mul by the scales behind it is folded into the
/// weights by the pass fuse-scale.
namespace poolwright::import {
namespace {

/// The only readers that a sum without scale can have here.
void requireCasts(const NodeView& node) {
    const auto readers = node.context().readers.find(node.outputName());
    const bool any = readers != node.context().readers.end() && !readers->second.empty();
    for (const onnx::NodeProto* reader : any ? readers->second : std::vector<const onnx::NodeProto*>()) {
        const bool isCast = reader->op_type() == "Cast" && reader->attribute_size() == 1 &&
                            reader->attribute(0).i() == onnx::TensorProto::FLOAT;
        if (!isCast)
            refuse("PW2048", "its 32-bit sums are read by " + reader->op_type() + " instead of a Cast to float",
                   "export the model in QDQ form");
    }
    if (!any)
        refuse("PW2048", "its 32-bit sums are no quantised tensor", "export the model in QDQ form");
}

std::vector<std::int32_t> zeroPoints(const NodeView& node, int input) {
    std::vector<std::int32_t> zeros;
    if (node.has(input))
        for (std::int64_t zero : node.constantIntegers(input, "the zero point"))
            zeros.push_back(std::int32_t(zero));
    return zeros.empty() ? std::vector<std::int32_t>{0} : zeros;
}

bool isComputed(const NodeView& node, int input) {
    return node.has(input) && !node.isConstant(input);
}

/// An operand less its zero point, as reals that are integers.
std::string centred(const Rewrite& rewrite, int operand, int zeroPoint, const std::string& what) {
    const std::string real = rewrite.temporary(what);
    rewrite.read(castStep(rewrite.input(operand), real, onnx::TensorProto::FLOAT));
    if (!rewrite.node().has(zeroPoint))
        return real;
    if (rewrite.node().tensor(zeroPoint).elements() != 1)
        refuse("PW2049", "operands with several zero points that are computed are not supported",
               "quantise activations per tensor");
    const std::string zero = rewrite.temporary(what + "_zero"), result = rewrite.temporary(what + "_centred");
    rewrite.read(castStep(rewrite.input(zeroPoint), zero, onnx::TensorProto::FLOAT));
    rewrite.read(stepOf("Sub", {real, zero}, result));
    return result;
}

/// A zero point or both operands come from the graph: the sums are computed as reals, which hold them exactly up to the
/// one rounding that the Cast behind them stands for.
void readComputedProduct(const NodeView& node, const std::string& plain) {
    const Rewrite rewrite(node);
    const std::string a = centred(rewrite, 0, 2, "activation"), b = centred(rewrite, 1, 3, "weights");
    onnx::NodeProto step = stepOf(plain, {a, b}, rewrite.output());
    for (const auto& attribute : node.proto().attribute())
        *step.add_attribute() = attribute;
    rewrite.read(std::move(step));
}

/// The activation as reals. Its scale is the one it was quantised with, 1 when nobody says.
double dequantiseActivation(const NodeView& node, const std::string& name) {
    ir::Tensor& x = node.context().graph[node.input(0)];
    const std::vector<std::int32_t> zeros = zeroPoints(node, 2);
    if (x.isConstant() || ir::elementBytes(x.type) != 1 || x.type == ir::ElementType::Bool)
        refuse("PW2043", "input '" + x.name + "' is no 8-bit activation");
    if (zeros.size() != 1)
        refuse("PW2049", "activations quantised per row are not supported", "quantise activations per tensor");
    if (x.quantisation && x.quantisation->zeroPoints != zeros)
        refuse("PW2049", "its zero point differs from the one that '" + x.name + "' was quantised with");
    if (!x.quantisation)
        x.quantisation = ir::Quantisation{.scales = {1.0}, .zeroPoints = zeros, .axis = -1};
    const double scale = x.quantisation->scales[0];
    node.context().tensors[name] = node.emitStep("_activation", ir::OpKind::Dequantize, {node.input(0)}, {},
                                                 ir::ElementType::Float32, node.shape(0));
    return scale;
}

void readProduct(const NodeView& node, const std::string& plain, std::int64_t channelAxis) {
    requireCasts(node);
    if (isComputed(node, 1) || isComputed(node, 2) || isComputed(node, 3))
        return readComputedProduct(node, plain);
    ir::Tensor weights = node.constant(1, "the second operand");
    if (ir::elementBytes(weights.type) != 1 || weights.type == ir::ElementType::Bool)
        refuse("PW2043", "the weights are no 8-bit integers");
    const Rewrite rewrite(node);
    const std::string x = rewrite.temporary("activation");
    const double scale = dequantiseActivation(node, x);
    ir::Quantisation q{.scales = {}, .zeroPoints = zeroPoints(node, 3), .axis = -1};
    if (!q.isPerTensor() && q.zeroPoints.size() > 1) {
        q.axis = int(channelAxis);
        if (channelAxis < 0 || weights.shape.size() <= std::size_t(channelAxis) ||
            weights.shape[std::size_t(channelAxis)] != std::int64_t(q.zeroPoints.size()))
            refuse("PW2049", "the number of zero points does not match the weights");
    }
    q.scales.assign(q.zeroPoints.size(), 1.0 / scale);
    weights.quantisation = std::move(q);
    onnx::NodeProto step =
        stepOf(plain, {x, rewrite.constant("weights", toSigned(std::move(weights)))}, rewrite.output());
    for (const auto& attribute : node.proto().attribute())
        *step.add_attribute() = attribute;
    rewrite.read(std::move(step));
}

} // namespace

void readMatMulInteger(const NodeView& node) {
    readProduct(node, "MatMul", std::int64_t(node.shape(1).size()) - 1);
}

void readConvInteger(const NodeView& node) {
    readProduct(node, "Conv", 0);
}

/// The function body of the ONNX operator: the range of the values and 0 over 255 steps; a tensor of zeros has the
/// scale 1, as in ONNX Runtime.
void readDynamicQuantizeLinear(const NodeView& node) {
    requireReal(node, 0);
    const Rewrite rewrite(node);
    const auto name = [&](const char* what) { return rewrite.temporary(what); };
    const auto number = [&](const char* what, double value) {
        return rewrite.constant(what, ir::makeFloatConstant({}, {}, {value}));
    };
    const std::string zero = number("0", 0), steps = number("255", 255), one = number("1", 1);
    const auto reduce = [&](const char* op, const char* bounded, const std::string& result) {
        onnx::NodeProto step = stepOf(op, {rewrite.input(0)}, result + "_of_values");
        setInteger(step, "keepdims", 0);
        rewrite.read(std::move(step));
        rewrite.read(stepOf(bounded, {result + "_of_values", zero}, result));
    };
    reduce("ReduceMin", "Min", name("lowest"));
    reduce("ReduceMax", "Max", name("highest"));
    const std::string scale = node.hasOutput(1) ? node.outputName(1) : name("scale");
    rewrite.read(stepOf("Sub", {name("highest"), name("lowest")}, name("range")));
    rewrite.read(stepOf("Div", {name("range"), steps}, name("step")));
    rewrite.read(stepOf("Equal", {name("range"), zero}, name("is_zero")));
    rewrite.read(stepOf("Where", {name("is_zero"), one, name("step")}, scale));
    rewrite.read(stepOf("Div", {name("lowest"), scale}, name("below")));
    rewrite.read(stepOf("Sub", {zero, name("below")}, name("offset")));
    rewrite.read(stepOf("Round", {name("offset")}, name("zero")));
    rewrite.read(stepOf("Div", {rewrite.input(0), scale}, name("steps")));
    rewrite.read(stepOf("Round", {name("steps")}, name("whole")));
    rewrite.read(stepOf("Add", {name("whole"), name("zero")}, name("shifted")));
    rewrite.read(stepOf("Clip", {name("shifted"), zero, steps}, name("bytes")));
    rewrite.read(castStep(name("bytes"), rewrite.output(), onnx::TensorProto::UINT8));
    if (node.hasOutput(2))
        rewrite.read(castStep(name("zero"), node.outputName(2), onnx::TensorProto::UINT8));
}

/// DequantizeLinear whose scale or zero point come from the graph.
void readComputedDequantizeLinear(const NodeView& node) {
    for (int i : {1, 2})
        if (node.has(i) && node.tensor(i).elements() != 1)
            refuse("PW2049", "activations quantised per channel are not supported", "quantise activations per tensor");
    const Rewrite rewrite(node);
    rewrite.read(stepOf("Mul", {centred(rewrite, 0, 2, "steps"), rewrite.input(1)}, rewrite.output()));
}

} // namespace poolwright::import
