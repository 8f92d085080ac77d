// SPDX-License-Identifier: Apache-2.0
#include "reference/strided.h"

#include <cstring>

namespace poolwright::reference {

namespace {

ir::Shape gatheredShape(const ir::Shape& x, const ir::Shape& indices, std::int64_t axis) {
    ir::Shape shape(x.begin(), x.begin() + axis);
    shape.insert(shape.end(), indices.begin(), indices.end());
    shape.insert(shape.end(), x.begin() + axis + 1, x.end());
    return shape;
}

/// Indices in [0, extent), or an empty list when one is out of range. Computed ones may come in as reals.
std::vector<std::int64_t> indicesOf(const Value& value, std::int64_t extent) {
    std::vector<std::int64_t> indices = integersOf(value);
    if (value.type == ir::ElementType::Float32 || value.quantisation) {
        indices.clear();
        for (double real : realsOf(value))
            indices.push_back(std::abs(real) <= double(largestTensor) ? std::int64_t(real) : extent);
    }
    for (std::int64_t& index : indices) {
        if (index < -extent || index >= extent)
            return {};
        index += index < 0 ? extent : 0;
    }
    return indices;
}

} // namespace

Done evaluateGather(const Call& call) {
    if (!call.hasInput(0) || !call.hasInput(1))
        return mismatch(call, "x and indices are required");
    const Value& x = call.input(0);
    const std::int64_t axis = normalisedAxis(call.integer("axis", 0), x.shape.size());
    if (axis < 0 || gatheredShape(x.shape, call.input(1).shape, axis) != call.output().shape)
        return mismatch(call, "the output's shape does not follow from the indices");
    if (x.quantisation && !x.quantisation->isPerTensor())
        return unsupported(call, "parameters per axis cannot be gathered");
    const std::int64_t extent = x.shape[std::size_t(axis)];
    const std::vector<std::int64_t> indices = indicesOf(call.input(1), extent);
    if (indices.empty() && call.output().elements() > 0)
        return mismatch(call, "an index is outside [-" + std::to_string(extent) + ", " + std::to_string(extent) + ")");
    const std::int64_t size = ir::elementBytes(x.type);
    const std::int64_t inner = ir::elementCount({x.shape.begin() + axis + 1, x.shape.end()}) * size;
    const std::int64_t outer = ir::elementCount({x.shape.begin(), x.shape.begin() + axis});
    Value moved = emptyLike(x, call.output().shape);
    std::uint8_t* to = moved.bytes.data();
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t index : indices) {
            std::memcpy(to, x.bytes.data() + (o * extent + index) * inner, std::size_t(inner));
            to += inner;
        }
    convert(moved, call.output());
    return {};
}

} // namespace poolwright::reference
