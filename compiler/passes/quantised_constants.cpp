// SPDX-License-Identifier: Apache-2.0
#include "passes/quantised_constants.h"

#include "ir/constant.h"

#include <algorithm>
#include <cmath>

namespace poolwright::passes {
namespace {

using ir::ElementType;
using ir::Quantisation;

Quantisation productOf(const Quantisation& input, const Quantisation& weights) {
    Quantisation product = weights;
    for (double& scale : product.scales)
        scale *= input.scales[0];
    std::fill(product.zeroPoints.begin(), product.zeroPoints.end(), 0);
    return product;
}

/// Equal up to what float32 can hold of a product of two float32 scales.
bool nearlyEqual(const Quantisation& a, const Quantisation& b) {
    if (a.scales.size() != b.scales.size() || a.zeroPoints != b.zeroPoints)
        return false;
    for (std::size_t i = 0; i < a.scales.size(); ++i)
        if (!(std::abs(a.scales[i] - b.scales[i]) <= 1e-6 * b.scales[i]))
            return false;
    return true;
}

Quantisation parameters(double scale, std::int32_t zeroPoint) {
    return {.scales = {scale}, .zeroPoints = {zeroPoint}, .axis = -1};
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

/// What rounding to the grid costs; values are kept inside the integers' range.
double errorOf(const std::vector<double>& values, const Quantisation& q, double highest) {
    double largest = 0;
    for (double value : values) {
        const double integer = std::nearbyint(value / q.scales[0]) + q.zeroPoints[0];
        const double kept = std::clamp(integer, -highest - 1, highest);
        largest = std::max(largest, std::abs((kept - q.zeroPoints[0]) * q.scales[0] - value));
    }
    return largest;
}

/// Grids for values between low <= 0 and high >= 0, those that cost units least first: one value alone, symmetric,
/// steps of a power of two (anchors and indices lie on them), the whole range.
std::vector<Quantisation> grids(double low, double high, bool isUniform, double highest) {
    const double top = std::max(-low, high);
    if (isUniform)
        return {parameters(top, 0)};
    std::vector<Quantisation> result{parameters(top / highest, 0)};
    const double whole = (high - low) / (2 * highest + 1);
    for (const double step : {std::exp2(std::ceil(std::log2(whole))), whole})
        result.push_back(parameters(step, std::int32_t(std::nearbyint(-highest - 1 - low / step))));
    return result;
}

Quantisation leastErrorParameters(const std::vector<double>& values, double highest) {
    double low = 0, high = 0;
    bool isUniform = true;
    for (double value : values) {
        low = std::min(low, value);
        high = std::max(high, value);
        isUniform = isUniform && value == values[0];
    }
    if (!(high > low) || !std::isfinite(high - low) || !((high - low) / highest > 1e-30))
        return parameters(1.0, 0);
    Quantisation best;
    double least = 0;
    for (const Quantisation& q : grids(low, high, isUniform, highest)) {
        const double error = errorOf(values, q, highest);
        if (best.scales.empty() || error < 0.75 * least) {
            best = q;
            least = error;
        }
    }
    return best;
}

} // namespace

bool areQuantisedWeights(const ir::Tensor& weights, int channelAxis) {
    return weights.isConstant() && weights.type == ElementType::Int8 && weights.quantisation &&
           (weights.quantisation->isPerTensor() || weights.quantisation->axis == channelAxis);
}

ir::Tensor quantisedBias(const ir::Tensor& bias, const Quantisation& input, const Quantisation& weights) {
    const Quantisation product = productOf(input, weights);
    if (bias.type == ElementType::Int32 && bias.quantisation && nearlyEqual(*bias.quantisation, product))
        return bias;
    const std::vector<double> reals = ir::realsOf(bias);
    std::vector<std::int64_t> integers(reals.size());
    for (std::size_t i = 0; i < reals.size(); ++i) {
        const double integer = std::nearbyint(reals[i] / product.scales[product.isPerTensor() ? 0 : i]);
        if (!(std::abs(integer) <= 2147483647.0))
            return ir::makeFloatConstant(bias.name, bias.shape, reals);
        integers[i] = std::int64_t(integer);
    }
    return ir::makeIntegerConstant(bias.name, ElementType::Int32, bias.shape, integers, product);
}

ir::Tensor quantisedOperand(const ir::Tensor& operand, ElementType type, double& largestError) {
    largestError = 0;
    const bool isInteger = operand.type == ElementType::Int8 || operand.type == ElementType::Int16;
    if (isInteger && operand.quantisation && operand.quantisation->isPerTensor())
        return operand;
    const std::vector<double> reals = ir::realsOf(operand);
    const IntegerForm form{type, leastErrorParameters(reals, type == ElementType::Int16 ? 32767 : 127)};
    ir::Tensor result = quantisedTo(operand, form);
    largestError = largestDifference(ir::realsOf(result), reals);
    return result;
}

ir::Tensor quantisedTo(const ir::Tensor& constant, const IntegerForm& wanted) {
    const Quantisation& q = wanted.quantisation;
    if (constant.type == wanted.type && constant.quantisation == q)
        return constant;
    const double highest = wanted.type == ElementType::Int16 ? 32767 : 127;
    const std::vector<double> reals = ir::realsOf(constant);
    std::vector<std::int64_t> integers(reals.size());
    for (std::size_t i = 0; i < reals.size(); ++i) {
        const double integer = std::nearbyint(reals[i] / q.scales[0]) + q.zeroPoints[0];
        integers[i] = std::int64_t(integer >= -highest - 1 ? std::min(integer, highest) : -highest - 1);
    }
    return ir::makeIntegerConstant(constant.name, wanted.type, constant.shape, integers, q);
}

} // namespace poolwright::passes
