// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"

#include <algorithm>
#include <limits>

namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::OpKind;
using ir::Shape;

/// numpy's rule: trailing dimensions are equal, or one of them is 1.
Shape broadcast(const Shape& a, const Shape& b) {
    Shape shape(std::max(a.size(), b.size()), 1);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::int64_t x = d < a.size() ? a[a.size() - 1 - d] : 1;
        const std::int64_t y = d < b.size() ? b[b.size() - 1 - d] : 1;
        if (x != y && x != 1 && y != 1)
            refuse("PW2046", "dimensions " + std::to_string(x) + " and " + std::to_string(y) + " cannot be broadcast");
        shape[shape.size() - 1 - d] = x == 1 ? y : x;
    }
    return shape;
}

void readBinary(const NodeView& node, OpKind kind) {
    requireReal(node, 0);
    requireReal(node, 1);
    node.emit(kind, {node.input(0), node.input(1)}, {}, ElementType::Float32, broadcast(node.shape(0), node.shape(1)));
}

void readUnary(const NodeView& node, OpKind kind, ir::Attributes attributes = {}) {
    requireReal(node, 0);
    node.emit(kind, {node.input(0)}, std::move(attributes), ElementType::Float32, node.shape(0));
}

double clipBound(const NodeView& node, const char* key, int input, double fallback) {
    if (node.opset() < 11)
        return node.real(key, fallback);
    return node.has(input) ? node.constantScalar(input, key) : fallback;
}

void emitTimes(const NodeView& node, const std::string& name, const Shape& shape, const std::vector<double>& factors) {
    const Shape x = node.shape(0);
    const TensorId factor = node.addConstant(ir::makeFloatConstant(name, shape, factors));
    node.emit(OpKind::Mul, {node.input(0), factor}, {}, ElementType::Float32, broadcast(x, shape));
}

} // namespace

void readAdd(const NodeView& node) {
    readBinary(node, OpKind::Add);
}
void readSub(const NodeView& node) {
    readBinary(node, OpKind::Sub);
}
void readMul(const NodeView& node) {
    readBinary(node, OpKind::Mul);
}
void readRelu(const NodeView& node) {
    readUnary(node, OpKind::Relu);
}
void readSigmoid(const NodeView& node) {
    readUnary(node, OpKind::Sigmoid);
}
void readTanh(const NodeView& node) {
    readUnary(node, OpKind::Tanh);
}
void readHardSwish(const NodeView& node) {
    readUnary(node, OpKind::HardSwish);
}

void readDiv(const NodeView& node) {
    requireReal(node, 0);
    const ir::Tensor divisor = node.constant(1, "the divisor");
    std::vector<double> factors = ir::realsOf(divisor);
    for (double& factor : factors) {
        if (factor == 0)
            refuse("PW2046", "division by zero");
        factor = 1.0 / factor;
    }
    emitTimes(node, divisor.name + "_reciprocal", divisor.shape, factors);
}

void readNeg(const NodeView& node) {
    requireReal(node, 0);
    emitTimes(node, node.outputName() + "_minus_one", {}, {-1.0});
}

void readHardSigmoid(const NodeView& node) {
    readUnary(node, OpKind::HardSigmoid,
              {{"alpha", node.real("alpha", double(0.2f))}, {"beta", node.real("beta", 0.5)}});
}

void readClip(const NodeView& node) {
    constexpr double top = double(std::numeric_limits<float>::max());
    readUnary(node, OpKind::Clip, {{"min", clipBound(node, "min", 1, -top)}, {"max", clipBound(node, "max", 2, top)}});
}

void readSoftmax(const NodeView& node) {
    requireReal(node, 0);
    const Shape x = node.shape(0);
    const std::int64_t axis = normalisedAxis(node.integer("axis", node.opset() >= 13 ? -1 : 1), x.size());
    const auto behind = x.begin() + axis + 1;
    const bool innermost = std::all_of(behind, x.end(), [](std::int64_t extent) { return extent == 1; });
    if (node.opset() >= 13 || innermost) {
        readUnary(node, OpKind::Softmax, {{"axis", axis}});
        return;
    }
    // Before opset 13 all dimensions from the axis on form one row.
    const std::int64_t rows = checkedCount({x.begin(), x.begin() + axis});
    const std::int64_t columns = checkedCount({x.begin() + axis, x.end()});
    const TensorId flat =
        node.emitStep("_rows", OpKind::Reshape, {node.input(0)}, {}, ElementType::Float32, {rows, columns});
    const TensorId soft = node.emitStep("_softmax", OpKind::Softmax, {flat}, {{"axis", std::int64_t(1)}},
                                        ElementType::Float32, {rows, columns});
    node.emit(OpKind::Reshape, {soft}, {}, ElementType::Float32, x);
}

} // namespace poolwright::import
