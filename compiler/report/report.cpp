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

using Group = std::vector<const Buffer*>;

std::map<int, Group> activationGroups(const Report& report) {
    const std::vector<int> roots = aliasRoots(report);
    std::map<int, Group> groups;
    for (std::size_t i = 0; i < report.buffers.size(); ++i)
        if (needsActivationMemory(report, report.buffers[i]))
            groups[roots[i]].push_back(&report.buffers[i]);
    return groups;
}

/// Adds the group's share to the changes of the live sum at each epoch: at any time the largest member alive counts
/// once.
void addGroup(const Group& group, std::map<std::int64_t, std::int64_t>& changes) {
    std::map<std::int64_t, std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>>
        events; // epoch -> born, dead
    for (const Buffer* buffer : group) {
        events[buffer->live.first].first.push_back(buffer->size.value);
        events[std::int64_t(buffer->live.last) + 1].second.push_back(buffer->size.value);
    }
    std::multiset<std::int64_t> alive;
    std::int64_t current = 0;
    for (const auto& [epoch, bornAndDead] : events) {
        alive.insert(bornAndDead.first.begin(), bornAndDead.first.end());
        for (std::int64_t size : bornAndDead.second)
            if (const auto it = alive.find(size); it != alive.end())
                alive.erase(it);
        const std::int64_t now = alive.empty() ? 0 : *alive.rbegin();
        changes[epoch] += now - current;
        current = now;
    }
}

void fillPeak(Report& report) {
    std::map<std::int64_t, std::int64_t> changes;
    for (const auto& [root, group] : activationGroups(report))
        addGroup(group, changes);
    report.totals.peakLive = ByteCount();
    report.totals.peakEpoch = -1;
    std::int64_t live = 0;
    for (const auto& [epoch, change] : changes) {
        live += change;
        if (live > report.totals.peakLive.value) {
            report.totals.peakLive = ByteCount(live);
            report.totals.peakEpoch = int(epoch);
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

} // namespace poolwright::report
