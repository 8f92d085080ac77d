// SPDX-License-Identifier: Apache-2.0
#include "options/profile.h"

#include "text/escape.h"
#include "text/json.h"

#include <algorithm>

namespace poolwright::options {

static tl::unexpected<Diagnostics> noProfile(const ProfileFile& file, const std::string& name) {
    return fail(makeError("PW1034", "there is no profile " + name + " with options", {file.path, 0, 0, name},
                          "choose another one"));
}

/// The replacement of the decoded bytes [from, to) of a string value.
static text::TextEdit editInside(const std::vector<std::size_t>& offsets, std::size_t from, std::size_t to,
                                 const std::string& now) {
    return {{offsets[from], offsets[to]}, text::jsonEscape(now)};
}

static bool continuesCharacter(const std::string& text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

static text::TextEdit smallestEdit(const std::string& source, const text::JsonValue& value, const std::string& now) {
    const std::string& old = value.text;
    std::size_t head = 0, tail = 0;
    while (head < old.size() && head < now.size() && old[head] == now[head])
        ++head;
    while (continuesCharacter(old, head) || continuesCharacter(now, head))
        --head;
    while (tail < std::min(old.size(), now.size()) - head && old[old.size() - 1 - tail] == now[now.size() - 1 - tail])
        ++tail;
    while (tail > 0 && continuesCharacter(old, old.size() - tail))
        --tail;
    return editInside(text::stringOffsets(source, value.span), head, old.size() - tail,
                      now.substr(head, now.size() - tail - head));
}

Result<ProfileFile> withOptionText(const ProfileFile& file, const std::string& name, const std::string& optionText) {
    text::JsonOptions json;
    json.comments = json.continuedStrings = json.trailingCommas = text::Tolerance::Accept;
    const auto document = text::parseJson(file.text, file.path, json);
    if (!document)
        return fail(document.error());
    const text::JsonValue* profiles = document->root.find("Profiles");
    const text::JsonValue* profile = profiles ? profiles->find(name) : nullptr;
    const text::JsonValue* value = profile ? profile->find("options") : nullptr;
    if (!value || !value->isString())
        return noProfile(file, name);
    if (value->text == optionText)
        return file;
    return readProfiles(text::applyEdits(file.text, {smallestEdit(file.text, *value, optionText)}), file.path);
}

static std::string quotedToken(const std::string& token) {
    return token.find_first_of(" \t") == std::string::npos ? token : '"' + token + '"';
}

/// A stretch of the option text that one option takes, with the blanks before it.
struct Stretch {
    std::size_t begin, end;
};

static std::vector<Stretch> stretchesOf(const std::string& text, const std::vector<SplitToken>& tokens,
                                        const OptionSpec& spec) {
    std::vector<Stretch> out;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Parsed alone = parseTokens({{tokens[i].text, {}}});
        const bool whole = !alone.options.given.empty() && alone.options.given[0].first == spec.name;
        const bool head = findOption(tokens[i].text) == &spec;
        if (!whole && !head)
            continue;
        const std::size_t last = whole || i + 1 >= tokens.size() ? i : i + 1;
        const std::size_t next = last + 1 < tokens.size() ? tokens[last + 1].offset : text.size();
        std::size_t end = next;
        while (end > tokens[last].offset && std::string(" \t\r\n").find(text[end - 1]) != std::string::npos)
            --end;
        out.push_back({tokens[i].offset, end});
        i = last;
    }
    return out;
}

Result<ProfileFile> withOption(const ProfileFile& file, const std::string& name, const std::string& option,
                               const std::optional<std::string>& value) {
    const Profile* profile = file.find(name);
    const OptionSpec* spec = findOption(option);
    if (!profile || !spec)
        return noProfile(file, name);
    const auto tokens = splitOptionText(profile->optionText);
    if (!tokens)
        return fail(tokens.error());
    const bool set = value && (spec->takesValue() || *value == "true");
    std::string words = std::string(spec->spellings.size() > 1 && spec->spellings[0].size() == 2 ? spec->spellings[1]
                                                                                                 : spec->spellings[0]);
    if (spec->takesValue() && value)
        words += " " + quotedToken(*value);
    std::string text = profile->optionText;
    std::vector<Stretch> places = stretchesOf(text, *tokens, *spec);
    if (set && places.empty())
        return withOptionText(file, name, text + (text.empty() || text.back() == ' ' ? "" : " ") + words);
    for (std::size_t i = places.size(); i-- > 0;) {
        const bool keep = set && i + 1 == places.size();
        std::size_t begin = places[i].begin;
        // Taking an option out takes one blank before it along.
        if (!keep && begin > 0 && text[begin - 1] == ' ')
            --begin;
        text.replace(begin, places[i].end - begin, keep ? words : "");
    }
    return withOptionText(file, name, text);
}

} // namespace poolwright::options
