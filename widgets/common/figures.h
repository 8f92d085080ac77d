// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

namespace poolwright::widgets {

/// Estimated time: calibrated when the report has it, else the vendor's formula at the nominal clock (ST's artefacts
/// have no other).
double epochMilliseconds(const report::Report& report, const report::Epoch& epoch);
double networkMilliseconds(const report::Report& report);

} // namespace poolwright::widgets
