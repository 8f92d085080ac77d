// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/kernel.h"

/// Which elements of a tensor come together when axes are reduced.
namespace poolwright::reference {

/// For each dimension whether "axes" has it; without "axes" all. Fails when an axis is out of range or the output's
/// shape is not the input's without the reduced axes (extent 1 or absent, by "keepdims").
Result<std::vector<bool>> reducedDimensions(const Call& call);

/// Calls visit(element of x, element of the result) for all elements of x in their order.
template <typename Visit> void forEachReduced(const ir::Shape& shape, const std::vector<bool>& reduced, Visit&& visit) {
    std::vector<std::int64_t> strides(shape.size(), 0), position(shape.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t d = shape.size(); d-- > 0;)
        if (!reduced[d]) {
            strides[d] = stride;
            stride *= shape[d];
        }
    const std::int64_t count = ir::elementCount(shape);
    for (std::int64_t i = 0, to = 0; i < count; ++i) {
        visit(std::size_t(i), std::size_t(to));
        for (std::size_t d = shape.size(); d-- > 0;) {
            to += strides[d];
            if (++position[d] < shape[d])
                break;
            to -= strides[d] * shape[d];
            position[d] = 0;
        }
    }
}

} // namespace poolwright::reference
