// SPDX-License-Identifier: Apache-2.0
#include "estimate/calibrated.h"

#include <algorithm>
#include <map>

namespace poolwright::estimate {

namespace {

using namespace program;

/// A resource's time in NPU cycles and what to call it.
struct Share {
    double cycles = 0;
    std::string name;

    void raise(double value, const std::string& by) {
        if (value > cycles) {
            cycles = value;
            name = by;
        }
    }
};

const char* unitName(const Unit& unit, const UnitWork& work) {
    switch (unit.kind) {
    case target::UnitKind::ConvAcc:
        return limitingPort(work.ports);
    case target::UnitKind::Arith:
        return "arith";
    case target::UnitKind::Activ:
        return "activation";
    case target::UnitKind::Pool:
        return "pooling";
    default:
        return "stream";
    }
}

/// A copy has no unit that computes; its engines still move one word a cycle.
Share computeShare(const HardwareWork& work, const std::vector<UnitWork>& units) {
    Share share;
    for (std::size_t i = 0; i < units.size(); ++i)
        share.raise(double(units[i].latency), unitName(work.units[i], units[i]));
    if (share.cycles == 0)
        for (const UnitWork& unit : units)
            share.raise(double(unit.outputWords), "stream");
    return share;
}

double poolMegahertz(const mpool::EffectivePool& pool, const target::Board& board) {
    // The pools next to the NPU are declared with ratio 1.25, those behind the NoC with 2.5.
    return pool.properties.freqRatio < 2 ? board.nicMegahertz : board.nocMegahertz;
}

double externalCyclesPerByte(const mpool::EffectivePool& pool, const target::Board& board) {
    const bool isRam = pool.properties.rights == mpool::Rights::ReadWrite && board.externalRamBytesPerSecond > 0;
    const double rate = isRam ? board.externalRamBytesPerSecond : board.flashBytesPerSecond;
    return rate > 0 ? board.npuMegahertz * 1e6 / rate : 0;
}

struct MemoryShares {
    Share onChip, external, cached;
};

MemoryShares memoryShares(const Program& program, const std::vector<TransferPart>& parts, const target::Board& board) {
    std::map<int, double> cycles;
    MemoryShares shares;
    for (const TransferPart& part : parts) {
        const mpool::EffectivePool& pool = program.pools[std::size_t(part.pool)];
        if (part.cachedWords > 0)
            shares.cached.raise(double(part.cachedWords) * board.npuMegahertz / board.nocMegahertz, "NPU cache");
        const std::int64_t together =
            std::clamp<std::int64_t>(part.transfer.contiguousBytes, 1, pool.properties.byteWidth);
        cycles[part.pool] += double(part.transfer.bytes) *
                             (pool.external ? externalCyclesPerByte(pool, board)
                                            : board.npuMegahertz / poolMegahertz(pool, board) / double(together));
    }
    for (const auto& [index, value] : cycles) {
        const mpool::EffectivePool& pool = program.pools[std::size_t(index)];
        (pool.external ? shares.external : shares.onChip).raise(value, pool.name);
    }
    return shares;
}

/// Largest of the bytes read and written when an epoch only copies and one side moves single bytes; else 0.
double bytewiseCopy(const HardwareWork& work, const std::vector<TransferPart>& parts) {
    const bool onlyEngines =
        std::ranges::all_of(work.units, [](const Unit& unit) { return unit.kind == target::UnitKind::StreamEngine; });
    const bool bytewise =
        std::ranges::any_of(parts, [](const TransferPart& part) { return part.transfer.contiguousBytes == 1; });
    if (!onlyEngines || !bytewise)
        return 0;
    double read = 0, written = 0;
    for (const TransferPart& part : parts)
        (part.transfer.write ? written : read) += double(part.transfer.bytes);
    return std::max(read, written);
}

/// Each kernel group reads its own channels only, and strides: nothing overlaps the re-reads of its scales then.
bool isStridedDepthwise(const HardwareWork& work) {
    const auto reads = [&](const Link& link, const StreamEngineConfig*& engine) {
        engine = std::get_if<StreamEngineConfig>(&work.units[std::size_t(link.from)].config);
        return engine && engine->direction == Direction::FromMemory;
    };
    for (const Link& link : work.links) {
        const auto* conv = std::get_if<ConvConfig>(&work.units[std::size_t(link.to)].config);
        const StreamEngineConfig* engine = nullptr;
        if (!conv || link.port != 0 || !reads(link, engine) || conv->hstride < 2 || conv->accumulate)
            continue;
        const ByteSpan span = spanOf(*engine);
        const bool once = wordsPerFrame(*engine) * bytesPerWord(*engine) * engine->frameTotal <= span.end - span.first;
        if (engine->frameTotal > 1 && once)
            return true;
    }
    return false;
}

int channelsWithVectors(const HardwareWork& work) {
    int channels = 0;
    for (const Unit& unit : work.units)
        if (const auto* arith = std::get_if<ArithConfig>(&unit.config); arith && !arith->scalar)
            channels = std::max(channels, arith->vecCount);
    return channels;
}

void addUp(EpochEstimate& estimate, const target::Board& board) {
    const double cpuToNpu = board.npuMegahertz / board.cpuMegahertz;
    estimate.calibratedCycles = estimate.calibratedCore + (estimate.calibratedPre + estimate.calibratedPost) * cpuToNpu;
    if ((estimate.calibratedPre + estimate.calibratedPost) * cpuToNpu > estimate.calibratedCore)
        estimate.boundBy = "programming";
}

std::int64_t elementsOf(const std::vector<TensorView>& views) {
    return views.empty() ? 0 : ir::elementCount(views.front().shape);
}

double cpuCycles(const SoftwareWork& work, std::int64_t macs, const target::Board& board) {
    const double elements = double(std::max(elementsOf(work.inputs), elementsOf(work.outputs)));
    switch (work.kind) {
    case ir::OpKind::Quantize:
    case ir::OpKind::Dequantize:
        return board.quantizeCpuCyclesPerElement * elements;
    case ir::OpKind::GlobalAveragePool:
    case ir::OpKind::AveragePool:
    case ir::OpKind::MaxPool:
    case ir::OpKind::ReduceMean:
        return board.poolCpuCyclesPerElement * elements;
    default:
        return std::max(board.otherCpuCyclesPerElement * elements, board.cpuCyclesPerMac * double(macs));
    }
}

} // namespace

void calibrateHardware(EpochEstimate& estimate, const Program& program, const HardwareWork& work,
                       const std::vector<UnitWork>& units, const std::vector<TransferPart>& parts,
                       const target::Board& board) {
    const Share compute = computeShare(work, units);
    const MemoryShares memory = memoryShares(program, parts, board);
    CoreParts core;
    core.compute = compute.cycles;
    core.onChip = memory.onChip.cycles;
    core.external = memory.external.cycles;
    core.cached = memory.cached.cycles;
    core.cachedAddsToCompute = core.cached > 0 && isStridedDepthwise(work);
    core.bytewiseBytes = bytewiseCopy(work, parts);
    estimate.calibratedCore = calibratedCore(core, board);
    estimate.calibratedPre = calibratedPre(channelsWithVectors(work), board);
    estimate.calibratedPost = board.postCpuCycles;
    Share longest = compute;
    longest.raise(core.onChip, memory.onChip.name);
    longest.raise(core.cached, memory.cached.name);
    longest.raise(core.external + (core.external > 0 ? board.cachedShare * core.cached : 0), memory.external.name);
    estimate.boundBy = longest.name;
    addUp(estimate, board);
}

void calibrateSoftware(EpochEstimate& estimate, const Epoch& epoch, const target::Board& board) {
    std::int64_t macs = 0;
    for (const OperatorRef& operation : epoch.operators)
        macs += operation.macs;
    estimate.calibratedCore = cpuCycles(*epoch.software(), macs, board) * board.npuMegahertz / board.cpuMegahertz;
    addUp(estimate, board);
    estimate.boundBy = "CPU";
}

} // namespace poolwright::estimate
