// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

/// Constant tensors as lists of numbers.
namespace poolwright::ir {

/// Steps of a row-major tensor, in elements.
std::vector<std::int64_t> rowMajorStrides(const Shape& shape);

/// Numbers of a constant, whatever its element type, in row-major order. Quantisation parameters are applied.
std::vector<double> realsOf(const Tensor& constant);

/// Raw integers of a constant. Floats are cut off; those that no 64-bit integer holds count as 0.
std::vector<std::int64_t> integersOf(const Tensor& constant);

Tensor makeFloatConstant(std::string name, Shape shape, const std::vector<double>& values);
Tensor makeIntegerConstant(std::string name, ElementType type, Shape shape, const std::vector<std::int64_t>& values,
                           std::optional<Quantisation> quantisation = {});

} // namespace poolwright::ir
