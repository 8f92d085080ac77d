// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

#include <optional>
#include <string>

/// Which function brings an operator kind onto the units, and how far: one table for lowering and for what is said
/// about it.
namespace poolwright::lower {

/// Adds the node's steps; a refusal when the units cannot carry it out.
using HardwareLowering = Result<Refusal> (*)(Context& context, NodeId node);

/// Nothing for kinds that never run on units (software.h, refuseKind(), says why).
HardwareLowering hardwareLowering(ir::OpKind kind);

struct HardwareWords {
    std::string units;  ///< "CONV_ACC, ARITH"; "stream engines" for what only moves
    std::string limits; ///< within which bounds, else software
};
/// Nothing for the same kinds. The limits are those of a machine.
std::optional<HardwareWords> hardwareWords(ir::OpKind kind, const target::Limits& limits);

} // namespace poolwright::lower
