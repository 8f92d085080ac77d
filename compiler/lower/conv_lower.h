// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// Conv, ConvTranspose and Gemm (fully connected) on CONV_ACC pipes.
namespace poolwright::lower {

/// Why units cannot do this convolution, from the graph alone; empty when they can.
Refusal refuseConv(const ir::Graph& graph, const ir::Node& node);

/// Estimated cycles of a convolution that units can do, its input in one tensor or, in turn, in several of so many
/// channels (ConvGeometry::sources). Nothing when no tile fits.
std::optional<std::int64_t> convCycles(const Context& context, NodeId node, const std::vector<std::int64_t>& sources);

/// Adds the steps of a convolution and of what follows in its chain. Returns a refusal when it turns out to be
/// impossible.
Result<Refusal> lowerConv(Context& context, NodeId node);

} // namespace poolwright::lower
