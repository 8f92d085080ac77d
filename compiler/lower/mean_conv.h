// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"
#include "lower/conv_plan.h"

/// Averages as depthwise convolutions.
namespace poolwright::lower {

/// The mean of every window, padding counted as zero, as a convolution with weights that are all alike. `geometry` has
/// as many groups as channels; `x` and `y` are channel-last int8 images (y may be stored unsigned).
Result<Refusal> lowerMeanConv(Context& context, NodeId node, const ConvGeometry& geometry, const program::TensorView& x,
                              const program::TensorView& y);

} // namespace poolwright::lower
