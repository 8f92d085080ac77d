// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/conv_plan.h"

#include <optional>

/// Tiles of one raster: kernels and channels of a pass, CONV_ACCs in series, epochs.
namespace poolwright::lower {

/// Cycles that an epoch costs by itself (facts/cost-model.md section 3).
inline constexpr std::int64_t epochOverhead = 10000;

/// Fills plan.parts with the cheapest tiles. False when no tile fits the line memory or the frame loops.
bool appendParts(ConvPlan& plan, const target::Limits& limits, const ConvResources& resources);

/// One loop over frames: `count` steps of `bytes`.
struct FrameLoop {
    std::int64_t count = 1, step = 0;
};
/// The loops (outermost first) as the two that a stream engine has; nothing when they are more.
std::optional<std::vector<FrameLoop>> joinLoops(const std::vector<FrameLoop>& loops);

/// Rows and columns from slice to slice when all slices have one extent at one distance, so that frames can walk them.
std::optional<std::pair<std::int64_t, std::int64_t>> sliceStep(const ConvPlan& plan);

} // namespace poolwright::lower
