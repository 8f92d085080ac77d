// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "report/report.h"

#include <string>

namespace poolwright::artefacts {

/// `<network>_generate_report.txt` or `_analyze_report.txt` of generations 2.0 to 4.0, ours, and the same text inside a
/// log behind a progress bar (facts/file-formats.md section 5). Gives pools with place, size and used bytes (rounded by
/// the text to 3 decimals; the upper end of the used range bounds it to 16 bytes), epochs with kind and, for software,
/// operator kind, tool, version and options. Error: PW5014 the text has neither pools nor epochs.
Result<report::Report> readGenerateReport(const std::string& text, const std::string& path);

} // namespace poolwright::artefacts
