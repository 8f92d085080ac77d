// SPDX-License-Identifier: Apache-2.0
#include "mpool/pool.h"

namespace poolwright::mpool {

std::optional<PoolId> PoolFile::find(const std::string& poolName) const {
    for (std::size_t i = 0; i < pools.size(); ++i)
        if (pools[i].name == poolName)
            return PoolId(i);
    return std::nullopt;
}

} // namespace poolwright::mpool
