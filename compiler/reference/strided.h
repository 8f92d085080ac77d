// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/kernel.h"

/// Operators that only move elements, as walks over their input: each output is a view of the input with an offset and
/// one step a dimension.
namespace poolwright::reference {

/// Element (i, j, ...) of the view is element offset + i * strides[0] + j * strides[1] + ... of a tensor. Strides may
/// be 0 (repeats) or negative (reversed).
struct StridedView {
    ir::Shape shape;
    std::vector<std::int64_t> strides;
    std::int64_t offset = 0;
};

/// The view that is the whole of a row-major tensor.
StridedView wholeOf(const ir::Shape& shape);

/// Copies the elements of `view` out of `from`, row-major; `size` bytes each. `to` holds room for all of them.
void copyStrided(const std::uint8_t* from, std::uint8_t* to, std::size_t size, const StridedView& view);

/// A value of the input's type and parameters, ready to receive moved elements.
Value emptyLike(const Value& x, const ir::Shape& shape);

/// Elements of `view` become `output`, requantised when its parameters differ from the input's. The caller has checked
/// that the view has as many elements as the output and stays inside x. Fails for parameters per axis.
Done moveInto(const Call& call, const Value& x, const StridedView& view, Value& output);

} // namespace poolwright::reference
