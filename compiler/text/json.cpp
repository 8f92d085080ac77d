// SPDX-License-Identifier: Apache-2.0
#include "text/json.h"

#include "text/escape.h"
#include "text/numbers.h"

#include <algorithm>

namespace poolwright::text {

Position positionAt(std::string_view source, std::size_t offset) {
    offset = std::min(offset, source.size());
    Position position;
    std::size_t lineStart = source.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0;
    for (std::size_t i = lineStart; i < offset; ++i) {
        const bool loneReturn = source[i] == '\r' && (i + 1 >= source.size() || source[i + 1] != '\n');
        if (source[i] == '\n' || loneReturn) {
            ++position.line;
            lineStart = i + 1;
        }
    }
    for (std::size_t i = lineStart; i < offset; ++i)
        position.column += (static_cast<unsigned char>(source[i]) & 0xc0) != 0x80;
    return position;
}

const char* JsonValue::kindName() const {
    static constexpr const char* names[] = {"null", "true or false", "a number", "a string", "an array", "an object"};
    return names[int(kind)];
}

const JsonMember* JsonValue::member(std::string_view key) const {
    for (auto it = members.rbegin(); it != members.rend(); ++it)
        if (it->key == key)
            return &*it;
    return nullptr;
}

const JsonValue* JsonValue::find(std::string_view key) const {
    const JsonMember* found = member(key);
    return found ? &found->value : nullptr;
}

std::optional<double> JsonValue::asDouble() const {
    return isNumber() ? parseDouble(text) : std::nullopt;
}

std::optional<std::int64_t> JsonValue::asInteger() const {
    return isNumber() ? parseInteger(text) : std::nullopt;
}

std::string toCompactJson(const JsonValue& value) {
    switch (value.kind) {
    case JsonValue::Kind::Null:
        return "null";
    case JsonValue::Kind::Bool:
        return value.boolean ? "true" : "false";
    case JsonValue::Kind::Number:
        return value.text;
    case JsonValue::Kind::String:
        return jsonQuote(value.text);
    case JsonValue::Kind::Array: {
        std::string out = "[";
        for (std::size_t i = 0; i < value.items.size(); ++i)
            out += (i ? ", " : "") + toCompactJson(value.items[i]);
        return out + "]";
    }
    case JsonValue::Kind::Object:
        break;
    }
    std::string out = "{";
    for (std::size_t i = 0; i < value.members.size(); ++i)
        out += (i ? ", " : " ") + jsonQuote(value.members[i].key) + ": " + toCompactJson(value.members[i].value);
    return out + (value.members.empty() ? "}" : " }");
}

std::string diagnosticsJson(const Diagnostics& diagnostics) {
    std::string out = "[";
    for (const Diagnostic& d : diagnostics) {
        out += out.size() > 1 ? ", {" : "{";
        out += "\"code\": " + jsonQuote(d.code) + ", \"severity\": " + jsonQuote(severityName(d.severity)) +
               ", \"message\": " + jsonQuote(d.message) + ", \"path\": " + jsonQuote(d.where.path) +
               ", \"line\": " + std::to_string(d.where.line) + ", \"column\": " + std::to_string(d.where.column) +
               ", \"hint\": " + jsonQuote(d.hint) + "}";
    }
    return out + "]";
}

std::string applyEdits(std::string source, std::vector<TextEdit> edits) {
    std::stable_sort(edits.begin(), edits.end(),
                     [](const TextEdit& a, const TextEdit& b) { return a.span.begin < b.span.begin; });
    for (auto it = edits.rbegin(); it != edits.rend(); ++it)
        source.replace(it->span.begin, it->span.size(), it->text);
    return source;
}

} // namespace poolwright::text
