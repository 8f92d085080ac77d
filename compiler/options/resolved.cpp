// SPDX-License-Identifier: Apache-2.0
#include "options/table.h"

#include <algorithm>

namespace poolwright::options {

std::vector<std::pair<std::string, std::string>> resolved(const CompilerOptions& options) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& entry : options.given)
        if (const OptionSpec* spec = findOption(entry.first))
            out.emplace_back(entry.first, valueText(*spec, options));
    for (const OptionSpec& spec : optionTable()) {
        const bool known =
            std::any_of(out.begin(), out.end(), [&](const auto& entry) { return entry.first == spec.name; });
        if (!known && valueText(spec, options) != defaultText(spec))
            out.emplace_back(spec.name, valueText(spec, options));
    }
    // A flag that was switched off again, or a text that was emptied, says nothing.
    std::erase_if(out, [](const auto& entry) {
        const OptionSpec* spec = findOption(entry.first);
        return spec->kind == ArgumentKind::Flag ? entry.second == "false"
                                                : entry.second.empty() && spec->kind != ArgumentKind::OptionalText;
    });
    return out;
}

CompilerOptions withGivenRefreshed(CompilerOptions options) {
    options.given = resolved(options);
    return options;
}

std::vector<std::string> toTokens(const CompilerOptions& options) {
    std::vector<std::string> tokens;
    for (const auto& [name, value] : resolved(options)) {
        tokens.push_back("--" + name);
        if (findOption(name)->takesValue() && !value.empty())
            tokens.push_back(value);
    }
    return tokens;
}

std::string toCommandLine(const CompilerOptions& options) {
    std::string line;
    for (const std::string& token : toTokens(options)) {
        const bool quoted = token.find_first_of(" \t\"'") != std::string::npos;
        const char* quote = !quoted ? "" : token.find('"') == std::string::npos ? "\"" : "'";
        line += (line.empty() ? "" : " ") + std::string(quote) + token + quote;
    }
    return line;
}

} // namespace poolwright::options
