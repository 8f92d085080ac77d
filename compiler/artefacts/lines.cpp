// SPDX-License-Identifier: Apache-2.0
#include "artefacts/lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace poolwright::artefacts {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0;;) {
        const std::size_t end = text.find(separator, begin);
        parts.emplace_back(text.substr(begin, end - begin));
        if (end == std::string_view::npos)
            return parts;
        begin = end + 1;
    }
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines = split(text, '\n');
    for (std::string& line : lines)
        if (line.ends_with('\r'))
            line.pop_back();
    if (!lines.empty() && lines.back().empty())
        lines.pop_back();
    return lines;
}

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> list;
    for (std::size_t begin = text.find_first_not_of(" \t"); begin != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
        list.emplace_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(" \t", end);
    }
    return list;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::optional<double> parseNumber(std::string_view text) {
    if (text.empty())
        return 0;
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || rest != text.data() + text.size() || !std::isfinite(value) || std::abs(value) > 9e18)
        return std::nullopt;
    return value;
}

std::optional<std::uint64_t> parseInteger(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    std::string digits(text.substr(hexadecimal ? 2 : 0));
    if (!hexadecimal)
        std::erase(digits, ',');
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value, hexadecimal ? 16 : 10);
    if (digits.empty() || error != std::errc() || rest != end)
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> parseSize(std::string_view text) {
    const auto parts = words(text);
    if (parts.size() != 2)
        return std::nullopt;
    const auto number = parseNumber(parts[0]);
    const std::string& unit = parts[1];
    const double factor = unit == "B"                    ? 1
                          : unit == "kB" || unit == "KB" ? 1024
                          : unit == "MB"                 ? 1024.0 * 1024
                          : unit == "GB"                 ? 1024.0 * 1024 * 1024
                                                         : 0;
    if (!number || factor == 0 || *number < 0 || *number * factor > 9e15)
        return std::nullopt;
    return std::int64_t(std::llround(*number * factor));
}

} // namespace poolwright::artefacts
