// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

#include <array>
#include <functional>

/// Relu, Clip and every operator that makes one byte of one byte, on ACTIV.
namespace poolwright::lower {

/// What a function unit should give for each int8 input, index 0 for -128.
using ByteTable = std::array<std::int8_t, 256>;

/// How well a fitted function matches its table.
struct Fit {
    program::ActivConfig config;
    int worst = 0;   ///< largest difference of the 256 results
    int unequal = 0; ///< how many differ
};

/// The ROM tables of ACTIV FUNC for a byte function (facts/neural-art-target.md section 2.6): pieces of up to 256 / 32
/// inputs get integer polynomials of degree 2, cut finer where the curve needs it and rows are left.
std::optional<Fit> fitFunction(const ByteTable& table);

/// The unit's own arithmetic on one input.
int evaluateFunction(const program::ActivConfig& config, int x);

/// The table of an operator on the bytes of `x` as they are stored, by its reference meaning. All inputs but `operand`
/// are constants of one element. Results for unsigned outputs are 128 lower.
Result<ByteTable> tableOf(const ir::Graph& graph, const ir::Node& node, std::size_t operand,
                          const program::TensorView& x, const program::TensorView& y);

/// Relu and Clip; or, through a table, any operator of one activation and single numbers.
Result<Refusal> lowerActivation(Context& context, NodeId node);

} // namespace poolwright::lower
