// SPDX-License-Identifier: Apache-2.0
#include "place/pack_search.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <numeric>
#include <tuple>

namespace poolwright::place {

namespace {

constexpr std::int64_t nodesWithoutClock = 4000000;
constexpr std::int64_t firstSlice = 20000;

/// Moments at which as many items are alive as can be: between them items only come, or only go.
struct Sections {
    std::vector<int> first, last;        ///< by item, inclusive
    std::vector<std::vector<int>> items; ///< by section

    explicit Sections(const std::vector<Item>& all)
        : first(all.size())
        , last(all.size()) {
        std::vector<std::tuple<std::int64_t, bool, int>> events; // deaths (false) before births at the same time
        for (int i = 0; i < int(all.size()); ++i) {
            events.emplace_back(all[std::size_t(i)].live.first, true, i);
            events.emplace_back(std::int64_t(all[std::size_t(i)].live.last) + 1, false, i);
        }
        std::ranges::sort(events);
        int section = 0;
        bool someDied = false;
        for (const auto& [time, born, i] : events) {
            section += born && someDied ? 1 : 0;
            someDied = !born;
            (born ? first : last)[std::size_t(i)] = section;
        }
        items.resize(std::size_t(section) + 1);
        for (int i = 0; i < int(all.size()); ++i)
            for (int s = first[std::size_t(i)]; s <= last[std::size_t(i)]; ++s)
                items[std::size_t(s)].push_back(i);
    }
};

class Search {
public:
    Search(const Instance& instance, std::int64_t capacity, const Options& options)
        : m_instance(instance)
        , m_items(instance.items)
        , m_capacity(capacity)
        , m_options(options)
        , m_sections(instance.items)
        , m_remaining(m_sections.items.size())
        , m_floor(m_items.size())
        , m_placed(m_items.size())
        , m_rank(m_items.size()) {
        for (std::size_t s = 0; s < m_remaining.size(); ++s)
            for (const int i : m_sections.items[s])
                m_remaining[s] += m_items[std::size_t(i)].size;
        m_load = m_remaining;
    }

    SearchOutcome run(std::vector<std::int64_t>& offsets) {
        std::vector<int> all(m_items.size());
        std::iota(all.begin(), all.end(), 0);
        std::ranges::stable_sort(all, {}, [&](int i) { return m_sections.first[std::size_t(i)]; });
        for (std::int64_t slice = firstSlice; !isOver(); slice *= 2)
            for (int order = 0; order < 4; ++order) {
                reset(order);
                m_nodesLeft = slice;
                m_stopped = false;
                if (solveParts(all, 0, -1)) {
                    offsets = m_floor;
                    return SearchOutcome::Found;
                }
                if (!m_stopped)
                    return SearchOutcome::Impossible;
                if (isOver())
                    break;
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

    /// Which of the possible items is tried first: the one in the fullest section, the longest, the one of the largest
    /// area.
    void reset(int order) {
        for (std::size_t i = 0; i < m_items.size(); ++i)
            m_floor[i] = alignedFrom(m_items[i], 0);
        std::ranges::fill(m_placed, false);
        m_remaining = m_load;
        std::vector<int> sorted(m_items.size());
        std::iota(sorted.begin(), sorted.end(), 0);
        std::ranges::sort(sorted, {}, [&](int i) {
            const std::size_t item = std::size_t(i);
            std::int64_t fullest = 0;
            for (int s = m_sections.first[item]; s <= m_sections.last[item]; ++s)
                fullest = std::max(fullest, m_load[std::size_t(s)]);
            const std::int64_t width = std::int64_t(m_items[item].live.last) - m_items[item].live.first + 1;
            const double total = -double(fullest), length = -double(width), area = length * double(m_items[item].size);
            const std::array<std::array<double, 3>, 4> keys = {
                {{total, length, area}, {length, area, total}, {total, area, length}, {area, length, total}}};
            return std::tuple(keys[std::size_t(order)], i);
        });
        for (int r = 0; r < int(sorted.size()); ++r)
            m_rank[std::size_t(sorted[std::size_t(r)])] = r;
    }

    /// Parts that no item left joins in time are independent. `items` ascending by first section.
    bool solveParts(const std::vector<int>& items, std::int64_t last, int lastRank) {
        std::vector<int> part;
        int end = -1;
        for (const int i : items) {
            if (!part.empty() && m_sections.first[std::size_t(i)] > end) {
                if (!solve(part, last, lastRank))
                    return false;
                part.clear();
            }
            end = part.empty() ? m_sections.last[std::size_t(i)] : std::max(end, m_sections.last[std::size_t(i)]);
            part.push_back(i);
        }
        return part.empty() || solve(part, last, lastRank);
    }

    /// On failure everything placed inside is taken back.
    bool solve(const std::vector<int>& part, std::int64_t last, int lastRank) {
        if (stop())
            return false;
        const std::size_t mark = m_undo.size();
        for (const int i : candidates(part, last, lastRank)) {
            const std::int64_t at = m_floor[std::size_t(i)];
            if (put(i) && levelIsLowEnough(part, at)) {
                std::vector<int> rest;
                rest.reserve(part.size());
                std::ranges::copy_if(part, std::back_inserter(rest), [&](int other) { return other != i; });
                if (solveParts(rest, at, m_rank[std::size_t(i)]))
                    return true;
            }
            takeBack(mark);
            if (m_stopped)
                return false;
        }
        return false;
    }

    bool stop() {
        ++m_nodes;
        if (--m_nodesLeft <= 0 || (m_nodesLeft % 1024 == 0 && isOver()))
            m_stopped = true;
        return m_stopped;
    }

    /// Items that may come next in ascending order of address, ties by rank, unless another would fit below them.
    std::vector<int> candidates(const std::vector<int>& part, std::int64_t last, int lastRank) const {
        std::int64_t lowestTop = std::numeric_limits<std::int64_t>::max();
        for (const int i : part)
            lowestTop =
                std::min(lowestTop, m_floor[std::size_t(i)] + std::max<std::int64_t>(m_items[std::size_t(i)].size, 1));
        std::vector<int> next;
        for (const int i : part) {
            const std::int64_t at = m_floor[std::size_t(i)];
            if (at < lowestTop && (at > last || (at == last && m_rank[std::size_t(i)] > lastRank)))
                next.push_back(i);
        }
        std::ranges::sort(next, {}, [&](int i) { return m_rank[std::size_t(i)]; });
        return next;
    }

    struct Undo {
        int item = 0;
        std::int64_t floor = 0;
        bool wasPlaced = false; ///< this entry takes the item itself back
    };

    /// False when some item or moment cannot be served any more.
    bool put(int index) {
        const std::size_t item = std::size_t(index);
        m_placed[item] = true;
        m_undo.push_back({index, m_floor[item], true});
        for (int s = m_sections.first[item]; s <= m_sections.last[item]; ++s)
            m_remaining[std::size_t(s)] -= m_items[item].size;
        const std::int64_t top = m_floor[item] + m_items[item].size;
        int lo = m_sections.first[item], hi = m_sections.last[item];
        bool fits = top <= m_capacity;
        for (const int other : m_instance.neighbours(index)) {
            const std::size_t o = std::size_t(other);
            if (m_placed[o] || m_floor[o] >= top)
                continue;
            m_undo.push_back({other, m_floor[o], false});
            m_floor[o] = alignedFrom(m_items[o], top);
            fits = fits && m_floor[o] + m_items[o].size <= m_capacity;
            lo = std::min(lo, m_sections.first[o]);
            hi = std::max(hi, m_sections.last[o]);
        }
        return fits && sectionsCanHold(lo, hi, m_floor[item]);
    }

    /// What is left of a section lies above the lowest address that any of it can have.
    bool sectionsCanHold(int lo, int hi, std::int64_t last) const {
        for (int s = lo; s <= hi; ++s) {
            if (m_remaining[std::size_t(s)] == 0)
                continue;
            std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
            for (const int i : m_sections.items[std::size_t(s)])
                if (!m_placed[std::size_t(i)])
                    lowest = std::min(lowest, m_floor[std::size_t(i)]);
            if (std::max(lowest, last) > m_capacity - m_remaining[std::size_t(s)])
                return false;
        }
        return true;
    }

    /// Nothing can be placed below `last` any more, in none of the part's sections.
    bool levelIsLowEnough(const std::vector<int>& part, std::int64_t last) const {
        int end = 0;
        for (const int i : part)
            end = std::max(end, m_sections.last[std::size_t(i)]);
        for (int s = m_sections.first[std::size_t(part.front())]; s <= end; ++s)
            if (m_remaining[std::size_t(s)] > m_capacity - last)
                return false;
        return true;
    }

    void takeBack(std::size_t mark) {
        for (; m_undo.size() > mark; m_undo.pop_back()) {
            const Undo& undo = m_undo.back();
            const std::size_t item = std::size_t(undo.item);
            m_floor[item] = undo.floor;
            if (!undo.wasPlaced)
                continue;
            m_placed[item] = false;
            for (int s = m_sections.first[item]; s <= m_sections.last[item]; ++s)
                m_remaining[std::size_t(s)] += m_items[item].size;
        }
    }

    const Instance& m_instance;
    const std::vector<Item>& m_items;
    std::int64_t m_capacity;
    Options m_options;
    Sections m_sections;
    std::vector<std::int64_t> m_remaining, m_load; ///< by section: bytes not placed yet, and at the start
    std::vector<std::int64_t> m_floor;             ///< by item: lowest address that is left, or where it was placed
    std::vector<char> m_placed;
    std::vector<int> m_rank;
    std::vector<Undo> m_undo;
    std::int64_t m_nodes = 0, m_nodesLeft = 0;
    bool m_stopped = false;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace

SearchOutcome searchPacking(const Instance& instance, std::int64_t capacity, const Options& options,
                            std::vector<std::int64_t>& offsets) {
    if (std::ranges::any_of(instance.items, [](const Item& item) { return item.fixed.has_value(); }))
        return SearchOutcome::GaveUp;
    return Search(instance, capacity, options).run(offsets);
}

} // namespace poolwright::place
