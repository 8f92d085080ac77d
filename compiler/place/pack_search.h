// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/problem.h"
#include "place/sections.h"

#include <chrono>
#include <optional>
#include <vector>

namespace poolwright::place {

enum class SearchOutcome { Found, Impossible, GaveUp };

using Deadline = std::optional<std::chrono::steady_clock::time_point>;
/// What options.budgetMilliseconds comes to from now; none without a budget.
Deadline deadlineOf(const Options& options);

/// How long a search may take: a number of nodes, which gives the same answer on any machine, and on top of it a
/// deadline.
struct SearchLimit {
    std::int64_t nodes = 20000000;
    std::int64_t nodesOfFirstTry = 2000; ///< before a restart in another order; every round of orders has twice as many
    Deadline deadline;
    CancelFlag cancel;
};

/// Complete search for an address of each item in its window, for tight instances where every greedy order fails.
/// Every packing can be pushed down until each item lies on another one, on the lower end of its window, or on an item
/// that cannot move. So an item that is the lowest one at every moment of its life either lies at the lowest address
/// that is left to it, or on something still to come: these are the two branches. Cut off are branches in which some
/// moment cannot hold what is still to come, and states that were searched in vain before, whatever the order (from the
/// ideas of the MiniMalloc paper, Moffitt 2023, which goes strictly by address). Restarts with other orders, and with
/// the moments first that ended most branches. `offsets` by item when Found. The nodes used are taken off the limit.
SearchOutcome searchPacking(const std::vector<PackItem>& items, SearchLimit& limit, std::vector<std::int64_t>& offsets);

} // namespace poolwright::place
