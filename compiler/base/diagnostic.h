// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace poolwright {

enum class Severity { Note, Hint, Warning, Error };

/// Where a diagnostic points. A part that is not known is empty or 0; lines and columns count from 1.
struct SourceLocation {
    std::string path;  ///< file as the user named it
    int line = 0;
    int column = 0;
    std::string object; ///< node, tensor, pool, buffer or option name, when that says more than a line

    bool operator==(const SourceLocation&) const = default;
};

/// One finding, printed alike by the command line, JSON and the Problems panel.
/// `code` is stable ("PW1203"); the first two digits name the room: 10 text/options, 12 mpool, 20 import, 21 passes,
/// 22 reference, 30 lower, 31 schedule, 33 place, 40 emit, 41 emulate, 50 report/artefacts, 60 driver, 90 internal.
struct Diagnostic {
    std::string code;
    Severity severity = Severity::Error;
    std::string message;
    SourceLocation where;
    std::string hint; ///< what the user can do about it; may be empty

    bool operator==(const Diagnostic&) const = default;
};

using Diagnostics = std::vector<Diagnostic>;

Diagnostic makeError(std::string code, std::string message, SourceLocation where = {}, std::string hint = {});
Diagnostic makeWarning(std::string code, std::string message, SourceLocation where = {}, std::string hint = {});

bool hasErrors(const Diagnostics& diagnostics);

/// "error", "warning", "hint" or "note".
const char* severityName(Severity severity);

/// `path:line:col: error: message [PW1203]`, parts that are unknown left out; the hint follows on an indented line.
std::string toText(const Diagnostic& diagnostic);

} // namespace poolwright
