// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/numbers.h"
#include "import/rewrite.h"
#include "ir/kinds.h"

#include <limits>

/// Functions of one operand.
namespace poolwright::import {
namespace {

using ir::OpKind;

struct Attribute {
    const char* name;
    double fallback;
};

/// Functions with attributes; all others have none (ONNX operator descriptions).
const std::map<std::string, std::vector<Attribute>>& attributesByName() {
    static const std::map<std::string, std::vector<Attribute>> attributes = {
        {"Celu", {{"alpha", 1.0}}},
        {"Elu", {{"alpha", 1.0}}},
        {"HardSigmoid", {{"alpha", double(0.2f)}, {"beta", 0.5}}},
        {"LeakyRelu", {{"alpha", double(0.01f)}}},
        {"Selu", {{"alpha", double(1.67326319217681884765625f)}, {"gamma", double(1.05070102214813232421875f)}}},
        {"ThresholdedRelu", {{"alpha", 1.0}}},
    };
    return attributes;
}

bool takesIntegers(OpKind kind) {
    return kind == OpKind::Abs || kind == OpKind::Sign || kind == OpKind::Relu;
}

double clipBound(const NodeView& node, const char* key, int input, double fallback) {
    if (node.opset() < 11)
        return node.real(key, fallback);
    return node.has(input) ? node.constantScalar(input, key) : fallback;
}

/// Bounds that are computed, and those of integers, as Max and Min of the operand and a single number.
void clipByExtrema(const NodeView& node) {
    const ir::ElementType type = commonType(node, 0, 1);
    TensorId x = node.input(0);
    for (int bound : {1, 2}) {
        if (!node.has(bound))
            continue;
        if (node.tensor(bound).elements() != 1)
            refuse("PW2042", std::string(bound == 1 ? "min" : "max") + " is not one number");
        const OpKind kind = bound == 1 ? OpKind::Max : OpKind::Min;
        if (bound == 2 || !node.has(2))
            return node.emit(kind, {x, node.input(bound)}, {}, type, node.shape(0));
        x = node.emitStep("_min", kind, {x, node.input(bound)}, {{"partial", std::int64_t(1)}}, type, node.shape(0));
    }
    emitUnary(node, OpKind::Identity, {}, true);
}

} // namespace

/// Every function whose kind has the operator's name.
void readUnary(const NodeView& node) {
    ir::Attributes attributes;
    if (const auto found = attributesByName().find(node.opType()); found != attributesByName().end())
        for (const Attribute& attribute : found->second)
            attributes[attribute.name] = node.real(attribute.name, attribute.fallback);
    if (node.opType() == "Celu" && std::get<double>(attributes["alpha"]) == 0)
        refuse("PW2042", "alpha must not be 0");
    const OpKind kind = *ir::kindNamed(node.opType());
    emitUnary(node, kind, std::move(attributes), takesIntegers(kind));
}

void readClip(const NodeView& node) {
    const bool isComputed = (node.has(1) && !node.isConstant(1)) || (node.has(2) && !node.isConstant(2));
    if (node.opset() >= 11 && (isComputed || commonType(node, 0, 1) != ir::ElementType::Float32))
        return clipByExtrema(node);
    constexpr double top = double(std::numeric_limits<float>::max());
    emitUnary(node, OpKind::Clip, {{"min", clipBound(node, "min", 1, -top)}, {"max", clipBound(node, "max", 2, top)}});
}

void readGelu(const NodeView& node) {
    const std::string approximate = node.text("approximate", "none");
    if (approximate != "none" && approximate != "tanh")
        refuse("PW2042", "approximate is '" + approximate + "' instead of none or tanh");
    emitUnary(node, OpKind::Gelu, {{"approximate", approximate}});
}

/// x * tanh(softplus(x)).
void readMish(const NodeView& node) {
    const Rewrite rewrite(node);
    const std::string soft = rewrite.temporary("softplus"), bent = rewrite.temporary("tanh");
    rewrite.read(stepOf("Softplus", {rewrite.input(0)}, soft));
    rewrite.read(stepOf("Tanh", {soft}, bent));
    rewrite.read(stepOf("Mul", {rewrite.input(0), bent}, rewrite.output()));
}

/// com.microsoft QuickGelu.
void readQuickGelu(const NodeView& node) {
    emitUnary(node, OpKind::Swish, {{"alpha", node.real("alpha", double(1.702f))}});
}

/// com.microsoft FastGelu and BiasGelu: a bias is added first.
void readBiasedGelu(const NodeView& node) {
    const ir::Attributes attributes{{"approximate", std::string(node.opType() == "FastGelu" ? "tanh" : "none")}};
    if (!node.has(1))
        return emitUnary(node, OpKind::Gelu, attributes);
    requireReal(node, 0);
    requireReal(node, 1);
    const ir::Shape shape = broadcast(node.shape(0), node.shape(1));
    node.emit(OpKind::Gelu, {node.input(0), node.input(1)}, attributes, ir::ElementType::Float32, shape);
}

} // namespace poolwright::import
