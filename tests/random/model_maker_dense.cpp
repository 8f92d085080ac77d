// SPDX-License-Identifier: Apache-2.0
#include "random/model_maker.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poolwright::test {

using ir::Shape;
using Integers = std::vector<std::int64_t>;

/// Weights of a positive mean and an output scale that fits them, so that sums neither vanish nor saturate: the
/// vendor's rule for the shift of 16-bit sums goes by the signed sum of the weights (facts/numerics.md section 2).
bool ModelMaker::addConvolution() {
    const int x = anyOfRank(4);
    if (x < 0)
        return false;
    const Shape in = m_activations[std::size_t(x)].shape;
    const double inputScale = m_activations[std::size_t(x)].scale;
    const auto kernel = [&](std::int64_t extent) {
        return std::min<std::int64_t>(extent, oneOf<std::int64_t>({1, 1, 3, 3, 3, 2, 5}));
    };
    const std::int64_t kh = kernel(in[2]), kw = kernel(in[3]), stride = oneOf<std::int64_t>({1, 1, 2});
    const std::int64_t groups = pick(0, 3) == 0 ? in[1] : 1;
    const std::int64_t outputs =
        groups > 1 ? in[1] * std::int64_t(pick(1, 2)) : oneOf<std::int64_t>({1, 4, 8, 10, 17, 24});
    const Integers pads{std::int64_t(pick(0, unsigned(kh / 2))), std::int64_t(pick(0, unsigned(kw / 2))), kh / 2,
                        kw / 2};
    const Shape shape{in[0], outputs, (in[2] + pads[0] + pads[2] - kh) / stride + 1,
                      (in[3] + pads[1] + pads[3] - kw) / stride + 1};
    if (ir::elementCount(shape) > largestActivation)
        return false;
    const std::int64_t taps = in[1] / groups * kh * kw;
    std::vector<double> scales(pick(0, 1) == 0 ? 1 : std::size_t(outputs));
    for (double& scale : scales)
        scale = scaleBetween(0.001, 0.004);
    std::vector<std::string> inputs{read(std::size_t(x)),
                                    addConstant({outputs, in[1] / groups, kh, kw}, scales, 0, -20, 127).name};
    for (double& scale : scales)
        scale = double(float(inputScale) * float(scale));
    if (pick(0, 3) != 0)
        inputs.push_back(addBias(outputs, scales, int(2000 * std::sqrt(double(taps)))).name);
    apply("Conv", inputs, shape,
          {double(float(inputScale * 0.0025 * std::sqrt(double(taps)) * 65)), oneOf<int>({-128, -128, 0, -37})});
    setAttribute(last(), "pads", pads);
    setAttribute(last(), "strides", Integers{stride, stride});
    setAttribute(last(), "group", groups);
    return true;
}

/// Flatten, then a fully connected layer.
bool ModelMaker::addFlatProduct() {
    const int x = anyOfRank(4);
    if (x < 0 || pick(0, 1) == 0)
        return false;
    const Shape in = m_activations[std::size_t(x)].shape;
    const std::int64_t depth = ir::elementCount(in) / in[0], outputs = oneOf<std::int64_t>({1, 10, 31});
    if (depth > 2000)
        return false;
    const std::size_t flat = apply("Flatten", {read(std::size_t(x))}, {in[0], depth}, sameAs(std::size_t(x)));
    const double inputScale = m_activations[flat].scale;
    std::vector<double> scales{scaleBetween(0.001, 0.004)};
    const std::string input = read(flat), weights = addConstant({outputs, depth}, scales, 0, -20, 127).name;
    scales[0] = double(float(inputScale) * float(scales[0]));
    const std::string bias = addBias(outputs, scales, int(2000 * std::sqrt(double(depth)))).name;
    apply("Gemm", {input, weights, bias}, {in[0], outputs},
          {double(float(inputScale * 0.0025 * std::sqrt(double(depth)) * 65)), -20});
    setAttribute(last(), "transB", std::int64_t(1));
    return true;
}

/// Grouped or not, strides to 3, padding added to the output.
bool ModelMaker::addConvTranspose() {
    const int x = anyOfRank(4);
    if (x < 0)
        return false;
    const Shape in = m_activations[std::size_t(x)].shape;
    const double inputScale = m_activations[std::size_t(x)].scale;
    const std::int64_t k = oneOf<std::int64_t>({2, 3, 3, 4}), stride = pick(1, 3);
    const std::int64_t groups = pick(0, 2) == 0 && in[1] % 2 == 0 ? 2 : 1;
    const std::int64_t outputs = groups * oneOf<std::int64_t>({1, 3, 5, 8});
    const std::int64_t pad = pick(0, unsigned(k) - 1), extra = pick(0, unsigned(stride) - 1);
    const auto extent = [&](std::int64_t i) { return (i - 1) * stride - pad + k + extra; };
    const Shape shape{in[0], outputs, extent(in[2]), extent(in[3])};
    if (shape[2] < 1 || shape[3] < 1 || ir::elementCount(shape) > largestActivation)
        return false;
    const bool perChannel = groups == 1 && pick(0, 1) == 0;
    std::vector<double> scales(perChannel ? std::size_t(outputs) : 1);
    for (double& scale : scales)
        scale = scaleBetween(0.001, 0.004);
    std::vector<std::string> inputs{read(std::size_t(x)),
                                    addConstant({in[1], outputs / groups, k, k}, scales, 1, -20, 127).name};
    const double taps = double(in[1] / groups * k * k) / double(stride * stride);
    for (double& scale : scales)
        scale = double(float(inputScale) * float(scale));
    if (pick(0, 2) != 0)
        inputs.push_back(addBias(outputs, scales, int(2000 * std::sqrt(taps))).name);
    apply("ConvTranspose", inputs, shape,
          {double(float(inputScale * 0.0025 * std::sqrt(taps) * 65)), oneOf<int>({-128, 0, -37})});
    setAttribute(last(), "pads", Integers{0, pad, pad, 0});
    setAttribute(last(), "strides", Integers{stride, stride});
    setAttribute(last(), "output_padding", Integers{extra, extra});
    setAttribute(last(), "group", groups);
    return true;
}

/// Two activations: one that fits, or the first one's own transpose, as attention has it.
bool ModelMaker::addMatMul() {
    const std::size_t x = pick(0, unsigned(m_activations.size()) - 1);
    const Shape in = m_activations[x].shape;
    if (in.size() < 3 || !may("MatMul"))
        return false;
    const std::size_t rank = in.size();
    Shape wanted = in;
    std::swap(wanted[rank - 1], wanted[rank - 2]);
    std::size_t y = m_activations.size();
    for (std::size_t i = 0; i < m_activations.size(); ++i) {
        const Shape& other = m_activations[i].shape;
        const bool fits = other.size() == rank && other[rank - 2] == in[rank - 1] &&
                          std::equal(in.begin(), in.end() - 2, other.begin());
        if (fits && pick(0, 1) == 0)
            y = i;
    }
    if (y == m_activations.size()) {
        if (in[rank - 2] * in[rank - 2] * ir::elementCount(in) / in[rank - 1] / in[rank - 2] > largestActivation)
            return false;
        Integers permutation(rank);
        std::iota(permutation.begin(), permutation.end(), 0);
        std::swap(permutation[rank - 1], permutation[rank - 2]);
        y = apply("Transpose", {read(x)}, wanted, sameAs(x));
        setAttribute(last(), "perm", permutation);
    }
    Shape shape = in;
    shape[rank - 1] = m_activations[y].shape[rank - 1];
    if (ir::elementCount(shape) > largestActivation)
        return false;
    const double scale = m_activations[x].scale * m_activations[y].scale * 60 * double(in[rank - 1]);
    const std::string a = read(x), b = read(y);
    apply("MatMul", {a, b}, shape, {double(float(scale)), oneOf<int>({-128, 0, 11})});
    return true;
}

} // namespace poolwright::test
