// SPDX-License-Identifier: Apache-2.0
#include "options/table.h"
#include "text/escape.h"

namespace poolwright::options {

static std::string spellingsText(const OptionSpec& spec, const char* quote) {
    std::string text;
    for (std::string_view spelling : spec.spellings)
        text += (text.empty() ? "" : ", ") + std::string(quote) + std::string(spelling) + quote;
    return text;
}

static std::string cell(std::string_view text) {
    std::string out;
    for (char c : text)
        out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

static std::string meaning(const OptionSpec& spec) {
    return std::string(spec.sentence) + (spec.advice.empty() ? "" : " " + std::string(spec.advice));
}

static std::string rangeText(const OptionSpec& spec) {
    if (spec.kind != ArgumentKind::Integer)
        return std::string(spec.argument);
    return std::to_string(spec.minimum) + ".." + std::to_string(spec.maximum);
}

static std::string shownDefault(const OptionSpec& spec) {
    return spec.kind == ArgumentKind::Flag ? std::string() : defaultText(spec);
}

std::string tableAsMarkdown() {
    std::string out = "# Options\n";
    std::string_view category;
    for (const OptionSpec& spec : optionTable()) {
        if (spec.category != category) {
            category = spec.category;
            out += "\n## " + std::string(category) +
                   "\n\n| option | argument | default | meaning | of |\n|---|---|---|---|---|\n";
        }
        out += "| " + spellingsText(spec, "`") + " | " + cell(rangeText(spec)) + " | " + cell(shownDefault(spec)) +
               " | " + cell(meaning(spec)) + " | " + statusName(spec.status) + " |\n";
    }
    return out;
}

static const char* kindName(ArgumentKind kind) {
    static constexpr const char* names[] = {"flag", "integer", "text", "optional text", "file", "list"};
    return names[int(kind)];
}

static std::string specAsJson(const OptionSpec& spec) {
    using text::jsonQuote;
    std::string spellings;
    for (std::string_view spelling : spec.spellings)
        spellings += (spellings.empty() ? "" : ", ") + jsonQuote(spelling);
    std::string out = "{\"name\": " + jsonQuote(spec.name) + ", \"spellings\": [" + spellings +
                      "], \"kind\": " + jsonQuote(kindName(spec.kind)) + ", \"argument\": " + jsonQuote(spec.argument) +
                      ", \"default\": " + jsonQuote(defaultText(spec));
    if (spec.kind == ArgumentKind::Integer)
        out += ", \"minimum\": " + std::to_string(spec.minimum) + ", \"maximum\": " + std::to_string(spec.maximum);
    return out + ", \"category\": " + jsonQuote(spec.category) + ", \"status\": " + jsonQuote(statusName(spec.status)) +
           ", \"sentence\": " + jsonQuote(spec.sentence) + ", \"advice\": " + jsonQuote(spec.advice) + "}";
}

std::string tableAsJson() {
    std::string out = "[\n";
    for (const OptionSpec& spec : optionTable())
        out += (&spec == &optionTable().front() ? "  " : ",\n  ") + specAsJson(spec);
    return out + "\n]\n";
}

std::string tableAsText() {
    std::string out;
    std::string_view category;
    for (const OptionSpec& spec : optionTable()) {
        if (spec.category != category) {
            out += std::string(out.empty() ? "" : "\n") + std::string(spec.category) + ":\n";
            category = spec.category;
        }
        out += "  " + spellingsText(spec, "") + (spec.takesValue() ? " " + rangeText(spec) : "") + "\n      " +
               meaning(spec) + "\n";
    }
    return out;
}

} // namespace poolwright::options
