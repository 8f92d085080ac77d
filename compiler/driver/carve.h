// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compile.h"
#include "driver/memory_map.h"
#include "report/carve.h"

/// Advice on carving memory. Every step is planned as a compile plans it, so a compile with the proposed file comes to
/// the stated figures.
namespace poolwright::driver {

struct CarveOptions {
    std::vector<KeepFree> keepFree;
    bool freeBeyondPools = false; ///< take bytes of the banks that no pool has; else only what the file's pools cover
    bool mayJoinPools = true;     ///< --enable-virtual-mem-pools may be proposed, or proposed to be left out
    double timeTolerance = 0.01;  ///< what the proposal for RAM may be slower than the fastest
    int mostSteps = 24;           ///< of the proposal for time
};

/// Two proposals: least time (then external bytes), and least RAM within the tolerance of that time. Both are never
/// worse than the given file once that is out of the regions to be kept free. Deterministic. PW603x for a region that
/// cannot be kept free; PW6005 when cancelled.
Result<report::CarveReport> carve(const PreparedPtr& prepared, const mpool::PoolFile& file, const CarveOptions& options,
                                  const Progress& progress = {}, const CancelFlag& cancel = {});

} // namespace poolwright::driver
