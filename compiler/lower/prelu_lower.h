// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// PRelu on ARITH: out = r * x + r * (slope - 1) * min(x, zero) + constant, r the ratio of scales
/// (facts/numerics.md section 6 leaves the vendor's constants open; these keep every step within half an output step).
namespace poolwright::lower {

Result<Refusal> lowerPRelu(Context& context, NodeId node);

} // namespace poolwright::lower
