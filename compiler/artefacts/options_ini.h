// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "report/report.h"

#include <string>

namespace poolwright::artefacts {

/// `atonn_options.ini` (facts/file-formats.md section 7): tool version, options as one command line in the file's
/// order, network name, names of the input files. Error: PW5018 with the line that is no `key=value`.
Result<report::Report> readOptionsIni(const std::string& text, const std::string& path);

} // namespace poolwright::artefacts
