// SPDX-License-Identifier: Apache-2.0
#include "place/layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poolwright::place {

namespace {

bool lessBy(double a, double b) {
    return a < b - 1e-9 * (std::abs(a) + std::abs(b));
}

void insertMerged(std::vector<Interval>& intervals, Interval added) {
    if (added.lo >= added.hi)
        return;
    const auto first = std::ranges::lower_bound(intervals, added.lo, {}, &Interval::hi);
    auto last = first;
    for (; last != intervals.end() && last->lo <= added.hi; ++last)
        added = {std::min(added.lo, last->lo), std::max(added.hi, last->hi)};
    if (first == last) {
        intervals.insert(first, added);
        return;
    }
    *first = added;
    intervals.erase(first + 1, last);
}

/// Calls visit(lo, hi) for each free gap of a region; stops when it answers true.
template <typename Visit> void forEachGap(const std::vector<Interval>& busy, const Region& region, Visit visit) {
    std::int64_t cursor = region.lo;
    for (const Interval& interval : busy) {
        if (interval.lo >= region.hi)
            break;
        if (interval.lo > cursor && visit(cursor, interval.lo))
            return;
        cursor = std::max(cursor, interval.hi);
    }
    if (cursor < region.hi)
        visit(cursor, region.hi);
}

struct Candidate {
    Spot spot;
    double price = std::numeric_limits<double>::max();
    std::int64_t slack = 0;
};

/// Collects the best candidate of one region.
class GapSearch {
public:
    GapSearch(const Instance& instance, const Item& item, int region, Fit fit, Candidate& best)
        : m_instance(instance)
        , m_item(item)
        , m_index(region)
        , m_region(instance.regions[std::size_t(region)])
        , m_fit(fit)
        , m_best(best) {}

    /// True when no later gap of the region can be better.
    bool operator()(std::int64_t lo, std::int64_t hi) {
        const std::int64_t slack = hi - lo - m_item.size;
        if (slack < 0)
            return false;
        const bool priced = m_region.slices.size() > 1;
        const bool found = consider(alignedFrom(m_item, lo), lo, hi, slack);
        if (!priced)
            return found && m_fit == Fit::First;
        consider(alignedTo(m_item, hi - m_item.size), lo, hi, slack);
        for (const Slice& slice : m_region.slices) {
            consider(alignedFrom(m_item, slice.lo), lo, hi, slack);
            consider(alignedTo(m_item, slice.hi - m_item.size), lo, hi, slack);
        }
        return false;
    }

private:
    bool consider(std::int64_t address, std::int64_t lo, std::int64_t hi, std::int64_t slack) {
        if (address < lo || address > hi - m_item.size)
            return false;
        const double price = m_instance.price(m_item, m_region, address);
        const bool cheaper = lessBy(price, m_best.price);
        const bool tighter = m_fit == Fit::Best && !lessBy(m_best.price, price) && slack < m_best.slack;
        if (!m_best.spot.isPlaced() || cheaper || tighter)
            m_best = {{m_index, address}, price, slack};
        return true;
    }

    const Instance& m_instance;
    const Item& m_item;
    int m_index;
    const Region& m_region;
    Fit m_fit;
    Candidate& m_best;
};

} // namespace

bool isBetter(const Score& a, const Score& b) {
    if (a.unplacedBytes != b.unplacedBytes)
        return a.unplacedBytes < b.unplacedBytes;
    if (lessBy(a.cycles, b.cycles) || lessBy(b.cycles, a.cycles))
        return a.cycles < b.cycles;
    return lessBy(a.price, b.price);
}

Layout::Layout(const Instance& instance)
    : m_instance(&instance)
    , m_spots(instance.items.size())
    , m_arena(instance.items.size(), -1)
    , m_blocked(std::size_t(instance.arenas))
    , m_transientsIn(std::size_t(instance.arenas))
    , m_memory(instance.compute.size() * std::size_t(instance.concretePools))
    , m_epoch(instance.compute)
    , m_scratch(std::size_t(instance.arenas)) {
    recount();
}

double Layout::epochCycles(int epoch) const {
    const double* memory = m_memory.data() + std::size_t(epoch) * std::size_t(m_instance->concretePools);
    double cycles = m_instance->compute[std::size_t(epoch)];
    for (int pool = 0; pool < m_instance->concretePools; ++pool)
        cycles = m_instance->addsMemory ? cycles + memory[pool] : std::max(cycles, memory[pool]);
    return cycles;
}

void Layout::addTraffic(int index, double sign) {
    const Item& item = m_instance->items[std::size_t(index)];
    const Spot& spot = m_spots[std::size_t(index)];
    const Region& region = m_instance->regions[std::size_t(spot.region)];
    for (const ItemAccess& access : item.accesses) {
        double* memory = m_memory.data() + std::size_t(access.epoch) * std::size_t(m_instance->concretePools);
        const std::int64_t lo = spot.lo + access.offset, hi = lo + access.size;
        for (const Slice& slice : region.slices) {
            const std::int64_t bytes = std::min(hi, slice.hi) - std::max(lo, slice.lo);
            if (bytes <= 0)
                continue;
            const double cycles =
                double(bytes) / double(access.size) * (access.readBytes * slice.read + access.writeBytes * slice.write);
            memory[slice.pool] += sign * cycles;
            m_price += sign * cycles;
        }
        const double cycles = epochCycles(access.epoch);
        m_cycles += cycles - m_epoch[std::size_t(access.epoch)];
        m_epoch[std::size_t(access.epoch)] = cycles;
    }
}

void Layout::put(int index, Spot spot) {
    const Item& item = m_instance->items[std::size_t(index)];
    m_spots[std::size_t(index)] = spot;
    m_arena[std::size_t(index)] = m_instance->regions[std::size_t(spot.region)].arena;
    m_unplacedBytes -= item.size;
    m_transientsIn[std::size_t(arenaOf(index))] += item.permanent ? 0 : 1;
    if (item.permanent) {
        // Up to the next aligned address: else thousands of constants would leave as many slivers for every later
        // search to pass.
        const std::int64_t end = std::min(alignedFrom(item, spot.lo + item.size), regionEnd(spot.region));
        insertMerged(m_blocked[std::size_t(arenaOf(index))], {spot.lo, end});
    }
    addTraffic(index, 1);
}

void Layout::remove(int index) {
    m_transientsIn[std::size_t(arenaOf(index))] -= 1;
    addTraffic(index, -1);
    m_spots[std::size_t(index)] = {};
    m_arena[std::size_t(index)] = -1;
    m_unplacedBytes += m_instance->items[std::size_t(index)].size;
}

void Layout::recount() {
    std::ranges::fill(m_memory, 0.0);
    m_epoch = m_instance->compute;
    m_price = 0;
    m_unplacedBytes = 0;
    for (int i = 0; i < int(m_spots.size()); ++i) {
        if (m_spots[std::size_t(i)].isPlaced())
            addTraffic(i, 1);
        else
            m_unplacedBytes += m_instance->items[std::size_t(i)].size;
    }
    m_cycles = 0;
    for (const double cycles : m_epoch)
        m_cycles += cycles;
}

void Layout::collectBusy(int index, int arena, std::vector<Interval>& busy) const {
    busy = m_blocked[std::size_t(arena)];
    const auto add = [&](int other) {
        if (m_arena[std::size_t(other)] == arena && other != index)
            busy.push_back({m_spots[std::size_t(other)].lo, end(other)});
    };
    if (m_transientsIn[std::size_t(arena)] == 0)
        return;
    if (m_instance->items[std::size_t(index)].permanent) {
        for (const int other : m_instance->transient)
            add(other);
    } else {
        for (const int other : m_instance->neighbours(index))
            add(other);
    }
    if (busy.size() > m_blocked[std::size_t(arena)].size())
        std::ranges::sort(busy, {}, &Interval::lo);
}

std::vector<Interval> Layout::busy(int index, int arena) const {
    std::vector<Interval> busy;
    collectBusy(index, arena, busy);
    return busy;
}

Spot Layout::findPlace(int index, const std::vector<int>& regions, Fit fit) const {
    const Item& item = m_instance->items[std::size_t(index)];
    Candidate best;
    std::vector<bool> known(std::size_t(m_instance->arenas));
    for (const int r : regions) {
        const Region& region = m_instance->regions[std::size_t(r)];
        if (region.capacity() < item.size)
            continue;
        const double cheapest = m_instance->cheapestPrice(item, region);
        if (best.spot.isPlaced() &&
            (lessBy(best.price, cheapest) || (fit == Fit::First && !lessBy(cheapest, best.price))))
            break;
        std::vector<Interval>& taken = m_scratch[std::size_t(region.arena)];
        if (!known[std::size_t(region.arena)])
            collectBusy(index, region.arena, taken);
        known[std::size_t(region.arena)] = true;
        forEachGap(taken, region, GapSearch(*m_instance, item, r, fit, best));
    }
    return best.spot;
}

std::vector<int> Layout::collisions(int index, Spot spot) const {
    const int arena = m_instance->regions[std::size_t(spot.region)].arena;
    const std::int64_t hi = spot.lo + m_instance->items[std::size_t(index)].size;
    std::vector<int> found;
    for (const int other : m_instance->neighbours(index))
        if (m_arena[std::size_t(other)] == arena && m_spots[std::size_t(other)].lo < hi && end(other) > spot.lo)
            found.push_back(other);
    return found;
}

bool Layout::hitsBlocked(int index, Spot spot) const {
    const auto& blocked = m_blocked[std::size_t(m_instance->regions[std::size_t(spot.region)].arena)];
    const std::int64_t hi = spot.lo + m_instance->items[std::size_t(index)].size;
    const auto first = std::ranges::upper_bound(blocked, spot.lo, {}, &Interval::hi);
    return first != blocked.end() && first->lo < hi;
}

} // namespace poolwright::place
