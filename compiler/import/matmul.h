// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/context.h"

namespace poolwright::import {

struct MatMulForm {
    bool transA = false, transB = false; ///< the last two dimensions come exchanged
    double alpha = 1;                    ///< factor of the product
    TensorId addend = {};                ///< what is added to matrices, when valid
    double beta = 1;                     ///< factor of the addend
};

/// numpy's matmul of inputs 0 and 1, either of which may be computed at run time: vectors count as one row (the first)
/// or one column (the second), which the result loses again.
void emitMatMul(const NodeView& node, const MatMulForm& form);

/// alpha * A * B + beta * C where B or C is computed at run time.
void emitGemmOfActivations(const NodeView& node);

} // namespace poolwright::import
