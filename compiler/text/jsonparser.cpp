// SPDX-License-Identifier: Apache-2.0
#include "text/json.h"

#include "text/escape.h"

#include <set>

namespace poolwright::text {

namespace {

/// Recursive descent with a depth limit. The first error ends the parse; `m_error` holds it.
class JsonParser {
public:
    JsonParser(std::string_view source, const std::string& path, const JsonOptions& options)
        : m_source(source)
        , m_path(path)
        , m_options(options) {}

    Result<JsonDocument> parse() {
        JsonDocument document;
        if (!checkEncoding() || !skipBlanks() || !parseValue(document.root, 0) || !skipBlanks() || !expectEnd())
            return fail(std::move(m_error));
        document.warnings = std::move(m_warnings);
        return document;
    }

private:
    bool atEnd() const { return m_at >= m_source.size(); }
    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_source.size() ? m_source[m_at + ahead] : '\0'; }

    SourceLocation placeOf(std::size_t offset) {
        const Position position = offset >= m_counted ? countTo(offset) : positionAt(m_source, offset);
        return {m_path, position.line, position.column, {}};
    }

    bool refuse(std::size_t offset, std::string message, std::string hint, const char* code = "PW1001") {
        m_error = {makeError(code, std::move(message), placeOf(offset), std::move(hint))};
        return false;
    }

    Position here() { return countTo(m_at); }

    /// The position of an offset, counted on from the last one asked for: one pass over the text in all.
    Position countTo(std::size_t offset) {
        for (; m_counted < offset && m_counted < m_source.size(); ++m_counted) {
            const char c = m_source[m_counted];
            const bool loneReturn = c == '\r' && (m_counted + 1 >= m_source.size() || m_source[m_counted + 1] != '\n');
            if (c == '\n' || loneReturn)
                m_position = {m_position.line + 1, 1};
            else
                m_position.column += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
        }
        return m_position;
    }

    bool checkEncoding() {
        const std::string_view head = m_source.substr(0, 2);
        if (head == "\xff\xfe" || head == "\xfe\xff")
            return refuse(0, "the file is UTF-16", "save it as UTF-8", "PW1004");
        if (m_source.substr(0, 3) == "\xef\xbb\xbf")
            m_at = m_counted = 3;
        for (std::size_t i = 0; i < m_source.size();) {
            const int length = utf8Length(m_source, i);
            if (length == 0)
                return refuseByte(i);
            if (m_source[i] == '\0')
                return refuse(i, "the file holds a NUL byte: it is no text", "give the JSON file itself", "PW1004");
            i += std::size_t(length);
        }
        return true;
    }

    bool refuseByte(std::size_t offset) {
        static constexpr char digits[] = "0123456789ABCDEF";
        const auto byte = static_cast<unsigned char>(m_source[offset]);
        const std::string hex = {'0', 'x', digits[byte >> 4], digits[byte & 15]};
        return refuse(offset, "byte " + hex + " is not UTF-8", "the file is probably Latin-1: save it as UTF-8",
                      "PW1004");
    }

    bool tolerate(Tolerance tolerance, std::size_t offset, const std::string& what, const std::string& hint) {
        if (tolerance == Tolerance::Refuse)
            return refuse(offset, what + " is not allowed here", hint);
        if (tolerance == Tolerance::Warn)
            m_warnings.push_back(makeWarning("PW1003", what + " is not strict JSON", placeOf(offset), hint));
        return true;
    }

    bool skipBlanks() {
        for (;; ++m_at) {
            while (peek() == '/' && (peek(1) == '/' || peek(1) == '*'))
                if (!skipComment())
                    return false;
            const char c = peek();
            if (atEnd() || (c != ' ' && c != '\t' && c != '\n' && c != '\r'))
                return true;
        }
    }

    bool skipComment() {
        if (!tolerate(m_options.comments, m_at, "a comment", "remove the comment: other tools refuse the file"))
            return false;
        const bool block = peek(1) == '*';
        const std::size_t end = m_source.find(block ? "*/" : "\n", m_at + 2);
        if (end == std::string_view::npos && block)
            return refuse(m_at, "a comment is never closed", "end it with */");
        m_at = end == std::string_view::npos ? m_source.size() : end + (block ? 2 : 0);
        return true;
    }

    bool expectEnd() {
        return atEnd() || refuse(m_at, "text after the end of the JSON value",
                                 "check for a brace or bracket that closes too early");
    }

    bool parseValue(JsonValue& value, int depth) {
        if (depth > m_options.maximumDepth)
            return refuse(m_at, "nested deeper than " + std::to_string(m_options.maximumDepth) + " levels",
                          "no sensible file is; check for brackets that never close", "PW1005");
        value.position = here();
        value.span.begin = m_at;
        const bool good = parseByFirst(value, depth);
        value.span.end = m_at;
        return good;
    }

    bool parseByFirst(JsonValue& value, int depth) {
        if (atEnd())
            return refuse(m_at, m_source.empty() ? "the file is empty" : "a value is missing at the end of the file",
                          "the file looks cut off");
        const char c = peek();
        if (c == '{')
            return parseObject(value, depth);
        if (c == '[')
            return parseArray(value, depth);
        if (c == '"') {
            value.kind = JsonValue::Kind::String;
            return parseString(value.text);
        }
        if (c == '-' || (c >= '0' && c <= '9'))
            return parseNumber(value);
        return parseWord(value);
    }

    bool parseWord(JsonValue& value) {
        const auto take = [&](std::string_view word) {
            const bool found = m_source.substr(m_at, word.size()) == word;
            m_at += found ? word.size() : 0;
            return found;
        };
        if (take("true") || take("false")) {
            value.kind = JsonValue::Kind::Bool;
            value.boolean = m_source[m_at - 2] == 'u';
            return true;
        }
        if (take("null"))
            return true;
        if (peek() == '\'')
            return refuse(m_at, "single quotes do not start a string", "use double quotes");
        return refuse(m_at, "a value is expected here",
                      "a value is a string in double quotes, a number, true, false, null, an object or an array");
    }

    bool takeDigits() {
        const std::size_t start = m_at;
        while (peek() >= '0' && peek() <= '9')
            ++m_at;
        return m_at > start;
    }

    bool parseNumber(JsonValue& value) {
        const std::size_t start = m_at;
        value.kind = JsonValue::Kind::Number;
        m_at += peek() == '-';
        const bool zero = peek() == '0';
        const std::size_t digits = m_at;
        if (!takeDigits() || (zero && m_at - digits > 1))
            return refuse(start, "this is not a JSON number", "no leading zeros, at least one digit");
        if (zero && (peek() == 'x' || peek() == 'X'))
            return refuse(start, "JSON has no hexadecimal numbers", "put the number in double quotes");
        if (peek() == '.' && (++m_at, !takeDigits()))
            return refuse(start, "this number has no digit behind its point", "write 2.0 for 2.");
        if (peek() == 'e' || peek() == 'E') {
            ++m_at;
            m_at += peek() == '+' || peek() == '-';
            if (!takeDigits())
                return refuse(start, "this number has an exponent without digits", "write 1e3");
        }
        value.text = m_source.substr(start, m_at - start);
        return true;
    }

    bool parseString(std::string& out) {
        const std::size_t start = m_at++;
        while (!atEnd()) {
            const char c = m_source[m_at];
            if (c == '"')
                return ++m_at, true;
            if (c == '\\') {
                if (!parseEscape(out))
                    return false;
            } else if (static_cast<unsigned char>(c) < 0x20 && c != '\t') {
                return refuse(start, "a string is not closed on its line", "end it with a double quote");
            } else {
                out += c;
                ++m_at;
            }
        }
        return refuse(start, "a string is never closed", "end it with a double quote");
    }

    bool parseEscape(std::string& out) {
        static constexpr std::string_view letters = "\"\\/bfnrt";
        static constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        const std::size_t start = m_at++;
        const char c = peek();
        if (c == '\n' || c == '\r') {
            m_at += c == '\r' && peek(1) == '\n' ? 2 : 1;
            return tolerate(m_options.continuedStrings, start, "a string that goes on in the next line",
                            "write the string on one line");
        }
        if (c == 'u')
            return parseUnicode(out, start);
        const std::size_t index = letters.find(c);
        if (atEnd() || index == std::string_view::npos)
            return refuse(start, "unknown escape in a string",
                          "a backslash itself is written \\\\ (Windows paths may use / instead)");
        out += meanings[index];
        ++m_at;
        return true;
    }

    /// Four hexadecimal digits behind "\u" or -1.
    int takeUnit() {
        int value = 0;
        ++m_at;
        for (int i = 0; i < 4; ++i, ++m_at) {
            const std::size_t digit = std::string_view("0123456789abcdefABCDEF").find(peek());
            if (atEnd() || digit == std::string_view::npos)
                return -1;
            value = value * 16 + int(digit < 16 ? digit : digit - 6);
        }
        return value;
    }

    bool parseUnicode(std::string& out, std::size_t start) {
        int code = takeUnit();
        if (code >= 0xd800 && code < 0xdc00 && peek() == '\\' && peek(1) == 'u') {
            ++m_at;
            const int low = takeUnit();
            code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : -1;
        }
        if (code < 0 || (code >= 0xd800 && code < 0xe000))
            return refuse(start, "\\u needs four hexadecimal digits and whole surrogate pairs",
                          "write the character itself");
        appendUtf8(out, code);
        return true;
    }

    static void appendUtf8(std::string& out, int code) {
        if (code < 0x80) {
            out += char(code);
            return;
        }
        const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        static constexpr int leads[] = {0, 0xc0, 0xe0, 0xf0};
        out += char(leads[more] | code >> (6 * more));
        for (int i = more - 1; i >= 0; --i)
            out += char(0x80 | (code >> (6 * i) & 0x3f));
    }

    /// After an item: true to go on with the next, false at the closing character or an error (then m_error is set).
    bool nextItem(char close, std::size_t open, bool& closed) {
        if (!skipBlanks())
            return false;
        if (peek() == close && !atEnd())
            return ++m_at, closed = true, false;
        if (peek() != ',' || atEnd()) {
            const std::string kind = close == '}' ? "object" : "array";
            if (atEnd())
                return refuse(open, "this " + kind + " is never closed", std::string("it needs a ") + close);
            return refuse(m_at, std::string("a comma or ") + close + " is expected here",
                          "the comma after the value before it may be missing");
        }
        const std::size_t comma = m_at++;
        if (!skipBlanks())
            return false;
        if (peek() != close || atEnd())
            return true;
        if (!tolerate(m_options.trailingCommas, comma, "a comma after the last item", "remove the comma"))
            return false;
        ++m_at;
        closed = true;
        return false;
    }

    bool parseArray(JsonValue& value, int depth) {
        value.kind = JsonValue::Kind::Array;
        const std::size_t open = m_at++;
        if (!skipBlanks())
            return false;
        if (peek() == ']')
            return ++m_at, true;
        bool closed = false;
        do {
            value.items.emplace_back();
            if (!parseValue(value.items.back(), depth + 1))
                return false;
        } while (nextItem(']', open, closed));
        return closed;
    }

    bool parseObject(JsonValue& value, int depth) {
        value.kind = JsonValue::Kind::Object;
        const std::size_t open = m_at++;
        if (!skipBlanks())
            return false;
        if (peek() == '}')
            return ++m_at, true;
        bool closed = false;
        std::set<std::string> seen;
        do {
            value.members.emplace_back();
            if (!parseMember(value.members.back(), depth, seen))
                return false;
        } while (nextItem('}', open, closed));
        return closed;
    }

    bool parseMember(JsonMember& member, int depth, std::set<std::string>& seen) {
        if (peek() != '"')
            return refuse(m_at, atEnd() ? "the file ends inside an object" : "a key in double quotes is expected here",
                          "keys are strings: \"name\": value");
        member.keyPosition = here();
        member.keySpan.begin = m_at;
        if (!parseString(member.key))
            return false;
        member.keySpan.end = m_at;
        if (!seen.insert(member.key).second)
            m_warnings.push_back(
                makeWarning("PW1002", "the key \"" + member.key + "\" is given twice; the last one counts",
                            {m_path, member.keyPosition.line, member.keyPosition.column, {}}, "remove one of the two"));
        if (!skipBlanks())
            return false;
        if (peek() != ':')
            return refuse(m_at, "a colon is expected after the key \"" + member.key + "\"", "write \"key\": value");
        ++m_at;
        return skipBlanks() && parseValue(member.value, depth + 1);
    }

    std::string_view m_source;
    const std::string& m_path;
    JsonOptions m_options;
    std::size_t m_at = 0;
    std::size_t m_counted = 0;
    Position m_position;
    Diagnostics m_warnings;
    Diagnostics m_error;
};

} // namespace

Result<JsonDocument> parseJson(std::string_view source, const std::string& path, const JsonOptions& options) {
    return JsonParser(source, path, options).parse();
}

static std::size_t escapeLength(std::string_view source, std::size_t at) {
    const char c = at + 1 < source.size() ? source[at + 1] : '\0';
    if (c == 'u')
        return source.substr(at + 6, 2) == "\\u" &&
                       (source[at + 3] == '8' || source[at + 3] == '9' || (source[at + 3] | 0x20) == 'a' ||
                        (source[at + 3] | 0x20) == 'b') &&
                       (source[at + 2] | 0x20) == 'd'
                   ? 12
                   : 6;
    return c == '\r' && at + 2 < source.size() && source[at + 2] == '\n' ? 3 : 2;
}

std::vector<std::size_t> stringOffsets(std::string_view source, Span span) {
    std::vector<std::size_t> offsets;
    for (std::size_t at = span.begin + 1; at + 1 < span.end;) {
        const std::size_t length = source[at] == '\\' ? escapeLength(source, at) : 1;
        // A piece decodes to as many bytes as the parser makes of it alone between quotes.
        JsonOptions options;
        options.continuedStrings = Tolerance::Accept;
        std::size_t decoded = 1;
        if (length > 1) {
            const std::string piece = '"' + std::string(source.substr(at, length)) + '"';
            const auto document = parseJson(piece, {}, options);
            decoded = document ? document->root.text.size() : 0;
        }
        offsets.insert(offsets.end(), decoded, at);
        at += length;
    }
    offsets.push_back(span.end > 0 ? span.end - 1 : 0);
    return offsets;
}

} // namespace poolwright::text
