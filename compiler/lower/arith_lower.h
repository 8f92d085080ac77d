// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// Add, Sub and Mul on ARITH: of two activations, or of one and a constant; Div by a constant.
namespace poolwright::lower {

Result<Refusal> lowerArith(Context& context, NodeId node);

} // namespace poolwright::lower
