// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimate/latency.h"
#include "estimate/traffic.h"

namespace poolwright::estimate {

/// Fills the calibrated figures and boundBy of an epoch (facts/cost-model.md section 3.1). Activations in external RAM
/// are priced by the bandwidth of that RAM alone; section 2 shows that the board is far slower there, by no known rule.
void calibrateHardware(EpochEstimate& estimate, const program::Program& program, const program::HardwareWork& work,
                       const std::vector<UnitWork>& units, const std::vector<TransferPart>& parts,
                       const target::Board& board);
void calibrateSoftware(EpochEstimate& estimate, const program::Epoch& epoch, const target::Board& board);

} // namespace poolwright::estimate
