// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/layout.h"

namespace poolwright::place {

/// Local improvement: moves one item to a better place, ejects what lies there and finds new places for the ejected.
/// Keeps a move only when the score improves. Answers false when the budget or a cancel ended it before no move was
/// left.
bool improve(Layout& layout, const Options& options);

} // namespace poolwright::place
