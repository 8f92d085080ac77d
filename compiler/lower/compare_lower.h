// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// Minima, maxima, comparisons and logic on ARITH.
namespace poolwright::lower {

/// Min, Max, Equal, Less, LessOrEqual, Greater, GreaterOrEqual, And, Or, Xor of two tensors; with a single number on
/// one side: a table of ACTIV.
Result<Refusal> lowerCompare(Context& context, NodeId node);
Result<Refusal> lowerNot(Context& context, NodeId node);

} // namespace poolwright::lower
