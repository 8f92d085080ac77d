// SPDX-License-Identifier: Apache-2.0
#include "lower/pool_plan.h"

#include <algorithm>

namespace poolwright::lower {

bool PoolAxis::hasFactors() const {
    return std::any_of(factors.begin(), factors.end(), [](double factor) { return factor != 1; });
}

namespace {

/// Elements of window `o` that lie on [first, end) of the unpadded axis.
std::int64_t covered(const PoolAxis& axis, std::int64_t o, std::int64_t first, std::int64_t end) {
    const std::int64_t start = o * axis.stride - axis.padBegin;
    return std::min(start + axis.window, end) - std::max(start, first);
}

/// What the average divides by (ONNX AveragePool): elements of the image, or of image and padding; never what hangs
/// over both.
void setFactors(PoolAxis& axis, bool countsPadding, std::int64_t padEnd) {
    const std::int64_t first = countsPadding ? -axis.padBegin : 0, end = axis.in + (countsPadding ? padEnd : 0);
    for (std::int64_t o = 0; o < axis.out; ++o)
        axis.factors.push_back(double(axis.window) / double(std::max<std::int64_t>(covered(axis, o, first, end), 1)));
}

PoolAxis axisOf(const ir::Graph& graph, const ir::Node& node, std::size_t i) {
    const ir::Shape& x = graph[node.inputs[0]].shape;
    PoolAxis axis;
    axis.in = axis.window = x[2 + i];
    if (node.kind == ir::OpKind::GlobalAveragePool)
        return axis;
    const auto kernel = node.integers("kernel_shape"), strides = node.integers("strides"), pads = node.integers("pads");
    axis.out = graph[node.outputs[0]].shape[2 + i];
    axis.window = kernel[i];
    axis.stride = strides.empty() ? 1 : strides[i];
    axis.padBegin = pads.size() == 4 ? pads[i] : 0;
    axis.padEnd = std::max<std::int64_t>(0, (axis.out - 1) * axis.stride + axis.window - axis.in - axis.padBegin);
    if (node.kind == ir::OpKind::AveragePool)
        setFactors(axis, node.integer("count_include_pad") != 0, pads.size() == 4 ? pads[2 + i] : 0);
    return axis;
}

/// Windows in series that reach as far as one of `window`, ones in front to make `count` of them.
std::vector<std::int64_t> windowsInSeries(std::int64_t window, std::int64_t largest, std::size_t count) {
    std::vector<std::int64_t> windows;
    for (std::int64_t rest = window - 1; rest > 0; rest -= largest - 1)
        windows.push_back(std::min(rest, largest - 1) + 1);
    windows.insert(windows.begin(), count - std::min(count, windows.size()), 1);
    return windows;
}

} // namespace

PoolShape poolShapeOf(const ir::Graph& graph, const ir::Node& node) {
    const ir::Shape& x = graph[node.inputs[0]].shape;
    PoolShape shape;
    shape.images = x[0];
    shape.channels = x[1];
    shape.height = axisOf(graph, node, 0);
    shape.width = axisOf(graph, node, 1);
    shape.isMax = node.kind == ir::OpKind::MaxPool;
    return shape;
}

std::vector<PoolPass> maximumPasses(const PoolShape& shape, std::int64_t largest) {
    const std::int64_t longest = std::max(shape.height.window, shape.width.window);
    const std::size_t count = std::size_t(std::max<std::int64_t>((longest - 1 + largest - 2) / (largest - 1), 1));
    const auto rows = windowsInSeries(shape.height.window, largest, count),
               columns = windowsInSeries(shape.width.window, largest, count);
    std::vector<PoolPass> passes;
    PoolPass pass{0, 0, shape.height.padded(), shape.width.padded()};
    for (std::size_t i = 0; i < count; ++i) {
        const bool isLast = i + 1 == count;
        pass.inHeight = pass.outHeight;
        pass.inWidth = pass.outWidth;
        pass.windowHeight = rows[i];
        pass.windowWidth = columns[i];
        pass.strideHeight = isLast ? shape.height.stride : 1;
        pass.strideWidth = isLast ? shape.width.stride : 1;
        pass.outHeight = isLast ? shape.height.out : pass.inHeight - rows[i] + 1;
        pass.outWidth = isLast ? shape.width.out : pass.inWidth - columns[i] + 1;
        passes.push_back(pass);
    }
    return passes;
}

std::int64_t poolBatch(std::int64_t channels, std::int64_t width, const target::Limits& limits) {
    for (std::int64_t batch = std::min<std::int64_t>(channels, limits.poolMaxBatch); batch >= 1; --batch)
        if (channels % batch == 0 && width * batch <= std::min(limits.poolFrameElements, limits.poolLineElements))
            return batch;
    return 0;
}

} // namespace poolwright::lower
