// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compile.h"

namespace poolwright::driver {

/// The report of our own compile: a copy of what views need from program, placement and estimate.
report::ReportPtr buildReport(const Outcome& outcome, const PlacementQuestion& question, const place::Solution& solution);

} // namespace poolwright::driver
