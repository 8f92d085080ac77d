// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "report/report.h"

#include <string>

namespace poolwright::artefacts {

/// The pools of an `.mpool`, as people write it or as `--save-mpool-file` dumps it (facts/file-formats.md section 1).
/// Disabled pools (size 0) are listed. Errors and findings are those of mpool::readPools().
Result<report::Report> readSavedMpool(const std::string& text, const std::string& path);

} // namespace poolwright::artefacts
