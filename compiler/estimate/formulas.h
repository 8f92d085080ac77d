// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.h"
#include "target/machine.h"

#include <cstdint>
#include <span>

/// The formulas of facts/cost-model.md on plain numbers, so that they can be held against the vendor's files and board
/// measurements without a program.
namespace poolwright::estimate {

// ---- the vendor's estimate
// -----------------------------------------------------------------------------------------------------------

/// Ports of a CONV_ACC in stream words, one a cycle each (section 1.2).
struct ConvPorts {
    std::int64_t features = 0, weights = 0, output = 0, accumulator = 0;
};
Cycles convLatency(const ConvPorts& ports);
/// Name of the port that limits: "features", "weights", "output" or "accumulator".
const char* limitingPort(const ConvPorts& ports);

/// Cycles that a stream occupies a pool: whole words x freqRatio / byteWidth, more when fewer bytes lie together than
/// the bus is wide (section 1.3).
double streamCycles(std::int64_t bytes, int wordBytes, std::int64_t contiguousBytes, double freqRatio, int byteWidth);

/// Columns of one pool and epoch.
struct PoolColumns {
    std::int64_t readBytes = 0, writeBytes = 0;
    double readCycles = 0, writeCycles = 0;
    double freqRatio = 1;
    int byteWidth = 8;
    double readPower = 0, writePower = 0; ///< mW
};
/// "max (cycles)" of an epoch (section 1.3), not rounded.
double maxCycles(double computeCycles, std::span<const PoolColumns> pools);
/// mW x cycles: each bus access counts twice (section 1.4).
double memoryEnergy(std::span<const PoolColumns> pools);
/// mW x cycles of the stream engines: all read and write cycle columns, twice.
double streamEnergy(double streamPower, std::span<const PoolColumns> pools);
/// Power while computing: 0 when nothing computes.
double averagePower(double energy, double computeCycles);

/// Share of a CONV_ACC's power that is used; fitted by eye in section 1.4, good to about 3 points.
double convActivity(double macsPerCycle, bool isPointwise, bool isDeep, bool is16Bit);

// ---- the calibrated estimate (section 3.1)
// -------------------------------------------------------------------------------------------

/// All in NPU cycles at the board's clock.
struct CoreParts {
    double compute = 0;               ///< C
    double onChip = 0;                ///< Mon
    double external = 0;              ///< F
    double cached = 0;                ///< S
    bool cachedAddsToCompute = false; ///< stride-2 depthwise layers
    double bytewiseBytes = 0;         ///< a copy that moves single bytes: bytes, and nothing else counts
};
double calibratedCore(const CoreParts& parts, const target::Board& board);
/// CPU cycles before a hardware epoch runs.
double calibratedPre(int channelsWithVectors, const target::Board& board);

} // namespace poolwright::estimate
