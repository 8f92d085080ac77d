// SPDX-License-Identifier: Apache-2.0
#include "lower/views.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

struct Dimension {
    std::int64_t size = 1, stride = 0;
};

/// Dimensions of more than one element, neighbours joined where memory allows.
std::vector<Dimension> joined(const ir::Shape& shape, const Strides& strides) {
    std::vector<Dimension> dims;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1)
            continue;
        if (!dims.empty() && dims.back().stride == strides[i] * shape[i])
            dims.back() = {dims.back().size * shape[i], strides[i]};
        else
            dims.push_back({shape[i], strides[i]});
    }
    return dims;
}

/// Cuts one joined dimension into the sizes of shape[first...] until it is used up; returns how many were taken, 0 on
/// failure.
std::size_t cut(Dimension dim, const ir::Shape& shape, std::size_t first, Strides& strides) {
    std::size_t end = first;
    std::int64_t product = 1;
    while (end < shape.size() && product < dim.size)
        product *= shape[end++];
    if (product != dim.size)
        return 0;
    std::int64_t stride = dim.stride;
    for (std::size_t i = end; i-- > first;) {
        strides[i] = stride;
        stride *= shape[i];
    }
    return end - first;
}

} // namespace

Strides rowMajorStrides(const ir::Shape& shape, std::int64_t elementBytes) {
    Strides strides(shape.size());
    std::int64_t stride = elementBytes;
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= shape[i];
    }
    return strides;
}

Strides channelLastStrides(const ir::Shape& shape, std::int64_t elementBytes) {
    if (shape.size() != 4)
        return rowMajorStrides(shape, elementBytes);
    const std::int64_t c = shape[1], h = shape[2], w = shape[3];
    return {h * w * c * elementBytes, elementBytes, w * c * elementBytes, c * elementBytes};
}

std::optional<program::TensorView> reshaped(const program::TensorView& view, const ir::Shape& shape) {
    program::TensorView result = view;
    result.shape = shape;
    result.strides.assign(shape.size(), ir::elementBytes(view.type));
    std::size_t next = 0;
    for (const Dimension& dim : joined(view.shape, view.strides)) {
        while (next < shape.size() && shape[next] == 1)
            ++next;
        const std::size_t taken = cut(dim, shape, next, result.strides);
        if (taken == 0)
            return std::nullopt;
        next += taken;
    }
    // A dimension of one element takes the stride that row-major order would give it: tidy, and never read.
    for (std::size_t i = shape.size(); i-- > 0;)
        if (shape[i] == 1 && i + 1 < shape.size())
            result.strides[i] = result.strides[i + 1] * shape[i + 1];
    return result;
}

program::TensorView transposed(const program::TensorView& view, const std::vector<std::int64_t>& permutation) {
    program::TensorView result = view;
    for (std::size_t i = 0; i < permutation.size(); ++i) {
        result.shape[i] = view.shape[std::size_t(permutation[i])];
        result.strides[i] = view.strides[std::size_t(permutation[i])];
    }
    return result;
}

std::optional<program::TensorView> broadcast(const program::TensorView& view, const ir::Shape& shape) {
    if (view.shape.size() > shape.size())
        return std::nullopt;
    program::TensorView result = view;
    result.shape = shape;
    result.strides.assign(shape.size(), 0);
    const std::size_t lead = shape.size() - view.shape.size();
    for (std::size_t i = 0; i < view.shape.size(); ++i) {
        if (view.shape[i] == shape[lead + i])
            result.strides[lead + i] = view.strides[i];
        else if (view.shape[i] != 1)
            return std::nullopt;
    }
    return result;
}

program::TensorView slice(const program::TensorView& view, std::size_t axis, std::int64_t first, std::int64_t count) {
    program::TensorView result = view;
    result.offset += first * view.strides[axis];
    result.shape[axis] = count;
    return result;
}

program::TensorView stepped(const program::TensorView& view, const std::vector<std::int64_t>& starts,
                            const std::vector<std::int64_t>& steps, const ir::Shape& shape) {
    program::TensorView result = view;
    result.shape = shape;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        result.offset += starts[i] * view.strides[i];
        result.strides[i] *= steps[i];
    }
    return result;
}

program::TensorView split(const program::TensorView& view, std::size_t axis, std::int64_t outer) {
    program::TensorView result = view;
    const std::int64_t inner = view.shape[axis] / outer;
    result.shape[axis] = outer;
    result.strides[axis] = view.strides[axis] * inner;
    result.shape.insert(result.shape.begin() + std::ptrdiff_t(axis) + 1, inner);
    result.strides.insert(result.strides.begin() + std::ptrdiff_t(axis) + 1, view.strides[axis]);
    return result;
}

bool sameStrides(const ir::Shape& shape, const Strides& a, const Strides& b) {
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] > 1 && a[i] != b[i])
            return false;
    return true;
}

bool isRowMajor(const program::TensorView& view) {
    return sameStrides(view.shape, view.strides, rowMajorStrides(view.shape, ir::elementBytes(view.type)));
}

int signedZero(const program::TensorView& view) {
    const int zero = view.quantisation ? view.quantisation->zeroPoints.front() : 0;
    return view.type == ir::ElementType::UInt8 ? zero - 128 : zero;
}

bool isByteTensor(const program::TensorView& view) {
    return (view.type == ir::ElementType::Int8 || view.type == ir::ElementType::UInt8) && view.quantisation &&
           view.quantisation->isPerTensor();
}

} // namespace poolwright::lower
