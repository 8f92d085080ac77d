// SPDX-License-Identifier: Apache-2.0
#include "options/ini.h"

namespace poolwright::options {

static std::string quoted(const std::string& value) {
    std::string out = "\"";
    for (char c : value) {
        if (c == '"')
            out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out + '"';
}

static std::string withoutExtension(const OptionSpec& spec, const std::string& value) {
    const bool ends =
        !spec.extension.empty() && value.size() > spec.extension.size() && value.ends_with(spec.extension);
    return ends ? value.substr(0, value.size() - spec.extension.size()) : value;
}

static std::string iniValue(const OptionSpec& spec, const std::string& value) {
    if (spec.kind == ArgumentKind::Flag || spec.kind == ArgumentKind::Integer)
        return value;
    return quoted(withoutExtension(spec, value));
}

std::string writeIni(const CompilerOptions& options, const IniHeader& header) {
    std::string out =
        "# Tool: " + header.tool + "\n# Version " + header.version + "\n# executed from dir " + header.folder + "\n\n";
    for (const auto& [name, value] : resolved(options)) {
        const OptionSpec& spec = *findOption(name);
        if (spec.status != Status::FrontEnd)
            out += name + "=" + iniValue(spec, value) + "\n";
    }
    return out;
}

static std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string::npos ? std::string() : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

static std::string unquoted(const std::string& value) {
    if (value.size() < 2 || value.front() != '"' || value.back() != '"')
        return value;
    std::string out;
    for (std::size_t i = 1; i + 1 < value.size(); ++i) {
        if (value[i] == '\\' && value[i + 1] == '"' && i + 2 < value.size())
            ++i;
        out += value[i];
    }
    return out;
}

static bool mayBeAName(const OptionSpec& spec) {
    return spec.name == "load-mdesc-file" || spec.name == "load-cdesc-file";
}

static std::string withExtension(const std::string& key, const std::string& value) {
    const OptionSpec* spec = findOption(key);
    if (!spec || spec->extension.empty() || mayBeAName(*spec) || value.ends_with(spec->extension))
        return value;
    return value + std::string(spec->extension);
}

Result<std::vector<Token>> readIni(const std::string& text, const std::string& path) {
    std::vector<Token> tokens;
    Diagnostics errors;
    int number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = trimmed(text.substr(begin, end - begin));
        begin = end + 1;
        ++number;
        if (line.empty() || line[0] == '#' || line[0] == ';' || line[0] == '[')
            continue;
        const std::size_t equals = line.find('=');
        const std::string key = trimmed(line.substr(0, equals));
        if (equals == std::string::npos || key.empty()) {
            errors.push_back(
                makeError("PW1020", "this line is no key=value", {path, number, 1, {}}, "comments start with #"));
            continue;
        }
        const std::string value = unquoted(trimmed(line.substr(equals + 1)));
        tokens.push_back({"--" + key + "=" + withExtension(key, value), {path, number, 1, key}});
    }
    if (!errors.empty())
        return fail(std::move(errors));
    return tokens;
}

} // namespace poolwright::options
