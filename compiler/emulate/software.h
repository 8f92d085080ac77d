// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulate/memory.h"

namespace poolwright::emulate {

/// Runs a software epoch: views to values, reference::evaluate(), values to views.
Result<void> runSoftwareEpoch(const program::Program& program, int ordinal, Memory& memory);

} // namespace poolwright::emulate
