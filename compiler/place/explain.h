// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/layout.h"

namespace poolwright::place {

/// One reason for each buffer without a place, in buffer order.
std::vector<Unplaced> explain(const Problem& problem, const Layout& layout);

} // namespace poolwright::place
