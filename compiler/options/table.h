// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/options.h"

#include <string_view>
#include <variant>

/// The one table of options (facts/file-formats.md section 8). Parser, help, .ini files, profiles, the editor and the
/// help page are made from it.
namespace poolwright::options {

enum class ArgumentKind {
    Flag,         ///< none
    Integer,      ///< a whole number
    Text,         ///< any text
    OptionalText, ///< text, or nothing
    File,         ///< a path
    List          ///< text; the option may stand several times, values add up
};

enum class Status {
    Compiler, ///< understood by the vendor's compiler too
    FrontEnd, ///< of `generate`; not handed on
    Ours      ///< Poolwright's own
};

using Field = std::variant<bool CompilerOptions::*, int CompilerOptions::*, std::string CompilerOptions::*,
                           std::vector<std::string> CompilerOptions::*>;

struct OptionSpec {
    std::string_view name;                   ///< key in .ini files; `--name` is a spelling
    std::vector<std::string_view> spellings; ///< with dashes, the usual one first
    ArgumentKind kind = ArgumentKind::Flag;
    std::string_view argument; ///< how help calls the argument: "FILE"
    std::string_view category;
    Status status = Status::Compiler;
    std::string_view sentence; ///< what it does
    Field field;
    int minimum = 0, maximum = 0;    ///< of an Integer
    std::string_view extension = {}; ///< ".mpool": left out in .ini files
    std::string_view advice = {};    ///< when to use it or not; may be empty

    bool takesValue() const { return kind != ArgumentKind::Flag; }
};

/// In the order of help: by category.
const std::vector<OptionSpec>& optionTable();

/// By spelling ("--Os", "-M") or by name without dashes ("Os"); null when unknown.
const OptionSpec* findOption(std::string_view spelling);

/// All spellings that start like an option: for "did you mean".
std::vector<std::string> allSpellings();

/// The value of an option as text: "true"/"false", digits, or the text; lists joined by commas.
std::string valueText(const OptionSpec& spec, const CompilerOptions& options);
std::string defaultText(const OptionSpec& spec);

/// "compiler", "front-end" or "ours".
const char* statusName(Status status);

/// What differs from the defaults, in the order of `options.given`, the rest in the order of the table. Key is
/// OptionSpec::name.
std::vector<std::pair<std::string, std::string>> resolved(const CompilerOptions& options);

/// `options` with `given` brought up to date: after fields were set by hand.
CompilerOptions withGivenRefreshed(CompilerOptions options);

/// Tokens that parse() (options/parse.h) reads back as the same options: flags as `--name`, others as `--name` `value`.
std::vector<std::string> toTokens(const CompilerOptions& options);
/// The tokens on one line, words with blanks in double quotes.
std::string toCommandLine(const CompilerOptions& options);

/// Help as Markdown (one table a category) and as JSON (an array of objects with name, spellings, kind, argument,
/// default, minimum, maximum, category, status, sentence, advice): what `poolwright-cli options` prints.
std::string tableAsMarkdown();
std::string tableAsJson();
/// Help for a terminal, one option a paragraph.
std::string tableAsText();

} // namespace poolwright::options
