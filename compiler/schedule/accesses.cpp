// SPDX-License-Identifier: Apache-2.0
#include "schedule/schedule.h"

#include <algorithm>

namespace poolwright::schedule {

std::vector<Access> accessesOf(const program::Epoch& epoch) {
    std::vector<Access> accesses;
    program::forEachUse(epoch, [&](BufferId buffer, bool write) {
        const bool known = std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
            return access.buffer == buffer && access.write == write;
        });
        if (!known)
            accesses.push_back({buffer, write});
    });
    return accesses;
}

} // namespace poolwright::schedule
