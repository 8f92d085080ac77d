// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/fit.h"

#include <string>

/// A fit report for people and for scripts.
namespace poolwright::cli {

/// `steps`: list the bytes alive at every step, too.
std::string fitText(const report::FitReport& report, bool steps);
std::string fitJson(const report::FitReport& report);

} // namespace poolwright::cli
