// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/pool.h"
#include "target/machine.h"

#include <optional>
#include <string>
#include <vector>

/// What a pool file could become on a device.
namespace poolwright::driver {

/// Bytes behind a pool that its bank has and no other pool takes; none for a relative one.
std::int64_t roomBehind(const mpool::PoolFile& file, PoolId pool, const target::Target& target,
                        const std::string& board);

/// The pool of the stock pool files in a bank, with its traits; it may be switched off there.
std::optional<mpool::Pool> stockPool(const target::Bank& bank);

/// External pools of the stock pool files for which the file has nothing in their bank and the board has the bank, in
/// full size.
std::vector<mpool::Pool> absentPools(const mpool::PoolFile& file, const target::Target& target,
                                     const std::string& board);

/// The file with more pools behind the last one; the text of the file is not kept in step.
mpool::PoolFile withPools(mpool::PoolFile file, const std::vector<mpool::Pool>& pools);

} // namespace poolwright::driver
