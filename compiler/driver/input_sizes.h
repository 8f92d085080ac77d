// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

#include <string>
#include <vector>

namespace poolwright::driver {

/// Shapes of the first input that are smaller than its own by the same share of height and width, ascending; the sides
/// are multiples of 32, or of the largest smaller power of two that gives a choice. Empty when it is no image.
std::vector<ir::Shape> smallerInputs(const ir::Graph& graph);

/// "1x3x224x224".
std::string shapeText(const ir::Shape& shape);

} // namespace poolwright::driver
