// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/parse.h"

#include <filesystem>
#include <optional>

/// Compilation profiles (facts/file-formats.md section 2): named sets of a pool file, a machine description and
/// options.
namespace poolwright::options {

struct Profile {
    std::string name;
    std::string memoryPool;    ///< as written
    std::string machineDesc;   ///< as written; empty when absent
    std::string optionText;    ///< decoded; continued lines joined
    std::vector<Token> tokens; ///< of optionText, each with its place in the file
    SourceLocation where;
    bool operator==(const Profile&) const = default;
};

struct ProfileFile {
    std::string path;
    std::string text;
    std::vector<Profile> profiles; ///< file order
    Diagnostics findings;          ///< warnings: unknown keys, `memory_desc`, doubled names

    const Profile* find(const std::string& name) const;
    std::vector<std::string> names() const;
};

/// Reads a profile file: JSON with comments, and strings continued by a backslash at the line end. Fails on broken
/// JSON, a missing "Profiles" or "memory_pool", wrong types. Options are not judged here: see resolveProfile().
Result<ProfileFile> readProfiles(std::string text, std::string path);

/// What --st-neural-art asks for.
struct ProfileSelection {
    std::string name = "default";
    std::string file;     ///< empty: the built-in file
    bool builtin = false; ///< written as profile-NAME, or empty
    bool help = false;    ///< the word "help"
    bool operator==(const ProfileSelection&) const = default;
};
/// "", "profile-NAME", "NAME@FILE", "@FILE", "help". Anything else fails (PW1036).
Result<ProfileSelection> parseSelection(const std::string& argument);

/// A profile made ready for a compile.
struct ResolvedProfile {
    std::string name;
    std::filesystem::path memoryPool;  ///< relative paths are taken from the folder of the profile file
    std::filesystem::path machineDesc; ///< empty when absent
    CompilerOptions
        options; ///< with loadMpool and loadMdesc set to these paths; `given` is the ordered list of facts section 2
    Diagnostics diagnostics; ///< everything found: errors (unknown options), warnings, hints
};

/// The profile's options, then `extra` (from the command line): the later win. A memory pool or machine in `extra` is
/// ignored with a warning (PW1033) when the profile names one. Fails only when there is no such profile; errors in
/// options stay in `diagnostics`.
Result<ResolvedProfile> resolveProfile(const ProfileFile& file, const std::string& name,
                                       const std::vector<std::string>& extra = {});

/// The ordered list that the compiler gets, one option a line, as "show resolved options" prints it.
std::string resolvedText(const ResolvedProfile& profile);

/// A copy with the options of one profile changed. Only the characters that differ are replaced: comments, layout and
/// continued lines stay.
Result<ProfileFile> withOptionText(const ProfileFile& file, const std::string& name, const std::string& optionText);
/// A copy with one option of a profile set (value "true" for a flag), changed or taken out (no value).
Result<ProfileFile> withOption(const ProfileFile& file, const std::string& name, const std::string& option,
                               const std::optional<std::string>& value);

} // namespace poolwright::options
