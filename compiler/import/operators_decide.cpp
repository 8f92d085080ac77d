// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/numbers.h"
#include "ir/kinds.h"

#include <onnx/onnx_pb.h>

/// Comparisons, logic, and what depends on truth values; Cast between plain numbers.
namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::OpKind;

void requireTruth(const NodeView& node, int input) {
    if (node.tensor(input).type != ElementType::Bool)
        refuse("PW2043", "input '" + node.tensor(input).name + "' is no tensor of truth values");
}

/// The rounding that stays of a float of 16 bits, which is float32 here.
ir::Attributes precisionOf(int onnxType) {
    if (onnxType == onnx::TensorProto::FLOAT16)
        return {{"precision", std::string("float16")}};
    if (onnxType == onnx::TensorProto::BFLOAT16)
        return {{"precision", std::string("bfloat16")}};
    return {};
}

} // namespace

void readComparison(const NodeView& node) {
    const bool ofTruth = node.tensor(0).type == ElementType::Bool && node.opType() == "Equal";
    if (ofTruth)
        requireTruth(node, 1);
    else
        commonType(node, 0, 2);
    node.emit(*ir::kindNamed(node.opType()), {node.input(0), node.input(1)}, {}, ElementType::Bool,
              broadcast(node.shape(0), node.shape(1)));
}

void readLogic(const NodeView& node) {
    requireTruth(node, 0);
    requireTruth(node, 1);
    node.emit(*ir::kindNamed(node.opType()), {node.input(0), node.input(1)}, {}, ElementType::Bool,
              broadcast(node.shape(0), node.shape(1)));
}

void readNot(const NodeView& node) {
    requireTruth(node, 0);
    node.emit(OpKind::Not, {node.input(0)}, {}, ElementType::Bool, node.shape(0));
}

void readWhere(const NodeView& node) {
    requireTruth(node, 0);
    const ElementType type = commonType(node, 1, 3);
    node.emit(OpKind::Where, {node.input(0), node.input(1), node.input(2)}, {}, type,
              broadcast(node.shape(0), broadcast(node.shape(1), node.shape(2))));
}

void readCast(const NodeView& node) {
    const ir::Tensor& x = node.tensor(0);
    const ElementType type = elementTypeOf(int(node.integer("to", 0)));
    if (x.quantisation)
        requireReal(node, 0);
    const ir::Attributes attributes = precisionOf(int(node.integer("to", 0)));
    const bool same = x.type == type && !x.quantisation && attributes.empty();
    node.emit(same ? OpKind::Identity : OpKind::Cast, {node.input(0)}, attributes, type, x.shape);
}

} // namespace poolwright::import
