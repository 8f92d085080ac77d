// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"
#include "target/machine.h"

#include <string>
#include <vector>

/// How a pooling operator is cut into what POOL can do. Pure arithmetic.
namespace poolwright::lower {

/// One dimension of a pooling operator.
struct PoolAxis {
    std::int64_t in = 1, out = 1, window = 1, stride = 1;
    std::int64_t padBegin = 0, padEnd = 0; ///< as far as windows reach: what ceil_mode lets hang over, too
    std::vector<double> factors;           ///< for each output: window / elements that count in the average

    std::int64_t padded() const { return in + padBegin + padEnd; }
    bool isWhole() const { return window == in && padBegin + padEnd == 0; }
    bool hasFactors() const;
};

struct PoolShape {
    std::int64_t images = 1, channels = 1;
    PoolAxis height, width;
    bool isMax = false;

    bool isGlobal() const { return height.isWhole() && width.isWhole(); }
    bool hasPadding() const { return height.padded() > height.in || width.padded() > width.in; }
    std::int64_t taps() const { return height.window * width.window; }
};

/// MaxPool, AveragePool, GlobalAveragePool on [N, C, H, W].
PoolShape poolShapeOf(const ir::Graph& graph, const ir::Node& node);

/// One run through a POOL unit.
struct PoolPass {
    std::int64_t inHeight = 1, inWidth = 1, outHeight = 1, outWidth = 1;
    std::int64_t windowHeight = 1, windowWidth = 1, strideHeight = 1, strideWidth = 1;
};

/// A maximum over a large window is one over windows of at most `largest` in series, the last with the stride; works on
/// the padded image.
std::vector<PoolPass> maximumPasses(const PoolShape& shape, std::int64_t largest);

/// Largest number of channels of a frame that divides them all and fits the line memory at `width`; 0 when not even one
/// does.
std::int64_t poolBatch(std::int64_t channels, std::int64_t width, const target::Limits& limits);

} // namespace poolwright::lower
