// SPDX-License-Identifier: Apache-2.0
#include "report/findings.h"

#include "report/legality.h"
#include "report/wording.h"

#include <algorithm>

namespace poolwright::report {

namespace {

Finding unplacedFinding(const Report& report) {
    Finding finding;
    finding.kind = FindingKind::DoesNotFit;
    std::vector<std::string> names;
    for (const Unplaced& unplaced : report.unplaced) {
        names.push_back(unplaced.name);
        finding.bytes += unplaced.size;
        if (unplaced.buffer >= 0)
            finding.buffers.push_back(unplaced.buffer);
    }
    std::string message = counted(std::int64_t(names.size()), "buffer") + " without a place (" + listed(names) + ", " +
                          toText(finding.bytes) + ")";
    if (report.shortfall.value > 0)
        message += "; activations lack " + toText(report.shortfall) + " at the worst epoch";
    finding.diagnostic =
        makeError("PW5040", message, {}, report.unplaced.empty() ? "" : report.unplaced.front().reason);
    return finding;
}

Finding fromViolation(const Report& report, const Violation& violation) {
    Finding finding;
    const bool shared = violation.other >= 0;
    finding.kind = shared ? FindingKind::SharedBytes : FindingKind::OutsidePool;
    finding.buffers = {violation.buffer};
    if (shared)
        finding.buffers.push_back(violation.other);
    const Buffer& buffer = report.buffers[std::size_t(violation.buffer)];
    finding.pool = buffer.pool;
    finding.bytes = violation.bytes;
    finding.diagnostic = makeError(shared ? "PW5041" : "PW5042", violation.message, {{}, 0, 0, buffer.name});
    return finding;
}

void addViolations(const Report& report, std::vector<Finding>& list) {
    for (const Violation& violation : placementViolations(report))
        list.push_back(fromViolation(report, violation));
}

Finding spillInto(const Report& report, int pool) {
    Finding finding;
    finding.pool = pool;
    EpochRange epochs{INT32_MAX, 0};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < report.buffers.size(); ++i) {
        const Buffer& buffer = report.buffers[i];
        if (buffer.pool != pool || buffer.isWeights() || buffer.size.value == 0)
            continue;
        finding.buffers.push_back(int(i));
        names.push_back(buffer.name);
        if (buffer.aliasOf < 0)
            finding.bytes += buffer.size;
        epochs = {std::min(epochs.first, buffer.live.first), std::max(epochs.last, buffer.live.last)};
    }
    if (names.empty())
        return finding;
    const bool one = names.size() == 1;
    finding.diagnostic = makeWarning(
        "PW5043",
        counted(std::int64_t(names.size()), "activation buffer") + " (" + listed(names) + ", " + toText(finding.bytes) +
            ", " + epochsText(epochs) + ") " + (one ? "is" : "are") + " in external memory " + poolName(report, pool),
        {{}, 0, 0, poolName(report, pool)},
        "give the internal pools more room, or accept it: external memory costs time and power at each access");
    return finding;
}

void addSpills(const Report& report, std::vector<Finding>& list) {
    for (std::size_t i = 0; i < report.pools.size(); ++i) {
        if (!report.pools[i].external || report.pools[i].userAllocated)
            continue;
        Finding finding = spillInto(report, int(i));
        if (!finding.buffers.empty())
            list.push_back(std::move(finding));
    }
}

void addSoftware(const Report& report, std::vector<Finding>& list) {
    Finding finding;
    finding.kind = FindingKind::SoftwareEpochs;
    std::vector<std::string> names;
    std::int64_t cycles = 0;
    std::string reason;
    for (std::size_t i = 0; i < report.epochs.size(); ++i) {
        const Epoch& epoch = report.epochs[i];
        if (epoch.kind != "SW" && epoch.kind != "hybrid")
            continue;
        finding.epochs.push_back(int(i));
        names.push_back(epoch.name);
        cycles += epoch.vendorCycles;
        if (reason.empty())
            reason = epoch.reason;
    }
    if (names.empty())
        return;
    std::string message = counted(std::int64_t(names.size()), "epoch") + " of " + grouped(report.totals.epochs) +
                          (names.size() == 1 ? " runs" : " run") + " on the CPU wholly or in part (" + listed(names) +
                          ")";
    if (report.totals.vendorCycles > 0)
        message +=
            ", " + fixed(100.0 * double(cycles) / double(report.totals.vendorCycles), 1) + " % of the estimated cycles";
    finding.diagnostic = {"PW5044", Severity::Hint, message, {}, reason};
    list.push_back(std::move(finding));
}

void addFullPools(const Report& report, std::vector<Finding>& list) {
    for (std::size_t i = 0; i < report.pools.size(); ++i) {
        const Pool& pool = report.pools[i];
        if (pool.isVirtual || pool.external || pool.userAllocated || pool.size.value <= 0 ||
            double(pool.used.value) < 0.95 * double(pool.size.value))
            continue;
        Finding finding;
        finding.kind = FindingKind::NearlyFullPool;
        finding.pool = int(i);
        finding.bytes = pool.size - pool.used;
        finding.diagnostic = {"PW5045",
                              Severity::Note,
                              "pool " + pool.name + " is " +
                                  fixed(100.0 * double(pool.used.value) / double(pool.size.value), 1) + " % used, " +
                                  toText(finding.bytes) + " are free",
                              {{}, 0, 0, pool.name},
                              {}};
        list.push_back(std::move(finding));
    }
}

} // namespace

std::vector<Finding> findings(const Report& report) {
    std::vector<Finding> list;
    if (!report.unplaced.empty())
        list.push_back(unplacedFinding(report));
    addViolations(report, list);
    addSpills(report, list);
    addSoftware(report, list);
    addFullPools(report, list);
    std::stable_sort(list.begin(), list.end(), [](const Finding& a, const Finding& b) { return a.kind < b.kind; });
    return list;
}

} // namespace poolwright::report
