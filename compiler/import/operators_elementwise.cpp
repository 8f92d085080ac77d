// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/numbers.h"
#include "ir/kinds.h"

#include <algorithm>

/// Operators of two operands and more.
namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::OpKind;
using ir::Shape;

OpKind kindOf(const NodeView& node) {
    return *ir::kindNamed(node.opType());
}

void emitBinary(const NodeView& node, OpKind kind, ir::Attributes attributes = {}) {
    const ElementType type = commonType(node, 0, 2);
    node.emit(kind, {node.input(0), node.input(1)}, std::move(attributes), type,
              broadcast(node.shape(0), node.shape(1)));
}

void emitTimes(const NodeView& node, const std::string& name, double factor) {
    const TensorId constant = node.addConstant(ir::makeFloatConstant(name, {}, {factor}));
    node.emit(OpKind::Mul, {node.input(0), constant}, {}, ElementType::Float32, node.shape(0));
}

struct Chain {
    TensorId result;
    Shape shape;
    ElementType type;
};

/// All inputs, two at a time. The result becomes the node's output when this is `last`.
Chain emitChain(const NodeView& node, OpKind kind, bool last) {
    const int count = node.inputCount();
    Chain chain{node.input(0), node.shape(0), commonType(node, 0, count)};
    for (int i = 1; i < count; ++i) {
        chain.shape = broadcast(chain.shape, node.shape(i));
        if (i == count - 1 && last)
            node.emit(kind, {chain.result, node.input(i)}, {}, chain.type, chain.shape);
        else
            chain.result = node.emitStep("_upto" + std::to_string(i), kind, {chain.result, node.input(i)},
                                         {{"partial", std::int64_t(1)}}, chain.type, chain.shape);
    }
    return chain;
}

void emitIdentity(const NodeView& node) {
    const ElementSort sort = movedSort(node, 0);
    node.emit(OpKind::Identity, {node.input(0)}, {}, sort.type, node.shape(0), sort.quantisation);
}

} // namespace

/// Add, Sub, Mul.
void readBinary(const NodeView& node) {
    emitBinary(node, kindOf(node));
}

/// A quotient stays one: the product with a reciprocal would round ties otherwise than ONNX Runtime.
void readDiv(const NodeView& node) {
    const bool byConstant = node.isConstant(1) && commonType(node, 0, 2) == ElementType::Float32;
    const std::vector<double> divisors = byConstant ? ir::realsOf(node.tensor(1)) : std::vector<double>();
    if (std::find(divisors.begin(), divisors.end(), 0.0) != divisors.end())
        refuse("PW2046", "division by zero");
    emitBinary(node, OpKind::Div);
}

/// The exponent may be an integer whatever the base is.
void readPow(const NodeView& node) {
    const ElementType type = commonType(node, 0, 1);
    const ir::Tensor& exponent = node.tensor(1);
    const bool isNumber = exponent.type == ElementType::Float32 || exponent.isConstant() ||
                          (!exponent.quantisation && type != ElementType::Float32);
    if (!isNumber || (type != ElementType::Float32 && exponent.type == ElementType::Float32))
        refuse("PW2043", "the exponent '" + exponent.name + "' has a type that does not go with the base's");
    node.emit(OpKind::Pow, {node.input(0), node.input(1)}, {}, type, broadcast(node.shape(0), node.shape(1)));
}

void readMod(const NodeView& node) {
    const std::int64_t fmod = node.integer("fmod", 0);
    if (commonType(node, 0, 2) == ElementType::Float32 && fmod == 0)
        refuse("PW2046", "Mod of floats needs fmod = 1");
    emitBinary(node, OpKind::Mod, {{"fmod", fmod}});
}

/// Sum, Min and Max of any number of operands.
void readVariadic(const NodeView& node) {
    if (node.inputCount() == 1)
        emitIdentity(node);
    else
        emitChain(node, node.opType() == "Sum" ? OpKind::Add : kindOf(node), true);
}

void readMean(const NodeView& node) {
    if (node.inputCount() == 1)
        return emitIdentity(node);
    const Chain chain = emitChain(node, OpKind::Add, false);
    if (chain.type != ElementType::Float32)
        refuse("PW2043", "a mean of integers is not supported");
    const TensorId count =
        node.addConstant(ir::makeFloatConstant(node.outputName() + "_count", {}, {double(node.inputCount())}));
    node.emit(OpKind::Div, {chain.result, count}, {}, ElementType::Float32, chain.shape);
}

/// The slope broadcasts to x, never the other way round.
void readPRelu(const NodeView& node) {
    requireReal(node, 0);
    requireReal(node, 1);
    if (broadcast(node.shape(0), node.shape(1)) != node.shape(0))
        refuse("PW2046", "the slope does not broadcast to the input");
    node.emit(OpKind::PRelu, {node.input(0), node.input(1)}, {}, ElementType::Float32, node.shape(0));
}

void readNeg(const NodeView& node) {
    if (commonType(node, 0, 1) == ElementType::Float32)
        emitTimes(node, node.outputName() + "_minus_one", -1.0);
    else
        emitUnary(node, OpKind::Neg, {}, true);
}

} // namespace poolwright::import
