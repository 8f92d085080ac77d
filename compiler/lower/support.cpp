// SPDX-License-Identifier: Apache-2.0
#include "lower/support.h"

#include "lower/hardware.h"
#include "lower/software.h"

namespace poolwright::lower {

Support supportOf(ir::OpKind kind, const target::Machine& machine) {
    const auto words = hardwareWords(kind, machine.limits);
    if (!words)
        return {.onUnits = false, .units = {}, .limits = refuseKind(kind)};
    return {.onUnits = true, .units = words->units, .limits = words->limits};
}

} // namespace poolwright::lower
