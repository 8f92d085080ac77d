// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// MaxPool, AveragePool and GlobalAveragePool on POOL.
namespace poolwright::lower {

Result<Refusal> lowerPool(Context& context, NodeId node);

} // namespace poolwright::lower
