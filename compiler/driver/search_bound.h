// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compile.h"

namespace poolwright::driver {

/// Milliseconds by the calibrated estimate that no placement of the program can be below. Activations cost nothing.
/// Constants cost what all pools that prefer them deliver together, when these are external, treat the NPU cache alike
/// and hold them all: then no constant lies elsewhere. Epochs that only copy count their programming alone: how they
/// are charged depends on where their buffers lie.
double boundMilliseconds(const program::Program& program, const Request& request);

} // namespace poolwright::driver
