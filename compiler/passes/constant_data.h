// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

namespace poolwright::passes {

/// Numbers of a constant (float32, int8, int32), with its parameters applied.
std::vector<double> realsOf(const ir::Tensor& tensor);

/// Raw integers of an int8 or int32 constant.
std::vector<std::int64_t> integersOf(const ir::Tensor& tensor);

ir::Tensor floatConstant(std::string name, ir::Shape shape, const std::vector<double>& values);
ir::Tensor integerConstant(std::string name, ir::ElementType type, ir::Shape shape,
                           const std::vector<std::int64_t>& values, ir::Quantisation quantisation);

} // namespace poolwright::passes
