// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// Conv, ConvTranspose and Gemm (fully connected) on CONV_ACC pipes.
namespace poolwright::lower {

/// Why units cannot do this convolution, from the graph alone; empty when they can.
Refusal refuseConv(const ir::Graph& graph, const ir::Node& node);

/// Adds the steps of a convolution and of what follows in its chain. Returns a refusal when it turns out to be
/// impossible.
Result<Refusal> lowerConv(Context& context, NodeId node);

} // namespace poolwright::lower
