// SPDX-License-Identifier: Apache-2.0
#include "ir/graph.h"

namespace poolwright::ir {

std::int64_t elementBytes(ElementType type) {
    switch (type) {
    case ElementType::Bool:
    case ElementType::Int8:
    case ElementType::UInt8:
        return 1;
    case ElementType::Int16:
    case ElementType::UInt16:
        return 2;
    case ElementType::Int32:
    case ElementType::Float32:
        return 4;
    case ElementType::Int64:
        return 8;
    }
    return 1;
}

std::int64_t elementCount(const Shape& shape) {
    std::int64_t count = 1;
    for (std::int64_t extent : shape)
        count *= extent;
    return count;
}

} // namespace poolwright::ir
