// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/constant.h"

#include <functional>
#include <string>
#include <vector>

namespace onnx {
class TensorProto;
}

/// Constant tensors: out of the file, and under another shape or order.
namespace poolwright::import {

/// Product of extents, refused when an extent is negative or the product exceeds `largestTensor` elements.
std::int64_t checkedCount(const ir::Shape& shape);
constexpr std::int64_t largestTensor = std::int64_t(1) << 31;

/// Throws Failure for external data, unknown types, and data whose size does not match the dimensions (checked before
/// anything is allocated). float16, bfloat16 and double become float32.
ir::Tensor readTensor(const onnx::TensorProto& proto);

/// Element type of an ONNX type number; throws Failure for those the graph has no place for.
ir::ElementType elementTypeOf(int onnxType);

/// A constant whose element i (row-major in `shape`) is element source(i) of `tensor`. Parameters are not carried over.
ir::Tensor pick(const ir::Tensor& tensor, std::string name, ir::Shape shape,
                const std::function<std::int64_t(std::int64_t)>& source);

/// Unsigned 8-bit (16-bit) integers with parameters, as signed ones of the same meaning (zero point - 128 or 32768).
ir::Tensor toSigned(ir::Tensor tensor);

/// Permutes dimensions, and the quantised one with them.
ir::Tensor transposed(const ir::Tensor& tensor, const std::vector<std::int64_t>& permutation);

/// The same elements under another shape. Per-channel parameters survive when their dimension does, else the tensor
/// becomes float.
ir::Tensor reshaped(const ir::Tensor& tensor, ir::Shape shape);

} // namespace poolwright::import
