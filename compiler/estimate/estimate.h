// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"
#include "target/machine.h"

#include <string>
#include <vector>

namespace poolwright::estimate {

/// What one epoch moves in one concrete pool. Cycles are by the vendor's formula: words x freqRatio / byteWidth
/// (cost-model.md 1.3).
struct PoolTraffic {
    int pool =
        0; ///< index into Program::pools, always a concrete one (virtual pools are charged to the member really used)
    std::int64_t readBytes = 0, writeBytes = 0;
    double readCycles = 0, writeCycles = 0;
};

struct EpochEstimate {
    Cycles computeCycles = 0;    ///< max unit latency (1.2)
    Cycles vendorCycles = 0;     ///< "max (cycles)" of the csv
    double calibratedCycles = 0; ///< NPU cycles incl. programming, cost-model.md 3.1
    double calibratedCore = 0, calibratedPre = 0, calibratedPost = 0; ///< pre and post in CPU cycles
    std::int64_t operations = 0;                                      ///< "epoch OPS" (1.4)
    std::vector<PoolTraffic> traffic;
    std::int64_t busRead[2] = {0, 0}, busWrite[2] = {0, 0};
    double atonPowerMilliwatts = 0, memoryPowerMilliwatts = 0;
    double atonEnergy = 0, memoryEnergy = 0; ///< mW x cycles
    std::string boundBy; ///< "features", "weights", "output", "accumulator", "arith", "npuRAM3", "CPU", "programming"
    struct UnitLatency {
        int unit = 0; ///< index into HardwareWork::units
        Cycles cycles = 0;
    };
    std::vector<UnitLatency> units;
};

struct NetworkEstimate {
    std::vector<EpochEstimate> epochs; ///< one for each of Program::epochs
    Cycles computeCycles = 0, vendorCycles = 0;
    double calibratedCycles = 0;
    double vendorMilliseconds = 0;     ///< at the nominal frequency
    double calibratedMilliseconds = 0; ///< at the board's clocks
    std::int64_t operations = 0;
};

/// Compute cycles only: does not look at placements.
Cycles computeCycles(const program::Program& program, EpochId epoch);

/// Both estimates of a placed program. Unplaced buffers are charged nothing.
NetworkEstimate estimate(const program::Program& program, const target::Board& board);

} // namespace poolwright::estimate
