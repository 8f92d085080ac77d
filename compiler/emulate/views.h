// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulate/memory.h"
#include "reference/reference.h"

/// Tensors in memory (any strides) to dense values and back.
namespace poolwright::emulate {

/// Elements of the view in ONNX order, with the view's type, shape and parameters. Reading is recorded when memory
/// tracks writes.
Result<reference::Value> gather(Memory& memory, const program::TensorView& view, const Access& access = {});
/// The same without recording.
Result<reference::Value> peekValue(const Memory& memory, const program::TensorView& view);

/// Fails when type or number of elements differ.
Result<void> scatter(Memory& memory, const program::TensorView& view, const reference::Value& value,
                     const Access& access = {});

/// Calls `visit(byte offset in the buffer, running index)` for every element in ONNX order.
template <typename Visit> void forEachElement(const program::TensorView& view, Visit visit) {
    const std::size_t rank = view.shape.size();
    const std::int64_t count = ir::elementCount(view.shape);
    std::vector<std::int64_t> index(rank, 0);
    std::int64_t offset = view.offset;
    for (std::int64_t element = 0; element < count; ++element) {
        visit(offset, element);
        for (std::size_t d = rank; d-- > 0;) {
            offset += view.strides[d];
            if (++index[d] < view.shape[d])
                break;
            offset -= view.shape[d] * view.strides[d];
            index[d] = 0;
        }
    }
}

} // namespace poolwright::emulate
