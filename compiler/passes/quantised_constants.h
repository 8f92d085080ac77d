// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"
#include "passes/quantisation_rules.h"

namespace poolwright::passes {

/// Int8 with one scale, or one for each output channel (axis 0, axis 1 for ConvTranspose): what a Conv or Gemm can take
/// as weights.
bool areQuantisedWeights(const ir::Tensor& weights, int channelAxis);

/// The bias as int32 with scales s_in * s_w (facts/numerics.md section 7). Parameters that the model gives are kept
/// where they are that product up to float32 rounding. A bias that does not fit into 32 bits stays float32.
ir::Tensor quantisedBias(const ir::Tensor& bias, const ir::Quantisation& input, const ir::Quantisation& weights);

/// An operand of Add, Sub or Mul as int8 (int16) with one scale. Integer constants keep their parameters; a constant of
/// one value is exact; others take the grid that costs least (symmetric, steps of a power of two, or the whole range),
/// and `largestError` says how much.
ir::Tensor quantisedOperand(const ir::Tensor& operand, ir::ElementType type, double& largestError);

/// The constant in a given form: one rounding of its reals.
ir::Tensor quantisedTo(const ir::Tensor& constant, const IntegerForm& wanted);

} // namespace poolwright::passes
