// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include "report/derive.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace poolwright::report {

namespace {

/// Byte range from a pool's start.
struct Extent {
    std::int64_t begin = 0, end = 0;
    auto operator<=>(const Extent&) const = default;
};

struct Contents {
    std::int64_t highWater = 0;
    bool constants = false;
    std::vector<Extent> activations;

    void add(Extent extent, bool constant) {
        highWater = std::max(highWater, extent.end);
        if (constant)
            constants = true;
        else
            activations.push_back(extent);
    }
};

std::int64_t coveredBytes(std::vector<Extent> extents) {
    std::sort(extents.begin(), extents.end());
    std::int64_t covered = 0, reached = 0;
    for (const Extent& extent : extents) {
        covered += std::max<std::int64_t>(0, extent.end - std::max(extent.begin, reached));
        reached = std::max(reached, extent.end);
    }
    return covered;
}

/// The part of the buffer that lies in the pool, from the pool's start; empty (0, 0) when there is none.
Extent partInside(const Buffer& buffer, const Pool& pool) {
    const std::int64_t begin = (buffer.address - pool.address).value;
    const Extent part{std::max<std::int64_t>(0, begin), std::min(begin + buffer.size.value, pool.size.value)};
    return part.begin < part.end ? part : Extent{};
}

void addToPools(const Report& report, const Buffer& buffer, std::vector<Contents>& contents) {
    const Pool& own = report.pools[std::size_t(buffer.pool)];
    const std::int64_t begin = (buffer.address - own.address).value;
    contents[std::size_t(buffer.pool)].add({begin, begin + buffer.size.value}, buffer.isWeights());
    for (std::size_t i = 0; i < report.pools.size(); ++i) {
        const Pool& other = report.pools[i];
        const auto holds = [](const Pool& group, std::size_t member) {
            return std::find(group.members.begin(), group.members.end(), int(member)) != group.members.end();
        };
        if (int(i) == buffer.pool || !(holds(own, i) || holds(other, std::size_t(buffer.pool))))
            continue;
        const Extent part = partInside(buffer, other);
        if (part.begin < part.end)
            contents[i].add(part, buffer.isWeights());
    }
}

/// A pool of one kind counts all its used bytes, gaps included, as the vendor does; in a mixed pool (never seen in the
/// vendor's files) the activations count the bytes they cover, and the rest is weights, so that the two always add up
/// to `used`.
void fillPool(Pool& pool, const Contents& contents) {
    pool.used = ByteCount(contents.highWater);
    if (!contents.constants)
        pool.activations = pool.used;
    else
        pool.activations = ByteCount(coveredBytes(contents.activations));
    pool.weights = pool.used - pool.activations;
}

void fillPools(Report& report) {
    std::vector<Contents> contents(report.pools.size());
    for (const Buffer& buffer : report.buffers)
        if (buffer.placed() && std::size_t(buffer.pool) < report.pools.size() && buffer.size.value > 0)
            addToPools(report, buffer, contents);
    for (std::size_t i = 0; i < report.pools.size(); ++i)
        fillPool(report.pools[i], contents[i]);
}

void sumPools(Report& report) {
    Totals& totals = report.totals;
    totals.weights = totals.activations = totals.externalActivations = ByteCount();
    for (const Pool& pool : report.pools) {
        if (pool.isVirtual)
            continue;
        totals.weights += pool.weights;
        if (pool.userAllocated)
            continue;
        totals.activations += pool.activations;
        if (pool.external)
            totals.externalActivations += pool.activations;
    }
}

/// Bytes of the network's own activation memory: neither constants nor what the application allocates.
bool needsActivationMemory(const Report& report, const Buffer& buffer) {
    const bool user = buffer.placed() && std::size_t(buffer.pool) < report.pools.size() &&
                      report.pools[std::size_t(buffer.pool)].userAllocated;
    return !buffer.isWeights() && !user && buffer.size.value > 0;
}

using Changes = std::vector<std::pair<std::int64_t, std::int64_t>>; // epoch, change of the live sum from there on

/// Indices of one alias group's buffers.
using Group = std::vector<std::size_t>;

/// At any time the largest member alive counts once.
void addGroup(const Report& report, const Group& group, Changes& changes) {
    std::map<std::int64_t, std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> events; // epoch: born, dead
    for (std::size_t index : group) {
        const Buffer& buffer = report.buffers[index];
        events[buffer.live.first].first.push_back(buffer.size.value);
        events[std::int64_t(buffer.live.last) + 1].second.push_back(buffer.size.value);
    }
    std::multiset<std::int64_t> alive;
    std::int64_t current = 0;
    for (const auto& [epoch, bornAndDead] : events) {
        alive.insert(bornAndDead.first.begin(), bornAndDead.first.end());
        for (std::int64_t size : bornAndDead.second)
            if (const auto it = alive.find(size); it != alive.end())
                alive.erase(it);
        const std::int64_t now = alive.empty() ? 0 : *alive.rbegin();
        changes.emplace_back(epoch, now - current);
        current = now;
    }
}

/// Most buffers share with none: they go straight into the list, since this runs on every re-plan.
Changes liveChanges(const Report& report) {
    const std::vector<int> roots = aliasRoots(report);
    std::vector<int> members(report.buffers.size(), 0);
    for (int root : roots)
        ++members[std::size_t(root)];
    Changes changes;
    std::map<int, Group> groups;
    for (std::size_t i = 0; i < report.buffers.size(); ++i) {
        const Buffer& buffer = report.buffers[i];
        if (!needsActivationMemory(report, buffer))
            continue;
        if (members[std::size_t(roots[i])] > 1) {
            groups[roots[i]].push_back(i);
            continue;
        }
        changes.emplace_back(buffer.live.first, buffer.size.value);
        changes.emplace_back(std::int64_t(buffer.live.last) + 1, -buffer.size.value);
    }
    for (const auto& [root, group] : groups)
        addGroup(report, group, changes);
    std::sort(changes.begin(), changes.end());
    return changes;
}

void fillPeak(Report& report) {
    report.totals.peakLive = ByteCount();
    report.totals.peakEpoch = -1;
    const Changes changes = liveChanges(report);
    std::int64_t live = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        live += changes[i].second;
        const bool complete = i + 1 == changes.size() || changes[i + 1].first != changes[i].first;
        if (complete && live > report.totals.peakLive.value) {
            report.totals.peakLive = ByteCount(live);
            report.totals.peakEpoch = int(changes[i].first);
        }
    }
}

void sumBuffers(Report& report) {
    report.totals.sumOverBuffers = ByteCount();
    for (const Buffer& buffer : report.buffers)
        if (buffer.aliasOf < 0 && needsActivationMemory(report, buffer))
            report.totals.sumOverBuffers += buffer.size;
}

void countEpochs(Report& report) {
    Totals& totals = report.totals;
    totals.epochs = totals.hw = totals.sw = totals.hybrid = 0;
    std::set<std::string> blobs;
    for (const Epoch& epoch : report.epochs) {
        if (!epoch.runs())
            continue;
        ++totals.epochs;
        ++(epoch.kind == "SW" ? totals.sw : epoch.kind == "hybrid" ? totals.hybrid : totals.hw);
        if (!epoch.blob.empty())
            blobs.insert(epoch.blob);
    }
    totals.ecBlobs = int(blobs.size());
}

} // namespace

void deriveTotals(Report& report) {
    fillPools(report);
    sumPools(report);
    fillPeak(report);
    sumBuffers(report);
    countEpochs(report);
}

ByteCount liveActivations(const Report& report, int epoch) {
    const std::vector<int> roots = aliasRoots(report);
    std::unordered_map<int, std::int64_t> largest;
    for (std::size_t i = 0; i < report.buffers.size(); ++i) {
        const Buffer& buffer = report.buffers[i];
        if (!buffer.live.contains(epoch) || !needsActivationMemory(report, buffer))
            continue;
        std::int64_t& bytes = largest[roots[i]];
        bytes = std::max(bytes, buffer.size.value);
    }
    ByteCount sum;
    for (const auto& [root, bytes] : largest)
        sum += ByteCount(bytes);
    return sum;
}

bool knowsPlacement(const Report& report) {
    return !report.fits || !report.unplaced.empty() ||
           std::any_of(report.buffers.begin(), report.buffers.end(), [](const Buffer& b) { return b.placed(); }) ||
           std::any_of(report.pools.begin(), report.pools.end(), [](const Pool& p) { return p.used.value > 0; });
}

} // namespace poolwright::report
