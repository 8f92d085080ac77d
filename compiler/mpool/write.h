// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/pool.h"

/// Whole-file writers, strict JSON both. (To change something in a user's file use mpool/edit.h, which keeps the
/// layout.)
namespace poolwright::mpool {

/// The canonical form of what people write: snake_case keys in fixed order, one line for each property set, offset and
/// size. Numbers and values keep their spelling (`2.50`, `0x342e0000`), keys that we do not know are kept behind the
/// others, comments go. Needs no text: a PoolFile built from values alone is written with the shortest numbers. Writing
/// twice gives the same text.
std::string writeCanonical(const PoolFile& file);

struct DumpOptions {
    bool reserveTail = false; ///< as atonn 1.0.0: the last pool of every contiguous run is 8 bytes shorter
    bool epochControllerParameters =
        false; ///< append "ec params pool", as the compiler does with --enable-epoch-controller
};

/// The dialect of `--save-mpool-file` (facts/file-formats.md section 1.2): camelCase, every property spelled out,
/// decimal values with the largest magnitude that divides them, pools by score and then from last to first.
std::string writeDump(const PoolFile& file, const DumpOptions& options = {});

/// Pools in the order of dumps, dot files and network.c (neural-art-target.md section 5.2): the position is the pool's
/// index there.
std::vector<PoolId> dumpOrder(const PoolFile& file);

/// The quantity in decimal with the largest magnitude up to MBYTES that divides it; 0 is "0 BYTES".
Quantity normalised(std::int64_t bytes);

} // namespace poolwright::mpool
