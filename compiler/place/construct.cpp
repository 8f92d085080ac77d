// SPDX-License-Identifier: Apache-2.0
#include "place/construct.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace poolwright::place {

namespace {

enum class Order { Size, Lifetime, Density, Area, Birth };
constexpr std::array allOrders = {Order::Density, Order::Area, Order::Size, Order::Lifetime, Order::Birth};

double lifetime(const Item& item) {
    return double(item.live.last) - double(item.live.first) + 1;
}

double orderKey(const Item& item, Order order) {
    switch (order) {
    case Order::Size:
        return -double(item.size);
    case Order::Lifetime:
        return -lifetime(item);
    case Order::Density:
        return -(item.readBytes + item.writeBytes) / double(std::max<std::int64_t>(item.size, 1));
    case Order::Area:
        return -double(item.size) * lifetime(item);
    case Order::Birth:
        return double(item.live.first);
    }
    return 0;
}

std::vector<int> sorted(const Instance& instance, std::vector<int> items, Order order) {
    std::vector<std::tuple<double, std::int64_t, int>> keys;
    keys.reserve(items.size());
    for (const int i : items) {
        const Item& item = instance.items[std::size_t(i)];
        keys.emplace_back(orderKey(item, order), -item.size, i);
    }
    std::ranges::sort(keys);
    std::ranges::transform(keys, items.begin(), [](const auto& key) { return std::get<2>(key); });
    return items;
}

void placeFixed(Layout& layout, int index) {
    const Item& item = layout.instance().items[std::size_t(index)];
    for (const int r : item.regions) {
        const Region& region = layout.instance().regions[std::size_t(r)];
        const Spot spot{r, *item.fixed};
        if (spot.lo < region.lo || spot.lo > region.hi - item.size || alignedFrom(item, spot.lo) != spot.lo)
            continue;
        const auto taken = layout.busy(index, region.arena);
        const bool free = std::ranges::none_of(
            taken, [&](const Interval& other) { return other.lo < spot.lo + item.size && spot.lo < other.hi; });
        if (free)
            layout.put(index, spot);
        return;
    }
}

void placeAnywhere(Layout& layout, int index, const std::vector<int>& regions, Fit fit) {
    const Item& item = layout.instance().items[std::size_t(index)];
    Spot spot = layout.findPlace(index, regions, fit);
    if (!spot.isPlaced() && item.size == 0 && !regions.empty()) // takes no byte: any address will do
        spot = {regions[0], alignedFrom(item, layout.instance().regions[std::size_t(regions[0])].lo)};
    if (spot.isPlaced())
        layout.put(index, spot);
}

/// Read-only pools whatever they cost; writable ones take constants only when these are full.
void placeConstant(Layout& layout, int index) {
    const Item& item = layout.instance().items[std::size_t(index)];
    const auto split = item.firstChoice.begin() + std::ptrdiff_t(item.readOnlyChoices);
    placeAnywhere(layout, index, std::vector<int>(item.firstChoice.begin(), split), Fit::First);
    if (!layout[index].isPlaced())
        placeAnywhere(layout, index, std::vector<int>(split, item.firstChoice.end()), Fit::First);
}

} // namespace

Layout startLayout(const Instance& instance) {
    Layout layout(instance);
    std::vector<int> bound;
    for (int i = 0; i < int(instance.items.size()); ++i) {
        const Item& item = instance.items[std::size_t(i)];
        if (item.solvable && item.fixed)
            placeFixed(layout, i);
        else if (item.solvable && !item.firstChoice.empty())
            bound.push_back(i);
    }
    for (const int i : sorted(instance, bound, Order::Size))
        placeConstant(layout, i);
    return layout;
}

Layout constructBest(const Layout& start, const CancelFlag& cancel) {
    const Instance& instance = start.instance();
    std::vector<int> rest;
    for (int i = 0; i < int(instance.items.size()); ++i)
        if (const Item& item = instance.items[std::size_t(i)]; item.solvable && !item.fixed && !start[i].isPlaced())
            rest.push_back(i);
    Layout best = start;
    bool isFirst = true;
    for (const Order order : allOrders) {
        const auto queue = sorted(instance, rest, order);
        for (const Fit fit : {Fit::First, Fit::Best}) {
            if (!isFirst && cancel.isCancelled())
                return best;
            Layout layout = start;
            for (const int i : queue)
                placeAnywhere(layout, i, instance.items[std::size_t(i)].regions, fit);
            if (isFirst || isBetter(layout.score(), best.score()))
                best = std::move(layout);
            isFirst = false;
        }
    }
    best.recount();
    return best;
}

} // namespace poolwright::place
