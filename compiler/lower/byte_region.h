// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/fusion.h"

/// Several operators that together make one byte of one byte: x * sigmoid(x), say. One table does them all, with every
/// rounding between them.
namespace poolwright::lower {

/// Nodes in topological order; nothing outside reads any of their results but `exit`.
struct ByteRegion {
    TensorId entry, exit;
    std::vector<NodeId> nodes;
};

/// True for kinds that a table can serve when all other operands are single constants.
bool isByteFunction(ir::OpKind kind);

/// The largest such region (within reason) behind `entry`, which must be a byte tensor. `ownsEntry`: nothing outside
/// may read `entry` either. Without nodes when there is none.
ByteRegion findRegion(const ir::Graph& graph, const ir::Uses& uses, TensorId entry, bool ownsEntry);

/// The unit's table for a region whose entry is first cut to `clamp`; nothing when the unit cannot come within a step,
/// or the operators cannot be evaluated. Results of unsigned tensors are 128 lower. `steepest` > 0: nothing either when
/// neighbouring inputs differ by more in the result, because the entry may be off by one.
std::optional<program::ActivConfig> fitRegion(const ir::Graph& graph, const ByteRegion& region, const Clamp& clamp,
                                              int steepest = 0);

} // namespace poolwright::lower
