// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpool/pool.h"

/// The workbench's gestures in terms of mpool/edit.h.
namespace poolwright::app {

/// Moves one edge of a pool. An edge that is pushed into the pool that touched it takes that pool's edge along; pulled
/// away it opens a hole.
Result<mpool::PoolFile> withMovedEdge(const mpool::PoolFile& file, PoolId pool, bool isEnd, Address to);

/// Changes every property in which `wanted` differs from the pool as it is.
Result<mpool::PoolFile> withPool(const mpool::PoolFile& file, PoolId pool, const mpool::Pool& wanted);

/// The enabled absolute pool that touches this edge, none when there is a hole.
std::optional<PoolId> neighbourAt(const mpool::PoolFile& file, PoolId pool, bool isEnd);

} // namespace poolwright::app
