// SPDX-License-Identifier: Apache-2.0
#include "options/profile.h"

#include "text/json.h"
#include "text/similar.h"

#include <algorithm>

namespace poolwright::options {

namespace {

using text::JsonMember;
using text::JsonValue;

text::JsonOptions profileJson() {
    text::JsonOptions options;
    options.comments = options.continuedStrings = text::Tolerance::Accept;
    options.trailingCommas = text::Tolerance::Warn;
    return options;
}

class ProfileReader {
public:
    explicit ProfileReader(ProfileFile& file)
        : m_file(file) {}

    void read(const JsonValue& root) {
        const JsonMember* profiles = root.member("Profiles");
        if (!root.isObject() || !profiles)
            return error("PW1030", root.position, "the file has no \"Profiles\"",
                         "write { \"Profiles\": { \"default\": { … } } }");
        if (!profiles->value.isObject())
            return error("PW1030", profiles->value.position, "\"Profiles\" must be an object",
                         "each member is a profile");
        for (const JsonMember& member : root.members)
            if (member.key != "Profiles" && member.key != "Globals")
                warnUnknown(member, {"Globals", "Profiles"});
        for (const JsonMember& member : profiles->value.members)
            readProfile(member);
    }

    Diagnostics takeErrors() { return std::move(m_errors); }

private:
    SourceLocation placeOf(text::Position position) const {
        return {m_file.path, position.line, position.column, m_profile};
    }

    void error(const char* code, text::Position position, std::string message, std::string hint) {
        m_errors.push_back(makeError(code, std::move(message), placeOf(position), std::move(hint)));
    }
    void warn(const char* code, text::Position position, std::string message, std::string hint) {
        m_file.findings.push_back(makeWarning(code, std::move(message), placeOf(position), std::move(hint)));
    }

    void warnUnknown(const JsonMember& member, const std::vector<std::string>& known) {
        const std::vector<std::string> near = text::nearestNames(member.key, known, 1);
        warn("PW1035", member.keyPosition, "unknown key \"" + member.key + "\"; it is kept and ignored",
             near.empty() ? "known keys: " + text::joinedWithOr(known) : "is \"" + near[0] + "\" meant?");
    }

    void readProfile(const JsonMember& member) {
        m_profile = member.key;
        Profile profile;
        profile.name = member.key;
        profile.where = placeOf(member.keyPosition);
        if (member.value.isObject())
            readMembers(member.value, profile);
        else
            error("PW1031", member.value.position, "a profile must be an object",
                  "give it \"memory_pool\" and \"options\"");
        m_file.profiles.push_back(std::move(profile));
        m_profile.clear();
    }

    void readMembers(const JsonValue& object, Profile& profile) {
        for (const JsonMember& member : object.members) {
            if (member.key == "memory_pool")
                readText(member, profile.memoryPool);
            else if (member.key == "machine_desc")
                readText(member, profile.machineDesc);
            else if (member.key == "options")
                readOptions(member, profile);
            else if (member.key == "memory_desc")
                warn("PW1032", member.keyPosition, "\"memory_desc\" is an old name and ignored",
                     "the present key is \"machine_desc\"");
            else
                warnUnknown(member, {"memory_pool", "machine_desc", "options"});
        }
        if (!object.find("memory_pool"))
            error("PW1031", object.position, "profile " + profile.name + " has no \"memory_pool\"",
                  "name a .mpool file; a relative path starts at this file's folder");
        if (!object.find("options"))
            warn("PW1031", object.position, "profile " + profile.name + " has no \"options\"",
                 "at least --native-float --cache-maintenance is usual");
    }

    bool readText(const JsonMember& member, std::string& out) {
        if (!member.value.isString()) {
            error("PW1031", member.value.position,
                  '"' + member.key + "\" must be a string, not " + member.value.kindName(), "put it in double quotes");
            return false;
        }
        out = member.value.text;
        return true;
    }

    void readOptions(const JsonMember& member, Profile& profile) {
        if (!readText(member, profile.optionText))
            return;
        const auto split = splitOptionText(profile.optionText, placeOf(member.value.position));
        if (!split) {
            m_errors.insert(m_errors.end(), split.error().begin(), split.error().end());
            return;
        }
        const std::vector<std::size_t> offsets = text::stringOffsets(m_file.text, member.value.span);
        for (const SplitToken& token : *split)
            profile.tokens.push_back({token.text, placeOf(text::positionAt(m_file.text, offsets.at(token.offset)))});
    }

    ProfileFile& m_file;
    std::string m_profile;
    Diagnostics m_errors;
};

} // namespace

const Profile* ProfileFile::find(const std::string& name) const {
    for (auto it = profiles.rbegin(); it != profiles.rend(); ++it)
        if (it->name == name)
            return &*it;
    return nullptr;
}

std::vector<std::string> ProfileFile::names() const {
    std::vector<std::string> out;
    for (const Profile& profile : profiles)
        out.push_back(profile.name);
    return out;
}

Result<ProfileFile> readProfiles(std::string source, std::string path) {
    ProfileFile file;
    file.path = std::move(path);
    file.text = std::move(source);
    auto document = text::parseJson(file.text, file.path, profileJson());
    if (!document)
        return fail(std::move(document.error()));
    file.findings = std::move(document->warnings);
    ProfileReader reader(file);
    reader.read(document->root);
    if (Diagnostics errors = reader.takeErrors(); !errors.empty())
        return fail(std::move(errors));
    return file;
}

Result<ProfileSelection> parseSelection(const std::string& argument) {
    ProfileSelection selection;
    selection.builtin = true;
    if (argument.empty())
        return selection;
    if (argument == "help") {
        selection.help = true;
        return selection;
    }
    const std::size_t at = argument.find('@');
    if (at != std::string::npos) {
        selection.builtin = false;
        selection.file = argument.substr(at + 1);
        if (at > 0)
            selection.name = argument.substr(0, at);
        if (!selection.file.empty())
            return selection;
    } else if (argument.starts_with("profile-") && argument.size() > 8) {
        selection.name = argument.substr(8);
        return selection;
    }
    return fail(makeError("PW1036", "\"" + argument + "\" selects no profile", {{}, 0, 0, "--st-neural-art"},
                          "write profile-NAME for a built-in profile or NAME@FILE for one in a file"));
}

static std::filesystem::path fromFolderOf(const ProfileFile& file, const std::string& path) {
    if (path.empty())
        return {};
    return (std::filesystem::path(file.path).parent_path() / path).lexically_normal();
}

/// Removes an option that the profile answers itself from what the command line says.
static void ignoreExtra(CompilerOptions& extra, const char* name, std::string CompilerOptions::*field,
                        const std::string& what, const ResolvedProfile& profile, const std::filesystem::path& own,
                        Diagnostics& out) {
    if (own.empty() || (extra.*field).empty())
        return;
    out.push_back(makeWarning("PW1033",
                              what + " " + extra.*field + " on the command line is ignored: profile " + profile.name +
                                  " names " + own.string(),
                              {{}, 0, 0, std::string("--") + name}, "change the profile, or compile without one"));
    (extra.*field).clear();
    std::erase_if(extra.given, [&](const auto& entry) { return entry.first == name; });
}

/// Files first, as the front end passes them (facts section 2).
static std::vector<Token> profileTokens(const Profile& profile, const ResolvedProfile& resolved) {
    std::vector<Token> tokens;
    const auto add = [&](const char* option, const std::filesystem::path& path) {
        if (path.empty())
            return;
        tokens.push_back({option, profile.where});
        tokens.push_back({path.string(), profile.where});
    };
    add("--load-mdesc", resolved.machineDesc);
    add("--load-mpool", resolved.memoryPool);
    tokens.insert(tokens.end(), profile.tokens.begin(), profile.tokens.end());
    return tokens;
}

Result<ResolvedProfile> resolveProfile(const ProfileFile& file, const std::string& name,
                                       const std::vector<std::string>& extra) {
    const Profile* profile = file.find(name);
    if (!profile)
        return fail(makeError("PW1034", "there is no profile " + name, {file.path, 0, 0, name},
                              "the file has " + text::joinedWithOr(file.names())));
    ResolvedProfile out;
    out.name = name;
    out.memoryPool = fromFolderOf(file, profile->memoryPool);
    out.machineDesc = fromFolderOf(file, profile->machineDesc);
    for (const Diagnostic& finding : file.findings)
        if (finding.where.object.empty() || finding.where.object == name)
            out.diagnostics.push_back(finding);
    std::vector<Token> tokens = profileTokens(*profile, out);
    std::vector<Token> given;
    for (const std::string& word : extra)
        given.push_back({word, {}});
    Parsed line = parseTokens(given);
    ignoreExtra(line.options, "load-mpool-file", &CompilerOptions::loadMpool, "the memory pool", out, out.memoryPool,
                out.diagnostics);
    ignoreExtra(line.options, "load-mdesc-file", &CompilerOptions::loadMdesc, "the machine description", out,
                out.machineDesc, out.diagnostics);
    std::erase_if(line.diagnostics, [](const Diagnostic& d) { return d.severity != Severity::Error; });
    out.diagnostics.insert(out.diagnostics.end(), line.diagnostics.begin(), line.diagnostics.end());
    for (const auto& [option, value] : line.options.given)
        tokens.push_back({"--" + option + "=" + value, {}});
    Parsed parsed = parseTokens(tokens);
    out.options = std::move(parsed.options);
    out.diagnostics.insert(out.diagnostics.end(), parsed.diagnostics.begin(), parsed.diagnostics.end());
    for (const std::string& word : parsed.positional)
        out.diagnostics.push_back(makeError("PW1017", "\"" + word + "\" belongs to no option",
                                            {file.path, profile->where.line, 0, name}, "remove it"));
    return out;
}

std::string resolvedText(const ResolvedProfile& profile) {
    std::string out;
    for (const auto& [name, value] : resolved(profile.options))
        out += "--" + name + (findOption(name)->takesValue() && !value.empty() ? " " + value : "") + "\n";
    return out;
}

} // namespace poolwright::options
