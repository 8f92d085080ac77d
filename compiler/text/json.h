// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A JSON reader that forgets nothing a careful editor needs: where every key and value stands, the order of keys, and
/// numbers as they were written. (For writing reports nlohmann's library is enough; it keeps no positions:
/// facts/toolbox.md section 4.)
namespace poolwright::text {

/// Bytes [begin, end) of the source text.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;

    std::size_t size() const { return end - begin; }
    bool operator==(const Span&) const = default;
};

/// Line and column, both from 1; a column is one character of UTF-8 (a tab is one column).
struct Position {
    int line = 1;
    int column = 1;
    bool operator==(const Position&) const = default;
};

/// Position of a byte offset; offsets beyond the end give the end.
Position positionAt(std::string_view source, std::size_t offset);

struct JsonMember;

struct JsonValue {
    enum class Kind { Null, Bool, Number, String, Array, Object };

    Kind kind = Kind::Null;
    bool boolean = false;
    std::string text;                ///< the decoded string, or the number as written
    std::vector<JsonValue> items;    ///< of an array
    std::vector<JsonMember> members; ///< of an object, in file order, doubles included
    Span span;                       ///< with quotes, brackets or braces
    Position position;

    bool isString() const { return kind == Kind::String; }
    bool isObject() const { return kind == Kind::Object; }
    bool isArray() const { return kind == Kind::Array; }
    bool isNumber() const { return kind == Kind::Number; }
    bool isBool() const { return kind == Kind::Bool; }
    /// "a string", "an object", ...: for messages.
    const char* kindName() const;

    /// The last member of this name (the one that counts when a key is doubled), or null.
    const JsonMember* member(std::string_view key) const;
    /// Its value, or null.
    const JsonValue* find(std::string_view key) const;

    std::optional<double> asDouble() const;
    /// Integers only; "2.0" and numbers beyond 64 bits are none.
    std::optional<std::int64_t> asInteger() const;
};

struct JsonMember {
    std::string key;
    Span keySpan; ///< with quotes
    Position keyPosition;
    JsonValue value;
};

/// What to do with something that strict JSON forbids.
enum class Tolerance { Refuse, Warn, Accept };

struct JsonOptions {
    Tolerance comments = Tolerance::Refuse;         ///< `// …` and `/* … */`
    Tolerance trailingCommas = Tolerance::Refuse;   ///< before ] or }
    Tolerance continuedStrings = Tolerance::Refuse; ///< a backslash at a line end inside a string: both vanish
    int maximumDepth = 200;
};

struct JsonDocument {
    JsonValue root;
    Diagnostics
        warnings; ///< doubled keys (PW1002), what was tolerated with Tolerance::Warn (PW1003), a byte order mark
};

/// Reads UTF-8 text with or without a byte order mark, with any line ends. Errors (PW1001 syntax, PW1004 encoding,
/// PW1005 nesting) name line and column of the offending character and carry a hint.
Result<JsonDocument> parseJson(std::string_view source, const std::string& path, const JsonOptions& options = {});

/// The bytes of `source` that each byte of a decoded string came from. `span` is that of the string's value in a text
/// that parsed; the answer has one more entry than the decoded string: the closing quote.
std::vector<std::size_t> stringOffsets(std::string_view source, Span span);

/// Strict JSON on one line: ", " and ": " as separators, numbers as they were written.
std::string toCompactJson(const JsonValue& value);

/// `[{"code", "severity", "message", "path", "line", "column", "hint"}, …]` on one line (design.md section 5).
std::string diagnosticsJson(const Diagnostics& diagnostics);

/// A replacement in a text; several must not overlap.
struct TextEdit {
    Span span;
    std::string text;
};
/// Applies all edits, whatever their order; insertions at one place stay in the order given.
std::string applyEdits(std::string source, std::vector<TextEdit> edits);

} // namespace poolwright::text
