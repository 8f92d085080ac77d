// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "report/report.h"

#include <filesystem>
#include <string>
#include <vector>

/// Any set of files that a compile left behind, ST's or ours, as one Report.
namespace poolwright::artefacts {

enum class ArtefactKind { Unknown, ReportJson, CInfo, Csv, GenerateReport, OptionsIni, Mpool, Dot };

/// Told from the content, never from the name. `text` is unpacked.
ArtefactKind kindOf(const std::string& text);
const char* kindName(ArtefactKind kind);

/// Reads the files and joins them: what a richer one lacks is filled from the others (c_info, then csv, report text,
/// dot, mpool, options). A folder stands for the artefacts in it and in its sub-folders, three levels deep; files in
/// folders that are no artefacts are skipped. A file that contradicts the richest one in its number of epochs is left
/// out with a warning (PW5016): it is of another run. Errors: PW5003 to PW5005 (loading), PW5019 no artefact among the
/// paths, and those of the readers.
Result<report::Report> open(const std::vector<std::filesystem::path>& paths);

/// One text of a known kind; `path` is for diagnostics.
Result<report::Report> readArtefact(ArtefactKind kind, const std::string& text, const std::string& path);

} // namespace poolwright::artefacts
