// SPDX-License-Identifier: Apache-2.0
#include "text/numbers.h"

#include <algorithm>
#include <charconv>

namespace poolwright::text {

std::string formatDouble(double value) {
    char buffer[64];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
    return std::string(buffer, result.ptr);
}

std::string formatFixed(double value, int decimals) {
    // 309 digits before the point is the most a double has.
    char buffer[400];
    const auto result =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, std::clamp(decimals, 0, 60));
    return std::string(buffer, result.ptr);
}

std::string formatHex(std::uint64_t value, int digits, bool upperCase) {
    char buffer[32];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, 16);
    std::string text(buffer, result.ptr);
    if (upperCase)
        std::transform(text.begin(), text.end(), text.begin(),
                       [](char c) { return c >= 'a' ? char(c - 'a' + 'A') : c; });
    if (int(text.size()) < digits)
        text.insert(0, std::size_t(digits) - text.size(), '0');
    return "0x" + text;
}

template <typename Number, typename... Base>
static std::optional<Number> parseWhole(std::string_view text, Base... base) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base...);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

static std::string_view withoutPlus(std::string_view text) {
    return text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+' ? text.substr(1) : text;
}

std::optional<double> parseDouble(std::string_view text) {
    return parseWhole<double>(withoutPlus(text));
}

std::optional<std::int64_t> parseInteger(std::string_view text) {
    return parseWhole<std::int64_t>(withoutPlus(text), 10);
}

std::optional<std::uint64_t> parseUnsigned(std::string_view text) {
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return parseWhole<std::uint64_t>(text.substr(2), 16);
    return parseWhole<std::uint64_t>(text, 10);
}

} // namespace poolwright::text
