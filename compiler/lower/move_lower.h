// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// Operators that pick, repeat or reorder elements: views of the input where strides say it, stream-engine copies where
/// not.
namespace poolwright::lower {

/// Views; a part with parameters of its own is a requantising copy.
Result<Refusal> lowerSplit(Context& context, NodeId node);
/// A view with larger strides. Steps backwards are software: engines walk upwards.
Result<Refusal> lowerSlice(Context& context, NodeId node);
/// A view with strides of 0.
Result<Refusal> lowerExpand(Context& context, NodeId node);
/// Constant indices: a view when they are evenly spaced, else a copy for each run of them.
Result<Refusal> lowerGather(Context& context, NodeId node);
Result<Refusal> lowerTile(Context& context, NodeId node);
Result<Refusal> lowerDepthToSpace(Context& context, NodeId node);
Result<Refusal> lowerSpaceToDepth(Context& context, NodeId node);
/// Between equal types: a view.
Result<Refusal> lowerCast(Context& context, NodeId node);

} // namespace poolwright::lower
