// SPDX-License-Identifier: Apache-2.0
#include "place/instance.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace poolwright::place {

namespace {

constexpr std::int64_t addressLimit = std::numeric_limits<std::int64_t>::max() / 4;

std::int64_t clampAddress(std::uint64_t address) {
    return std::int64_t(std::min<std::uint64_t>(address, std::uint64_t(addressLimit)));
}

std::int64_t clampSize(std::int64_t size) {
    return std::clamp<std::int64_t>(size, 0, addressLimit);
}

// ---- pools
// ---------------------------------------------------------------------------------------------------------------------------

Slice sliceOf(const Problem& problem, int pool) {
    const PoolSpec& spec = problem.pools[std::size_t(pool)];
    const std::int64_t lo = clampAddress(spec.range.start.value);
    return {pool, lo, lo + clampSize(spec.range.size.value), spec.readCyclesPerByte, spec.writeCyclesPerByte};
}

Region regionOf(const Problem& problem, int pool) {
    const PoolSpec& spec = problem.pools[std::size_t(pool)];
    Region region;
    region.pool = pool;
    region.lo = clampAddress(spec.range.start.value);
    region.hi = std::max(region.lo, region.lo + clampSize(spec.range.size.value) - clampSize(spec.reservedTail.value));
    if (spec.members.empty())
        region.slices.push_back(sliceOf(problem, pool));
    for (const int member : spec.members)
        if (member >= 0 && member < int(problem.pools.size()))
            region.slices.push_back(sliceOf(problem, member));
    return region;
}

bool shareAddresses(const Problem& problem, int a, int b) {
    const PoolSpec& first = problem.pools[std::size_t(a)];
    const PoolSpec& second = problem.pools[std::size_t(b)];
    return !first.relative && !second.relative && first.range.overlaps(second.range);
}

/// Pools whose ranges overlap (a virtual pool and its members, or a faulty file) compete for the same bytes.
void joinArenas(const Problem& problem, Instance& instance) {
    std::vector<int> arena(problem.pools.size());
    std::iota(arena.begin(), arena.end(), 0);
    const auto join = [&](int from, int to) { std::ranges::replace(arena, from, to); };
    for (int a = 0; a < int(arena.size()); ++a)
        for (int b = 0; b < a; ++b)
            if (shareAddresses(problem, a, b))
                join(arena[std::size_t(a)], arena[std::size_t(b)]);
    std::map<int, int> dense;
    for (Region& region : instance.regions)
        region.arena = dense.try_emplace(arena[std::size_t(region.pool)], int(dense.size())).first->second;
    instance.arenas = int(dense.size());
}

// ---- items
// ---------------------------------------------------------------------------------------------------------------------------

struct Root {
    int buffer = -1; ///< -1: `inside` makes a circle or leads nowhere
    std::int64_t offset = 0;
};

Root rootOf(const Problem& problem, int buffer) {
    Root root{buffer, 0};
    for (std::size_t steps = 0; problem.buffers[std::size_t(root.buffer)].inside; ++steps) {
        const auto& [parent, offset] = *problem.buffers[std::size_t(root.buffer)].inside;
        if (steps > problem.buffers.size() || parent < 0 || parent >= int(problem.buffers.size()) || offset.value < 0 ||
            root.offset > addressLimit - offset.value)
            return {};
        root = {parent, root.offset + offset.value};
    }
    return root;
}

/// Joins "address = a (mod b)" of one part into the item's; false when no address satisfies both.
bool joinAlignment(Item& item, std::int64_t modulus, std::int64_t residue) {
    std::int64_t small = item.modulus, smallResidue = item.residue;
    if (small > modulus) {
        std::swap(small, modulus);
        std::swap(smallResidue, residue);
    }
    // Alignments are powers of two in practice; others are joined by trying the few addresses that satisfy the larger
    // one.
    const std::int64_t common = std::gcd(small, modulus);
    if (small / common > 4096 || modulus > addressLimit / (small / common))
        return false;
    for (std::int64_t i = 0; i < small / common; ++i) {
        const std::int64_t candidate = residue + i * modulus;
        if (candidate % small == smallResidue) {
            item.modulus = modulus / common * small;
            item.residue = candidate % item.modulus;
            return true;
        }
    }
    return false;
}

class EpochIndex {
public:
    explicit EpochIndex(const Problem& problem, Instance& instance)
        : m_instance(instance) {
        for (const Cycles cycles : problem.computeCycles)
            instance.compute.push_back(instance.addsMemory ? 0 : double(cycles));
        m_dense = int(instance.compute.size());
    }
    /// Epochs beyond the list of compute cycles have none.
    int operator()(int epoch) {
        if (epoch >= 0 && epoch < m_dense)
            return epoch;
        const auto [found, isNew] = m_others.try_emplace(epoch, int(m_instance.compute.size()));
        if (isNew)
            m_instance.compute.push_back(0);
        return found->second;
    }

private:
    Instance& m_instance;
    int m_dense = 0;
    std::map<int, int> m_others;
};

void addPart(Item& item, const BufferSpec& buffer, std::int64_t offset, EpochIndex& epochIndex) {
    const std::int64_t size = clampSize(buffer.size.value);
    item.size = std::max(item.size, offset + size);
    item.live = {std::min(item.live.first, buffer.live.first), std::max(item.live.last, buffer.live.last)};
    item.constant = item.constant && buffer.isConstant;
    const std::int64_t alignment = std::clamp<std::int64_t>(buffer.alignment, 1, std::int64_t(1) << 40);
    if (!joinAlignment(item, alignment, (alignment - offset % alignment) % alignment))
        item.solvable = false;
    if (buffer.fixed) {
        const std::int64_t address = clampAddress(buffer.fixed->value) - offset;
        item.solvable = item.solvable && (!item.fixed || *item.fixed == address);
        item.fixed = address;
    }
    for (const Access& access : buffer.accesses) {
        item.accesses.push_back(
            {epochIndex(access.epoch), offset, size, double(access.readBytes), double(access.writeBytes)});
        item.readBytes += double(access.readBytes);
        item.writeBytes += double(access.writeBytes);
    }
}

void makeItems(const Problem& problem, Instance& instance) {
    EpochIndex epochIndex(problem, instance);
    const std::size_t count = problem.buffers.size();
    instance.itemOf.assign(count, -1);
    instance.offsetInItem.assign(count, 0);
    std::vector<Root> roots(count);
    for (std::size_t i = 0; i < count; ++i) {
        roots[i] = rootOf(problem, int(i));
        if (roots[i].buffer != int(i) && roots[i].buffer >= 0)
            continue;
        Item item;
        item.buffer = int(i);
        item.live = problem.buffers[i].live;
        item.constant = problem.buffers[i].isConstant;
        item.solvable = roots[i].buffer >= 0;
        instance.itemOf[i] = int(instance.items.size());
        instance.items.push_back(std::move(item));
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (roots[i].buffer >= 0) {
            instance.itemOf[i] = instance.itemOf[std::size_t(roots[i].buffer)];
            instance.offsetInItem[i] = roots[i].offset;
        }
        addPart(instance.items[std::size_t(instance.itemOf[i])], problem.buffers[i], instance.offsetInItem[i],
                epochIndex);
    }
}

// ---- who may go where
// ----------------------------------------------------------------------------------------------------------------

bool mayUse(const BufferSpec& buffer, int pool) {
    return buffer.eligiblePools.empty() || std::ranges::find(buffer.eligiblePools, pool) != buffer.eligiblePools.end();
}

void chooseRegions(const Problem& problem, const Options& options, Instance& instance) {
    for (Item& item : instance.items)
        for (int r = 0; r < int(instance.regions.size()); ++r)
            if (instance.regions[std::size_t(r)].capacity() > 0 &&
                (item.constant || problem.pools[std::size_t(instance.regions[std::size_t(r)].pool)].writable))
                item.regions.push_back(r);
    for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        std::erase_if(instance.items[std::size_t(instance.itemOf[b])].regions,
                      [&](int r) { return !mayUse(problem.buffers[b], instance.regions[std::size_t(r)].pool); });
    for (Item& item : instance.items) {
        const auto rank = [&](int r) {
            const Region& region = instance.regions[std::size_t(r)];
            const PoolSpec& pool = problem.pools[std::size_t(region.pool)];
            return std::tuple(instance.cheapestPrice(item, region), region.slices.size(), -pool.preference, r);
        };
        std::ranges::sort(item.regions, {}, rank);
        if (!item.constant || options.constantsInFastPools)
            continue;
        const auto poolOf = [&](int r) -> const PoolSpec& {
            return problem.pools[std::size_t(instance.regions[std::size_t(r)].pool)];
        };
        for (const int r : item.regions)
            if (poolOf(r).constantsPreferred || !poolOf(r).writable)
                item.firstChoice.push_back(r);
        const auto writable =
            std::ranges::stable_partition(item.firstChoice, [&](int r) { return !poolOf(r).writable; });
        item.readOnlyChoices = item.firstChoice.size() - writable.size();
    }
}

// ---- who meets whom
// ------------------------------------------------------------------------------------------------------------------

std::vector<std::pair<int, int>> pairsInTime(const Instance& instance) {
    const std::vector<Item>& items = instance.items;
    std::vector<int> byBirth = instance.transient;
    std::ranges::stable_sort(byBirth, {}, [&](int i) { return items[std::size_t(i)].live.first; });
    std::vector<std::pair<int, int>> pairs;
    std::vector<int> alive;
    for (const int i : byBirth) {
        std::erase_if(
            alive, [&](int other) { return items[std::size_t(other)].live.last < items[std::size_t(i)].live.first; });
        for (const int other : alive)
            pairs.emplace_back(other, i);
        alive.push_back(i);
    }
    return pairs;
}

void linkNeighbours(Instance& instance) {
    const auto pairs = pairsInTime(instance);
    std::vector<std::size_t>& first = instance.m_firstNeighbour;
    first.assign(instance.items.size() + 1, 0);
    for (const auto& [a, b] : pairs) {
        ++first[std::size_t(a) + 1];
        ++first[std::size_t(b) + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    instance.m_neighbours.resize(pairs.size() * 2);
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (const auto& [a, b] : pairs) {
        instance.m_neighbours[next[std::size_t(a)]++] = b;
        instance.m_neighbours[next[std::size_t(b)]++] = a;
    }
}

void markPermanent(Instance& instance) {
    std::vector<Item>& items = instance.items;
    EpochRange all{std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};
    for (const Item& item : items)
        all = {std::min(all.first, item.live.first), std::max(all.last, item.live.last)};
    for (int i = 0; i < int(items.size()); ++i) {
        items[std::size_t(i)].permanent = items[std::size_t(i)].constant && items[std::size_t(i)].live == all;
        if (!items[std::size_t(i)].permanent)
            instance.transient.push_back(i);
    }
}

} // namespace

double Instance::price(const Item& item, const Region& region, std::int64_t lo) const {
    if (region.slices.size() == 1 || item.size == 0)
        return item.readBytes * region.slices[0].read + item.writeBytes * region.slices[0].write;
    double total = 0;
    for (const Slice& slice : region.slices) {
        const std::int64_t bytes = std::min(lo + item.size, slice.hi) - std::max(lo, slice.lo);
        if (bytes > 0)
            total += double(bytes) / double(item.size) * (item.readBytes * slice.read + item.writeBytes * slice.write);
    }
    return total;
}

double Instance::cheapestPrice(const Item& item, const Region& region) const {
    double cheapest = std::numeric_limits<double>::max();
    for (const Slice& slice : region.slices)
        cheapest = std::min(cheapest, item.readBytes * slice.read + item.writeBytes * slice.write);
    return cheapest;
}

std::int64_t alignedFrom(const Item& item, std::int64_t from) {
    const std::int64_t rest = (from - item.residue) % item.modulus;
    return rest == 0 ? from : from + (rest > 0 ? item.modulus - rest : -rest);
}

std::int64_t alignedTo(const Item& item, std::int64_t to) {
    const std::int64_t rest = (to - item.residue) % item.modulus;
    return rest == 0 ? to : to - (rest > 0 ? rest : item.modulus + rest);
}

Instance makeInstance(const Problem& problem, const Options& options) {
    Instance instance;
    for (int p = 0; p < int(problem.pools.size()); ++p)
        instance.regions.push_back(regionOf(problem, p));
    instance.concretePools = int(problem.pools.size());
    instance.addsMemory = options.objective == Objective::MemoryCycles;
    joinArenas(problem, instance);
    makeItems(problem, instance);
    chooseRegions(problem, options, instance);
    markPermanent(instance);
    linkNeighbours(instance);
    return instance;
}

} // namespace poolwright::place
