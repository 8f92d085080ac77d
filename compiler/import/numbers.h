// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/context.h"

/// What operators on numbers have in common.
namespace poolwright::import {

/// numpy's rule: trailing dimensions are equal, or one of them is 1.
ir::Shape broadcast(const ir::Shape& a, const ir::Shape& b);

/// Float32 when inputs [first, end) are reals, else the one type of integers that they all are (32 or 64 bits without
/// a scale). Refuses mixtures.
ir::ElementType commonType(const NodeView& node, int first, int end);

/// One operand, one result of its shape and type; integers only where `integers` says so.
void emitUnary(const NodeView& node, ir::OpKind kind, ir::Attributes attributes = {}, bool integers = false);

} // namespace poolwright::import
