// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// Which function brings an operator kind onto the units.
namespace poolwright::lower {

/// Adds the node's steps; a refusal when the units cannot carry it out.
using HardwareLowering = Result<Refusal> (*)(Context& context, NodeId node);

/// Nothing for kinds that never run on units (software.h, refuseKind(), says why).
HardwareLowering hardwareLowering(ir::OpKind kind);

} // namespace poolwright::lower
