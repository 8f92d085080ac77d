// SPDX-License-Identifier: Apache-2.0
#include "options/parse.h"

#include "options/table.h"
#include "text/numbers.h"
#include "text/similar.h"

#include <algorithm>

namespace poolwright::options {

namespace {

/// "--name value" as a person would write it.
std::string shown(const OptionSpec& spec, const std::string& value) {
    return spec.takesValue() ? "--" + std::string(spec.name) + " " + value : "--" + std::string(spec.name);
}

class Parser {
public:
    explicit Parser(const std::vector<Token>& tokens)
        : m_tokens(tokens) {}

    Parsed run() {
        while (m_at < m_tokens.size())
            readOne();
        advise();
        return std::move(m_out);
    }

private:
    struct Word {
        const OptionSpec* spec = nullptr;
        std::string spelling;
        std::optional<std::string> value; ///< attached by '=' or behind a short option
    };

    void readOne() {
        m_current = &m_tokens[m_at++];
        const std::string& text = m_current->text;
        if (text.size() < 2 || text[0] != '-') {
            m_out.positional.push_back(text);
            return;
        }
        Word word = split(text);
        if (!word.spec)
            return unknown(word.spelling);
        if (word.spec->takesValue() && !word.value && !takeNext(word))
            return error("PW1015", word.spelling + " needs a value",
                         "write " + word.spelling + " " + std::string(word.spec->argument));
        apply(*word.spec, word.spelling, word.value.value_or("true"));
    }

    static Word split(const std::string& text) {
        const std::size_t equals = text.find('=');
        Word word{findOption(text.substr(0, equals)), text.substr(0, equals), std::nullopt};
        if (equals != std::string::npos)
            word.value = text.substr(equals + 1);
        // -O3, -tstm32n6: a short option with its value behind it.
        if (!word.spec && text[1] != '-') {
            const OptionSpec* spec = findOption(text.substr(0, 2));
            if (spec && spec->takesValue() &&
                (spec->kind != ArgumentKind::Integer || text.find_first_not_of("0123456789", 2) == std::string::npos))
                word = {spec, text.substr(0, 2), text.substr(2)};
        }
        return word;
    }

    bool takeNext(Word& word) {
        const bool optional = word.spec->kind == ArgumentKind::OptionalText;
        const bool there = m_at < m_tokens.size();
        // A value that starts with a dash is the next option, unless it is a negative number that gets a better
        // message.
        const bool looksLikeOption = there && m_tokens[m_at].text.size() > 1 && m_tokens[m_at].text[0] == '-' &&
                                     !(m_tokens[m_at].text[1] >= '0' && m_tokens[m_at].text[1] <= '9');
        if (!there || looksLikeOption) {
            word.value = "";
            return optional;
        }
        word.value = m_tokens[m_at++].text;
        return true;
    }

    SourceLocation place() const {
        SourceLocation where = m_current->where;
        where.object = m_current->text;
        return where;
    }

    void error(const char* code, std::string message, std::string hint) {
        m_out.diagnostics.push_back(makeError(code, std::move(message), place(), std::move(hint)));
    }
    void say(Severity severity, const char* code, std::string message, std::string hint, SourceLocation where) {
        m_out.diagnostics.push_back({code, severity, std::move(message), std::move(where), std::move(hint)});
    }

    void unknown(const std::string& spelling) {
        const std::vector<std::string> near = text::nearestNames(spelling, allSpellings());
        error("PW1010", "unknown option " + spelling,
              near.empty() ? "`poolwright-cli options` lists all options"
                           : "is " + text::joinedWithOr(near) + " meant?");
    }

    void apply(const OptionSpec& spec, const std::string& spelling, const std::string& value) {
        if (!store(spec, spelling, value))
            return;
        if (spec.name == "st-neural-art")
            m_out.options.stNeuralArtGiven = true;
        if (spec.kind != ArgumentKind::List)
            reportRepeat(spec, spelling, value);
        remember(spec);
    }

    bool store(const OptionSpec& spec, const std::string& spelling, const std::string& value) {
        CompilerOptions& o = m_out.options;
        if (const auto* flag = std::get_if<bool CompilerOptions::*>(&spec.field)) {
            if (value != "true" && value != "false")
                return error("PW1016", spelling + " takes no value but true or false", "write " + spelling), false;
            o.*(*flag) = value == "true";
        } else if (const auto* number = std::get_if<int CompilerOptions::*>(&spec.field)) {
            const std::optional<std::int64_t> parsed = text::parseInteger(value);
            if (!parsed || *parsed < spec.minimum || *parsed > spec.maximum)
                return error("PW1016", spelling + " cannot be \"" + value + "\"",
                             "a whole number from " + std::to_string(spec.minimum) + " to " +
                                 std::to_string(spec.maximum)),
                       false;
            o.*(*number) = int(*parsed);
        } else if (const auto* text = std::get_if<std::string CompilerOptions::*>(&spec.field)) {
            if (value.empty() && spec.kind != ArgumentKind::OptionalText)
                return error("PW1015", spelling + " has an empty value",
                             "write " + spelling + " " + std::string(spec.argument)),
                       false;
            o.*(*text) = value;
        } else {
            storeList(spec, value);
        }
        return true;
    }

    void storeList(const OptionSpec& spec, const std::string& value) {
        auto& list = m_out.options.*std::get<std::vector<std::string> CompilerOptions::*>(spec.field);
        for (std::size_t begin = 0; begin <= value.size();) {
            const std::size_t end = std::min(value.find(',', begin), value.size());
            const std::string item = value.substr(begin, end - begin);
            if (!item.empty() && std::find(list.begin(), list.end(), item) == list.end())
                list.push_back(item);
            begin = end + 1;
        }
    }

    void reportRepeat(const OptionSpec& spec, const std::string& spelling, const std::string& value) {
        for (const auto& [key, before] : m_out.options.given) {
            if (key != spec.name)
                continue;
            const std::string now = valueText(spec, m_out.options);
            if (before == now)
                say(Severity::Note, "PW1011", spelling + " is given again: harmless, it counts once",
                    "remove one of the two", place());
            else
                say(Severity::Warning, "PW1012",
                    "conflict: " + shown(spec, before) + " and " + m_current->text +
                        (spec.takesValue() && m_current->text == spelling ? " " + value : "") +
                        "; the last one wins: " + std::string(spec.name) + " is " + now,
                    "keep one of the two", place());
        }
    }

    void remember(const OptionSpec& spec) {
        auto& given = m_out.options.given;
        const std::string value = valueText(spec, m_out.options);
        const auto it =
            std::find_if(given.begin(), given.end(), [&](const auto& entry) { return entry.first == spec.name; });
        if (it == given.end()) {
            given.emplace_back(spec.name, value);
            m_places.push_back(place());
        } else {
            it->second = value;
        }
    }

    SourceLocation placeOf(std::string_view name) const {
        for (std::size_t i = 0; i < m_places.size(); ++i)
            if (m_out.options.given[i].first == name)
                return m_places[i];
        return {};
    }

    void advise() {
        const CompilerOptions& o = m_out.options;
        if (o.autoOptions && o.maxCaPipe > 0)
            say(Severity::Hint, "PW1013",
                "--Oauto with --Omax-ca-pipe " + std::to_string(o.maxCaPipe) + " cannot try other pipeline lengths",
                "--Omax-ca-pipe 0 lets the search explore them", placeOf("Omax-ca-pipe"));
        if (o.cacheOpt && !o.cacheMaintenance)
            say(Severity::Warning, "PW1014", "--Ocache-opt needs --cache-maintenance", "add --cache-maintenance",
                placeOf("Ocache-opt"));
        if (o.autoSched && o.altSched)
            say(Severity::Hint, "PW1013",
                "--Oauto-sched tries the alternative scheduler by itself: --Oalt-sched adds nothing",
                "remove --Oalt-sched", placeOf("Oalt-sched"));
        if (o.expandSoftmax && o.expandSoftmaxFull)
            say(Severity::Hint, "PW1013", "both forms of Softmax expansion are asked for; the precise one is used",
                "keep one of --expand-softmax and --expand-softmax-full", placeOf("expand-softmax-full"));
    }

    const std::vector<Token>& m_tokens;
    const Token* m_current = nullptr;
    std::size_t m_at = 0;
    std::vector<SourceLocation> m_places; ///< beside options.given
    Parsed m_out;
};

} // namespace

Parsed parseTokens(const std::vector<Token>& tokens) {
    return Parser(tokens).run();
}

Result<CompilerOptions> parse(const std::vector<std::string>& words, Diagnostics& warnings) {
    std::vector<Token> tokens;
    for (const std::string& word : words)
        tokens.push_back({word, {}});
    Parsed parsed = parseTokens(tokens);
    for (const std::string& word : parsed.positional)
        parsed.diagnostics.push_back(makeError("PW1017", "\"" + word + "\" belongs to no option", {{}, 0, 0, word},
                                               "a model is given by -i FILE, pools by --load-mpool FILE"));
    if (hasErrors(parsed.diagnostics))
        return fail(std::move(parsed.diagnostics));
    warnings.insert(warnings.end(), parsed.diagnostics.begin(), parsed.diagnostics.end());
    return std::move(parsed.options);
}

static bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

Result<std::vector<SplitToken>> splitOptionText(const std::string& text, const SourceLocation& start) {
    std::vector<SplitToken> tokens;
    for (std::size_t at = 0; at < text.size();) {
        if (isBlank(text[at])) {
            ++at;
            continue;
        }
        SplitToken token{{}, at};
        while (at < text.size() && !isBlank(text[at])) {
            if (text[at] != '"' && text[at] != '\'') {
                token.text += text[at++];
                continue;
            }
            const std::size_t end = text.find(text[at], at + 1);
            if (end == std::string::npos)
                return fail(
                    makeError("PW1018", "a quote in the options is never closed", start, "close it, or remove it"));
            token.text += text.substr(at + 1, end - at - 1);
            at = end + 1;
        }
        tokens.push_back(std::move(token));
    }
    return tokens;
}

} // namespace poolwright::options
