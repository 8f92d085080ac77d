// SPDX-License-Identifier: Apache-2.0
#include "artefacts/join.h"

#include "report/derive.h"

#include <algorithm>
#include <numeric>

namespace poolwright::artefacts {

using namespace report;

namespace {

template <typename Value> void fill(Value& value, const Value& other) {
    if (value == Value{})
        value = other;
}

int findPool(const Report& report, const std::string& name) {
    for (std::size_t i = 0; i < report.pools.size(); ++i)
        if (report.pools[i].name == name)
            return int(i);
    return -1;
}

void fillPool(Pool& pool, const Pool& other) {
    fill(pool.fname, other.fname);
    if (pool.address == Address() && pool.size == ByteCount()) {
        pool.address = other.address;
        pool.size = other.size;
        pool.external = other.external;
        pool.relative = other.relative;
        pool.userAllocated = other.userAllocated;
    }
    fill(pool.used, other.used);
    fill(pool.weights, other.weights);
    fill(pool.activations, other.activations);
    if (!pool.throughput.empty() || other.throughput.empty())
        return;
    pool.readOnly = other.readOnly;
    pool.cacheable = other.cacheable;
    pool.constantsPreferred = other.constantsPreferred;
    pool.throughput = other.throughput;
    pool.latency = other.latency;
    pool.byteWidth = other.byteWidth;
    pool.freqRatio = other.freqRatio;
    pool.readPower = other.readPower;
    pool.writePower = other.writePower;
}

/// Answers for each pool of `other` its index in base.
std::vector<int> joinPools(Report& base, const Report& other) {
    std::vector<int> indices;
    for (const Pool& pool : other.pools) {
        int index = findPool(base, pool.name);
        if (index < 0) {
            index = int(base.pools.size());
            base.pools.push_back(pool);
            base.pools.back().members.clear();
        } else {
            fillPool(base.pools[std::size_t(index)], pool);
        }
        indices.push_back(index);
    }
    for (std::size_t i = 0; i < other.pools.size(); ++i) {
        Pool& pool = base.pools[std::size_t(indices[i])];
        if (pool.isVirtual && pool.members.empty())
            for (int member : other.pools[i].members)
                pool.members.push_back(indices[std::size_t(member)]);
    }
    return indices;
}

void renumberPools(Report& report, const std::vector<int>& indices) {
    const auto renumber = [&indices](int& pool) { pool = pool >= 0 ? indices[std::size_t(pool)] : -1; };
    for (Buffer& buffer : report.buffers)
        renumber(buffer.pool);
    for (Epoch& epoch : report.epochs)
        for (PoolTraffic& traffic : epoch.traffic)
            renumber(traffic.pool);
}

void fillEpoch(Epoch& epoch, const Epoch& other) {
    fill(epoch.kind, other.kind);
    fill(epoch.operators, other.operators);
    fill(epoch.units, other.units);
    fill(epoch.traffic, other.traffic);
    fill(epoch.computeCycles, other.computeCycles);
    fill(epoch.vendorCycles, other.vendorCycles);
    fill(epoch.operations, other.operations);
    fill(epoch.reads, other.reads);
    fill(epoch.writes, other.writes);
    fill(epoch.blob, other.blob);
    for (int port : {0, 1}) {
        fill(epoch.busRead[port], other.busRead[port]);
        fill(epoch.busWrite[port], other.busWrite[port]);
    }
}

void takePower(Epoch& epoch, const Epoch& other) {
    epoch.atonPower = other.atonPower;
    epoch.memoryPower = other.memoryPower;
    epoch.atonEnergy = other.atonEnergy;
    epoch.memoryEnergy = other.memoryEnergy;
}

/// A report text lists no pseudo epoch at the end that it knows of; one more or less is the same run.
void joinEpochs(Report& base, Report& other, bool otherIsCsv) {
    if (base.epochs.empty()) {
        base.epochs = std::move(other.epochs);
        return;
    }
    for (std::size_t i = 0; i < base.epochs.size() && i < other.epochs.size(); ++i) {
        fillEpoch(base.epochs[i], other.epochs[i]);
        if (otherIsCsv)
            takePower(base.epochs[i], other.epochs[i]);
    }
}

void joinProvenance(Provenance& base, const Provenance& other) {
    fill(base.tool, other.tool);
    fill(base.version, other.version);
    fill(base.generation, other.generation);
    fill(base.inputs, other.inputs);
    fill(base.hashes, other.hashes);
    fill(base.options, other.options);
    if (base.network == Provenance().network)
        base.network = other.network;
    fill(base.board, other.board);
    base.sources.insert(base.sources.end(), other.sources.begin(), other.sources.end());
}

void sortPools(Report& report) {
    std::vector<int> order(report.pools.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const Pool &x = report.pools[std::size_t(a)], &y = report.pools[std::size_t(b)];
        return std::pair(x.isVirtual, x.address) < std::pair(y.isVirtual, y.address);
    });
    std::vector<int> indices(order.size());
    std::vector<Pool> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
        indices[std::size_t(order[i])] = int(i);
        sorted.push_back(std::move(report.pools[std::size_t(order[i])]));
    }
    for (Pool& pool : sorted)
        for (int& member : pool.members)
            member = indices[std::size_t(member)];
    report.pools = std::move(sorted);
    renumberPools(report, indices);
}

void finishEpochs(Report& report) {
    for (Epoch& epoch : report.epochs)
        if (epoch.kind.empty())
            epoch.kind = epoch.vendorCycles != 0 || epoch.computeCycles != 0 || !epoch.traffic.empty() ? "HW" : "none";
    int last = -1;
    for (const Buffer& buffer : report.buffers)
        last = std::max(last, buffer.live.last);
    if (report.epochs.empty() || last != int(report.epochs.size()))
        return;
    Epoch epoch;
    epoch.ordinal = last;
    epoch.name = "epoch_" + std::to_string(last);
    epoch.kind = "none";
    report.epochs.push_back(epoch);
}

/// A graph knows offsets only; the pool's address may have come from another file.
void finishAddresses(Report& report) {
    for (Buffer& buffer : report.buffers)
        if (buffer.placed())
            buffer.address = report.pools[std::size_t(buffer.pool)].address + buffer.offset;
}

/// Without buffers the sizes stay those of the files.
void finishTotals(Report& report) {
    const std::vector<Pool> pools = report.pools;
    deriveTotals(report);
    deriveCycles(report);
    if (!report.buffers.empty())
        return;
    report.pools = pools;
    report.totals.weights = report.totals.activations = report.totals.externalActivations = ByteCount();
    for (const Pool& pool : pools) {
        if (pool.isVirtual)
            continue;
        report.totals.weights += pool.weights;
        if (!pool.userAllocated)
            report.totals.activations += pool.activations;
        if (!pool.userAllocated && pool.external)
            report.totals.externalActivations += pool.activations;
    }
}

} // namespace

void join(Report& base, const Report& other) {
    Report addition = other;
    renumberPools(addition, joinPools(base, other));
    const auto& sources = other.provenance.sources;
    joinEpochs(base, addition, std::find(sources.begin(), sources.end(), "csv") != sources.end());
    if (base.buffers.empty())
        base.buffers = std::move(addition.buffers);
    if (base.nominalMegahertz == Report().nominalMegahertz)
        base.nominalMegahertz = other.nominalMegahertz;
    joinProvenance(base.provenance, other.provenance);
    base.diagnostics.insert(base.diagnostics.end(), other.diagnostics.begin(), other.diagnostics.end());
}

void finish(Report& report) {
    sortPools(report);
    finishAddresses(report);
    finishEpochs(report);
    deriveAliases(report);
    if (report.edges.empty())
        deriveEdges(report);
    finishTotals(report);
}

} // namespace poolwright::artefacts
