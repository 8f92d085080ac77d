// SPDX-License-Identifier: Apache-2.0
#include "place/pack_search.h"

#include "place/pack_state.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace poolwright::place {

namespace {

constexpr int ordersInARound = 18;
constexpr std::size_t mostItems = 5000; // one level of recursion each
constexpr int tableBits = 18;

/// Which item a search decides on next: the lowest of all, or one of the section that ended most branches, or of the
/// tightest one weighted by that.
enum class Choice { Lowest, Weightiest, Tightest };

class Search {
public:
    Search(const std::vector<PackItem>& items, const SearchLimit& limit)
        : m_items(items)
        , m_limit(limit)
        , m_state(items)
        , m_failed(std::size_t(1) << tableBits) {}

    SearchOutcome run(std::vector<std::int64_t>& offsets) {
        std::vector<int> all(m_items.size());
        std::iota(all.begin(), all.end(), 0);
        std::ranges::stable_sort(all, {}, [&](int i) { return sections().first[std::size_t(i)]; });
        for (std::int64_t slice = m_limit.nodesOfFirstTry; !isOver(); slice *= 2)
            for (int order = 0; order < ordersInARound; ++order)
                for (const Choice choice : {Choice::Lowest, Choice::Weightiest, Choice::Tightest}) {
                    if (isOver())
                        return SearchOutcome::GaveUp;
                    m_choice = choice;
                    m_nodesLeft = slice;
                    m_stopped = false;
                    m_parts = all;
                    m_ranks = searchRanks(m_items, sections(), order);
                    if (m_state.reset(m_ranks) && solveParts(0, all.size())) {
                        offsets = m_state.floors();
                        return SearchOutcome::Found;
                    }
                    if (!m_stopped)
                        return SearchOutcome::Impossible;
                }
        return SearchOutcome::GaveUp;
    }

    std::int64_t nodes() const { return m_nodes; }

private:
    const Sections& sections() const { return m_state.sections(); }

    bool isOver() const {
        return m_limit.cancel.isCancelled() || m_nodes >= m_limit.nodes ||
               (m_limit.deadline && std::chrono::steady_clock::now() > *m_limit.deadline);
    }

    bool stop() {
        ++m_nodes;
        if (--m_nodesLeft <= 0 || (m_nodes % 256 == 0 && isOver()))
            m_stopped = true;
        return m_stopped;
    }

    /// Parts that no item left joins in time are independent. Items m_parts[begin..end), ascending by first section.
    bool solveParts(std::size_t begin, std::size_t end) {
        std::size_t start = begin;
        int lastSection = -1;
        for (std::size_t p = begin; p != end; ++p) {
            const std::size_t item = std::size_t(m_parts[p]);
            if (p != start && sections().first[item] > lastSection) {
                if (!solve(start, p, lastSection))
                    return false;
                start = p;
                lastSection = -1;
            }
            lastSection = std::max(lastSection, sections().last[item]);
        }
        return start == end || solve(start, end, lastSection);
    }

    /// On failure everything placed inside is taken back.
    bool solve(std::size_t begin, std::size_t end, int lastSection) {
        const std::size_t mark = m_state.mark();
        const int firstSection = sections().first[std::size_t(m_parts[begin])];
        std::uint64_t beginning = 0;
        while (!stop() && m_state.liftBlocked(m_parts.data() + begin, m_parts.data() + end)) {
            const std::uint64_t key = keyOf(begin, end);
            if (beginning == 0)
                beginning = key;
            const int item = slotOf(key) == key ? -1 : choose(firstSection, lastSection);
            if (item < 0)
                break;
            bool disturbsNobody = false;
            if (tryItem(item, begin, end, disturbsNobody))
                return true;
            // In nobody's way: what fails behind it fails without it too.
            if (m_stopped || disturbsNobody || !m_state.block(item))
                break;
        }
        m_state.takeBack(mark);
        if (!m_stopped && beginning != 0)
            slotOf(beginning) = beginning;
        return false;
    }

    bool tryItem(int item, std::size_t begin, std::size_t end, bool& disturbsNobody) {
        const std::size_t mark = m_state.mark(), part = m_parts.size();
        bool solved = false;
        if (m_state.put(item, disturbsNobody)) {
            for (std::size_t p = begin; p != end; ++p)
                if (m_parts[p] != item)
                    m_parts.push_back(m_parts[p]);
            solved = solveParts(part, m_parts.size());
            m_parts.resize(part);
        } else {
            disturbsNobody = false;
        }
        if (!solved)
            m_state.takeBack(mark);
        return solved;
    }

    /// What is left, without what does not matter for whether it can be solved: which of equal items, and the order of
    /// those below.
    std::uint64_t keyOf(std::size_t begin, std::size_t end) const {
        std::uint64_t key = 1;
        for (std::size_t p = begin; p != end; ++p)
            key += m_state.key(m_parts[p]);
        return key * 0x9E3779B97F4A7C15ULL;
    }

    std::uint64_t& slotOf(std::uint64_t key) { return m_failed[std::size_t(key >> (64 - tableBits))]; }

    // ---- what to decide on next: always an item that is the lowest one in all its sections and not blocked

    int choose(int from, int to) const {
        if (m_choice == Choice::Lowest)
            return lowestOfAll(from, to);
        const int section = mostUrgent(from, to);
        return section < 0 ? -1 : lowestUnder(m_state.lowest(section));
    }

    int mostUrgent(int from, int to) const {
        int best = -1;
        double bestKey = 0;
        for (int s = from; s <= to; ++s) {
            if (m_state.lowest(s) < 0)
                continue;
            const double weight = double(m_state.weight(s));
            const double key = m_choice == Choice::Weightiest ? -weight : double(m_state.slack(s)) / weight;
            if (best < 0 || key < bestKey) {
                best = s;
                bestKey = key;
            }
        }
        return best;
    }

    std::pair<std::int64_t, int> height(int item) const { return {m_state.floor(item), m_ranks[std::size_t(item)]}; }

    int lowestOfAll(int from, int to) const {
        int best = -1;
        for (int s = from; s <= to; ++s)
            if (const int item = m_state.lowest(s);
                item >= 0 && !m_state.isBlocked(item) && (best < 0 || height(item) < height(best)))
                best = item;
        return best < 0 ? -1 : lowestUnder(best);
    }

    /// The item itself, or what must be decided before it; -1 when nothing can carry a blocked one.
    int lowestUnder(int item) const {
        for (int lower = item;; item = lower) {
            for (int s = sections().first[std::size_t(item)]; s <= sections().last[std::size_t(item)]; ++s)
                if (height(m_state.lowest(s)) < height(lower))
                    lower = m_state.lowest(s);
            if (lower == item && !m_state.isBlocked(item))
                return item;
            if (lower == item)
                lower = carrierOf(item);
            if (lower < 0)
                return -1;
        }
    }

    int carrierOf(int item) const {
        for (const int other : sections().neighbours(std::size_t(item)))
            if (!m_state.isPlaced(other) &&
                m_state.floor(other) + m_items[std::size_t(other)].size <= m_state.floor(item))
                return other;
        return -1;
    }

    const std::vector<PackItem>& m_items;
    SearchLimit m_limit;
    PackState m_state;
    std::vector<std::uint64_t> m_failed; ///< keys of what was searched in vain, whatever the order
    std::vector<int> m_ranks;
    std::vector<int> m_parts; ///< the lists of all levels of the search, one behind the other
    Choice m_choice = Choice::Lowest;
    std::int64_t m_nodes = 0, m_nodesLeft = 0;
    bool m_stopped = false;
};

} // namespace

Deadline deadlineOf(const Options& options) {
    if (options.budgetMilliseconds <= 0)
        return {};
    return std::chrono::steady_clock::now() + std::chrono::milliseconds(options.budgetMilliseconds);
}

SearchOutcome searchPacking(const std::vector<PackItem>& items, SearchLimit& limit,
                            std::vector<std::int64_t>& offsets) {
    if (items.size() > mostItems)
        return SearchOutcome::GaveUp;
    Search search(items, limit);
    const SearchOutcome outcome = search.run(offsets);
    limit.nodes -= search.nodes();
    return outcome;
}

} // namespace poolwright::place
