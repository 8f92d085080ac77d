// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/parse.h"

/// The `.ini` form of options (facts/file-formats.md section 7): what --options-file writes and --load-options reads.
namespace poolwright::options {

/// The three comment lines on top.
struct IniHeader {
    std::string tool;    ///< path of the executable
    std::string version; ///< "poolwright.0.1.0"
    std::string folder;  ///< working folder
};

/// `key=value` lines in the order of resolved(): text in double quotes, flags as true, numbers bare, known extensions
/// left out.
std::string writeIni(const CompilerOptions& options, const IniHeader& header);

/// Tokens `--key=value` with their places; extensions that were left out come back (not those of machine and MCU, which
/// may be names of built-in ones). Fails on lines that are no `key=value` (PW1020); unknown keys are left to
/// parseTokens().
Result<std::vector<Token>> readIni(const std::string& text, const std::string& path);

} // namespace poolwright::options
