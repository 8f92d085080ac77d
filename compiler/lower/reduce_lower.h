// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// ReduceMean, ReduceSum, ReduceMax and ReduceMin over any dimensions: what is reduced becomes the image of a global
/// pool, what stays its channels and frames.
namespace poolwright::lower {

Result<Refusal> lowerReduce(Context& context, NodeId node);

} // namespace poolwright::lower
