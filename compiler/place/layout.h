// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/instance.h"

#include <vector>

namespace poolwright::place {

struct Interval {
    std::int64_t lo = 0, hi = 0;
};

/// Where one item lies.
struct Spot {
    int region = -1;
    std::int64_t lo = 0;

    bool isPlaced() const { return region >= 0; }
};

/// What a layout is judged by: first what has no place, then time, then the bytes' price, which tells layouts apart
/// whose memory time hides behind computing.
struct Score {
    std::int64_t unplacedBytes = 0;
    double cycles = 0;
    double price = 0;
};
bool isBetter(const Score& a, const Score& b);

enum class Fit { First, Best };

/// Positions of all items, with the cycles of each epoch and pool kept up to date.
class Layout {
public:
    explicit Layout(const Instance& instance);

    const Instance& instance() const { return *m_instance; }
    const Spot& operator[](int item) const { return m_spots[std::size_t(item)]; }
    void put(int item, Spot spot);
    void remove(int item); ///< not of a permanent item: what it blocks stays blocked
    /// Bytes in which nothing may lie at any time any more: those of permanent items.
    const std::vector<Interval>& blocked(int arena) const { return m_blocked[std::size_t(arena)]; }

    Score score() const { return {m_unplacedBytes, m_cycles, m_price}; }
    /// The score computed anew, free of rounding left behind by many moves.
    void recount();

    /// Cheapest free place in `regions` (cheapest first); not placed when there is none. Best fit takes the tightest
    /// gap of equal price.
    Spot findPlace(int item, const std::vector<int>& regions, Fit fit) const;
    /// Items that overlap `item` in time and address when it lies at `spot`; permanent ones are not among them.
    std::vector<int> collisions(int item, Spot spot) const;
    bool hitsBlocked(int item, Spot spot) const;
    /// Intervals taken in an arena while `item` lives, ascending by lo; they may overlap.
    std::vector<Interval> busy(int item, int arena) const;
    std::int64_t end(int item) const {
        return m_spots[std::size_t(item)].lo + m_instance->items[std::size_t(item)].size;
    }
    int arenaOf(int item) const {
        return m_spots[std::size_t(item)].isPlaced()
                   ? m_instance->regions[std::size_t(m_spots[std::size_t(item)].region)].arena
                   : -1;
    }

private:
    void collectBusy(int item, int arena, std::vector<Interval>& busy) const;
    void addTraffic(int item, double sign);
    double epochCycles(int epoch) const;
    std::int64_t regionEnd(int region) const { return m_instance->regions[std::size_t(region)].hi; }

    const Instance* m_instance;
    std::vector<Spot> m_spots;
    std::vector<int> m_arena; ///< by item, -1 when not placed: the scan of neighbours needs nothing else to skip one
    std::vector<std::vector<Interval>> m_blocked; ///< by arena, ascending, disjoint
    std::vector<int> m_transientsIn;              ///< by arena: placed items that are not permanent
    std::vector<double> m_memory;                 ///< epoch x concrete pool
    std::vector<double> m_epoch;                  ///< cycles of each epoch
    double m_cycles = 0, m_price = 0;
    std::int64_t m_unplacedBytes = 0;
    mutable std::vector<std::vector<Interval>> m_scratch; ///< by arena
};

} // namespace poolwright::place
