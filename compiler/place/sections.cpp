// SPDX-License-Identifier: Apache-2.0
#include "place/sections.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

namespace poolwright::place {

std::int64_t PackItem::alignedFrom(std::int64_t from) const {
    const std::int64_t rest = (from - residue) % modulus;
    return rest == 0 ? from : from + (rest > 0 ? modulus - rest : -rest);
}

Sections::Sections(const std::vector<PackItem>& all)
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
    load.resize(items.size());
    for (int i = 0; i < int(all.size()); ++i)
        for (int s = first[std::size_t(i)]; s <= last[std::size_t(i)]; ++s) {
            items[std::size_t(s)].push_back(i);
            load[std::size_t(s)] += all[std::size_t(i)].size;
        }
}

void Sections::linkNeighbours() {
    m_firstNeighbour.assign(1, 0);
    std::vector<int> seenBy(first.size(), -1);
    for (int i = 0; i < int(first.size()); ++i) {
        seenBy[std::size_t(i)] = i;
        for (int s = first[std::size_t(i)]; s <= last[std::size_t(i)]; ++s)
            for (const int other : items[std::size_t(s)])
                if (std::exchange(seenBy[std::size_t(other)], i) != i)
                    m_neighbours.push_back(other);
        m_firstNeighbour.push_back(m_neighbours.size());
    }
}

namespace {

enum Measure { Length, Area, FullestSection, SectionCount, SectionArea, Neighbours, Size, Measures };

using Values = std::array<double, Measures>;

Values measure(const std::vector<PackItem>& items, const Sections& sections, int index) {
    const std::size_t i = std::size_t(index);
    const PackItem& item = items[i];
    const double length = double(item.live.last) - double(item.live.first) + 1;
    const double count = sections.last[i] - sections.first[i] + 1;
    const auto fullest =
        std::max_element(sections.load.begin() + sections.first[i], sections.load.begin() + sections.last[i] + 1);
    return {length,
            length * double(item.size),
            double(*fullest),
            count,
            count * double(item.size),
            double(sections.neighbours(i).size()),
            double(item.size)};
}

/// Fixed pseudo-random factor between 1 and e: the same on every machine.
double shake(int order, int index) {
    std::uint64_t x = std::uint64_t(order) * 0x9E3779B97F4A7C15ULL + std::uint64_t(index) * 0xD1B54A32D192ED03ULL;
    x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 32)) * 0x94D049BB133111EBULL;
    return 1 + 1.718281828 * double((x ^ (x >> 31)) >> 40) / double(1 << 24);
}

using Keys = std::array<Measure, 3>;

constexpr std::array<Keys, 11> plainOrders = {{{Length, Area, FullestSection},
                                               {FullestSection, Area, Length},
                                               {FullestSection, Length, Area},
                                               {Length, FullestSection, Area},
                                               {Area, Length, FullestSection},
                                               {Area, FullestSection, Length},
                                               {SectionCount, SectionArea, FullestSection},
                                               {FullestSection, SectionArea, SectionCount},
                                               {Neighbours, Area, FullestSection},
                                               {Size, Length, FullestSection},
                                               {SectionArea, SectionCount, FullestSection}}};
constexpr std::array<Measure, 3> shakenOrders = {Length, Area, SectionArea};

} // namespace

std::vector<int> searchRanks(const std::vector<PackItem>& items, const Sections& sections, int order) {
    const int plain = int(plainOrders.size());
    std::vector<std::tuple<double, double, double, int>> keys;
    for (int i = 0; i < int(items.size()); ++i) {
        const Values values = measure(items, sections, i);
        if (order < plain) {
            const Keys& by = plainOrders[std::size_t(order)];
            keys.emplace_back(-values[by[0]], -values[by[1]], -values[by[2]], i);
        } else {
            keys.emplace_back(-values[shakenOrders[std::size_t(order - plain) % 3]] * shake(order, i), 0, 0, i);
        }
    }
    std::ranges::sort(keys);
    std::vector<int> ranks(keys.size());
    for (int r = 0; r < int(keys.size()); ++r)
        ranks[std::size_t(std::get<3>(keys[std::size_t(r)]))] = r;
    return ranks;
}

} // namespace poolwright::place
