// SPDX-License-Identifier: Apache-2.0
#include "text/escape.h"

#include <cstdio>

namespace poolwright::text {

static std::string formatted(const char* format, unsigned value) {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}

std::string jsonEscape(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (char c : text) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            out += static_cast<unsigned char>(c) < 0x20 ? formatted("\\u%04x", static_cast<unsigned char>(c))
                                                        : std::string(1, c);
        }
    }
    return out;
}

std::string jsonQuote(std::string_view text) {
    return '"' + jsonEscape(text) + '"';
}

std::string cEscape(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '"' || c == '\\' || c == '?')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (c < 0x20 || c >= 0x7f)
            out += formatted("\\%03o", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out;
}

static bool isAsciiAlnum(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::string cIdentifier(std::string_view text) {
    std::string out;
    for (char c : text)
        out += isAsciiAlnum(c) ? c : '_';
    if (out.empty() || (out[0] >= '0' && out[0] <= '9'))
        out.insert(0, 1, '_');
    return out;
}

std::string dotEscape(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out;
}

std::string dotRecordEscape(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '\n')
            out += "\\l";
        else if (std::string_view("\"\\<>{}| ").find(c) != std::string_view::npos)
            (out += '\\') += c;
        else
            out += c;
    }
    return out;
}

int utf8Length(std::string_view text, std::size_t offset) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned lead = byte(offset);
    if (offset >= text.size())
        return 0;
    if (lead < 0x80)
        return 1;
    const int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    for (int i = 1; i < length; ++i)
        if ((byte(offset + std::size_t(i)) & 0xc0) != 0x80)
            return 0;
    const unsigned second = byte(offset + 1);
    const bool overLong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    const bool outside = (lead == 0xed && second > 0x9f) || (lead == 0xf4 && second > 0x8f);
    return overLong || outside ? 0 : length;
}

bool isUtf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const int length = utf8Length(text, i);
        if (length == 0)
            return false;
        i += std::size_t(length);
    }
    return true;
}

} // namespace poolwright::text
