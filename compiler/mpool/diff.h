// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/pool.h"

/// What differs between two pool files, as statements.
namespace poolwright::mpool {

struct Difference {
    std::string pool;   ///< name; empty for the file as a whole
    std::string what;   ///< "size", "rights", "added", "removed", "order", "virtual pools", …
    std::string before; ///< empty for "added"
    std::string after;
    std::string sentence; ///< the same for a person

    bool operator==(const Difference&) const = default;
};

/// Pools are matched by name, in the order of `before`, then what is only in `after`. Spelling does not count: 1024
/// KBYTES equals 1 MBYTES.
std::vector<Difference> diffPools(const PoolFile& before, const PoolFile& after);

/// What an edit does to virtual pools (with --enable-virtual-mem-pools): groups that come, go or change, with size,
/// rating and ratio of each. What an editor shows before a hole is made or closed.
std::vector<Difference> diffVirtualPools(const PoolFile& before, const PoolFile& after, RuntimeGeneration generation);

/// `[{"pool", "what", "before", "after", "sentence"}, …]`.
std::string differencesAsJson(const std::vector<Difference>& differences);

} // namespace poolwright::mpool
