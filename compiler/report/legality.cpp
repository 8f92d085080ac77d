// SPDX-License-Identifier: Apache-2.0
#include "report/legality.h"

#include "report/derive.h"
#include "report/wording.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

namespace poolwright::report {

namespace {

/// The buffers that are alive while the sweep passes their epochs, disjoint but for aliases of the same range. The
/// space keeps pools that have no absolute address (user-allocated, relative) apart.
class LiveRanges {
public:
    explicit LiveRanges(const Report& report)
        : m_report(report)
        , m_roots(aliasRoots(report)) {}

    /// The live buffer that the new one collides with, or -1 after adding it.
    int add(int index) {
        const Key key = keyOf(index);
        const auto next = m_live.upper_bound(key);
        if (next != m_live.end() && next->first.first == key.first && next->first.second < end(index))
            return next->second.front();
        if (next != m_live.begin()) {
            const auto previous = std::prev(next);
            const int other = previous->second.front();
            if (previous->first.first == key.first && end(other) > key.second && !isAlias(index, other))
                return other;
        }
        m_live[key].push_back(index);
        m_deaths.push({buffer(index).live.last, index});
        return -1;
    }

    void dropDeadBefore(int epoch) {
        while (!m_deaths.empty() && m_deaths.top().first < epoch) {
            const int index = m_deaths.top().second;
            m_deaths.pop();
            const auto it = m_live.find(keyOf(index));
            std::erase(it->second, index);
            if (it->second.empty())
                m_live.erase(it);
        }
    }

private:
    using Key = std::pair<int, std::uint64_t>; // space, start

    const Buffer& buffer(int index) const { return m_report.buffers[std::size_t(index)]; }
    std::uint64_t end(int index) const { return (buffer(index).address + buffer(index).size).value; }

    Key keyOf(int index) const {
        const int pool = buffer(index).pool;
        const Pool& own = m_report.pools[std::size_t(pool)];
        // A .dot names pools but not where they lie: their buffers can only be compared among themselves.
        const bool ownSpace = own.userAllocated || own.relative || own.size.value == 0;
        return {ownSpace ? pool + 1 : 0, buffer(index).address.value};
    }

    bool isAlias(int a, int b) const {
        return m_roots[std::size_t(a)] == m_roots[std::size_t(b)] && buffer(a).address == buffer(b).address &&
               buffer(a).size == buffer(b).size;
    }

    const Report& m_report;
    std::vector<int> m_roots;
    std::map<Key, std::vector<int>> m_live;
    std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, std::greater<>> m_deaths;
};

bool isComparable(const Report& report, const Buffer& buffer) {
    return buffer.placed() && std::size_t(buffer.pool) < report.pools.size() && buffer.size.value > 0;
}

std::vector<int> byBirth(const Report& report) {
    std::vector<int> order;
    for (std::size_t i = 0; i < report.buffers.size(); ++i)
        if (isComparable(report, report.buffers[i]))
            order.push_back(int(i));
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return report.buffers[std::size_t(a)].live.first < report.buffers[std::size_t(b)].live.first;
    });
    return order;
}

Violation sharedBytes(const Report& report, int index, int other) {
    const Buffer &a = report.buffers[std::size_t(other)], &b = report.buffers[std::size_t(index)];
    const Address start = std::max(a.address, b.address);
    const ByteCount bytes = std::min(a.address + a.size, b.address + b.size) - start;
    const EpochRange epochs{std::max(a.live.first, b.live.first), std::min(a.live.last, b.live.last)};
    return {index, other, bytes,
            a.name + " and " + b.name + " share " + toText(bytes) + " at " + toText(start) + " in " +
                epochsText(epochs)};
}

void checkPool(const Report& report, int index, std::vector<Violation>& list) {
    const Buffer& buffer = report.buffers[std::size_t(index)];
    const Pool& pool = report.pools[std::size_t(buffer.pool)];
    const Address limit = pool.address + (pool.size - pool.reservedTail);
    if (buffer.address < pool.address || buffer.address + buffer.size > limit)
        list.push_back({index, -1, buffer.address + buffer.size - limit,
                        buffer.name + " [" + toText(buffer.address) + ", " + toText(buffer.address + buffer.size) +
                            ") lies outside pool " + pool.name + " [" + toText(pool.address) + ", " + toText(limit) +
                            ")"});
    else if (pool.readOnly && !buffer.isWeights())
        list.push_back({index, -1, buffer.size, buffer.name + " is written, but pool " + pool.name + " is read-only"});
}

} // namespace

std::vector<Violation> placementViolations(const Report& report) {
    std::vector<Violation> list;
    LiveRanges live(report);
    for (int index : byBirth(report)) {
        live.dropDeadBefore(report.buffers[std::size_t(index)].live.first);
        if (const int other = live.add(index); other >= 0)
            list.push_back(sharedBytes(report, index, other));
        checkPool(report, index, list);
    }
    return list;
}

} // namespace poolwright::report
