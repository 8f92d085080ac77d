// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compile.h"

namespace poolwright::driver {

/// Pools as the placement room wants them; cycles per byte are freqRatio / byteWidth.
std::vector<place::PoolSpec> poolSpecs(const std::vector<mpool::EffectivePool>& pools);

/// The pools that a compile with these options may use.
std::vector<place::PoolSpec> poolsFor(const Prepared& prepared, const mpool::PoolFile& file);

/// False when live ranges alone rule out every plan in these pools: certain, and in no time.
bool liveRangesAllow(const Prepared& prepared, const mpool::PoolFile& file);

/// The same network compiled with or without virtual pools: epochs do not depend on them.
PreparedPtr withVirtualPools(const PreparedPtr& prepared, bool on);

/// plan() with full effort, and with --verify the check of the placed program.
Result<Outcome> planAndVerify(const PreparedPtr& prepared, const mpool::PoolFile& pools, const CancelFlag& cancel);

/// Everything about the question that does not depend on the pool file.
PlacementQuestion placementQuestion(const program::Program& program);

} // namespace poolwright::driver
