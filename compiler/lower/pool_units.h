// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/pool_plan.h"
#include "lower/requant.h"
#include "program/program.h"

/// POOL units, and what follows an average, for a pool of its own and for one behind a convolution.
namespace poolwright::lower {

/// Why tensors or attributes stand against POOL, whatever the shape.
std::string refusePool(const ir::Graph& graph, const ir::Node& node);
/// A pool that can take its frames from another unit's stream: one pass over one image without padding.
bool isChainedPool(const ir::Graph& graph, const ir::Node& node, const target::Limits& limits);
/// Passes of the whole pool.
std::vector<PoolPass> passesOf(const PoolShape& shape, const target::Limits& limits);
/// POOL for frames of `batch` channels.
program::PoolConfig poolConfig(const PoolShape& shape, const PoolPass& pass, std::int64_t batch);
/// The mean has 8 fractional bits, which the ARITH takes off again.
program::ArithConfig meanRequant(ScaleZero input, ScaleZero output);

} // namespace poolwright::lower
