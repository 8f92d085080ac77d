// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "addressmap/geometry.h"

#include <optional>

namespace poolwright::widgets::addressmap {

/// The interaction "drag a pool's edge" without mouse or keyboard: both drive it, so both behave alike.
class EdgeTool {
public:
    void begin(const Edge& edge);
    /// Moves the held edge; answers whether it really moved.
    bool moveTo(Address address);
    void end() { m_edge.reset(); }

    bool isActive() const { return m_edge.has_value(); }
    bool hasMoved() const { return m_edge && m_now != m_edge->address; }
    const Edge& edge() const { return *m_edge; } ///< as it was when the drag began
    Address now() const { return m_now; }

private:
    std::optional<Edge> m_edge;
    Address m_now;
};

/// Addresses a dragged edge likes to stick to: borders of banks and of the other pools.
std::vector<Address> magnetsFor(const Content& content, const Edge& edge);

} // namespace poolwright::widgets::addressmap
