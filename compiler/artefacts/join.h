// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

namespace poolwright::artefacts {

/// Fills what `base` does not know from `other`, a report of the same run. Pools are matched by name, epochs by
/// ordinal. Where both know a figure, base's stays, but for the epochs' power, which the csv gives with decimals and
/// the c_info in whole milliwatts.
void join(report::Report& base, const report::Report& other);

/// Sorts pools (concrete ones by address, then virtual ones), gives epochs without a kind one ("HW" when something
/// moves or computes, else "none"), adds the return epoch when the buffers outlive the last epoch by one, and derives
/// what follows.
void finish(report::Report& report);

} // namespace poolwright::artefacts
