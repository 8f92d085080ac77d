// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "report/report.h"

#include <optional>

/// Conditions a build server sets on a report (`--assert-pool`, `--assert-sw-epochs`, `--assert-fits`).
namespace poolwright::report {

struct PoolLimit {
    std::string pool;
    ByteCount most; ///< bytes of activations; constants in the pool do not count
    bool operator==(const PoolLimit&) const = default;
};

struct Gates {
    std::vector<PoolLimit> pools;
    std::optional<int> softwareEpochs; ///< at most that many epochs that are not pure hardware
    bool fits = false;
};

/// "hyperRAM=0", "npuRAM6=0x60000", "cpuRAM2=512K" (K and M are 1024 and 1024²). Error: PW5030.
Result<PoolLimit> parsePoolLimit(const std::string& text);

/// One error for each gate that is broken: PW5031 pool limit, PW5032 no such pool, PW5033 software epochs, PW5034 does
/// not fit, PW5035 the artefacts hold nothing to judge by.
Diagnostics brokenGates(const Report& report, const Gates& gates);

} // namespace poolwright::report
