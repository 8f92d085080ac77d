// SPDX-License-Identifier: Apache-2.0
#include "lint/view.h"

#include <algorithm>

namespace poolwright::lint {

namespace {

std::string listed(const std::vector<std::int64_t>& values) {
    std::string text;
    for (std::int64_t value : values)
        text += (text.empty() ? "" : "x") + std::to_string(value);
    return text;
}

std::int64_t product(const std::vector<std::int64_t>& values) {
    std::int64_t result = 1;
    for (std::int64_t value : values)
        result *= value;
    return result;
}

bool anyAbove(const std::vector<std::int64_t>& values, std::int64_t limit) {
    return std::any_of(values.begin(), values.end(), [=](std::int64_t value) { return value > limit; });
}

bool isDepthwise(const View& view, const ir::Node& node) {
    const std::int64_t groups = node.integer("group", 1);
    return groups > 1 && view.inputShape(node).size() > 1 && view.inputShape(node)[1] == groups;
}

} // namespace

std::vector<Finding> transposedConvolutions(const View& view) {
    std::vector<Finding> found;
    for (const ir::Node* node : view.nodesOf(ir::OpKind::ConvTranspose))
        if (node->integer("group", 1) == 1)
            found.push_back({node->name,
                             "the transposed convolution runs on hardware as " +
                                 std::to_string(product(node->integers("strides"))) +
                                 " plain convolutions, one for each phase of its stride",
                             "nothing need be done; recap and graph show the expansion as this one operator"});
    return found;
}

std::vector<Finding> groupedTransposedConvolutions(const View& view) {
    std::vector<Finding> found;
    for (const ir::Node* node : view.nodesOf(ir::OpKind::ConvTranspose))
        if (node->integer("group", 1) > 1)
            found.push_back({node->name,
                             "the vendor's tool cannot expand a transposed convolution of " +
                                 std::to_string(node->integer("group", 1)) + " groups",
                             "export it with one group whose weights are block-diagonal; the results are the same"});
    return found;
}

std::vector<Finding> dilatedConvolutions(const View& view) {
    std::vector<Finding> found;
    for (const ir::Node* node : view.nodesOf(ir::OpKind::Conv)) {
        const auto dilations = node->integers("dilations");
        if (anyAbove(dilations, 1))
            found.push_back({node->name,
                             "dilation " + listed(dilations) + " is no native mode: here it becomes " +
                                 std::to_string(product(dilations)) +
                                 " strided convolutions on hardware, in the vendor's tool a chain of Pad, SpaceToDepth "
                                 "and DepthToSpace copies or a software epoch",
                             "where accuracy allows, use a larger undilated kernel or two layers"});
    }
    return found;
}

std::vector<Finding> unusualStrides(const View& view) {
    std::vector<Finding> found;
    for (const ir::Node* node : view.nodesOf(ir::OpKind::Conv)) {
        const auto strides = node->integers("strides");
        const bool unusual =
            std::any_of(strides.begin(), strides.end(), [](std::int64_t s) { return s != 1 && s != 2 && s != 4; });
        if (unusual)
            found.push_back(
                {node->name,
                 "stride " + listed(strides) +
                     " is a software epoch in the vendor's tool, which takes strides 1, 2 and 4 on hardware",
                 "train with stride 1, 2 or 4, or with stride 1 and a pooling behind it"});
    }
    return found;
}

std::vector<Finding> stridedDepthwise(const View& view) {
    std::vector<Finding> found;
    for (const ir::Node* node : view.nodesOf(ir::OpKind::Conv))
        if (isDepthwise(view, *node) && anyAbove(node->integers("strides"), 1))
            found.push_back({node->name,
                             "depthwise convolutions with stride " + listed(node->integers("strides")) +
                                 " compile but have been seen to stall on silicon",
                             "try the network on a board early; a stride of 1 with a pooling behind it is safe"});
    return found;
}

std::vector<Finding> dynamicProducts(const View& view) {
    std::vector<Finding> found;
    for (const ir::Node* node : view.nodesOf(ir::OpKind::MatMul))
        if (!view.tensor(node->inputs[0]).isConstant() && !view.tensor(node->inputs[1]).isConstant())
            found.push_back({node->name, "both operands of the product are computed at run time: a software epoch",
                             "expected in attention; keep such products small, or make one operand constant"});
    return found;
}

std::vector<Finding> computedGemmBias(const View& view) {
    std::vector<Finding> found;
    const auto report = [&](const ir::Node& node) {
        found.push_back({node.name,
                         "the Gemm adds a tensor that is computed at run time, which no convolution can take as bias",
                         "it is carried out in software; export a MatMul and an Add, so that units can take both"});
    };
    for (const ir::Node& node : view.graph().nodes) {
        const bool isGemm = node.kind == ir::OpKind::Gemm || node.kind == ir::OpKind::MatMul;
        if (isGemm && node.inputs.size() > 2 && node.inputs[2].isValid() && !view.tensor(node.inputs[2]).isConstant())
            report(node);
    }
    return found;
}

} // namespace poolwright::lint
