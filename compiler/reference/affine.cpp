// SPDX-License-Identifier: Apache-2.0
#include "reference/affine.h"

namespace poolwright::reference {

bool hasIntegerSums(const Value& x, const Value& weights) {
    return isQuantisedByte(x) && x.quantisation->isPerTensor() && isQuantisedByte(weights) &&
           (weights.quantisation->isPerTensor() || weights.quantisation->axis == 0);
}

RowScaling rowScaling(const Value& x, const Value& weights, const Value* bias, const Value& output, std::int64_t rows,
                      double sumGain, double biasGain) {
    const bool integers = hasIntegerSums(x, weights);
    const double step = scaleOf(output);
    const std::vector<double> offsets = bias ? realsOf(*bias) : std::vector<double>{0.0};
    RowScaling scaling;
    for (std::int64_t r = 0; r < rows; ++r) {
        const double unit = integers ? scaleOf(x) * scaleOf(weights, r) : 1.0;
        scaling.factors.push_back(unit * sumGain / step);
        scaling.offsets.push_back(offsets[offsets.size() == 1 ? 0 : std::size_t(r)] * biasGain / step);
    }
    return scaling;
}

std::vector<std::int16_t> centred(const Value& value) {
    std::vector<std::int16_t> result(std::size_t(value.elements()));
    const std::size_t run =
        value.quantisation->isPerTensor() ? result.size() : result.size() / std::size_t(value.shape[0]);
    withType(value.type, [&](auto zero) {
        const auto* elements = value.as<decltype(zero)>();
        for (std::size_t start = 0, row = 0; start < result.size(); start += run, ++row) {
            const std::int16_t zeroPoint = std::int16_t(zeroPointOf(value, std::int64_t(row)));
            for (std::size_t i = start; i < start + run; ++i)
                result[i] = std::int16_t(elements[i] - zeroPoint);
        }
    });
    return result;
}

} // namespace poolwright::reference
