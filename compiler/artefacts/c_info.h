// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "report/report.h"

#include <string>

namespace poolwright::artefacts {

/// A c_info of schema 2.0 (facts/file-formats.md section 3): the compiler's raw form or the front end's, of atonn 1.0.0
/// to 1.1.3 (flat epochs, or epochs inside Epoch Controller blobs), of a CPU-only model, of a validate run without
/// buffers, and our own. `sources` of the provenance is {"c_info"}. Totals, aliases and edges are derived;
/// contradictions between the file's own figures and the derived ones become warnings (PW5012). Errors: PW5010 not
/// JSON, PW5011 not a c_info.
Result<report::Report> readCInfo(const std::string& text, const std::string& path);

} // namespace poolwright::artefacts
