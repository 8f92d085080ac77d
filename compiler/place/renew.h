// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/layout.h"
#include "place/pack_search.h"

namespace poolwright::place {

/// Improvement beyond single moves: takes out some items that live at the same time and puts them back in another
/// order, over and over. A slightly worse layout is kept for a while, the best one seen is the answer. The sequence is
/// fixed: equal input gives equal output. Answers false when a cancel or the deadline ended it early.
bool renew(Layout& layout, int rounds, const CancelFlag& cancel, Deadline deadline);

} // namespace poolwright::place
