// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <string>

namespace poolwright::emit {

/// The table of `--csv-file` with the vendor's headings, spelling included, one row an epoch, then totals, bandwidths,
/// one line a pool and the summary (facts/file-formats.md section 4, formulas 3 to 8). Concrete pools only: external
/// ones by address, then internal ones from the top down. Bytes and cycles are integers, shares and powers have six
/// significant digits.
std::string csv(const report::Report& report);

} // namespace poolwright::emit
