// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/problem.h"

#include <optional>
#include <span>
#include <vector>

/// The problem in the form that the search works on. Internal to the room.
namespace poolwright::place {

/// Part of a region that lies in one concrete pool and has its price.
struct Slice {
    int pool = 0; ///< concrete
    std::int64_t lo = 0, hi = 0;
    double read = 0, write = 0; ///< cycles per byte
};

/// A pool as a range to place into. Regions of one arena share addresses: a virtual pool and its members.
struct Region {
    int pool = 0;
    int arena = 0;
    std::int64_t lo = 0, hi = 0; ///< without the reserved tail
    std::vector<Slice> slices;

    std::int64_t capacity() const { return hi - lo; }
};

/// What one epoch moves in a part of an item.
struct ItemAccess {
    int epoch = 0; ///< index into Instance::compute
    std::int64_t offset = 0, size = 0;
    double readBytes = 0, writeBytes = 0;
};

/// A buffer together with the buffers inside it: what gets one address.
struct Item {
    int buffer = 0; ///< the outermost one
    std::int64_t size = 0;
    std::int64_t modulus = 1, residue = 0; ///< address = residue (mod modulus)
    bool solvable = true; ///< false: alignments of its parts exclude each other, or `inside` makes a circle
    EpochRange live;
    bool constant = false;
    bool permanent = false; ///< a constant alive all the time: collides with everything
    std::optional<std::int64_t> fixed;
    std::vector<ItemAccess> accesses;
    double readBytes = 0, writeBytes = 0;
    std::vector<int> regions; ///< where it may lie, cheapest first
    /// Of these, for a constant that is bound to them: read-only pools, then, for when those are full, the
    /// constants_preferred ones among the writable.
    std::vector<int> firstChoice;
    std::size_t readOnlyChoices = 0; ///< how many of firstChoice are read-only
};

struct Instance {
    std::vector<Region> regions;
    int arenas = 0;
    int concretePools = 0;
    std::vector<Item> items;
    std::vector<int> transient;             ///< items that are not permanent
    std::vector<int> itemOf;                ///< by buffer
    std::vector<std::int64_t> offsetInItem; ///< by buffer
    std::vector<double> compute;
    bool addsMemory = false; ///< Objective::MemoryCycles: an epoch costs the sum over its pools

    /// Items alive at the same time as `item`, permanent ones left out.
    std::span<const int> neighbours(int item) const {
        return {m_neighbours.data() + m_firstNeighbour[std::size_t(item)],
                m_firstNeighbour[std::size_t(item) + 1] - m_firstNeighbour[std::size_t(item)]};
    }
    /// Price in cycles of moving an item's bytes once when it lies at `lo` in `region`, epochs not considered.
    double price(const Item& item, const Region& region, std::int64_t lo) const;
    double cheapestPrice(const Item& item, const Region& region) const;

    std::vector<int> m_neighbours;
    std::vector<std::size_t> m_firstNeighbour;
};

Instance makeInstance(const Problem& problem, const Options& options);

/// Smallest address of at least `from` that satisfies the item's alignment, and the largest of at most `to`.
std::int64_t alignedFrom(const Item& item, std::int64_t from);
std::int64_t alignedTo(const Item& item, std::int64_t to);

} // namespace poolwright::place
