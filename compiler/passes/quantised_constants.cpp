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

bool isUniform(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [&](double value) { return value == values[0]; });
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
    const double highest = type == ElementType::Int16 ? 32767 : 127;
    const std::vector<double> reals = ir::realsOf(operand);
    double top = 0;
    for (double real : reals)
        top = std::max(top, std::abs(real));
    Quantisation q{.scales = {1.0}, .zeroPoints = {0}, .axis = -1};
    if (top > 0)
        q.scales[0] = isUniform(reals) ? top : top / highest;
    std::vector<std::int64_t> integers(reals.size());
    for (std::size_t i = 0; i < reals.size(); ++i) {
        integers[i] = std::int64_t(std::nearbyint(reals[i] / q.scales[0]));
        largestError = std::max(largestError, std::abs(double(integers[i]) * q.scales[0] - reals[i]));
    }
    return ir::makeIntegerConstant(operand.name, type, operand.shape, integers, q);
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
