// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/layout.h"

namespace poolwright::place {

/// What does not depend on the order: items with a fixed address, then constants into the pools that prefer them.
Layout startLayout(const Instance& instance);

/// The best of several greedy orders (size, lifetime, use density, area, birth), each with first and best fit.
Layout constructBest(const Layout& start, const CancelFlag& cancel);

} // namespace poolwright::place
