// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "report/report.h"

#include <string>

namespace poolwright::artefacts {

/// A `.dot` of any of the compiler's stages, or ours (facts/file-formats.md section 7), through libcgraph. Gives, as
/// far as the stage knows them: epochs with operators and units, buffers with live range, pool and offset, which epoch
/// reads and writes them. Pools have a name only. Error: PW5015 with libcgraph's message.
Result<report::Report> readDot(const std::string& text, const std::string& path);

} // namespace poolwright::artefacts
