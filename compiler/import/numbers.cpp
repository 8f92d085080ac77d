// SPDX-License-Identifier: Apache-2.0
#include "import/numbers.h"

#include "import/failure.h"

#include <algorithm>

namespace poolwright::import {

using ir::ElementType;

ir::Shape broadcast(const ir::Shape& a, const ir::Shape& b) {
    ir::Shape shape(std::max(a.size(), b.size()), 1);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::int64_t x = d < a.size() ? a[a.size() - 1 - d] : 1;
        const std::int64_t y = d < b.size() ? b[b.size() - 1 - d] : 1;
        if (x != y && x != 1 && y != 1)
            refuse("PW2046", "dimensions " + std::to_string(x) + " and " + std::to_string(y) + " cannot be broadcast");
        shape[shape.size() - 1 - d] = x == 1 ? y : x;
    }
    return shape;
}

static bool isPlainNumber(const ir::Tensor& tensor) {
    return !tensor.quantisation && (tensor.type == ElementType::Int32 || tensor.type == ElementType::Int64);
}

ElementType commonType(const NodeView& node, int first, int end) {
    if (!isPlainNumber(node.tensor(first))) {
        for (int i = first; i < end; ++i)
            requireReal(node, i);
        return ElementType::Float32;
    }
    const ElementType type = node.tensor(first).type;
    for (int i = first; i < end; ++i)
        if (!isPlainNumber(node.tensor(i)) || node.tensor(i).type != type)
            refuse("PW2043", "input '" + node.tensor(i).name + "' is no " + ir::elementTypeName(type) +
                                 " tensor as the first one is");
    return type;
}

void emitUnary(const NodeView& node, ir::OpKind kind, ir::Attributes attributes, bool integers) {
    if (!integers)
        requireReal(node, 0);
    const ElementType type = integers ? commonType(node, 0, 1) : ElementType::Float32;
    node.emit(kind, {node.input(0)}, std::move(attributes), type, node.shape(0));
}

} // namespace poolwright::import
