// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "report/report.h"

#include <string>

namespace poolwright::artefacts {

/// The table of `--csv-file` (facts/file-formats.md section 4); columns are found by their heading, so a shorter table
/// is read too. Gives pools (name; used size to two decimals), epochs (traffic, cycles, operations, power, ports) and
/// the nominal frequency. An epoch's kind is not in the table and stays empty. Errors: PW5013 no header or no rows,
/// with the line; a field that is no number, with line and column.
Result<report::Report> readVendorCsv(const std::string& text, const std::string& path);

} // namespace poolwright::artefacts
