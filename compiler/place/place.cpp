// SPDX-License-Identifier: Apache-2.0
#include "place/problem.h"

#include "place/bound.h"
#include "place/construct.h"
#include "place/explain.h"
#include "place/improve.h"
#include "place/pack_search.h"
#include "place/relax.h"
#include "place/renew.h"
#include "place/rescue.h"

#include <algorithm>

namespace poolwright::place {

namespace {

constexpr int boundIterations = 300;
constexpr int roundsForAStep = 2; // what a step of improve() costs, in rounds of renew()

/// The concrete pool when the range lies in one that the item may use; a virtual pool is only named where a boundary is
/// crossed.
int poolOf(const Instance& instance, const Item& item, const Region& region, std::int64_t lo, std::int64_t size) {
    for (const Slice& slice : region.slices) {
        if (lo < slice.lo || lo + size > slice.hi)
            continue;
        const auto isIt = [&](int r) { return instance.regions[std::size_t(r)].pool == slice.pool; };
        if (std::ranges::any_of(item.regions, isIt))
            return slice.pool;
    }
    return region.pool;
}

void writePlaces(const Problem& problem, const Layout& layout, Solution& solution) {
    const Instance& instance = layout.instance();
    solution.placed.resize(problem.buffers.size());
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const int index = instance.itemOf[b];
        const Spot& spot = layout[index];
        if (!spot.isPlaced())
            continue;
        const std::int64_t lo = spot.lo + instance.offsetInItem[b];
        const Region& region = instance.regions[std::size_t(spot.region)];
        const int pool = poolOf(instance, instance.items[std::size_t(index)], region, lo,
                                std::max<std::int64_t>(problem.buffers[b].size.value, 0));
        solution.placed[b] = Placed{pool, Address(std::uint64_t(lo))};
    }
}

void writeUse(const Problem& problem, const Layout& layout, Solution& solution) {
    const Instance& instance = layout.instance();
    solution.peakBytes.assign(problem.pools.size(), 0);
    for (int i = 0; i < int(instance.items.size()); ++i) {
        if (!layout[i].isPlaced())
            continue;
        for (const Region& region : instance.regions) {
            const std::int64_t end = std::min(layout.end(i), region.hi);
            if (region.arena == layout.arenaOf(i) && end > std::max(layout[i].lo, region.lo))
                solution.peakBytes[std::size_t(region.pool)] =
                    std::max(solution.peakBytes[std::size_t(region.pool)], end - region.lo);
        }
        const Region& region = instance.regions[std::size_t(layout[i].region)];
        if (problem.pools[std::size_t(region.pool)].external && !instance.items[std::size_t(i)].constant)
            solution.externalBytes += instance.items[std::size_t(i)].size;
    }
}

/// Answers false when the budget or a cancel ended it early.
bool optimise(Layout& layout, const Options& options, Deadline deadline) {
    int steps = options.improvementSteps;
    bool ended = improve(layout, steps, options.cancel, deadline);
    if (layout.score().unplacedBytes > 0 && options.improvementSteps > 0 && rescue(layout, options, deadline))
        ended = improve(layout, steps, options.cancel, deadline) && ended;
    if (layout.score().unplacedBytes > 0)
        return ended;
    ended = renew(layout, roundsForAStep * steps, options.cancel, deadline) && ended;
    return improve(layout, steps, options.cancel, deadline) && ended;
}

} // namespace

Solution place(const Problem& problem, const Options& options) {
    const Deadline deadline = deadlineOf(options);
    const Instance instance = makeInstance(problem, options);
    const Layout start = startLayout(instance);
    Layout layout = constructBest(start, options.cancel);
    Solution solution;
    solution.improvedToTheEnd = optimise(layout, options, deadline);
    solution.estimatedCycles = layout.score().cycles;
    solution.lowerBoundCycles = lowerBound(instance, start);
    if (instance.addsMemory && layout.score().unplacedBytes == 0)
        solution.lowerBoundCycles =
            std::max(solution.lowerBoundCycles, relaxedBound(instance, solution.estimatedCycles, boundIterations));
    writePlaces(problem, layout, solution);
    writeUse(problem, layout, solution);
    solution.unplaced = explain(problem, layout);
    return solution;
}

} // namespace poolwright::place
