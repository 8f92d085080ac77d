// SPDX-License-Identifier: Apache-2.0
#include "driver/carve_moves.h"

#include "driver/pool_growth.h"
#include "mpool/edit.h"

#include <algorithm>
#include <set>

namespace poolwright::driver {

namespace {

/// Starts and ends that we choose: what inputs and outputs want (target::Limits::ioAlignment).
constexpr std::uint64_t grain = 32;
/// A gap below this between two pools is a hole, made to keep them apart, and no room for firmware.
constexpr std::int64_t largestHole = 4096;
/// Pools smaller than this are not worth a line.
constexpr ByteCount smallestPool(4096);

Address roundedUp(Address address) {
    return Address((address.value + grain - 1) / grain * grain);
}

Address roundedDown(Address address) {
    return Address(address.value / grain * grain);
}

bool isCarved(const mpool::Pool& pool) {
    return pool.isEnabled() && pool.mode == mpool::UseMode::Absolute;
}

std::string sizeText(const mpool::PoolFile& file, PoolId pool) {
    return toText(file[pool].range().start) + " to " + toText(file[pool].range().end()) + ", " +
           toText(file[pool].range().size);
}

bool alike(const mpool::Pool& a, const mpool::Pool& b) {
    mpool::Properties left = a.properties, right = b.properties;
    left.readPower = right.readPower = left.writePower = right.writePower = 0;
    return left == right && a.format == b.format;
}

/// Enabled absolute pools by address.
std::vector<PoolId> byAddress(const mpool::PoolFile& file) {
    std::vector<PoolId> ids;
    for (int p = 0; p < int(file.pools.size()); ++p)
        if (isCarved(file[PoolId(p)]))
            ids.push_back(PoolId(p));
    std::ranges::stable_sort(ids, {}, [&](PoolId id) { return file[id].range(); });
    return ids;
}

std::string freshName(const mpool::PoolFile& file, const std::string& name, std::string mpool::Pool::*member) {
    std::string fresh = name;
    for (int n = 2; std::ranges::count(file.pools, fresh, member) > 0; ++n)
        fresh = name + "_" + std::to_string(n);
    return fresh;
}

class Moves {
public:
    Moves(const mpool::PoolFile& file, const MemoryMap& map, bool virtualPools)
        : m_file(file)
        , m_map(map)
        , m_virtual(virtualPools)
        , m_order(byAddress(file)) {}

    std::vector<CarveMove> all() {
        if (m_map.freeBeyondPools)
            for (const AddressRange& range : m_map.freeRanges(m_file, ByteCount(1)))
                takeFree(range);
        for (std::size_t i = 1; i < m_order.size(); ++i)
            atBoundary(m_order[i - 1], m_order[i]);
        mergeRuns();
        if (m_virtual)
            holesWhereSpeedsDiffer();
        closeEveryHole();
        return std::move(m_moves);
    }

private:
    void add(const char* kind, std::string sentence, Result<mpool::PoolFile> file) {
        if (file && !hasErrors(file->findings))
            m_moves.push_back({kind, std::move(sentence), std::move(*file)});
    }

    void takeFree(AddressRange range) {
        const target::Bank* bank = m_map.bankAt(range.start);
        bool taken = false;
        for (PoolId id : m_order) {
            const AddressRange own = m_file[id].range();
            if (own.end() == range.start && m_map.bankAt(own.end() - ByteCount(1)) == bank) {
                taken = true;
                grow(id, mpool::withEnd(m_file, id, range.end()), range.size);
            }
            if (own.start == range.end() && m_map.bankAt(own.start) == bank) {
                taken = true;
                grow(id, mpool::withStart(m_file, id, range.start), range.size);
            }
        }
        const AddressRange inner{roundedUp(range.start), ByteCount(0)};
        const AddressRange usable{inner.start, range.end() > inner.start ? range.end() - inner.start : ByteCount(0)};
        if (!taken && usable.size >= smallestPool)
            newPool(usable, *bank);
    }

    void grow(PoolId id, Result<mpool::PoolFile> file, ByteCount bytes) {
        const std::string range = file ? sizeText(*file, id) : "";
        add("grow", "give " + m_file[id].name + " " + toText(bytes) + " more of its bank (" + range + ")",
            std::move(file));
    }

    /// A pool of the file that is switched off in this bank, else a stock pool for it.
    void newPool(AddressRange range, const target::Bank& bank) {
        for (int p = 0; p < int(m_file.pools.size()); ++p) {
            const mpool::Pool& pool = m_file[PoolId(p)];
            if (pool.isEnabled() || pool.mode != mpool::UseMode::Absolute || !bank.range.contains(pool.range().start))
                continue;
            const auto moved = mpool::withOffset(m_file, PoolId(p), range.start);
            add("enable", "switch " + pool.name + " on: " + toText(range.size) + " at " + toText(range.start),
                moved ? mpool::enablePool(*moved, PoolId(p), range.size) : moved);
            return;
        }
        std::optional<mpool::Pool> pool = stockPool(bank);
        if (!pool)
            return;
        pool->name = freshName(m_file, pool->name, &mpool::Pool::name);
        pool->fname = freshName(m_file, pool->fname, &mpool::Pool::fname);
        pool->offset = {toText(range.start), mpool::Magnitude::Bytes, std::int64_t(range.start.value)};
        pool->size = {std::to_string(range.size.value), mpool::Magnitude::Bytes, range.size.value};
        add("add", "add " + pool->name + ": " + toText(range.size) + " at " + toText(range.start),
            mpool::addPool(m_file, *pool));
    }

    void atBoundary(PoolId lower, PoolId upper) {
        const AddressRange a = m_file[lower].range(), b = m_file[upper].range();
        const std::string pair = m_file[lower].name + " and " + m_file[upper].name;
        if (a.end() == b.start) {
            if (m_virtual)
                add("hole", "leave a hole of one byte between " + pair, mpool::insertHole(m_file, lower, upper));
            if (alike(m_file[lower], m_file[upper])) {
                add("merge", "make one pool of " + pair, mpool::mergePools(m_file, lower, upper));
                moveEdge(lower, upper);
            }
        } else if (isHole(lower, upper)) {
            add("close-hole", "close the hole between " + pair, mpool::closeHole(m_file, lower, upper));
        }
    }

    bool isHole(PoolId lower, PoolId upper) const {
        const Address start = m_file[lower].range().end(), end = m_file[upper].range().start;
        return start < end && (end - start).value < largestHole && !m_map.firstOverlap({start, end - start});
    }

    void moveEdge(PoolId lower, PoolId upper) {
        const Address start = m_file[lower].range().start, edge = m_file[lower].range().end();
        const ByteCount both = m_file[upper].range().end() - start;
        constexpr std::int64_t parts = 8;
        std::set<Address> edges;
        for (std::int64_t k = 1; k < parts; ++k)
            edges.insert(roundedDown(start + ByteCount(both.value * k / parts)));
        for (std::int64_t nudge : {16, 64, 128}) {
            edges.insert(edge + ByteCount(nudge * 1024));
            edges.insert(edge - ByteCount(nudge * 1024));
        }
        for (Address to : edges)
            if (to != edge && to > start && to < m_file[upper].range().end())
                add("boundary",
                    "move the boundary of " + m_file[lower].name + " and " + m_file[upper].name + " to " + toText(to),
                    mpool::moveBoundary(m_file, lower, upper, to));
    }

    /// Runs of three and more touching pools of one kind; pairs are merged by themselves.
    void mergeRuns() {
        for (std::size_t i = 0; i < m_order.size();) {
            std::size_t end = i + 1;
            while (end < m_order.size() &&
                   m_file[m_order[end - 1]].range().end() == m_file[m_order[end]].range().start &&
                   alike(m_file[m_order[i]], m_file[m_order[end]]))
                ++end;
            if (end - i > 2)
                mergeRun(i, end);
            i = end;
        }
    }

    void mergeRun(std::size_t first, std::size_t end) {
        const std::string name = m_file[m_order[first]].name;
        Result<mpool::PoolFile> file = m_file;
        for (std::size_t i = first + 1; i < end && file; ++i)
            file = mpool::mergePools(*file, *file->find(name), *file->find(m_file[m_order[i]].name));
        add("merge", "make one pool of " + name + " to " + m_file[m_order[end - 1]].name, std::move(file));
    }

    void holesWhereSpeedsDiffer() {
        Result<mpool::PoolFile> file = m_file;
        std::string pairs;
        int holes = 0;
        for (std::size_t i = 1; i < m_order.size() && file; ++i) {
            const PoolId lower = m_order[i - 1], upper = m_order[i];
            if (m_file[lower].range().end() != m_file[upper].range().start || alike(m_file[lower], m_file[upper]))
                continue;
            file = mpool::insertHole(*file, lower, upper);
            pairs += (holes++ ? ", " : "") + m_file[lower].name + " and " + m_file[upper].name;
        }
        if (holes > 1)
            add("hole", "leave holes of one byte between " + pairs, std::move(file));
    }

    void closeEveryHole() {
        Result<mpool::PoolFile> file = m_file;
        int holes = 0;
        for (std::size_t i = 1; i < m_order.size() && file; ++i)
            if (isHole(m_order[i - 1], m_order[i])) {
                file = mpool::closeHole(*file, m_order[i - 1], m_order[i]);
                ++holes;
            }
        if (holes > 1)
            add("close-hole", "close all " + std::to_string(holes) + " holes between pools", std::move(file));
    }

    const mpool::PoolFile& m_file;
    const MemoryMap& m_map;
    bool m_virtual;
    std::vector<PoolId> m_order;
    std::vector<CarveMove> m_moves;
};

std::optional<CarveMove> moveOf(const char* kind, std::string sentence, Result<mpool::PoolFile> file) {
    if (!file)
        return std::nullopt;
    return CarveMove{kind, std::move(sentence), std::move(*file)};
}

/// The pool without its bytes in `region`, which it overlaps.
std::optional<CarveMove> cleared(const mpool::PoolFile& file, PoolId id, const KeepFree& region) {
    const AddressRange own = file[id].range();
    const Address below = roundedDown(region.range.start), above = roundedUp(region.range.end());
    const bool low = below > own.start && below - own.start >= smallestPool;
    const bool high = above < own.end() && own.end() - above >= smallestPool;
    const std::string why = file[id].name + " out of " + region.name + " (" + toText(region.range.start) + " to " +
                            toText(region.range.end()) + ")";
    if (!low && !high)
        return moveOf("keep-free", "switch " + why, mpool::disablePool(file, id));
    if (!high)
        return moveOf("keep-free", "end " + why + " at " + toText(below), mpool::withEnd(file, id, below));
    if (!low)
        return moveOf("keep-free", "start " + why + " at " + toText(above), mpool::withStart(file, id, above));
    const auto split = mpool::splitPool(file, id, above, freshName(file, file[id].name, &mpool::Pool::name),
                                        freshName(file, file[id].fname, &mpool::Pool::fname));
    return moveOf("keep-free", "cut " + why + ": up to " + toText(below) + " and from " + toText(above),
                  split ? mpool::withEnd(*split, id, below) : split);
}

} // namespace

std::optional<CarveMove> legalisingMove(const mpool::PoolFile& file, const MemoryMap& map) {
    for (int p = 0; p < int(file.pools.size()); ++p) {
        const mpool::Pool& pool = file[PoolId(p)];
        if (!isCarved(pool))
            continue;
        if (const KeepFree* region = map.firstOverlap(pool.range()))
            return cleared(file, PoolId(p), *region);
    }
    return std::nullopt;
}

std::vector<CarveMove> carveMoves(const mpool::PoolFile& file, const MemoryMap& map, bool virtualPools) {
    return Moves(file, map, virtualPools).all();
}

CarveMove disabled(const mpool::PoolFile& file, PoolId pool) {
    const auto changed = mpool::disablePool(file, pool);
    return {"disable", "switch " + file[pool].name + " off", changed ? *changed : file};
}

std::optional<CarveMove> shrunk(const mpool::PoolFile& file, PoolId id, ByteCount size, bool keepEnd) {
    const AddressRange own = file[id].range();
    Result<mpool::PoolFile> changed =
        keepEnd ? mpool::withStart(file, id, own.end() - size) : mpool::withEnd(file, id, own.start + size);
    std::string range = changed ? sizeText(*changed, id) : "";
    return moveOf("shrink", "shorten " + file[id].name + " by " + toText(own.size - size) + " (" + range + ")",
                  std::move(changed));
}

} // namespace poolwright::driver
