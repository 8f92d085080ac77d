// SPDX-License-Identifier: Apache-2.0
#include "reference/reference.h"

#include <benchmark/benchmark.h>

using namespace poolwright;
using namespace poolwright::reference;

namespace {

struct Layer {
    std::int64_t channels, outputs, extent, kernel, groups;
    std::int64_t products() const { return outputs * extent * extent * channels / groups * kernel * kernel; }
};

/// Typical layers: first of a network, 3x3, pointwise, depthwise, grouped.
constexpr Layer layers[] = {
    {3, 32, 112, 3, 1}, {64, 64, 56, 3, 1}, {96, 576, 14, 1, 1}, {144, 144, 56, 3, 144}, {64, 64, 28, 3, 8}};

Value filled(ir::ElementType type, const ir::Shape& shape, const std::optional<ir::Quantisation>& quantisation) {
    Value value{type, shape, quantisation, {}};
    value.bytes.resize(std::size_t(value.elements() * ir::elementBytes(type)));
    std::uint32_t state = 1;
    for (std::int64_t i = 0; i < value.elements(); ++i) {
        state = state * 1664525u + 1013904223u;
        if (type == ir::ElementType::Float32)
            value.as<float>()[i] = float(state >> 24) / 256.0f;
        else
            value.as<std::uint8_t>()[i] = std::uint8_t(state >> 24);
    }
    return value;
}

void convolution(benchmark::State& state, bool quantised) {
    const Layer& layer = layers[state.range(0)];
    const auto type = quantised ? ir::ElementType::Int8 : ir::ElementType::Float32;
    const auto parameters = quantised ? std::optional(ir::Quantisation{{0.01}, {0}, -1}) : std::nullopt;
    const Value x = filled(type, {1, layer.channels, layer.extent, layer.extent}, parameters);
    const Value w =
        filled(type, {layer.outputs, layer.channels / layer.groups, layer.kernel, layer.kernel}, parameters);
    const std::int64_t pad = layer.kernel / 2;
    const ir::Attributes attributes{{"pads", std::vector<std::int64_t>(4, pad)}, {"group", layer.groups}};
    const OutputSpec output{type, {1, layer.outputs, layer.extent, layer.extent}, parameters};
    for (auto _ : state) {
        auto y = evaluate(ir::OpKind::Conv, attributes, {&x, &w}, {output});
        if (!y)
            state.SkipWithError(y.error().front().message.c_str());
        benchmark::DoNotOptimize(y);
    }
    state.counters["MAC/s"] =
        benchmark::Counter(double(layer.products()), benchmark::Counter::kIsIterationInvariantRate);
}

void convInt8(benchmark::State& state) {
    convolution(state, true);
}
void convFloat(benchmark::State& state) {
    convolution(state, false);
}

} // namespace

BENCHMARK(convInt8)->DenseRange(0, std::size(layers) - 1)->Unit(benchmark::kMillisecond);
BENCHMARK(convFloat)->DenseRange(0, std::size(layers) - 1)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
