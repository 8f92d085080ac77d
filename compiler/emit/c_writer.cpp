// SPDX-License-Identifier: Apache-2.0
#include "emit/c_writer.h"

#include <charconv>
#include <cstdio>

namespace poolwright::emit {

void CWriter::comment(const std::string& text) {
    std::string safe = text;
    for (std::size_t at = safe.find("*/"); at != std::string::npos; at = safe.find("*/", at))
        safe.replace(at, 2, "* /");
    line("/* " + safe + " */");
}

std::string identifier(const std::string& name) {
    std::string result;
    for (unsigned char c : name)
        result += (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? char(c) : '_';
    if (result.empty() || (result[0] >= '0' && result[0] <= '9'))
        result.insert(result.begin(), '_');
    return result;
}

std::string hexAddress(std::uint64_t address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%08llxUL", static_cast<unsigned long long>(address));
    return text;
}

std::string cString(const std::string& text) {
    std::string result = "\"";
    for (unsigned char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += char(c);
        } else if (c < 32 || c >= 127) {
            char octal[8];
            std::snprintf(octal, sizeof octal, "\\%03o", c);
            result += octal;
        } else {
            result += char(c);
        }
    }
    return result + "\"";
}

std::string cDouble(double value) {
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    std::string result(text, end);
    if (result.find_first_of(".einf") == std::string::npos)
        result += ".0";
    return result;
}

} // namespace poolwright::emit
