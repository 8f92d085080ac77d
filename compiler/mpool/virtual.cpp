// SPDX-License-Identifier: Apache-2.0
#include "mpool/virtual.h"

#include "mpool/schema.h"
#include "text/numbers.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace poolwright::mpool {

static constexpr std::int64_t reservedTailBytes = 8; ///< neural-art-target.md section 5.3
static constexpr std::uint64_t firstExternalAddress = 0x60000000;

int poolScore(const Properties& properties, bool isVirtual, RuntimeGeneration generation) {
    const int rights = properties.rights == Rights::ReadWrite ? 2 : 1;
    const int throughput = int(properties.throughput) + 1;
    const int latency = 3 - int(properties.latency);
    const int bonus = !isVirtual ? 0 : generation == RuntimeGeneration::V2 ? 1 : -1;
    return 32 * rights + 8 * throughput + 2 * latency + bonus;
}

static bool canMerge(const Pool& lower, const Pool& upper) {
    return lower.range().end() == upper.range().start && lower.properties.rights == upper.properties.rights &&
           lower.properties.cacheable == upper.properties.cacheable;
}

/// Every enabled absolute pool, in runs that merge; a pool alone is a run of one.
static std::vector<std::vector<PoolId>> contiguousRuns(const PoolFile& file) {
    std::vector<PoolId> ids;
    for (std::size_t i = 0; i < file.pools.size(); ++i)
        if (file.pools[i].isEnabled() && file.pools[i].mode == UseMode::Absolute)
            ids.emplace_back(i);
    std::stable_sort(ids.begin(), ids.end(),
                     [&](PoolId a, PoolId b) { return file[a].range().start < file[b].range().start; });
    std::vector<std::vector<PoolId>> runs;
    for (PoolId id : ids) {
        if (runs.empty() || !canMerge(file[runs.back().back()], file[id]))
            runs.emplace_back();
        runs.back().push_back(id);
    }
    return runs;
}

std::vector<std::vector<PoolId>> virtualGroups(const PoolFile& file) {
    std::vector<std::vector<PoolId>> groups = contiguousRuns(file);
    std::erase_if(groups, [](const std::vector<PoolId>& run) { return run.size() < 2; });
    return groups;
}

/// Only throughput, latency, freqRatio and powers are known from the vendor's output; byteWidth and constants_preferred
/// never differ between members there, and take the careful value here.
static Properties inherited(const PoolFile& file, const std::vector<PoolId>& members, RuntimeGeneration generation) {
    const bool worst = generation == RuntimeGeneration::V2;
    Properties out = file[members.front()].properties;
    for (PoolId id : members) {
        const Properties& p = file[id].properties;
        out.throughput = worst ? std::min(out.throughput, p.throughput) : std::max(out.throughput, p.throughput);
        out.freqRatio = worst ? std::max(out.freqRatio, p.freqRatio) : std::min(out.freqRatio, p.freqRatio);
        out.latency = std::max(out.latency, p.latency);
        out.byteWidth = std::min(out.byteWidth, p.byteWidth);
        out.readPower = std::max(out.readPower, p.readPower);
        out.writePower = std::max(out.writePower, p.writePower);
        out.constantsPreferred = out.constantsPreferred && p.constantsPreferred;
    }
    return out;
}

static EffectivePool concretePool(const PoolFile& file, PoolId id, RuntimeGeneration generation) {
    const Pool& pool = file[id];
    EffectivePool out;
    out.name = pool.name;
    out.fname = pool.fname;
    out.range = pool.range();
    out.properties = pool.properties;
    out.mode = pool.mode;
    out.format = pool.format;
    out.members = {id};
    out.score = poolScore(pool.properties, false, generation);
    out.external = pool.range().start.value >= firstExternalAddress;
    return out;
}

static EffectivePool virtualPool(const PoolFile& file, const std::vector<PoolId>& members,
                                 RuntimeGeneration generation) {
    EffectivePool out = concretePool(file, members.front(), generation);
    for (std::size_t i = 1; i < members.size(); ++i) {
        out.name += '_' + file[members[i]].name;
        out.fname += '_' + file[members[i]].fname;
    }
    out.range.size = file[members.back()].range().end() - out.range.start;
    out.members = members;
    out.properties = inherited(file, members, generation);
    out.score = poolScore(out.properties, true, generation);
    out.reservedTail = ByteCount(reservedTailBytes);
    return out;
}

std::vector<EffectivePool> effectivePools(const PoolFile& file, bool mergeAdjacent, RuntimeGeneration generation) {
    std::vector<EffectivePool> pools;
    for (std::size_t i = 0; i < file.pools.size(); ++i)
        if (file.pools[i].isEnabled() && !isParameterPool(file.pools[i]))
            pools.push_back(concretePool(file, PoolId(i), generation));
    if (!mergeAdjacent)
        return pools;
    const std::size_t concrete = pools.size();
    for (const std::vector<PoolId>& run : contiguousRuns(file)) {
        const auto last = std::find_if(pools.begin(), pools.begin() + std::ptrdiff_t(concrete),
                                       [&](const EffectivePool& pool) { return pool.members.front() == run.back(); });
        last->reservedTail = ByteCount(std::min(reservedTailBytes, last->range.size.value));
        if (run.size() > 1)
            pools.push_back(virtualPool(file, run, generation));
    }
    return pools;
}

/// `rank` gives a greater number for a better value.
static InheritedTrait traitOf(const PoolFile& file, const EffectivePool& pool, const char* name, std::string value,
                              const std::function<double(const Properties&)>& rank) {
    InheritedTrait trait{name, std::move(value), {}, {}, {}};
    const double own = rank(pool.properties);
    for (PoolId id : pool.members) {
        const double member = rank(file[id].properties);
        (member == own ? trait.from : member > own ? trait.lose : trait.gain).push_back(id);
    }
    return trait;
}

std::vector<InheritedTrait> explainTraits(const PoolFile& file, const EffectivePool& pool,
                                          RuntimeGeneration generation) {
    if (!pool.isVirtual())
        return {};
    EffectivePool by = pool;
    by.properties = inherited(file, pool.members, generation);
    const Properties& p = by.properties;
    return {
        traitOf(file, by, "throughput", word(p.throughput), [](const Properties& q) { return double(q.throughput); }),
        traitOf(file, by, "latency", word(p.latency), [](const Properties& q) { return -double(q.latency); }),
        traitOf(file, by, "freqRatio", text::formatDouble(p.freqRatio),
                [](const Properties& q) { return -q.freqRatio; }),
        traitOf(file, by, "byteWidth", std::to_string(p.byteWidth),
                [](const Properties& q) { return double(q.byteWidth); })};
}

static std::string namesOf(const PoolFile& file, const std::vector<PoolId>& ids) {
    std::string text;
    for (std::size_t i = 0; i < ids.size(); ++i)
        text += (i == 0 ? "" : i + 1 == ids.size() ? " and " : ", ") + file[ids[i]].name;
    return text;
}

static std::string ownValue(const Properties& p, const std::string& trait) {
    if (trait == "throughput" || trait == "latency")
        return word(trait == "throughput" ? p.throughput : p.latency);
    return trait == "freqRatio" ? text::formatDouble(p.freqRatio) : std::to_string(p.byteWidth);
}

/// The two neighbours with the most unlike speed: where a hole keeps the fast ones fast.
static std::size_t bestCut(const PoolFile& file, const std::vector<PoolId>& members) {
    std::size_t cut = 1;
    double widest = -1;
    for (std::size_t i = 1; i < members.size(); ++i) {
        const Properties& a = file[members[i - 1]].properties;
        const Properties& b = file[members[i]].properties;
        const double step =
            std::abs(poolScore(a, false, RuntimeGeneration::V2) - poolScore(b, false, RuntimeGeneration::V2)) +
            std::abs(a.cyclesPerByte() - b.cyclesPerByte());
        if (step > widest)
            widest = step, cut = i;
    }
    return cut;
}

static std::string lossText(const PoolFile& file, const std::vector<InheritedTrait>& traits) {
    std::string text;
    for (const InheritedTrait& trait : traits) {
        if (trait.lose.empty())
            continue;
        text += text.empty() ? "" : "; ";
        text += namesOf(file, trait.lose) + " lose" + (trait.lose.size() == 1 ? "s " : " ") + trait.trait + " " +
                ownValue(file[trait.lose.front()].properties, trait.trait) + " and count" +
                (trait.lose.size() == 1 ? "s as " : " as ") + trait.value;
    }
    return text;
}

Diagnostics virtualPoolWarnings(const PoolFile& file, RuntimeGeneration generation) {
    Diagnostics out;
    for (const EffectivePool& pool : effectivePools(file, true, generation)) {
        const std::string loss = lossText(file, explainTraits(file, pool, generation));
        if (loss.empty())
            continue;
        const std::size_t cut = bestCut(file, pool.members);
        out.push_back(makeWarning(
            "PW1212", "buffers in the virtual pool " + pool.name + " (" + toText(pool.range.size) + "): " + loss,
            file[pool.members.front()].where,
            "a hole of one byte between " + file[pool.members[cut - 1]].name + " and " + file[pool.members[cut]].name +
                " keeps them apart"));
    }
    return out;
}

RuntimeGeneration generationFromVersion(const std::string& version) {
    return version.starts_with("1.1.3") || version.starts_with("3") || version.starts_with("4") ? RuntimeGeneration::V3
                                                                                                : RuntimeGeneration::V2;
}

} // namespace poolwright::mpool
