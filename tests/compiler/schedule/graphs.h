// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

#include <cmath>
#include <random>

/// Small quantised graphs with random sizes and parameters.
namespace poolwright::test {

class GraphMaker {
public:
    explicit GraphMaker(unsigned seed)
        : m_random(seed) {}

    ir::Graph graph;

    int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
    template <typename T> T oneOf(std::initializer_list<T> values) {
        return values.begin()[pick(0, int(values.size()) - 1)];
    }
    double scale(double low = 0.01, double high = 0.1) {
        return double(float(std::uniform_real_distribution<double>(low, high)(m_random)));
    }
    ir::Quantisation parameters() { return {{scale()}, {oneOf({-128, -128, 0, pick(-128, 127)})}, -1}; }

    TensorId activation(const ir::Shape& shape, const ir::Quantisation& quantisation) {
        ir::Tensor tensor;
        tensor.name = "t" + std::to_string(graph.tensors.size());
        tensor.type = ir::ElementType::Int8;
        tensor.shape = shape;
        tensor.quantisation = quantisation;
        return graph.addTensor(tensor);
    }

    /// An image: handed over channel-last and transposed, or now and then as it is.
    TensorId image(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
        const ir::Quantisation quantisation = parameters();
        if (pick(0, 3) == 0) {
            const TensorId input = activation({n, c, h, w}, quantisation);
            graph.inputs.push_back(input);
            return input;
        }
        const TensorId input = activation({n, h, w, c}, quantisation);
        graph.inputs.push_back(input);
        return node(ir::OpKind::Transpose, {input}, {n, c, h, w}, quantisation,
                    {{"perm", std::vector<std::int64_t>{0, 3, 1, 2}}});
    }

    TensorId constant(const ir::Shape& shape, const ir::Quantisation& quantisation, int low, int high,
                      ir::ElementType type = ir::ElementType::Int8) {
        ir::Tensor tensor;
        tensor.name = "c" + std::to_string(graph.tensors.size());
        tensor.type = type;
        tensor.shape = shape;
        tensor.quantisation = quantisation;
        auto data = std::make_shared<std::vector<std::uint8_t>>();
        for (std::int64_t i = 0; i < tensor.elements(); ++i) {
            const std::uint32_t value = std::uint32_t(pick(low, high));
            for (int byte = 0; byte < int(ir::elementBytes(type)); ++byte)
                data->push_back(std::uint8_t(value >> (8 * byte)));
        }
        tensor.data = data;
        return graph.addTensor(tensor);
    }

    TensorId node(ir::OpKind kind, std::vector<TensorId> inputs, const ir::Shape& shape,
                  const ir::Quantisation& quantisation, ir::Attributes attributes = {}) {
        ir::Node made;
        made.kind = kind;
        made.name = "n" + std::to_string(graph.nodes.size());
        made.inputs = std::move(inputs);
        made.outputs = {activation(shape, quantisation)};
        made.attributes = std::move(attributes);
        graph.nodes.push_back(made);
        return made.outputs[0];
    }

    void output(TensorId tensor) { graph.outputs.push_back(tensor); }

    const ir::Quantisation& quantisationOf(TensorId id) const { return *graph[id].quantisation; }

    /// A convolution with weights of a positive mean (sums that are not near zero) and an output scale that fits them.
    TensorId conv(TensorId x, std::int64_t outputs, std::int64_t kh, std::int64_t kw, std::int64_t stride,
                  std::int64_t groups, const std::vector<std::int64_t>& pads) {
        const ir::Shape in = graph[x].shape;
        const std::int64_t oh = (in[2] + pads[0] + pads[2] - kh) / stride + 1,
                           ow = (in[3] + pads[1] + pads[3] - kw) / stride + 1;
        const std::int64_t taps = in[1] / groups * kh * kw;
        const auto [weights, bias, out] = weightsFor(x, {outputs, in[1] / groups, kh, kw}, taps);
        return node(ir::OpKind::Conv, {x, weights, bias}, {in[0], outputs, oh, ow}, out,
                    {{"strides", std::vector<std::int64_t>{stride, stride}},
                     {"pads", pads},
                     {"dilations", std::vector<std::int64_t>{1, 1}},
                     {"kernel_shape", std::vector<std::int64_t>{kh, kw}},
                     {"group", groups}});
    }

    /// Sizes of a convolution in two axes.
    struct Window {
        std::int64_t outputs = 1, kh = 1, kw = 1, groups = 1;
        std::vector<std::int64_t> strides{1, 1}, dilations{1, 1}, pads{0, 0, 0, 0}, outputPadding{0, 0};
    };

    TensorId conv(TensorId x, const Window& w) {
        const ir::Shape in = graph[x].shape;
        const auto size = [&](std::size_t axis, std::int64_t kernel) {
            const std::int64_t padded = in[axis + 2] + w.pads[axis] + w.pads[axis + 2];
            return (padded - (kernel - 1) * w.dilations[axis] - 1) / w.strides[axis] + 1;
        };
        const auto [weights, bias, out] =
            weightsFor(x, {w.outputs, in[1] / w.groups, w.kh, w.kw}, in[1] / w.groups * w.kh * w.kw);
        return node(ir::OpKind::Conv, {x, weights, bias}, {in[0], w.outputs, size(0, w.kh), size(1, w.kw)}, out,
                    attributesOf(w));
    }

    TensorId convTranspose(TensorId x, const Window& w) {
        const ir::Shape in = graph[x].shape;
        const auto size = [&](std::size_t axis, std::int64_t kernel) {
            return (in[axis + 2] - 1) * w.strides[axis] + (kernel - 1) * w.dilations[axis] + 1 + w.outputPadding[axis] -
                   w.pads[axis] - w.pads[axis + 2];
        };
        const std::int64_t taps =
            std::max<std::int64_t>(1, in[1] / w.groups * w.kh * w.kw / (w.strides[0] * w.strides[1]));
        const auto [weights, bias, out] =
            weightsFor(x, {in[1], w.outputs / w.groups, w.kh, w.kw}, taps, w.groups == 1 ? 1 : -1, w.outputs);
        ir::Attributes attributes = attributesOf(w);
        attributes["output_padding"] = w.outputPadding;
        return node(ir::OpKind::ConvTranspose, {x, weights, bias}, {in[0], w.outputs, size(0, w.kh), size(1, w.kw)},
                    out, attributes);
    }

    TensorId gemm(TensorId x, std::int64_t outputs) {
        const ir::Shape in = graph[x].shape;
        const auto [weights, bias, out] = weightsFor(x, {outputs, in[1]}, in[1]);
        return node(ir::OpKind::Gemm, {x, weights, bias}, {in[0], outputs}, out);
    }

    TensorId clamp(TensorId x, ir::OpKind kind) {
        const ir::Quantisation quantisation = quantisationOf(x);
        const double scale = quantisation.scales[0];
        ir::Attributes attributes;
        if (kind == ir::OpKind::Clip)
            attributes = {{"min", -20 * scale}, {"max", 60 * scale}};
        return node(kind, {x}, graph[x].shape, quantisation, attributes);
    }

private:
    struct Dense {
        TensorId weights, bias;
        ir::Quantisation output;
    };

    static ir::Attributes attributesOf(const Window& w) {
        return {{"strides", w.strides},
                {"pads", w.pads},
                {"dilations", w.dilations},
                {"kernel_shape", std::vector<std::int64_t>{w.kh, w.kw}},
                {"group", w.groups}};
    }

    /// `axis`: where per-channel scales lie (-1: per tensor always); `outputs`: elements of the bias, 0: shape[axis].
    Dense weightsFor(TensorId x, const ir::Shape& shape, std::int64_t taps, int axis = 0, std::int64_t outputs = 0) {
        const double inputScale = quantisationOf(x).scales[0];
        ir::Quantisation w{{scale(0.001, 0.004)}, {0}, -1};
        if (pick(0, 1) == 1 && axis >= 0) {
            w = {{}, {}, axis};
            for (std::int64_t o = 0; o < shape[std::size_t(axis)]; ++o) {
                w.scales.push_back(scale(0.001, 0.004));
                w.zeroPoints.push_back(0);
            }
        }
        ir::Quantisation b = w;
        b.axis = w.scales.size() > 1 ? 0 : -1;
        for (double& s : b.scales)
            s = double(float(inputScale) * float(s));
        const TensorId weights = constant(shape, w, -60, 127);
        const int reach = int(50 * std::sqrt(double(taps)) * 40);
        const TensorId bias = constant({outputs > 0 ? outputs : shape[0]}, b, -reach, reach, ir::ElementType::Int32);
        const double outputScale = double(float(inputScale * 0.0025 * std::sqrt(double(taps)) * 65));
        return {weights, bias, {{outputScale}, {oneOf({-128, -128, pick(-90, 60)})}, -1}};
    }

    std::mt19937 m_random;
};

} // namespace poolwright::test
