// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/read.h"

/// Checks of pools that were read. Pools of size 0 take part in none of them.
namespace poolwright::mpool {

/// Bytes that two enabled absolute pools share.
struct Overlap {
    PoolId first, second; ///< in file order
    AddressRange range;
    bool operator==(const Overlap&) const = default;
};

/// All overlapping pairs, by address of the shared range, at most `limit`.
std::vector<Overlap> overlaps(const PoolFile& file, std::size_t limit = 200);

/// Overlaps and doubled names (errors); doubled initialiser files, offsets that parameters cannot start on, ends beyond
/// 32 bits and what relative mode does not allow (warnings; neural-art-target.md section 8).
Diagnostics checkPools(const PoolFile& file);

/// Pools that run past the end of the bank they start in, and into which neighbour; pools that start in no bank.
Diagnostics checkBanks(const PoolFile& file, const std::vector<BankRange>& banks);

} // namespace poolwright::mpool
