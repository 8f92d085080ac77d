// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"

#include <algorithm>
#include <cmath>

/// Fake quantisers of Sony's Model Compression Toolkit (domain mct_quantizers): the result is real, on a grid that the
/// attributes say. Symmetric ones have the scale threshold / 2^(bits - 1), or threshold / 2^bits when unsigned; uniform
/// ones spread 2^bits steps over a range that is widened to hold 0.
namespace poolwright::import {
namespace {

using ir::ElementType;

struct Grid {
    double scale = 1;
    std::int32_t zeroPoint = 0;
    std::int64_t lowest = 0, highest = 0; ///< integers in use, of the signed or unsigned type
};

int bitsOf(const NodeView& node, int least) {
    const std::int64_t bits = node.integer("num_bits", 8);
    if (bits < least || bits > 8)
        refuse("PW2049", "quantisation to " + std::to_string(bits) + " bits is not supported",
               "quantise to 8 bits when exporting");
    return int(bits);
}

void requireScale(double scale) {
    if (!(scale > 0) || !std::isfinite(scale))
        refuse("PW2049", "a threshold or range is not positive");
}

Grid symmetricGrid(double threshold, int bits, bool isSigned) {
    const std::int64_t half = std::int64_t(1) << (bits - 1);
    const Grid grid{threshold / double(isSigned ? half : 2 * half), 0, isSigned ? -half : 0,
                    isSigned ? half - 1 : 2 * half - 1};
    requireScale(grid.scale);
    return grid;
}

Grid uniformGrid(double low, double high, int bits) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
    const std::int64_t steps = (std::int64_t(1) << bits) - 1;
    const double scale = (high - low) / double(steps);
    requireScale(scale);
    return {scale, std::int32_t(-std::nearbyint(low / scale)), 0, steps};
}

/// One QuantizeLinear and its DequantizeLinear.
void fakeQuantise(const NodeView& node, const Grid& grid, ElementType type) {
    requireReal(node, 0);
    const ir::Shape shape = node.shape(0);
    const ir::Quantisation q{.scales = {grid.scale}, .zeroPoints = {grid.zeroPoint}, .axis = -1};
    const TensorId integers = node.emitStep("_quantised", ir::OpKind::Quantize, {node.input(0)}, {}, type, shape);
    node.context().graph[integers].quantisation = q;
    node.emit(ir::OpKind::Dequantize, {integers}, {}, ElementType::Float32, shape);
}

/// A constant on one grid a channel, as signed integers.
void quantiseConstant(const NodeView& node, const std::vector<Grid>& grids) {
    const ir::Tensor& weights = node.constant(0, "weights");
    const bool perChannel = node.integer("per_channel", 0) != 0;
    const std::int64_t axis = perChannel ? normalisedAxis(node.integer("channel_axis", 0), weights.shape.size()) : -1;
    if (perChannel && weights.shape[std::size_t(axis)] != std::int64_t(grids.size()))
        refuse("PW2049", "the number of thresholds does not match the quantised dimension");
    if (!perChannel && grids.size() != 1)
        refuse("PW2049", "quantisation per tensor has more than one threshold");
    const std::int64_t step = perChannel ? ir::rowMajorStrides(weights.shape)[std::size_t(axis)] : weights.elements();
    const std::int32_t shift = grids[0].lowest < 0 ? 0 : 128; // unsigned integers are kept as signed ones
    std::vector<double> reals = ir::realsOf(weights);
    std::vector<std::int64_t> integers;
    for (std::size_t i = 0; i < reals.size(); ++i) {
        const Grid& grid = grids[i / std::size_t(step) % grids.size()];
        const double integer = std::nearbyint(reals[i] / grid.scale) + grid.zeroPoint;
        const double kept =
            integer >= double(grid.lowest) ? std::min(integer, double(grid.highest)) : double(grid.lowest);
        integers.push_back(std::int64_t(kept) - shift);
    }
    ir::Quantisation q{.scales = {}, .zeroPoints = {}, .axis = grids.size() > 1 ? int(axis) : -1};
    for (const Grid& grid : grids) {
        q.scales.push_back(grid.scale);
        q.zeroPoints.push_back(grid.zeroPoint - shift);
    }
    node.bind(node.addConstant(
        ir::makeIntegerConstant(node.outputName(), ElementType::Int8, weights.shape, integers, std::move(q))));
}

} // namespace

void readMctActivation(const NodeView& node) {
    const bool isUniform = node.opType() == "ActivationUniformQuantizer";
    const bool isSigned = !isUniform && node.integer("signed", 0) != 0;
    const int bits = bitsOf(node, 8);
    const Grid grid = isUniform ? uniformGrid(node.real("min_range", 0), node.real("max_range", 0), bits)
                                : symmetricGrid(node.real("threshold", 0), bits, isSigned);
    fakeQuantise(node, grid, isSigned ? ElementType::Int8 : ElementType::UInt8);
}

void readMctWeights(const NodeView& node) {
    const int bits = bitsOf(node, 2);
    std::vector<Grid> grids;
    if (node.opType() == "WeightsUniformQuantizer") {
        const std::vector<double> lows = ir::realsOf(node.constant(1, "the range")),
                                  highs = ir::realsOf(node.constant(2, "the range"));
        if (lows.size() != highs.size())
            refuse("PW2049", "the ends of the range differ in number");
        for (std::size_t i = 0; i < lows.size(); ++i)
            grids.push_back(uniformGrid(lows[i], highs[i], bits));
    } else {
        for (double threshold : ir::realsOf(node.constant(1, "the threshold")))
            grids.push_back(symmetricGrid(threshold, bits, node.integer("signed", 1) != 0));
    }
    if (grids.empty())
        refuse("PW2049", "there is no threshold");
    quantiseConstant(node, grids);
}

} // namespace poolwright::import
