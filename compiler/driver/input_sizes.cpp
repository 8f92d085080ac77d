// SPDX-License-Identifier: Apache-2.0
#include "driver/input_sizes.h"

#include <numeric>

namespace poolwright::driver {

/// Index of height in the shape of an image; -1 when it is none. Channels last is told by few channels at the end.
static int heightAxis(const ir::Shape& shape) {
    if (shape.size() != 4)
        return -1;
    const bool channelsLast = shape[3] <= 4 && shape[1] > 4;
    return channelsLast ? 1 : 2;
}

std::vector<ir::Shape> smallerInputs(const ir::Graph& graph) {
    if (graph.inputs.empty())
        return {};
    const ir::Shape& own = graph[graph.inputs.front()].shape;
    const int axis = heightAxis(own);
    if (axis < 0)
        return {};
    const std::int64_t height = own[std::size_t(axis)], width = own[std::size_t(axis) + 1];
    std::vector<ir::Shape> sizes;
    for (std::int64_t side : {32, 16, 8, 4, 2, 1}) {
        if (height % side != 0 || width % side != 0)
            continue;
        const std::int64_t parts = std::gcd(height / side, width / side);
        if (parts < 4 && side > 1)
            continue;
        for (std::int64_t k = 1; k < parts; ++k) {
            sizes.push_back(own);
            sizes.back()[std::size_t(axis)] = height / parts * k;
            sizes.back()[std::size_t(axis) + 1] = width / parts * k;
        }
        break;
    }
    return sizes;
}

std::string shapeText(const ir::Shape& shape) {
    std::string text;
    for (std::int64_t extent : shape)
        text += (text.empty() ? "" : "x") + std::to_string(extent);
    return text;
}

} // namespace poolwright::driver
