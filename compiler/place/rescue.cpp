// SPDX-License-Identifier: Apache-2.0
#include "place/rescue.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace poolwright::place {

namespace {

constexpr std::int64_t nodesOfRepair = 60000, nodesOfAssignment = 400000, nodesForOne = 6000;
constexpr std::size_t mostForEveryAssignment = 40; // items
constexpr std::size_t mostInOneSearch = 1200;      // items
constexpr std::size_t mostSentElsewhere = 24;      // items tried

/// Regions of an item that no other of its regions covers.
std::vector<int> widestRegions(const Instance& instance, const Item& item) {
    const auto covers = [&](int outer, int inner) {
        const Region &a = instance.regions[std::size_t(outer)], &b = instance.regions[std::size_t(inner)];
        const bool within = a.arena == b.arena && a.lo <= b.lo && a.hi >= b.hi;
        return within && (a.lo < b.lo || a.hi > b.hi || outer < inner);
    };
    std::vector<int> widest;
    for (const int r : item.regions) {
        const Region& region = instance.regions[std::size_t(r)];
        const bool covered = std::ranges::any_of(item.regions, [&](int other) { return covers(other, r); });
        const bool reaches = !item.fixed || (*item.fixed >= region.lo && *item.fixed + item.size <= region.hi);
        if (!covered && reaches && region.capacity() >= item.size)
            widest.push_back(r);
    }
    return widest;
}

class Rescuer {
public:
    Rescuer(const Layout& layout, const Options& options, Deadline deadline)
        : m_instance(layout.instance())
        , m_spots(m_instance.items.size())
        , m_regions(m_instance.items.size()) {
        m_limit.nodes = nodesOfRepair;
        m_limit.deadline = deadline;
        m_limit.cancel = options.cancel;
        for (int i = 0; i < count(); ++i) {
            m_spots[std::size_t(i)] = layout[i];
            if (item(i).solvable && item(i).size > 0)
                m_regions[std::size_t(i)] = widestRegions(m_instance, item(i));
        }
    }

    const std::vector<Spot>& spots() const { return m_spots; }

    bool run() {
        std::vector<int> homeless;
        for (int i = 0; i < count(); ++i)
            if (!m_spots[std::size_t(i)].isPlaced() && !m_regions[std::size_t(i)].empty())
                homeless.push_back(i);
        std::ranges::stable_sort(homeless, {}, [&](int i) { return -item(i).size; });
        bool changed = false, all = true;
        for (const int i : homeless) {
            const bool found = isLeft() && packIn(i);
            changed = changed || found;
            all = all && found;
        }
        return all ? changed : assignAnew() || changed;
    }

private:
    int count() const { return int(m_instance.items.size()); }
    const Item& item(int i) const { return m_instance.items[std::size_t(i)]; }
    const Region& region(int r) const { return m_instance.regions[std::size_t(r)]; }
    bool isLeft() const {
        return m_limit.nodes > 0 && !m_limit.cancel.isCancelled() &&
               !(m_limit.deadline && std::chrono::steady_clock::now() > *m_limit.deadline);
    }
    int arenaOf(int i) const {
        const Spot& spot = m_spots[std::size_t(i)];
        return spot.isPlaced() ? region(spot.region).arena : -1;
    }

    bool canMove(int i) const { return m_permanentMoves || !item(i).permanent; }

    // ---- packing one arena

    PackItem packItem(int i, int r, bool mayMove) const {
        PackItem pack{item(i).size, item(i).live, item(i).modulus, item(i).residue, region(r).lo, region(r).hi};
        if (item(i).fixed || !mayMove) {
            pack.lo = item(i).fixed.value_or(m_spots[std::size_t(i)].lo);
            pack.hi = pack.lo + pack.size;
        }
        return pack;
    }

    /// The widest region of the item that holds the region in which it lies now.
    int wideRegion(int i) const {
        const Region& now = region(m_spots[std::size_t(i)].region);
        for (const int r : m_regions[std::size_t(i)])
            if (region(r).arena == now.arena && region(r).lo <= now.lo && region(r).hi >= now.hi)
                return r;
        return m_spots[std::size_t(i)].region;
    }

    /// Packs the items `free`, each in its region, around all others of the arena that meet one of them.
    bool pack(int arena, const std::vector<std::pair<int, int>>& free, std::int64_t nodes) {
        std::vector<char> isFree(m_instance.items.size());
        for (const auto& [i, r] : free)
            isFree[std::size_t(i)] = true;
        std::vector<std::pair<int, int>> all = free;
        std::vector<PackItem> items;
        for (const auto& [i, r] : free)
            items.push_back(packItem(i, r, true));
        for (int other = 0; other < count(); ++other)
            if (arenaOf(other) == arena && !isFree[std::size_t(other)] && item(other).size > 0 &&
                std::ranges::any_of(free,
                                    [&](const auto& f) { return item(f.first).live.overlaps(item(other).live); })) {
                all.emplace_back(other, m_spots[std::size_t(other)].region);
                items.push_back(packItem(other, m_spots[std::size_t(other)].region, false));
            }
        return search(all, free.size(), items, nodes);
    }

    bool search(const std::vector<std::pair<int, int>>& all, std::size_t free, const std::vector<PackItem>& items,
                std::int64_t nodes) {
        if (items.size() > mostInOneSearch)
            return false;
        SearchLimit limit = m_limit;
        limit.nodes = std::min(nodes, m_limit.nodes);
        limit.nodesOfFirstTry = std::max<std::int64_t>(200, std::int64_t(2 * items.size()));
        const std::int64_t before = limit.nodes;
        std::vector<std::int64_t> offsets;
        m_outcome = searchPacking(items, limit, offsets);
        m_limit.nodes -= before - limit.nodes + 20; // a search has its price before the first node
        if (m_outcome != SearchOutcome::Found)
            return false;
        for (std::size_t i = 0; i < free; ++i)
            m_spots[std::size_t(all[i].first)] = {all[i].second, offsets[i]};
        return true;
    }

    // ---- into the pools as they are filled

    /// What may move to make room for an item in an arena: what is alive with it.
    std::vector<std::pair<int, int>> company(int i, int arena) const {
        std::vector<std::pair<int, int>> free;
        for (int other = 0; other < count(); ++other)
            if (other != i && arenaOf(other) == arena && item(other).size > 0 && canMove(other) &&
                item(other).live.overlaps(item(i).live))
                free.emplace_back(other, wideRegion(other));
        return free;
    }

    bool packIn(int i) {
        for (const int r : m_regions[std::size_t(i)])
            if (packInto(i, r))
                return true;
        for (const int r : m_regions[std::size_t(i)])
            if (isLeft() && sendOneElsewhere(i, r))
                return true;
        return false;
    }

    bool packInto(int i, int r) {
        auto free = company(i, region(r).arena);
        free.emplace_back(i, r);
        if (pack(region(r).arena, free, nodesForOne))
            return true;
        if (m_outcome == SearchOutcome::Impossible && tooMuch(free, region(r)))
            return false;
        auto everything = free;
        for (int other = 0; other < count(); ++other)
            if (arenaOf(other) == region(r).arena && item(other).size > 0 && canMove(other) &&
                std::ranges::none_of(free, [&](const auto& f) { return f.first == other; }))
                everything.emplace_back(other, wideRegion(other));
        return everything.size() > free.size() && pack(region(r).arena, everything, nodesForOne);
    }

    /// More bytes alive with the last of the items, at one moment, than the region has: no moving about helps.
    bool tooMuch(const std::vector<std::pair<int, int>>& free, const Region& region) const {
        const EpochRange live = item(free.back().first).live;
        for (const auto& [i, r] : free) {
            const int epoch = std::max(item(i).live.first, live.first);
            std::int64_t bytes = 0;
            for (const auto& [other, otherRegion] : free)
                bytes += item(other).live.contains(epoch) && this->region(otherRegion).lo >= region.lo &&
                                 this->region(otherRegion).hi <= region.hi
                             ? item(other).size
                             : 0;
            if (bytes > region.capacity())
                return true;
        }
        return false;
    }

    bool sendOneElsewhere(int i, int r) {
        auto candidates = company(i, region(r).arena);
        std::erase_if(candidates,
                      [&](const auto& c) { return item(c.first).fixed || m_regions[std::size_t(c.first)].size() < 2; });
        std::ranges::stable_sort(candidates, {},
                                 [&](const auto& c) { return std::abs(item(c.first).size - item(i).size); });
        if (candidates.size() > mostSentElsewhere)
            candidates.resize(mostSentElsewhere);
        for (const auto& [sent, from] : candidates)
            for (const int to : m_regions[std::size_t(sent)])
                if (region(to).arena != region(from).arena && isLeft() && exchange(i, r, sent, to))
                    return true;
        return false;
    }

    bool exchange(int i, int r, int sent, int to) {
        const std::vector<Spot> before = m_spots;
        m_spots[std::size_t(sent)] = {};
        if (packInto(sent, to) && packInto(i, r))
            return true;
        m_spots = before;
        return false;
    }

    // ---- every assignment, of small problems

    bool assignAnew() {
        std::vector<int> movable;
        for (int i = 0; i < count(); ++i)
            if (!m_regions[std::size_t(i)].empty())
                movable.push_back(i);
        if (movable.size() > mostForEveryAssignment)
            return false;
        // Those with a fixed address and few pools first, then the large ones.
        std::ranges::stable_sort(movable, {}, [&](int i) {
            return std::tuple(!item(i).fixed.has_value(), m_regions[std::size_t(i)].size(), -item(i).size);
        });
        const std::vector<Spot> before = m_spots;
        for (const int i : movable)
            m_spots[std::size_t(i)] = {};
        m_limit.nodes = nodesOfAssignment;
        m_permanentMoves = true;
        if (assign(movable, 0))
            return true;
        m_spots = before;
        return false;
    }

    bool assign(const std::vector<int>& items, std::size_t next) {
        if (next == items.size())
            return true;
        const int i = items[next];
        for (const int r : m_regions[std::size_t(i)]) {
            if (!isLeft())
                return false;
            const std::vector<Spot> before = m_spots;
            if (packInto(i, r) && assign(items, next + 1))
                return true;
            m_spots = before;
        }
        return false;
    }

    const Instance& m_instance;
    std::vector<Spot> m_spots;
    std::vector<std::vector<int>> m_regions; ///< by item: where it may lie, widest first
    SearchLimit m_limit;
    bool m_permanentMoves = false;
    SearchOutcome m_outcome = SearchOutcome::GaveUp;
};

} // namespace

bool rescue(Layout& layout, const Options& options, Deadline deadline) {
    Rescuer rescuer(layout, options, deadline);
    if (!rescuer.run())
        return false;
    Layout rescued(layout.instance());
    for (int i = 0; i < int(layout.instance().items.size()); ++i)
        if (rescuer.spots()[std::size_t(i)].isPlaced())
            rescued.put(i, rescuer.spots()[std::size_t(i)]);
    rescued.recount();
    if (!isBetter(rescued.score(), layout.score()))
        return false;
    layout = std::move(rescued);
    return true;
}

} // namespace poolwright::place
