// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"
#include "target/machine.h"

#include <string>

/// Where an operator kind runs, in words: from the table by which lowering itself goes (hardware.h).
namespace poolwright::lower {

struct Support {
    bool onUnits = false;
    std::string units;  ///< "CONV_ACC, ARITH"; "stream engines" for what only moves; empty when not on units
    std::string limits; ///< on units: within which bounds, else software; not on units: why
};

/// The limits are those of the machine.
Support supportOf(ir::OpKind kind, const target::Machine& machine);

} // namespace poolwright::lower
