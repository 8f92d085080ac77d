// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"

/// Strided views of tensors: what is free (an alias) and what needs a copy.
namespace poolwright::lower {

using Strides = std::vector<std::int64_t>;

Strides rowMajorStrides(const ir::Shape& shape, std::int64_t elementBytes);
/// 4-D tensors in memory order N, H, W, C; other ranks row-major. Strides in ONNX order, bytes.
Strides channelLastStrides(const ir::Shape& shape, std::int64_t elementBytes);

/// The same elements in row-major order under another shape; nothing when the strides cannot express it.
std::optional<program::TensorView> reshaped(const program::TensorView& view, const ir::Shape& shape);
program::TensorView transposed(const program::TensorView& view, const std::vector<std::int64_t>& permutation);
/// numpy broadcasting to `shape` by strides of 0; nothing when the shapes do not fit.
std::optional<program::TensorView> broadcast(const program::TensorView& view, const ir::Shape& shape);
/// The part [first, first + count) of dimension `axis`.
program::TensorView slice(const program::TensorView& view, std::size_t axis, std::int64_t first, std::int64_t count);

/// Every steps[i]-th element from starts[i] on; `shape` says how many.
program::TensorView stepped(const program::TensorView& view, const std::vector<std::int64_t>& starts,
                            const std::vector<std::int64_t>& steps, const ir::Shape& shape);
/// Dimension `axis` in two: `outer` groups of neighbours.
program::TensorView split(const program::TensorView& view, std::size_t axis, std::int64_t outer);

/// Dimensions of one element have no say: their strides never matter.
bool isRowMajor(const program::TensorView& view);
bool sameStrides(const ir::Shape& shape, const Strides& a, const Strides& b);

/// The zero point as if the tensor were int8: what the ARITH stages compute with (unsigned tensors get +128 at the very
/// end).
int signedZero(const program::TensorView& view);
bool isByteTensor(const program::TensorView& view);

} // namespace poolwright::lower
