// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimate/formulas.h"
#include "program/program.h"

#include <vector>

namespace poolwright::estimate {

/// What one unit of an epoch does, counted from its settings and from what its input engines send.
struct UnitWork {
    Cycles latency = 0; ///< 0 for stream engines (facts/cost-model.md section 1.2)
    std::int64_t outputWords = 0;
    std::int64_t outputFrames = 0;
    std::int64_t macs = 0; ///< with inflated depthwise weights, as programmed
    ConvPorts ports;       ///< CONV_ACC only
};

/// One entry for each of `work.units`. Units in a circle of links (there should be none) count as doing nothing.
std::vector<UnitWork> unitWork(const program::HardwareWork& work);

/// CPU work that the vendor's model books for a software epoch, in NPU cycles (sections 1.2 and, for other operators,
/// neural-art-target.md section 4.10).
Cycles softwareCycles(const program::SoftwareWork& work);

/// 2 x MAC + 1 for each output element of an ARITH (section 1.4).
std::int64_t operations(const program::HardwareWork& work, const std::vector<UnitWork>& units);

} // namespace poolwright::estimate
