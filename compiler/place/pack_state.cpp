// SPDX-License-Identifier: Apache-2.0
#include "place/pack_state.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace poolwright::place {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 2;

std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

} // namespace

PackState::PackState(const std::vector<PackItem>& items)
    : m_items(items)
    , m_sections(items)
    , m_class(items.size())
    , m_fixed(items.size())
    , m_lowest(m_sections.count())
    , m_weight(m_sections.count(), 1)
    , m_threshold(m_sections.count())
    , m_queued(m_sections.count())
    , m_floor(items.size())
    , m_base(items.size())
    , m_placed(items.size()) {
    for (const PackItem& item : items)
        m_top = std::max(m_top, item.hi);
    m_sections.linkNeighbours();
    numberClasses();
    linkFixed();
}

void PackState::numberClasses() {
    std::map<std::array<std::int64_t, 7>, std::uint64_t> numbers;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const PackItem& item = m_items[i];
        m_class[i] = numbers
                         .try_emplace({m_sections.first[i], m_sections.last[i], item.size, item.modulus, item.residue,
                                       item.lo, item.hi},
                                      numbers.size() + 1)
                         .first->second;
    }
}

void PackState::linkFixed() {
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (m_items[i].isFixed())
            for (const int other : m_sections.neighbours(i))
                m_fixed[std::size_t(other)].push_back(int(i));
}

bool PackState::reset(std::vector<int> ranks) {
    m_rank = std::move(ranks);
    std::ranges::fill(m_placed, char(false));
    std::ranges::fill(m_base, std::numeric_limits<std::int64_t>::min() / 2);
    std::ranges::fill(m_floor, std::numeric_limits<std::int64_t>::min() / 2);
    m_remaining = m_sections.load;
    bool possible = true;
    for (int i = 0; i < int(m_items.size()); ++i) {
        setBase(std::size_t(i), m_items[std::size_t(i)].alignedFrom(m_items[std::size_t(i)].lo));
        possible = raise(i, m_base[std::size_t(i)]) && possible;
    }
    for (int s = 0; s < int(m_sections.count()); ++s)
        enqueue(s, 0);
    possible = settle(possible);
    m_undo.clear();
    return possible;
}

bool PackState::put(int index, bool& disturbsNobody) {
    const std::size_t item = std::size_t(index);
    m_placed[item] = true;
    m_undo.push_back({Undo::Placed, index});
    const std::int64_t top = m_floor[item] + m_items[item].size;
    for (int s = m_sections.first[item]; s <= m_sections.last[item]; ++s) {
        m_remaining[std::size_t(s)] -= m_items[item].size;
        enqueue(s, top);
    }
    const std::size_t firstRaised = m_undo.size();
    bool possible = true;
    for (const int other : m_sections.neighbours(item)) {
        const std::size_t o = std::size_t(other);
        if (m_placed[o] || m_base[o] >= top)
            continue;
        setBase(o, m_items[o].alignedFrom(top));
        possible = possible && raise(other, top);
    }
    disturbsNobody = firstRaised == m_undo.size();
    return settle(possible);
}

bool PackState::block(int index) {
    const std::size_t item = std::size_t(index);
    const std::int64_t floor = m_floor[item];
    bool possible = lift(index);
    for (const int other : m_sections.neighbours(item))
        if (possible && m_class[std::size_t(other)] == m_class[item] && !isPlaced(other) &&
            m_floor[std::size_t(other)] == floor && !isBlocked(other))
            possible = lift(other);
    return settle(possible);
}

bool PackState::lift(int index) {
    std::int64_t floor = never;
    for (const int other : m_sections.neighbours(std::size_t(index)))
        if (!isPlaced(other))
            floor = std::min(floor, m_floor[std::size_t(other)] + m_items[std::size_t(other)].size);
    return floor != never && raise(index, std::max(floor, m_base[std::size_t(index)] + 1));
}

bool PackState::liftBlocked(const int* begin, const int* end) {
    for (bool changed = true; changed;) {
        const std::size_t before = m_undo.size();
        for (const int* item = begin; item != end; ++item)
            if (isBlocked(*item) && !lift(*item))
                return settle(false);
        if (!settle(true))
            return false;
        changed = m_undo.size() != before;
    }
    return true;
}

void PackState::setFloor(std::size_t item, std::int64_t floor) {
    m_undo.push_back({Undo::Floor, int(item), m_floor[item]});
    m_floor[item] = floor;
}

void PackState::setBase(std::size_t item, std::int64_t base) {
    m_undo.push_back({Undo::Base, int(item), m_base[item]});
    m_base[item] = base;
}

bool PackState::raise(int index, std::int64_t least) {
    const std::size_t item = std::size_t(index);
    const PackItem& pack = m_items[item];
    if (m_floor[item] >= least)
        return true;
    std::int64_t floor = pack.alignedFrom(least), base = m_base[item];
    for (bool moved = true; moved;) { // what would cut into an item that cannot move lies on it
        moved = false;
        for (const int f : m_fixed[item]) {
            const PackItem& fixed = m_items[std::size_t(f)];
            if (fixed.lo >= floor + pack.size || fixed.hi <= floor)
                continue;
            floor = base = pack.alignedFrom(fixed.hi);
            moved = true;
        }
    }
    setFloor(item, floor);
    if (base > m_base[item])
        setBase(item, base);
    for (int s = m_sections.first[item]; s <= m_sections.last[item]; ++s)
        enqueue(s, floor);
    return floor + pack.size <= pack.hi;
}

void PackState::enqueue(int section, std::int64_t threshold) {
    const std::size_t s = std::size_t(section);
    if (!m_queued[s])
        m_queue.push_back(section);
    m_threshold[s] = m_queued[s] ? std::max(m_threshold[s], threshold) : threshold;
    m_queued[s] = true;
}

/// Looks at the sections that changed until nothing follows any more.
bool PackState::settle(bool possible) {
    while (!m_queue.empty()) {
        const int section = m_queue.back();
        m_queue.pop_back();
        m_queued[std::size_t(section)] = false;
        if (possible && !sectionFits(section)) {
            possible = false;
            ++m_weight[std::size_t(section)];
        }
    }
    return possible;
}

/// What is left of a section lies above the lowest address that any of it can have; of what cannot lie below the
/// highest floor that changed, the same holds. An item that alone can be the lowest one is below all others.
bool PackState::sectionFits(int section) {
    const std::size_t s = std::size_t(section);
    const std::int64_t latest = m_top - m_remaining[s], threshold = m_threshold[s];
    std::int64_t lowest = never, second = never, above = 0;
    int first = -1;
    for (const int i : m_sections.items[s]) {
        if (m_placed[std::size_t(i)])
            continue;
        const std::int64_t floor = m_floor[std::size_t(i)];
        above += floor >= threshold ? m_items[std::size_t(i)].size : 0;
        if (floor < lowest || (floor == lowest && m_rank[std::size_t(i)] < m_rank[std::size_t(first)])) {
            second = lowest;
            lowest = floor;
            first = i;
        } else {
            second = std::min(second, floor);
        }
    }
    if (first != m_lowest[s]) {
        m_undo.push_back({Undo::Lowest, section, m_lowest[s]});
        m_lowest[s] = first;
    }
    if (first < 0)
        return true;
    if (lowest > latest || (above > 0 && threshold > m_top - above))
        return false;
    return second == never || second <= latest || isFirst(section, first);
}

bool PackState::isFirst(int section, int item) {
    const std::int64_t top = m_floor[std::size_t(item)] + m_items[std::size_t(item)].size;
    for (const int other : m_sections.items[std::size_t(section)])
        if (other != item && !isPlaced(other) && !raise(other, top))
            return false;
    return true;
}

void PackState::takeBack(std::size_t mark) {
    for (; m_undo.size() > mark; m_undo.pop_back()) {
        const Undo& undo = m_undo.back();
        const std::size_t index = std::size_t(undo.index);
        switch (undo.kind) {
        case Undo::Floor:
            m_floor[index] = undo.old;
            break;
        case Undo::Base:
            m_base[index] = undo.old;
            break;
        case Undo::Lowest:
            m_lowest[index] = int(undo.old);
            break;
        case Undo::Placed:
            m_placed[index] = false;
            for (int s = m_sections.first[index]; s <= m_sections.last[index]; ++s)
                m_remaining[std::size_t(s)] += m_items[index].size;
            break;
        }
    }
}

std::uint64_t PackState::key(int item) const {
    return mixed(m_class[std::size_t(item)] * 0xD1B54A32D192ED03ULL + std::uint64_t(m_floor[std::size_t(item)]) * 2 +
                 (isBlocked(item) ? 1 : 0));
}

} // namespace poolwright::place
