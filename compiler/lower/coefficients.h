// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// Constants that ride in the coefficient memory of ARITH: one number, or one for each index of one dimension.
namespace poolwright::lower {

/// The reals of a constant: float32, or integers with one scale; nothing for other tensors,
/// nor where a value is infinite or no number.
std::optional<std::vector<double>> realValues(const ir::Tensor& constant);

/// Dimension of a result of shape `whole` along which a constant varies after broadcasting: -1 for a single number, -2
/// when it varies along several.
int varyingAxis(const ir::Tensor& constant, const ir::Shape& whole);

/// Lets the coefficient index of `arith` follow dimension `axis` of an output that is written in the order of its
/// memory (facts/neural-art-target.md section 2.5.2).
void followAxis(program::ArithConfig& arith, const program::TensorView& output, std::size_t axis);

/// Parts of a dimension that the coefficient memory can serve, as {first, count}.
std::vector<std::pair<std::int64_t, std::int64_t>> coefficientRanges(std::int64_t extent, const target::Limits& limits);

/// Entries [first, first + count) of a vector; a vector of one entry stays.
std::vector<double> rangeOf(const std::vector<double>& values, std::int64_t first, std::int64_t count);

} // namespace poolwright::lower
