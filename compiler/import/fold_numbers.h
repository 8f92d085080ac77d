// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/context.h"

#include <optional>

namespace poolwright::import {

/// Element-wise arithmetic, comparisons, Where, Range and reductions of lists, on constants: what exporters leave of
/// shape arithmetic. Nothing where the operator or the types are others; throws Failure for shapes that do not fit.
/// Integers wrap, floats are rounded to float32 after every operator.
std::optional<ir::Tensor> foldNumbers(const NodeView& node);

/// Whether an operator is one of them.
bool foldsNumbers(const std::string& opType);

/// The most elements of a constant that is made by folding.
constexpr std::int64_t largestFold = 1 << 24;

} // namespace poolwright::import
