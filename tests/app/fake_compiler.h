// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jobs/compiler_port.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace poolwright::test {

/// A chain of `epochs` steps, each reading the buffer of the step before and writing its own, with one buffer that
/// skips ahead.
inline report::Report chainReport(int epochs, std::int64_t bytesEach) {
    report::Report report;
    for (int e = 0; e <= epochs + 1; ++e) {
        report::Epoch epoch;
        epoch.ordinal = e;
        epoch.name = "epoch_" + std::to_string(e);
        epoch.kind = e == 0 || e == epochs + 1 ? "none" : e % 7 == 0 ? "SW" : "HW";
        if (epoch.runs())
            epoch.operators.push_back({"Conv_" + std::to_string(e), "Conv", {"/model/conv" + std::to_string(e)}, 1000});
        if (epoch.kind == "SW")
            epoch.reason = "the operator has no hardware mapping";
        epoch.computeCycles = 1000 * (1 + e % 5);
        epoch.vendorCycles = epoch.computeCycles + 500 * (e % 3);
        epoch.calibratedMs = double(epoch.vendorCycles) / 1e6;
        report.epochs.push_back(epoch);
    }
    for (int e = 1; e <= epochs; ++e) {
        report::Buffer buffer;
        buffer.name = "act_" + std::to_string(e);
        buffer.kind = e == 1 ? "input" : e == epochs ? "output" : "activation";
        buffer.size = ByteCount(bytesEach);
        buffer.live = {e, std::min(epochs, e % 10 == 3 ? e + 6 : e + 1)};
        report.buffers.push_back(buffer);
        report.edges.push_back({e, buffer.live.last, e - 1});
    }
    report::Buffer weights;
    weights.name = "weights";
    weights.kind = "constant";
    weights.size = ByteCount(200000);
    weights.live = {0, epochs + 1};
    report.buffers.push_back(weights);
    return report;
}

inline report::Pool asReportPool(const mpool::Pool& pool) {
    report::Pool result;
    result.name = pool.name;
    result.fname = pool.fname;
    result.address = pool.range().start;
    result.size = pool.range().size;
    result.external = result.address.value >= 0x60000000;
    result.readOnly = pool.properties.rights == mpool::Rights::ReadOnly;
    result.throughput = pool.properties.throughput == mpool::Level::High ? "HIGH" : "MID";
    result.latency = "MID";
    return result;
}

/// First fit in file order, each epoch's live buffers apart from each other.
inline void placeChain(report::Report& report, const mpool::PoolFile& file) {
    for (const auto& pool : file.pools)
        if (pool.isEnabled())
            report.pools.push_back(asReportPool(pool));
    const auto tryPool = [&](report::Buffer& buffer, int p) {
        std::int64_t offset = 0;
        for (bool moved = true; moved;) {
            moved = false;
            for (const auto& other : report.buffers)
                if (&other != &buffer && other.pool == p && other.live.overlaps(buffer.live) &&
                    AddressRange{Address(std::uint64_t(offset)), buffer.size}.overlaps(
                        {Address(std::uint64_t(other.offset.value)), other.size})) {
                    offset = other.offset.value + other.size.value;
                    moved = true;
                }
        }
        const auto& pool = report.pools[std::size_t(p)];
        if (offset + buffer.size.value > pool.size.value || pool.readOnly != buffer.isWeights())
            return false;
        buffer.pool = p;
        buffer.offset = ByteCount(offset);
        buffer.address = pool.address + buffer.offset;
        return true;
    };
    for (int i = 0; i < int(report.buffers.size()); ++i) {
        auto& buffer = report.buffers[std::size_t(i)];
        bool placed = false;
        for (int p = 0; p < int(report.pools.size()) && !placed; ++p)
            placed = tryPool(buffer, p);
        if (!placed)
            report.unplaced.push_back(
                {i, buffer.name, "no room", buffer.kind, buffer.size, buffer.size, buffer.live.first});
    }
    report.fits = report.unplaced.empty();
}

inline report::ReportPtr plannedChain(const mpool::PoolFile& pools, int epochs = 40, std::int64_t bytesEach = 60000) {
    auto report = chainReport(epochs, bytesEach);
    placeChain(report, pools);
    report::deriveTotals(report);
    for (const auto& epoch : report.epochs)
        report.totals.calibratedMs += epoch.calibratedMs;
    return std::make_shared<const report::Report>(std::move(report));
}

/// Plans chains; can be told to be slow, to fail, and counts what it was asked.
class FakeCompiler : public app::CompilerPort {
public:
    Result<app::PreparedHandle> prepare(const app::CompileInput& input, const Progress& progress,
                                        const CancelFlag& cancel) override {
        ++prepares;
        if (progress)
            progress("import", 0.5);
        for (int waited = 0; waited < prepareMilliseconds && !cancel.isCancelled(); ++waited)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (cancel.isCancelled()) {
            ++sawCancel;
            return fail(makeError("PW6001", "cancelled"));
        }
        if (input.model.find("broken") != std::string::npos)
            return fail(makeError("PW2001", "the model is damaged", {input.model, 0, 0, "node_7"}, "export it again"));
        return app::PreparedHandle(std::make_shared<const std::string>(input.model));
    }

    Result<report::ReportPtr> plan(const app::PreparedHandle&, const mpool::PoolFile& pools, app::Effort effort,
                                   const CancelFlag&) override {
        ++(effort == app::Effort::Quick ? quickPlans : fullPlans);
        std::this_thread::sleep_for(std::chrono::milliseconds(planMilliseconds));
        return plannedChain(pools);
    }

    Result<std::vector<std::string>> write(const app::PreparedHandle&, const mpool::PoolFile&,
                                           const std::string&) override {
        return std::vector<std::string>{"network.c"};
    }

    Result<report::ReportPtr> openArtefacts(const std::string& path) override {
        return fail(makeError("PW5010", "not JSON", {path, 1, 1, {}}));
    }

    std::atomic<int> prepares = 0, quickPlans = 0, fullPlans = 0, sawCancel = 0;
    std::atomic<int> prepareMilliseconds = 0, planMilliseconds = 0;
};

/// A pool file in the input dialect with three internal pools (the first two touch, a hole follows) and flash.
inline const char* poolText() {
    return R"({
    "memory": {
        "cacheinfo": [],
        "mem_file_prefix": "atonbuf",
        "mempools": [
            { "fname": "AXISRAM3", "name": "npuRAM3", "fformat": "FORMAT_RAW",
              "prop": { "rights": "ACC_WRITE", "throughput": "HIGH", "latency": "LOW", "byteWidth": 8, "freqRatio": 1.25 },
              "offset": { "value": "0x34200000", "magnitude": "BYTES" },
              "size": { "value": "448", "magnitude": "KBYTES" } },
            { "fname": "AXISRAM4", "name": "npuRAM4", "fformat": "FORMAT_RAW",
              "prop": { "rights": "ACC_WRITE", "throughput": "HIGH", "latency": "LOW", "byteWidth": 8, "freqRatio": 1.25 },
              "offset": { "value": "0x34270000", "magnitude": "BYTES" },
              "size": { "value": "448", "magnitude": "KBYTES" } },
            { "fname": "AXISRAM6", "name": "npuRAM6", "fformat": "FORMAT_RAW",
              "prop": { "rights": "ACC_WRITE", "throughput": "HIGH", "latency": "LOW", "byteWidth": 8, "freqRatio": 1.25 },
              "offset": { "value": "0x34350000", "magnitude": "BYTES" },
              "size": { "value": "448", "magnitude": "KBYTES" } },
            { "fname": "xSPI2", "name": "octoFlash", "fformat": "FORMAT_RAW",
              "prop": { "rights": "ACC_READ", "throughput": "MID", "latency": "HIGH", "byteWidth": 1, "freqRatio": 6.00, "constants_preferred": "true" },
              "offset": { "value": "0x71000000", "magnitude": "BYTES" },
              "size": { "value": "16", "magnitude": "MBYTES" } }
        ]
    }
}
)";
}

} // namespace poolwright::test
