// SPDX-License-Identifier: Apache-2.0
#include "estimate/formulas.h"

#include <algorithm>

namespace poolwright::estimate {

Cycles convLatency(const ConvPorts& ports) {
    return std::max({ports.features, ports.weights, ports.output, ports.accumulator});
}

const char* limitingPort(const ConvPorts& ports) {
    const Cycles latency = convLatency(ports);
    if (latency == ports.features)
        return "features";
    if (latency == ports.weights)
        return "weights";
    return latency == ports.output ? "output" : "accumulator";
}

double streamCycles(std::int64_t bytes, int wordBytes, std::int64_t contiguousBytes, double freqRatio, int byteWidth) {
    const std::int64_t words = bytes / std::max(wordBytes, 1);
    const double together = double(std::clamp<std::int64_t>(contiguousBytes, 1, byteWidth));
    return double(words) * freqRatio / together;
}

double maxCycles(double computeCycles, std::span<const PoolColumns> pools) {
    double cycles = computeCycles;
    for (const PoolColumns& pool : pools) {
        const double bytes = double(pool.readBytes) + double(pool.writeBytes);
        cycles = std::max({cycles, bytes * pool.freqRatio / pool.byteWidth, pool.readCycles, pool.writeCycles});
    }
    return cycles;
}

double memoryEnergy(std::span<const PoolColumns> pools) {
    double energy = 0;
    for (const PoolColumns& pool : pools)
        energy +=
            2 * (double(pool.readBytes) * pool.readPower + double(pool.writeBytes) * pool.writePower) / pool.byteWidth;
    return energy;
}

double streamEnergy(double streamPower, std::span<const PoolColumns> pools) {
    double cycles = 0;
    for (const PoolColumns& pool : pools)
        cycles += pool.readCycles + pool.writeCycles;
    return 2 * streamPower * cycles;
}

double averagePower(double energy, double computeCycles) {
    return computeCycles > 0 ? energy / computeCycles : 0;
}

double convActivity(double macsPerCycle, bool isPointwise, bool isDeep, bool is16Bit) {
    if (is16Bit)
        return (isPointwise ? 20 + 3 * macsPerCycle : 66 + 1.89 * macsPerCycle) / 100;
    if (!isPointwise)
        return (64 + 0.5 * macsPerCycle) / 100;
    return (20 + (isDeep ? 0.75 : 1.3) * macsPerCycle) / 100;
}

double calibratedCore(const CoreParts& parts, const target::Board& board) {
    if (parts.bytewiseBytes > 0)
        return parts.bytewiseBytes * board.dmaCyclesPerByte;
    const double overhead = board.overheadCycles +
                            (parts.external > board.flashOverheadShare * parts.compute ? board.flashOverheadCycles : 0);
    if (parts.cachedAddsToCompute && parts.cached > 0)
        return parts.compute + parts.cached + overhead;
    return std::max({parts.compute, parts.onChip, parts.external + board.cachedShare * parts.cached, parts.cached}) +
           overhead;
}

double calibratedPre(int channelsWithVectors, const target::Board& board) {
    return board.preCpuCycles + board.preCpuCyclesPerChannel * channelsWithVectors;
}

} // namespace poolwright::estimate
