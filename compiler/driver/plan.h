// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compile.h"

namespace poolwright::driver {

/// Pools as the placement room wants them; cycles per byte are freqRatio / byteWidth.
std::vector<place::PoolSpec> poolSpecs(const std::vector<mpool::EffectivePool>& pools);

/// The pools that a compile with these options may use.
std::vector<place::PoolSpec> poolsFor(const Prepared& prepared, const mpool::PoolFile& file);

/// Everything about the question that does not depend on the pool file.
PlacementQuestion placementQuestion(const program::Program& program);

} // namespace poolwright::driver
