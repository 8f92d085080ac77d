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

void readDynamicQuantizeLinear(const NodeView&) {
    refuse("PW2048", "quantisation with a scale that is found at run time is not supported",
           "quantise the model statically, with calibration data");
}

} // namespace poolwright::import
