// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/memory_map.h"

/// Edits of a pool file that carving tries: all of them legal in the memory map.
namespace poolwright::driver {

struct CarveMove {
    std::string kind;     ///< report::CarveStep::kind
    std::string sentence; ///< what it does
    mpool::PoolFile file; ///< after it
};

/// One edit that takes a pool out of forbidden memory; null when none is left there.
std::optional<CarveMove> legalisingMove(const mpool::PoolFile& file, const MemoryMap& map);

/// Everything that may help: in the order of the file.
std::vector<CarveMove> carveMoves(const mpool::PoolFile& file, const MemoryMap& map, bool virtualPools);

CarveMove disabled(const mpool::PoolFile& file, PoolId pool);
/// The pool without bytes at its end or at its start.
std::optional<CarveMove> shrunk(const mpool::PoolFile& file, PoolId pool, ByteCount size, bool keepEnd);

} // namespace poolwright::driver
