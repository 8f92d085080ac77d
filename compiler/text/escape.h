// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Text made safe to stand between double quotes. None of these adds the quotes.
namespace poolwright::text {

/// JSON string body: control characters, quote and backslash escaped; UTF-8 passes.
std::string jsonEscape(std::string_view text);
/// Quoted JSON string.
std::string jsonQuote(std::string_view text);

/// C string literal body: bytes outside printable ASCII as three octal digits (an octal escape, unlike \x, ends after
/// three), and no trigraph.
std::string cEscape(std::string_view text);

/// Something that may stand in a C identifier: other characters become '_', a leading digit gets one in front.
std::string cIdentifier(std::string_view text);

/// Double-quoted Graphviz ID: quote and backslash escaped, a line feed becomes \n.
std::string dotEscape(std::string_view text);
/// The same inside a record label, where < > { } | and the space have a meaning of their own.
std::string dotRecordEscape(std::string_view text);

/// True when every byte belongs to well-formed UTF-8 (no surrogates, no over-long forms).
bool isUtf8(std::string_view text);
/// Length of the well-formed UTF-8 character at `offset`; 0 when there is none.
int utf8Length(std::string_view text, std::size_t offset);

} // namespace poolwright::text
