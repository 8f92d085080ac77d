// SPDX-License-Identifier: Apache-2.0
#include "report/derive.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace poolwright::report {

std::vector<int> aliasRoots(const Report& report) {
    const int count = int(report.buffers.size());
    std::vector<int> roots(report.buffers.size());
    std::iota(roots.begin(), roots.end(), 0);
    const auto find = [&roots](int i) {
        while (roots[std::size_t(i)] != i)
            i = roots[std::size_t(i)] = roots[std::size_t(roots[std::size_t(i)])];
        return i;
    };
    for (int i = 0; i < count; ++i) {
        const int other = report.buffers[std::size_t(i)].aliasOf;
        if (other < 0 || other >= count)
            continue;
        const int a = find(i), b = find(other);
        roots[std::size_t(std::max(a, b))] = std::min(a, b);
    }
    for (int i = 0; i < count; ++i)
        roots[std::size_t(i)] = find(i);
    return roots;
}

void deriveAliases(Report& report) {
    std::map<std::tuple<int, std::int64_t, std::int64_t>, std::vector<int>> sameRange;
    for (std::size_t i = 0; i < report.buffers.size(); ++i) {
        const Buffer& buffer = report.buffers[i];
        if (buffer.placed() && buffer.size.value > 0)
            sameRange[{buffer.pool, buffer.offset.value, buffer.size.value}].push_back(int(i));
    }
    for (auto& [range, buffers] : sameRange) {
        const auto live = [&report](int i) { return report.buffers[std::size_t(i)].live; };
        std::stable_sort(buffers.begin(), buffers.end(), [&](int a, int b) { return live(a) < live(b); });
        int longest = -1; // of the earlier ones, the one that lives longest
        for (int i : buffers) {
            Buffer& buffer = report.buffers[std::size_t(i)];
            if (longest >= 0 && live(longest).overlaps(buffer.live) && buffer.aliasOf < 0)
                buffer.aliasOf = longest;
            if (longest < 0 || live(longest).last < buffer.live.last)
                longest = i;
        }
    }
}

namespace {

struct Write {
    int epoch = 0, buffer = -1;
};

using Writers = std::map<int, std::vector<Write>>; // alias root -> writes in epoch order

Writers writersOf(const Report& report, const std::vector<int>& roots) {
    Writers writers;
    for (std::size_t e = 0; e < report.epochs.size(); ++e)
        for (int buffer : report.epochs[e].writes)
            if (buffer >= 0 && std::size_t(buffer) < roots.size())
                writers[roots[std::size_t(buffer)]].push_back({int(e), buffer});
    return writers;
}

void addEdgesInto(Report& report, int reader, int buffer, const std::vector<Write>& writes) {
    const bool writtenByName = std::any_of(writes.begin(), writes.end(),
                                           [&](const Write& w) { return w.buffer == buffer && w.epoch < reader; });
    Edge last;
    for (const Write& write : writes) {
        if (write.epoch >= reader || (writtenByName && write.buffer != buffer))
            continue;
        if (writtenByName)
            report.edges.push_back({write.epoch, reader, buffer});
        else
            last = {write.epoch, reader, buffer};
    }
    if (last.from >= 0)
        report.edges.push_back(last);
}

} // namespace

void deriveEdges(Report& report) {
    const std::vector<int> roots = aliasRoots(report);
    const Writers writers = writersOf(report, roots);
    report.edges.clear();
    for (std::size_t e = 0; e < report.epochs.size(); ++e) {
        std::vector<int> reads = report.epochs[e].reads;
        std::sort(reads.begin(), reads.end());
        reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
        for (int buffer : reads) {
            if (buffer < 0 || std::size_t(buffer) >= roots.size())
                continue;
            const auto it = writers.find(roots[std::size_t(buffer)]);
            if (it != writers.end())
                addEdgesInto(report, int(e), buffer, it->second);
        }
    }
    const auto key = [](const Edge& edge) { return std::tuple(edge.from, edge.to, edge.buffer); };
    std::sort(report.edges.begin(), report.edges.end(), [&](const Edge& a, const Edge& b) { return key(a) < key(b); });
    report.edges.erase(std::unique(report.edges.begin(), report.edges.end()), report.edges.end());
}

void deriveCycles(Report& report) {
    Totals& totals = report.totals;
    totals.computeCycles = totals.vendorCycles = totals.operations = 0;
    totals.calibratedCycles = totals.calibratedMs = 0;
    for (const Epoch& epoch : report.epochs) {
        totals.computeCycles += epoch.computeCycles;
        totals.vendorCycles += epoch.vendorCycles;
        totals.operations += epoch.operations;
        totals.calibratedCycles += epoch.calibratedCycles;
        totals.calibratedMs += epoch.calibratedMs;
    }
    totals.vendorMs = report.nominalMegahertz > 0 ? double(totals.vendorCycles) / report.nominalMegahertz / 1000 : 0;
}

bool isExternal(Address address) {
    return address.value >= 0x60000000u;
}

} // namespace poolwright::report
