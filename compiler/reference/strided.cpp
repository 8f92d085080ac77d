// SPDX-License-Identifier: Apache-2.0
#include "reference/strided.h"

#include <cstring>

namespace poolwright::reference {

StridedView wholeOf(const ir::Shape& shape) {
    return {shape, stridesOf(shape), 0};
}

void copyStrided(const std::uint8_t* from, std::uint8_t* to, std::size_t size, const StridedView& view) {
    std::size_t outer = view.shape.size(); // the dimensions behind it lie together and move as one run
    std::int64_t run = 1;
    while (outer > 0 && (view.strides[outer - 1] == run || view.shape[outer - 1] == 1))
        run *= view.shape[--outer];
    const std::int64_t count = ir::elementCount({view.shape.begin(), view.shape.begin() + std::ptrdiff_t(outer)});
    const std::size_t bytes = std::size_t(run) * size;
    std::vector<std::int64_t> position(outer, 0);
    std::int64_t offset = view.offset;
    for (std::int64_t i = 0; bytes > 0 && i < count; ++i) {
        std::memcpy(to + std::size_t(i) * bytes, from + std::size_t(offset) * size, bytes);
        for (std::size_t d = outer; d-- > 0;) {
            offset += view.strides[d];
            if (++position[d] < view.shape[d])
                break;
            offset -= view.strides[d] * view.shape[d];
            position[d] = 0;
        }
    }
}

Value emptyLike(const Value& x, const ir::Shape& shape) {
    Value value{x.type, shape, x.quantisation, {}};
    value.bytes.resize(std::size_t(value.elements() * ir::elementBytes(x.type)));
    return value;
}

Done moveInto(const Call& call, const Value& x, const StridedView& view, Value& output) {
    if (x.quantisation && !x.quantisation->isPerTensor())
        return unsupported(call, "parameters per axis cannot be moved");
    Value moved = emptyLike(x, output.shape);
    copyStrided(x.bytes.data(), moved.bytes.data(), std::size_t(ir::elementBytes(x.type)), view);
    if (sameMeaning(moved, output))
        output.bytes = std::move(moved.bytes);
    else
        convert(moved, output);
    return {};
}

} // namespace poolwright::reference
