// SPDX-License-Identifier: Apache-2.0
#include "lower/conv_plan.h"

namespace poolwright::lower {

namespace {

std::int64_t pairAt(const std::vector<std::int64_t>& values, std::size_t index, std::int64_t fallback) {
    return index < values.size() ? values[index] : fallback;
}

} // namespace

ConvGeometry geometryOf(const ir::Graph& graph, const ir::Node& node) {
    ConvGeometry g;
    const ir::Shape& x = graph[node.inputs[0]].shape;
    const ir::Shape& w = graph[node.inputs[1]].shape;
    g.outputs = w[0];
    if (node.kind == ir::OpKind::Gemm) {
        g.channels = w[1];
        g.width = ir::elementCount(x) / g.channels;
        g.outWidth = g.width;
        return g;
    }
    const ir::Shape& y = graph[node.outputs[0]].shape;
    const auto strides = node.integers("strides"), pads = node.integers("pads"), dilations = node.integers("dilations");
    g.isTransposed = node.kind == ir::OpKind::ConvTranspose;
    g.outputs = y[1];
    g.batches = x[0];
    g.channels = x[1];
    g.height = x[2];
    g.width = x[3];
    g.outHeight = y[2];
    g.outWidth = y[3];
    g.groups = node.integer("group", 1);
    g.kernelHeight = w[2];
    g.kernelWidth = w[3];
    g.strideHeight = pairAt(strides, 0, 1);
    g.strideWidth = pairAt(strides, 1, 1);
    g.dilationHeight = pairAt(dilations, 0, 1);
    g.dilationWidth = pairAt(dilations, 1, 1);
    g.padTop = pairAt(pads, 0, 0);
    g.padLeft = pairAt(pads, 1, 0);
    return g;
}

} // namespace poolwright::lower
