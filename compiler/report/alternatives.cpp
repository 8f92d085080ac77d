// SPDX-License-Identifier: Apache-2.0
#include "report/alternatives.h"

#include "report/derive.h"
#include "report/wording.h"

#include <algorithm>
#include <limits>

namespace poolwright::report {

namespace {

constexpr std::uint64_t alignment = 16;

/// A buffer with all that shares its bytes.
struct Group {
    std::vector<char> has; ///< by buffer
    AddressRange range;
    EpochRange live;
    bool isWeights = true, isPlaced = false;
};

/// Bytes that the group moves in one epoch.
struct Moved {
    int epoch = 0;
    double bytes = 0;
};

double cyclesPerByte(const Pool& pool) {
    return pool.freqRatio / std::max(1, pool.byteWidth);
}

class Judge {
public:
    Judge(const Report& report, int buffer)
        : m_report(report) {
        gather(buffer);
        collectTraffic();
    }

    std::vector<Alternative> run() const {
        const auto isLarge = [&](const Pool& pool) { return !pool.isVirtual && room(pool) >= m_group.range.size; };
        const bool concreteWillDo = std::ranges::any_of(m_report.pools, isLarge);
        std::vector<Alternative> all;
        for (int p = 0; p < int(m_report.pools.size()); ++p) {
            const Pool& pool = m_report.pools[std::size_t(p)];
            const bool isOwn = m_group.isPlaced && liesIn(p);
            if (pool.size.value > 0 && !pool.userAllocated && !isOwn && (!pool.isVirtual || !concreteWillDo))
                all.push_back(judge(p));
        }
        return all;
    }

private:
    static ByteCount room(const Pool& pool) { return pool.size - pool.reservedTail; }

    void gather(int buffer) {
        const std::vector<int> roots = aliasRoots(m_report);
        const Buffer& self = m_report.buffers[std::size_t(buffer)];
        m_group.has.resize(roots.size());
        m_group.range = {self.address, self.size};
        m_group.live = self.live;
        m_group.isPlaced = self.placed();
        m_pool = self.pool;
        for (std::size_t b = 0; b < roots.size(); ++b) {
            const Buffer& other = m_report.buffers[b];
            if (roots[b] != roots[std::size_t(buffer)] || other.pool != self.pool)
                continue;
            m_group.has[b] = true;
            m_group.isWeights = m_group.isWeights && other.isWeights();
            m_group.live = {std::min(m_group.live.first, other.live.first),
                            std::max(m_group.live.last, other.live.last)};
            const Address end = std::max(m_group.range.end(), other.address + other.size);
            m_group.range.start = std::min(m_group.range.start, other.address);
            m_group.range.size = end - m_group.range.start;
        }
    }

    void collectTraffic() {
        std::vector<double> bytes(m_report.epochs.size());
        const auto spread = [&](std::vector<int> Epoch::*list, std::int64_t Buffer::*total) {
            for (std::size_t b = 0; b < m_group.has.size(); ++b) {
                if (!m_group.has[b])
                    continue;
                std::vector<std::size_t> users;
                for (std::size_t e = 0; e < m_report.epochs.size(); ++e)
                    if (std::ranges::count(m_report.epochs[e].*list, int(b)) > 0)
                        users.push_back(e);
                for (const std::size_t e : users)
                    bytes[e] += double(m_report.buffers[b].*total) / double(users.size());
            }
        };
        spread(&Epoch::reads, &Buffer::readBytes);
        spread(&Epoch::writes, &Buffer::writeBytes);
        for (std::size_t e = 0; e < bytes.size(); ++e)
            if (bytes[e] > 0)
                m_moved.push_back({int(e), bytes[e]});
    }

    AddressRange rangeOf(int p) const {
        const Pool& pool = m_report.pools[std::size_t(p)];
        return {pool.address, pool.size};
    }

    bool liesIn(int p) const {
        return p == m_pool || (!m_report.pools[std::size_t(p)].relative &&
                               !m_report.pools[std::size_t(m_pool)].relative && rangeOf(p).contains(m_group.range));
    }

    Alternative judge(int p) const {
        const Pool& pool = m_report.pools[std::size_t(p)];
        Alternative alternative;
        alternative.pool = p;
        alternative.address = pool.address;
        if (pool.readOnly && !m_group.isWeights) {
            alternative.reason = "is read-only";
            return alternative;
        }
        if (room(pool) < m_group.range.size) {
            alternative.missing = m_group.range.size - room(pool);
            alternative.reason = "has " + toText(room(pool)) + ", " + toText(alternative.missing) + " too few";
            return alternative;
        }
        findRoom(p, alternative);
        alternative.deltaCycles = deltaAt(p, alternative.address);
        return alternative;
    }

    void findRoom(int p, Alternative& alternative) const {
        std::vector<int>& present = alternative.inTheWay;
        for (int b = 0; b < int(m_report.buffers.size()); ++b)
            if (!m_group.has[std::size_t(b)] && touches(b, p))
                present.push_back(b);
        const auto buffer = [&](int b) -> const Buffer& { return m_report.buffers[std::size_t(b)]; };
        std::ranges::stable_sort(present, {}, [&](int b) { return buffer(b).address; });
        const Pool& pool = m_report.pools[std::size_t(p)];
        std::uint64_t cursor = pool.address.value, longest = 0;
        const std::uint64_t end = pool.address.value + std::uint64_t(room(pool).value);
        const auto visit = [&](std::uint64_t upTo) {
            const std::uint64_t from = (cursor + alignment - 1) / alignment * alignment;
            const std::uint64_t run = upTo > from ? upTo - from : 0;
            if (!alternative.isFree && run >= std::uint64_t(m_group.range.size.value)) {
                alternative.isFree = true;
                alternative.address = Address(from);
            }
            longest = std::max(longest, run);
        };
        for (const int b : present) {
            visit(std::min(buffer(b).address.value, end));
            cursor = std::max(cursor, (buffer(b).address + buffer(b).size).value);
        }
        visit(end);
        std::ranges::stable_sort(present, {}, [&](int b) { return -buffer(b).size.value; });
        describe(alternative, longest);
    }

    bool touches(int b, int p) const {
        const Buffer& other = m_report.buffers[std::size_t(b)];
        if (!other.placed() || other.size.value <= 0 || !other.live.overlaps(m_group.live))
            return false;
        const bool apart = m_report.pools[std::size_t(p)].relative || m_report.pools[std::size_t(other.pool)].relative;
        return apart ? other.pool == p : rangeOf(p).overlaps({other.address, other.size});
    }

    void describe(Alternative& alternative, std::uint64_t longest) const {
        if (alternative.isFree) {
            alternative.reason = "free";
            return;
        }
        alternative.missing = m_group.range.size - ByteCount(std::int64_t(longest));
        std::vector<std::string> names;
        for (const int b : alternative.inTheWay)
            names.push_back(m_report.buffers[std::size_t(b)].name);
        alternative.reason = "the longest run free in " + epochsText(m_group.live) + " has " +
                             toText(ByteCount(std::int64_t(longest))) + ", " + toText(alternative.missing) +
                             " too few; there lie " + listed(names, 4);
    }

    /// Memory cycles of the group's bytes by concrete pool, for one byte moved in all.
    void addShares(int p, AddressRange range, double bytes, std::vector<double>& cycles) const {
        const Pool& pool = m_report.pools[std::size_t(p)];
        if (!pool.isVirtual) {
            cycles[std::size_t(p)] += bytes * cyclesPerByte(pool);
            return;
        }
        for (const int member : pool.members) {
            const AddressRange part = rangeOf(member);
            const std::uint64_t lo = std::max(part.start.value, range.start.value);
            const std::uint64_t hi = std::min(part.end().value, range.end().value);
            if (lo < hi)
                addShares(member, range, bytes * double(hi - lo) / double(std::max<std::int64_t>(range.size.value, 1)),
                          cycles);
        }
    }

    double deltaAt(int p, Address address) const {
        double delta = 0;
        for (const Moved& moved : m_moved) {
            const Epoch& epoch = m_report.epochs[std::size_t(moved.epoch)];
            std::vector<double> cycles(m_report.pools.size());
            for (const PoolTraffic& traffic : epoch.traffic)
                if (traffic.pool >= 0 && std::size_t(traffic.pool) < cycles.size())
                    cycles[std::size_t(traffic.pool)] += double(traffic.readBytes + traffic.writeBytes) *
                                                         cyclesPerByte(m_report.pools[std::size_t(traffic.pool)]);
            const double before = std::max(double(epoch.computeCycles), *std::ranges::max_element(cycles));
            if (m_group.isPlaced)
                addShares(m_pool, m_group.range, -moved.bytes, cycles);
            addShares(p, {address, m_group.range.size}, moved.bytes, cycles);
            delta += std::max(double(epoch.computeCycles), *std::ranges::max_element(cycles)) - before;
        }
        return delta;
    }

    const Report& m_report;
    Group m_group;
    int m_pool = -1;
    std::vector<Moved> m_moved;
};

} // namespace

std::vector<Alternative> alternatives(const Report& report, int buffer) {
    return Judge(report, buffer).run();
}

} // namespace poolwright::report
