// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/kernel.h"

/// How the sums of Conv and Gemm become output elements (facts/file-formats.md section 6.3).
namespace poolwright::reference {

/// steps = sum * factor[row] + offset[row], in steps of the output's scale. With bytes of quantised operands the sums
/// are exact integers and factor = s_in * s_w[row] / s_out; otherwise the sums are reals and factor = 1 / s_out.
struct RowScaling {
    std::vector<double> factors;
    std::vector<double> offsets;
};

/// True when x and weights are quantised bytes (x per tensor, weights per tensor or per row), so that integer sums
/// serve.
bool hasIntegerSums(const Value& x, const Value& weights);

/// `bias` may be null, else holds one element per row or one for all.
RowScaling rowScaling(const Value& x, const Value& weights, const Value* bias, const Value& output, std::int64_t rows,
                      double sumGain = 1.0, double biasGain = 1.0);

/// Elements less their zero point (weights: of their row).
std::vector<std::int16_t> centred(const Value& value);

/// Either form of operand, by element type.
template <typename Element> std::vector<Element> operandOf(const Value& value);
template <> inline std::vector<std::int16_t> operandOf(const Value& value) {
    return centred(value);
}
template <> inline std::vector<double> operandOf(const Value& value) {
    return realsOf(value);
}

} // namespace poolwright::reference
