// SPDX-License-Identifier: Apache-2.0
#include "lower/coefficients.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace poolwright::lower {

namespace {

template <typename T> std::vector<double> numbersOf(const ir::Tensor& constant) {
    std::vector<double> numbers;
    for (std::size_t at = 0; at + sizeof(T) <= constant.data->size(); at += sizeof(T)) {
        T number;
        std::memcpy(&number, constant.data->data() + at, sizeof(T));
        numbers.push_back(double(number));
    }
    return numbers;
}

std::optional<std::vector<double>> integersOf(const ir::Tensor& constant) {
    switch (constant.type) {
    case ir::ElementType::Int8:
        return numbersOf<std::int8_t>(constant);
    case ir::ElementType::UInt8:
        return numbersOf<std::uint8_t>(constant);
    case ir::ElementType::Int16:
        return numbersOf<std::int16_t>(constant);
    case ir::ElementType::Int32:
        return numbersOf<std::int32_t>(constant);
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<std::vector<double>> realValues(const ir::Tensor& constant) {
    if (!constant.isConstant())
        return std::nullopt;
    if (constant.type == ir::ElementType::Float32) {
        std::vector<double> reals = numbersOf<float>(constant);
        if (!std::ranges::all_of(reals, [](double value) { return std::isfinite(value); }))
            return std::nullopt;
        return reals;
    }
    auto numbers = integersOf(constant);
    if (!numbers || !constant.isQuantised() || !constant.quantisation->isPerTensor())
        return std::nullopt;
    for (double& number : *numbers)
        number = (number - constant.quantisation->zeroPoints.front()) * constant.quantisation->scales.front();
    return numbers;
}

int varyingAxis(const ir::Tensor& constant, const ir::Shape& whole) {
    if (constant.shape.size() > whole.size())
        return -2;
    const std::size_t lead = whole.size() - constant.shape.size();
    int axis = -1;
    for (std::size_t i = 0; i < constant.shape.size(); ++i) {
        if (constant.shape[i] == 1)
            continue;
        if (axis >= 0 || constant.shape[i] != whole[lead + i])
            return -2;
        axis = int(lead + i);
    }
    return axis;
}

void followAxis(program::ArithConfig& arith, const program::TensorView& output, std::size_t axis) {
    std::int64_t inner = 1, innermost = 1, smallest = 0;
    for (std::size_t i = 0; i < output.shape.size(); ++i) {
        const bool inside = output.strides[i] < output.strides[axis] ||
                            (output.strides[i] == output.strides[axis] && i > axis); // as nestOf orders equal strides
        if (i == axis || !inside || output.shape[i] == 1)
            continue;
        inner *= output.shape[i];
        if (smallest == 0 || output.strides[i] < smallest) {
            smallest = output.strides[i];
            innermost = output.shape[i];
        }
    }
    arith.broadcast = program::ArithBroadcast::Channel;
    arith.fChannels = int(output.shape[axis]);
    arith.batchDepth = inner == 1 ? arith.fChannels : 1;
    arith.fWidth = int(innermost);
    arith.fHeight = int(inner / innermost);
    if (inner > 1)
        return;
    // Every pixel has all coefficients: how many pixels there are does not matter, but the geometry states them.
    arith.fWidth = int(output.shape.size() == 4 ? output.shape[3] : 1);
    arith.fHeight = int(output.shape.size() == 4 ? output.shape[2] : 1);
}

std::vector<std::pair<std::int64_t, std::int64_t>> coefficientRanges(std::int64_t extent,
                                                                     const target::Limits& limits) {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    for (std::int64_t first = 0; first < extent; first += limits.arithCoefficients)
        ranges.push_back({first, std::min<std::int64_t>(limits.arithCoefficients, extent - first)});
    return ranges;
}

std::vector<double> rangeOf(const std::vector<double>& values, std::int64_t first, std::int64_t count) {
    if (values.size() == 1)
        return values;
    return {values.begin() + first, values.begin() + first + count};
}

} // namespace poolwright::lower
