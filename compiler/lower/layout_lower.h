// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// Operators that move elements and change none: aliases where strides can say it, stream-engine copies where not.
namespace poolwright::lower {

/// Reshape, Transpose, Identity.
Result<Refusal> lowerAlias(Context& context, NodeId node);
/// Inputs that were written in place cost nothing; the others are copied (and requantised).
Result<Refusal> lowerConcat(Context& context, NodeId node);
/// Constant padding: one copy of the inside and one fill of every side, in one epoch.
Result<Refusal> lowerPad(Context& context, NodeId node);
/// The step behind lowerPad: byte tensor `x` into the middle of `y`, the border filled. `pads` in ONNX order.
Result<Refusal> padStep(Context& context, NodeId node, const program::TensorView& x, const program::TensorView& y,
                        const std::vector<std::int64_t>& pads, int fillValue);
/// Nearest neighbour by integer factors.
Result<Refusal> lowerResize(Context& context, NodeId node);
Result<Refusal> lowerRequantize(Context& context, NodeId node);

/// Network outputs are row-major in their own buffer: marks buffers, or adds a copy.
Result<void> finishOutputs(Context& context);

} // namespace poolwright::lower
