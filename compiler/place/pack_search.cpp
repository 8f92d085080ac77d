// SPDX-License-Identifier: Apache-2.0
#include "place/pack_search.h"

#include "place/sections.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>

namespace poolwright::place {

namespace {

constexpr std::int64_t nodesWithoutClock = 20000000;
constexpr std::int64_t firstSlice = 2000;
constexpr int ordersInARound = 18;
constexpr std::size_t mostItems = 5000; // one level of recursion each
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 2;

/// A moment of the search: the address and the rank of the item placed last.
struct Level {
    std::int64_t address = 0;
    int rank = -1;
};

class Search {
public:
    Search(const Instance& instance, std::int64_t capacity, const Options& options)
        : m_instance(instance)
        , m_items(instance.items)
        , m_capacity(capacity)
        , m_options(options)
        , m_sections(instance.items)
        , m_lowest(m_sections.items.size())
        , m_lowestFloor(m_sections.items.size())
        , m_witness(m_sections.items.size(), -1)
        , m_floor(m_items.size())
        , m_raised(m_items.size())
        , m_raisedAt(m_items.size(), -1)
        , m_placed(m_items.size()) {}

    SearchOutcome run(std::vector<std::int64_t>& offsets) {
        std::vector<int> all(m_items.size());
        std::iota(all.begin(), all.end(), 0);
        std::ranges::stable_sort(all, {}, [&](int i) { return m_sections.first[std::size_t(i)]; });
        for (std::int64_t slice = firstSlice; !isOver(); slice *= 2)
            for (int order = 0; order < ordersInARound && !isOver(); ++order) {
                reset(order);
                m_nodesLeft = slice;
                m_stopped = false;
                m_parts = all;
                if (solveParts(0, all.size(), {})) {
                    offsets = m_floor;
                    return SearchOutcome::Found;
                }
                if (!m_stopped)
                    return SearchOutcome::Impossible;
            }
        return SearchOutcome::GaveUp;
    }

private:
    bool isOver() const {
        if (m_options.cancel.isCancelled())
            return true;
        if (m_options.budgetMilliseconds <= 0)
            return m_nodes >= nodesWithoutClock;
        return std::chrono::steady_clock::now() - m_start > std::chrono::milliseconds(m_options.budgetMilliseconds);
    }

    void reset(int order) {
        for (std::size_t i = 0; i < m_items.size(); ++i)
            m_floor[i] = alignedFrom(m_items[i], 0);
        std::ranges::fill(m_placed, char(false));
        m_remaining = m_sections.load;
        for (int s = 0; s < int(m_lowest.size()); ++s)
            setLowest(s, lowestOf(s));
        m_undo.clear();
        m_rank = searchRanks(m_instance, m_sections, order);
    }

    // ---- the search

    /// Parts that no item left joins in time are independent. Items m_parts[begin..end), ascending by first section.
    bool solveParts(std::size_t begin, std::size_t end, Level level) {
        std::size_t start = begin;
        int lastSection = -1;
        for (std::size_t p = begin; p != end; ++p) {
            const std::size_t item = std::size_t(m_parts[p]);
            if (p != start && m_sections.first[item] > lastSection) {
                if (!solve(start, p, level))
                    return false;
                start = p;
                lastSection = -1;
            }
            lastSection = std::max(lastSection, m_sections.last[item]);
        }
        return start == end || solve(start, end, level);
    }

    struct Candidate {
        std::int64_t floor;
        int rank, item;
        auto operator<=>(const Candidate&) const = default;
    };

    /// On failure everything placed inside is taken back.
    bool solve(std::size_t begin, std::size_t end, Level level) {
        const int lastSection = lastSectionOf(begin, end);
        if (stop() || !canAllRise(m_sections.first[std::size_t(m_parts[begin])], lastSection, level))
            return false;
        const std::size_t firstCandidate = m_candidates.size();
        addCandidates(begin, end, level);
        const std::size_t endOfCandidates = m_candidates.size();
        bool solved = false;
        for (std::size_t c = firstCandidate; c != endOfCandidates && !solved && !m_stopped; ++c) {
            bool disturbsNobody = false;
            solved = tryItem(m_candidates[c].item, begin, end, lastSection, disturbsNobody);
            // The lowest item, in nobody's way: what fails behind it fails without it too.
            if (disturbsNobody && c == firstCandidate)
                break;
        }
        m_candidates.resize(firstCandidate);
        return solved;
    }

    bool tryItem(int item, std::size_t begin, std::size_t end, int lastSection, bool& disturbsNobody) {
        const Level level{m_floor[std::size_t(item)], m_rank[std::size_t(item)]};
        if (!othersReachAbove(item, m_sections.first[std::size_t(m_parts[begin])], lastSection, level.address))
            return false;
        const std::size_t mark = m_undo.size(), part = m_parts.size();
        bool solved = false;
        if (put(item, level.address, disturbsNobody)) {
            for (std::size_t p = begin; p != end; ++p)
                if (m_parts[p] != item)
                    m_parts.push_back(m_parts[p]);
            solved = solveParts(part, m_parts.size(), level);
            m_parts.resize(part);
        } else {
            disturbsNobody = false;
        }
        if (!solved)
            takeBack(mark);
        return solved;
    }

    bool stop() {
        ++m_nodes;
        if (--m_nodesLeft <= 0 || (m_nodesLeft % 1024 == 0 && isOver()))
            m_stopped = true;
        return m_stopped;
    }

    int lastSectionOf(std::size_t begin, std::size_t end) const {
        int section = 0;
        for (std::size_t p = begin; p != end; ++p)
            section = std::max(section, m_sections.last[std::size_t(m_parts[p])]);
        return section;
    }

    bool mayFollow(int item, Level level) const {
        const std::int64_t floor = m_floor[std::size_t(item)];
        return floor > level.address || (floor == level.address && m_rank[std::size_t(item)] > level.rank);
    }

    /// Items that may come next in ascending order of address, ties by rank, unless another would fit below them. The
    /// lowest first: that fills the memory like water.
    void addCandidates(std::size_t begin, std::size_t end, Level level) {
        std::int64_t lowestTop = never;
        for (std::size_t p = begin; p != end; ++p) {
            const std::size_t item = std::size_t(m_parts[p]);
            lowestTop = std::min(lowestTop, m_floor[item] + std::max<std::int64_t>(m_items[item].size, 1));
        }
        const std::ptrdiff_t first = std::ptrdiff_t(m_candidates.size());
        for (std::size_t p = begin; p != end; ++p) {
            const std::size_t item = std::size_t(m_parts[p]);
            if (m_floor[item] < lowestTop && mayFollow(int(item), level))
                m_candidates.push_back({m_floor[item], m_rank[item], int(item)});
        }
        std::sort(m_candidates.begin() + first, m_candidates.end());
    }

    // ---- placing and taking back

    struct Undo {
        enum Kind { Floor, Placed, Lowest } kind;
        int index;
        std::int64_t floor = 0; ///< the old one
        int lowest = -1;        ///< the old lowest item of a section
    };

    /// False when some item or moment cannot be served any more.
    bool put(int index, std::int64_t level, bool& disturbsNobody) {
        const std::size_t item = std::size_t(index);
        m_placed[item] = true;
        m_undo.push_back({Undo::Placed, index});
        for (int s = m_sections.first[item]; s <= m_sections.last[item]; ++s)
            m_remaining[std::size_t(s)] -= m_items[item].size;
        const std::int64_t top = m_floor[item] + m_items[item].size;
        const std::size_t firstRaised = m_undo.size();
        if (top > m_capacity || !raiseNeighbours(index, top))
            return false;
        const std::size_t endOfRaised = m_undo.size();
        disturbsNobody = firstRaised == endOfRaised;
        if (!refresh(m_sections.first[item], m_sections.last[item], level))
            return false;
        for (std::size_t u = firstRaised; u < endOfRaised; ++u) {
            const std::size_t raised = std::size_t(m_undo[u].index);
            if (!refresh(m_sections.first[raised], std::min(m_sections.last[raised], m_sections.first[item] - 1),
                         level) ||
                !refresh(std::max(m_sections.first[raised], m_sections.last[item] + 1), m_sections.last[raised], level))
                return false;
        }
        return true;
    }

    bool raiseNeighbours(int index, std::int64_t top) {
        for (const int other : m_instance.neighbours(index)) {
            const std::size_t o = std::size_t(other);
            if (m_placed[o] || m_floor[o] >= top)
                continue;
            m_undo.push_back({Undo::Floor, other, m_floor[o]});
            m_floor[o] = alignedFrom(m_items[o], top);
            if (m_floor[o] + m_items[o].size > m_capacity)
                return false;
        }
        return true;
    }

    int lowestOf(int section) const {
        int lowest = -1;
        for (const int i : m_sections.items[std::size_t(section)])
            if (!m_placed[std::size_t(i)] && (lowest < 0 || m_floor[std::size_t(i)] < m_floor[std::size_t(lowest)]))
                lowest = i;
        return lowest;
    }

    void setLowest(int section, int item) {
        const std::size_t s = std::size_t(section);
        m_undo.push_back({Undo::Lowest, section, m_lowestFloor[s], m_lowest[s]});
        m_lowest[s] = item;
        m_lowestFloor[s] = item < 0 ? never : m_floor[std::size_t(item)];
    }

    /// What is left of a section lies above the lowest address that any of it can have, and above the level. Only a
    /// section whose lowest item was placed or raised can have changed for the worse.
    bool refresh(int from, int to, std::int64_t level) {
        for (int s = from; s <= to; ++s) {
            const int lowest = m_lowest[std::size_t(s)];
            if (lowest < 0 ||
                (!m_placed[std::size_t(lowest)] && m_floor[std::size_t(lowest)] == m_lowestFloor[std::size_t(s)]))
                continue;
            setLowest(s, lowestOf(s));
            if (m_lowest[std::size_t(s)] >= 0 &&
                std::max(m_lowestFloor[std::size_t(s)], level) > m_capacity - m_remaining[std::size_t(s)])
                return false;
        }
        return true;
    }

    void takeBack(std::size_t mark) {
        for (; m_undo.size() > mark; m_undo.pop_back()) {
            const Undo& undo = m_undo.back();
            const std::size_t index = std::size_t(undo.index);
            if (undo.kind == Undo::Floor) {
                m_floor[index] = undo.floor;
            } else if (undo.kind == Undo::Lowest) {
                m_lowest[index] = undo.lowest;
                m_lowestFloor[index] = undo.floor;
            } else {
                m_placed[index] = false;
                for (int s = m_sections.first[index]; s <= m_sections.last[index]; ++s)
                    m_remaining[std::size_t(s)] += m_items[index].size;
            }
        }
    }

    // ---- bounds

    /// Nothing can be placed below the level any more: the sections without the item must hold their rest above it.
    bool othersReachAbove(int item, int from, int to, std::int64_t level) const {
        for (int s = from; s <= to; ++s) {
            const bool own = s >= m_sections.first[std::size_t(item)] && s <= m_sections.last[std::size_t(item)];
            if (m_remaining[std::size_t(s)] - (own ? m_items[std::size_t(item)].size : 0) > m_capacity - level)
                return false;
        }
        return true;
    }

    /// Items below the level can only be lifted by one that is still to be placed beneath them: their true floor is
    /// higher. Each section needs one item that can start early enough for all its rest.
    bool canAllRise(int from, int to, Level level) {
        if (level.rank < 0)
            return true;
        ++m_stamp;
        for (int s = from; s <= to; ++s)
            if (m_remaining[std::size_t(s)] > 0 && !canStart(s, level))
                return false;
        return true;
    }

    bool canStart(int section, Level level) {
        const std::int64_t latest = m_capacity - m_remaining[std::size_t(section)];
        const auto fits = [&](int i) {
            return !m_placed[std::size_t(i)] && m_floor[std::size_t(i)] <= latest && mayFollow(i, level);
        };
        int& witness = m_witness[std::size_t(section)];
        if (witness >= 0 && fits(witness))
            return true;
        const std::vector<int>& items = m_sections.items[std::size_t(section)];
        if (const auto found = std::ranges::find_if(items, fits); found != items.end()) {
            witness = *found;
            return true;
        }
        return std::ranges::any_of(items, [&](int i) {
            return !m_placed[std::size_t(i)] && m_floor[std::size_t(i)] <= level.address &&
                   raisedFloor(i, level) <= latest;
        });
    }

    std::int64_t raisedFloor(int index, Level level) {
        const std::size_t item = std::size_t(index);
        if (m_raisedAt[item] == m_stamp)
            return m_raised[item];
        std::int64_t floor = never;
        for (const int other : m_instance.neighbours(index))
            if (!m_placed[std::size_t(other)])
                floor = std::min(floor, std::max(m_floor[std::size_t(other)], level.address) +
                                            m_items[std::size_t(other)].size);
        m_raisedAt[item] = m_stamp;
        return m_raised[item] = floor;
    }

    const Instance& m_instance;
    const std::vector<Item>& m_items;
    std::int64_t m_capacity;
    Options m_options;
    Sections m_sections;
    std::vector<std::int64_t> m_remaining;   ///< by section: bytes not placed yet
    std::vector<int> m_lowest;               ///< by section: the item left with the lowest floor, -1: none left
    std::vector<std::int64_t> m_lowestFloor; ///< by section: that item's floor when it was chosen
    std::vector<int> m_witness;        ///< by section: an item that could start it, the last time one was looked for
    std::vector<std::int64_t> m_floor; ///< by item: lowest address that is left, or where it was placed
    std::vector<std::int64_t> m_raised, m_raisedAt; ///< by item: raisedFloor() and the stamp of its computation
    std::vector<char> m_placed;
    std::vector<int> m_rank;
    std::vector<int> m_parts; ///< the lists of all levels of the search, one behind the other
    std::vector<Candidate> m_candidates;
    std::vector<Undo> m_undo;
    std::int64_t m_nodes = 0, m_nodesLeft = 0, m_stamp = 0;
    bool m_stopped = false;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace

SearchOutcome searchPacking(const Instance& instance, std::int64_t capacity, const Options& options,
                            std::vector<std::int64_t>& offsets) {
    const bool anyFixed = std::ranges::any_of(instance.items, [](const Item& item) { return item.fixed.has_value(); });
    if (anyFixed || instance.items.size() > mostItems)
        return SearchOutcome::GaveUp;
    return Search(instance, capacity, options).run(offsets);
}

} // namespace poolwright::place
