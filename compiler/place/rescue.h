// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/layout.h"
#include "place/pack_search.h"

namespace poolwright::place {

/// When greedy orders and ejections leave items without a place: packs them in by complete search. First into the
/// pools as they are filled, moving what is alive at the same time and sending one item elsewhere where that helps;
/// then, of small problems, every assignment of items to pools is tried. Answers true when the layout changed.
bool rescue(Layout& layout, const Options& options, Deadline deadline);

} // namespace poolwright::place
