// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/table.h"

namespace poolwright::options {

/// One word of a command line and where it stands: in a profile or .ini file; on the command line the place is empty.
struct Token {
    std::string text;
    SourceLocation where;
    bool operator==(const Token&) const = default;
};

/// Everything that a list of tokens came to, errors or not.
struct Parsed {
    CompilerOptions options;
    std::vector<std::string> positional; ///< words that belong to no option, in order
    Diagnostics diagnostics; ///< errors (PW1010 unknown, PW1015 no value, PW1016 bad value), warnings, hints
};

/// Reads `--opt value`, `--opt=value`, `-O3`, `-O 3`, `-Os`. Options that stand twice count once, the last value wins:
/// PW1011 (note) when equal, PW1012 (warning, says which) when not. Advice (PW1013, PW1014) on combinations that work
/// against each other.
Parsed parseTokens(const std::vector<Token>& tokens);

/// The same for plain words. Fails when there is an error or a word that belongs to no option (PW1017); warnings and
/// hints go to `warnings`.
Result<CompilerOptions> parse(const std::vector<std::string>& tokens, Diagnostics& warnings);

/// Splits the option text of a profile at white space; single and double quotes hold words together. Fails on an open
/// quote (PW1018). `where` of a token is `start` for all of them; `offset` tells where a token starts in the text.
struct SplitToken {
    std::string text;
    std::size_t offset = 0;
};
Result<std::vector<SplitToken>> splitOptionText(const std::string& text, const SourceLocation& start = {});

} // namespace poolwright::options
