// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/instance.h"

#include <vector>

namespace poolwright::place {

enum class SearchOutcome { Found, Impossible, GaveUp };

/// Complete search for a packing below `capacity`, for tight instances where every greedy order fails. Items are placed
/// in ascending order of address, each as low as the ones below it allow; every packing can be brought into that form,
/// so that nothing is missed. Cut off are branches in which some moment cannot hold what is still to come, and those in
/// which an item left out would fit below the one placed. What time separates is solved separately (the ideas of the
/// MiniMalloc paper, Moffitt 2023). Items with fixed addresses are not supported: GaveUp. `offsets` by item when Found.
SearchOutcome searchPacking(const Instance& instance, std::int64_t capacity, const Options& options,
                            std::vector<std::int64_t>& offsets);

} // namespace poolwright::place
