// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/kernel.h"

namespace poolwright::reference {

/// Elements that are normalised together: `count` of them, `stride` apart.
struct Line {
    double* first;
    std::int64_t count, stride;

    double& operator[](std::int64_t i) const { return first[i * stride]; }
};

/// Calls visit(line) for every line over the dimensions [begin, end) of a row-major tensor.
template <typename Visit>
void forEachLine(std::vector<double>& reals, const ir::Shape& shape, std::int64_t begin, std::int64_t end,
                 Visit&& visit) {
    const std::int64_t count = ir::elementCount({shape.begin() + begin, shape.begin() + end});
    const std::int64_t inner = ir::elementCount({shape.begin() + end, shape.end()});
    const std::int64_t outer = ir::elementCount({shape.begin(), shape.begin() + begin});
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < inner; ++i)
            visit(Line{reals.data() + o * count * inner + i, count, inner});
}

} // namespace poolwright::reference
