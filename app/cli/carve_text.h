// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/carve.h"

namespace poolwright::cli {

std::string carveText(const report::CarveReport& report);
/// `{"schema_version": 1, "path", "given": {…}, "proposals": […], "virtual_pools": […], "notes": […]}`.
std::string carveJson(const report::CarveReport& report);

} // namespace poolwright::cli
