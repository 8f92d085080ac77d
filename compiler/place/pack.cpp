// SPDX-License-Identifier: Apache-2.0
#include "place/problem.h"

#include "place/instance.h"
#include "place/pack_search.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <numeric>
#include <tuple>

namespace poolwright::place {

namespace {

constexpr std::int64_t unlimited = std::int64_t(1) << 60;
constexpr std::size_t manyItems = 1000;
constexpr int mostSqueezes = 40;

Instance onePool(const std::vector<BufferSpec>& buffers) {
    Problem problem;
    PoolSpec pool;
    pool.range = {Address(0), ByteCount(unlimited)};
    problem.pools = {pool};
    problem.buffers = buffers;
    for (BufferSpec& buffer : problem.buffers) {
        buffer.isConstant = false;
        buffer.accesses.clear();
        buffer.eligiblePools.clear();
    }
    return makeInstance(problem, {});
}

struct Load {
    std::int64_t bytes = 0;
    int epoch = 0;
};

Load largestLoad(const Instance& instance) {
    std::map<std::int64_t, std::int64_t> change;
    for (const Item& item : instance.items) {
        change[item.live.first] += item.size;
        change[std::int64_t(item.live.last) + 1] -= item.size;
    }
    Load load;
    std::int64_t level = 0;
    for (const auto& [epoch, delta] : change) {
        level += delta;
        if (level > load.bytes)
            load = {level, int(epoch)};
    }
    return load;
}

std::vector<std::int64_t> bufferOffsets(const Instance& instance, const std::vector<std::int64_t>& itemOffsets) {
    std::vector<std::int64_t> offsets;
    for (std::size_t b = 0; b < instance.itemOf.size(); ++b)
        offsets.push_back(itemOffsets[std::size_t(instance.itemOf[b])] + instance.offsetInItem[b]);
    return offsets;
}

/// One greedy pass over the items in a given order; each takes the lowest place, or the tightest gap below the height
/// reached.
class Greedy {
public:
    explicit Greedy(const Instance& instance)
        : m_instance(instance) {}

    std::int64_t run(const std::vector<int>& order, bool bestFit) {
        offsets.assign(m_instance.items.size(), -1);
        std::int64_t height = 0;
        for (const int i : order) {
            offsets[std::size_t(i)] = m_instance.items[std::size_t(i)].fixed.value_or(-1) >= 0
                                          ? *m_instance.items[std::size_t(i)].fixed
                                          : place(i, bestFit, height);
            height = std::max(height, offsets[std::size_t(i)] + m_instance.items[std::size_t(i)].size);
        }
        return height;
    }

    std::vector<std::int64_t> offsets;

private:
    std::int64_t place(int index, bool bestFit, std::int64_t height) {
        const Item& item = m_instance.items[std::size_t(index)];
        m_busy.clear();
        for (const int other : m_instance.neighbours(index))
            if (offsets[std::size_t(other)] >= 0)
                m_busy.emplace_back(offsets[std::size_t(other)],
                                    offsets[std::size_t(other)] + m_instance.items[std::size_t(other)].size);
        std::ranges::sort(m_busy);
        std::int64_t cursor = 0, best = -1, bestSlack = unlimited;
        for (const auto& [lo, hi] : m_busy) {
            const std::int64_t address = alignedFrom(item, cursor);
            const std::int64_t slack = std::min(lo, height) - address - item.size;
            if (address + item.size <= lo && (best < 0 || (bestFit && slack >= 0 && slack < bestSlack))) {
                best = address;
                bestSlack = slack >= 0 ? slack : unlimited;
                if (!bestFit)
                    return best;
            }
            cursor = std::max(cursor, hi);
        }
        const std::int64_t top = alignedFrom(item, cursor);
        return best < 0 || (bestFit && height - top - item.size >= 0 && height - top - item.size < bestSlack) ? top
                                                                                                              : best;
    }

    const Instance& m_instance;
    std::vector<std::pair<std::int64_t, std::int64_t>> m_busy;
};

std::vector<int> orderedItems(const Instance& instance, int order) {
    std::vector<int> items(instance.items.size());
    std::iota(items.begin(), items.end(), 0);
    const auto key = [&](int i) {
        const Item& item = instance.items[std::size_t(i)];
        const double lifetime = double(item.live.last) - double(item.live.first) + 1;
        const std::array keys = {-double(item.size), -double(item.size) * lifetime, -lifetime, double(item.live.first)};
        return std::tuple(!item.fixed, keys[std::size_t(order)], -item.size, i);
    };
    std::ranges::sort(items, {}, key);
    return items;
}

bool fixedItemsAgree(const Instance& instance) {
    for (int i = 0; i < int(instance.items.size()); ++i) {
        const Item& item = instance.items[std::size_t(i)];
        if (!item.solvable || (item.fixed && (*item.fixed < 0 || alignedFrom(item, *item.fixed) != *item.fixed)))
            return false;
        for (const int other : instance.neighbours(i)) {
            const Item& second = instance.items[std::size_t(other)];
            if (item.fixed && second.fixed && *item.fixed < *second.fixed + second.size &&
                *second.fixed < *item.fixed + item.size)
                return false;
        }
    }
    return true;
}

/// Items without bytes are left out: `item[i]` says which one packing[i] is.
struct Packing {
    std::vector<PackItem> items;
    std::vector<std::size_t> item;
};

Packing packingOf(const Instance& instance, std::int64_t capacity) {
    Packing packing;
    for (std::size_t i = 0; i < instance.items.size(); ++i) {
        const Item& item = instance.items[i];
        if (item.size <= 0)
            continue;
        PackItem pack{item.size, item.live, item.modulus, item.residue, 0, capacity};
        if (item.fixed)
            pack.lo = *item.fixed, pack.hi = *item.fixed + item.size;
        packing.items.push_back(pack);
        packing.item.push_back(i);
    }
    return packing;
}

/// Searches for a packing below a height and takes it into the result.
SearchOutcome searchBelow(const Instance& instance, std::int64_t height, SearchLimit limit, SinglePoolResult& result) {
    const Packing packing = packingOf(instance, height);
    std::vector<std::int64_t> found;
    const SearchOutcome outcome = searchPacking(packing.items, limit, found);
    if (outcome != SearchOutcome::Found)
        return outcome;
    std::vector<std::int64_t> offsets;
    for (const Item& item : instance.items)
        offsets.push_back(item.fixed.value_or(alignedFrom(item, 0)));
    result.height = 0;
    for (std::size_t p = 0; p < found.size(); ++p) {
        offsets[packing.item[p]] = found[p];
        result.height = std::max(result.height, found[p] + packing.items[p].size);
    }
    result.offsets = bufferOffsets(instance, offsets);
    return outcome;
}

/// For many items: again and again the same pass, with those that came to lie above the capacity moved to its front.
void squeeze(const Instance& instance, std::int64_t capacity, const Options& options, Deadline deadline, Greedy& greedy,
             std::vector<int> order, SinglePoolResult& result) {
    std::vector<int> blame(instance.items.size());
    for (int pass = 0; pass < mostSqueezes && result.height > capacity; ++pass) {
        if (options.cancel.isCancelled() || (deadline && std::chrono::steady_clock::now() > *deadline))
            return;
        const std::int64_t height = greedy.run(order, false);
        if (height < result.height) {
            result.height = height;
            result.offsets = bufferOffsets(instance, greedy.offsets);
        }
        for (const int i : order)
            if (greedy.offsets[std::size_t(i)] + instance.items[std::size_t(i)].size > capacity)
                blame[std::size_t(i)] += 1;
        std::ranges::stable_sort(
            order, {}, [&](int i) { return std::pair(!instance.items[std::size_t(i)].fixed, -blame[std::size_t(i)]); });
    }
}

/// A few short searches below heights that come closer to the capacity: an answer within any budget.
void comeCloser(const Instance& instance, std::int64_t capacity, SearchLimit limit, SinglePoolResult& result) {
    limit.nodesOfFirstTry = 2 * std::int64_t(instance.items.size());
    limit.nodes = 12 * limit.nodesOfFirstTry;
    std::int64_t low = capacity;
    for (int halving = 0; halving < 5 && result.height > capacity + capacity / 40; ++halving) {
        const std::int64_t height = low + (std::min(result.height, capacity + capacity / 5) - low) / 2;
        if (searchBelow(instance, height, limit, result) != SearchOutcome::Found)
            low = height;
    }
}

void searchFurther(const Instance& instance, std::int64_t capacity, const Options& options, Deadline deadline,
                   SinglePoolResult& result) {
    SearchLimit limit;
    limit.deadline = deadline;
    limit.cancel = options.cancel;
    if (deadline)
        comeCloser(instance, capacity, limit, result);
    result.proven = searchBelow(instance, capacity, limit, result) != SearchOutcome::GaveUp;
    if (result.height > capacity)
        result.offsets.clear();
}

} // namespace

SinglePoolResult packIntoOne(const std::vector<BufferSpec>& buffers, std::int64_t capacity, const Options& options) {
    const Deadline deadline = deadlineOf(options);
    const Instance instance = onePool(buffers);
    const Load load = largestLoad(instance);
    SinglePoolResult result;
    result.load = load.bytes;
    result.loadEpoch = load.epoch;
    result.height = unlimited;
    result.proven = load.bytes > capacity || !fixedItemsAgree(instance);
    if (result.proven)
        return result;
    Greedy greedy(instance);
    int bestOrder = 0;
    for (int order = 0; order < 4; ++order)
        for (const bool bestFit : {false, true}) {
            const bool isLate = deadline && std::chrono::steady_clock::now() > *deadline && result.height < unlimited;
            if (result.height <= load.bytes || (result.height <= capacity && instance.items.size() >= manyItems) ||
                options.cancel.isCancelled() || isLate)
                break;
            const std::int64_t height = greedy.run(orderedItems(instance, order), bestFit);
            if (height >= result.height)
                continue;
            result.height = height;
            bestOrder = order;
            result.offsets = bufferOffsets(instance, greedy.offsets);
        }
    if (result.height > capacity && instance.items.size() >= manyItems)
        squeeze(instance, capacity, options, deadline, greedy, orderedItems(instance, bestOrder), result);
    if (result.height > capacity)
        searchFurther(instance, capacity, options, deadline, result);
    else
        result.proven = true;
    return result;
}

} // namespace poolwright::place
