// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/kernel.h"

/// Where the elements of a resized axis come from (ONNX Resize). Coordinates are computed in float32, as ONNX Runtime
/// does: which neighbour is nearest can hang on the last bit.
namespace poolwright::reference {

struct ResizeAxis {
    std::int64_t in = 1;
    std::int64_t out = 1;
    float scale = 1;                ///< out / in, or the factor given
    float roiStart = 0, roiEnd = 1; ///< part of the input, for tf_crop_and_resize

    bool isIdentity() const { return in == out && scale == 1 && roiStart == 0 && roiEnd == 1; }
};

/// One axis for each dimension: factors from "scales" or input 2, else the ratio of the extents; parts from "roi".
/// Fails when ranks or extents contradict each other.
Result<std::vector<ResizeAxis>> resizeAxesOf(const Call& call);

bool isKnownCoordinateMode(const std::string& mode);
bool isKnownNearestMode(const std::string& mode);

/// The input coordinate of output element o; may lie outside the axis.
float resizeCoordinate(const std::string& mode, const ResizeAxis& axis, std::int64_t o);

/// Only tf_crop_and_resize has elements that come from nowhere.
bool isOutside(const std::string& mode, const ResizeAxis& axis, std::int64_t o);

std::int64_t nearestIndex(const std::string& mode, float coordinate, std::int64_t extent);

/// Input elements and their shares for every output element: `width` of them each.
struct ResizeTaps {
    std::size_t width = 0;
    std::vector<std::int64_t> indices;
    std::vector<double> shares;
};
ResizeTaps linearTaps(const std::string& mode, const ResizeAxis& axis);
/// Keys' cubic kernel with coefficient a; taps outside are the edge's, or left out with the rest scaled up.
ResizeTaps cubicTaps(const std::string& mode, const ResizeAxis& axis, double a, bool excludeOutside);

/// Either kernel, widened by 1 / scale where the axis shrinks so that every input element counts (antialias). The
/// coefficient is the cubic kernel's.
ResizeTaps antialiasedTaps(const std::string& mode, const ResizeAxis& axis, bool isCubic, double a,
                           bool excludeOutside);

} // namespace poolwright::reference
