// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include <algorithm>

namespace poolwright {

Diagnostic makeError(std::string code, std::string message, SourceLocation where, std::string hint) {
    return {std::move(code), Severity::Error, std::move(message), std::move(where), std::move(hint)};
}

Diagnostic makeWarning(std::string code, std::string message, SourceLocation where, std::string hint) {
    return {std::move(code), Severity::Warning, std::move(message), std::move(where), std::move(hint)};
}

bool hasErrors(const Diagnostics& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

const char* severityName(Severity severity) {
    switch (severity) {
    case Severity::Note:
        return "note";
    case Severity::Hint:
        return "hint";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        break;
    }
    return "error";
}

static std::string placeText(const SourceLocation& where) {
    std::string text = where.path;
    if (where.line > 0) {
        text += ":" + std::to_string(where.line);
        if (where.column > 0)
            text += ":" + std::to_string(where.column);
    }
    if (!where.object.empty())
        text += (text.empty() ? "" : ": ") + where.object;
    return text;
}

std::string toText(const Diagnostic& diagnostic) {
    std::string text = placeText(diagnostic.where);
    if (!text.empty())
        text += ": ";
    text += std::string(severityName(diagnostic.severity)) + ": " + diagnostic.message + " [" + diagnostic.code + "]";
    if (!diagnostic.hint.empty())
        text += "\n    hint: " + diagnostic.hint;
    return text;
}

} // namespace poolwright
