// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/layout.h"

namespace poolwright::place {

/// Cycles that no placement of all items can be below when memory cycles add up (Objective::MemoryCycles): every item
/// chooses a pool, no pool holds more than its capacity at any moment, addresses do not count and items may be cut.
/// Lagrange relaxation of that linear programme: each moment of each pool has a rent for a byte, which rises where too
/// much wants to be and falls where room is left. `known` is the cost of a placement: the closer, the faster it comes
/// up.
double relaxedBound(const Instance& instance, double known, int iterations);

} // namespace poolwright::place
