// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.h"

#include <cstdint>
#include <span>
#include <vector>

namespace poolwright::place {

/// Something to pack: `size` bytes (more than 0) in each of the epochs of `live`, somewhere in [lo, hi).
struct PackItem {
    std::int64_t size = 0;
    EpochRange live;
    std::int64_t modulus = 1, residue = 0; ///< address = residue (mod modulus)
    std::int64_t lo = 0, hi = 0;

    bool isFixed() const { return hi - lo == size; }
    /// Smallest address of at least `from` that satisfies the alignment.
    std::int64_t alignedFrom(std::int64_t from) const;
};

/// Moments at which as many items are alive as can be: between them items only come, or only go. Two items share a
/// section exactly when they are alive together.
class Sections {
public:
    explicit Sections(const std::vector<PackItem>& all);

    std::vector<int> first, last;        ///< by item, inclusive
    std::vector<std::vector<int>> items; ///< by section
    std::vector<std::int64_t> load;      ///< by section: bytes of its items

    std::size_t count() const { return items.size(); }
    /// Needed before neighbours() is asked.
    void linkNeighbours();
    /// Items alive at the same time as `item`.
    std::span<const int> neighbours(std::size_t item) const {
        return {m_neighbours.data() + m_firstNeighbour[item], m_firstNeighbour[item + 1] - m_firstNeighbour[item]};
    }

private:
    std::vector<int> m_neighbours;
    std::vector<std::size_t> m_firstNeighbour;
};

/// Orders in which a search may prefer items: result[i] is the rank of item i. The first ones sort by length, area and
/// load of the fullest section in turn, the later ones shake these by a fixed seed; every number gives an order.
std::vector<int> searchRanks(const std::vector<PackItem>& items, const Sections& sections, int order);

} // namespace poolwright::place
