// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"

namespace poolwright::program {

/// What verify() finds in one epoch's units that no other layout would mend: numbers beyond their registers (scales that
/// lie too far apart) and units that the machine does not have. Reads the program's machine and buffers alone.
Diagnostics unfitUnits(const Program& program, const HardwareWork& work);

} // namespace poolwright::program
