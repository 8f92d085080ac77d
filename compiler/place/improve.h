// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/layout.h"
#include "place/pack_search.h"

namespace poolwright::place {

/// Local improvement: moves one item to a better place, ejects what lies there and finds new places for the ejected.
/// Keeps a move only when the score improves. Every move tried takes one of `steps`. Answers false when these, the
/// deadline or a cancel ended it before no move was left.
bool improve(Layout& layout, int& steps, const CancelFlag& cancel, Deadline deadline);

} // namespace poolwright::place
