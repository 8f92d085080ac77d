// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/layout.h"

namespace poolwright::place {

/// Cycles that no placement can be below: epoch by epoch, each alone, the traffic spread over the pools as if buffers
/// could be cut, the fastest pools taken first and no pool holding more than its capacity. `start` says whether all
/// constants found a place in the pools that prefer them; then they are bound to these.
double lowerBound(const Instance& instance, const Layout& start);

} // namespace poolwright::place
