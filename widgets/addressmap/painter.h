// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "addressmap/edgetool.h"
#include "common/palette.h"

class QPainter;

namespace poolwright::widgets::addressmap {

/// What is highlighted beside the content.
struct Highlight {
    int buffer = -1;
    QString pool;
    int hoveredEdge = -1, focusedEdge = -1; ///< indices into Geometry::edges
    const EdgeTool* drag = nullptr;         ///< an edge being moved
};

void paintMap(QPainter& painter, const Palette& palette, const Content& content, const Geometry& geometry,
              const Highlight& highlight);

} // namespace poolwright::widgets::addressmap
