// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Small pieces for reading line-oriented text.
namespace poolwright::artefacts {

/// Without line ends; CR LF and a missing last line end are fine.
std::vector<std::string> linesOf(const std::string& text);
std::vector<std::string> split(std::string_view text, char separator);
/// Words between blanks.
std::vector<std::string> words(std::string_view text);
std::string_view trimmed(std::string_view text);

/// The whole text as a number; empty text is 0.
std::optional<double> parseNumber(std::string_view text);
/// Digits with or without thousands commas, or "0x" and hexadecimal digits.
std::optional<std::uint64_t> parseInteger(std::string_view text);
/// "425.00 KB", "147.875 kB", "1.000 MB", "0  B": units of 1024. Rounded to a byte.
std::optional<std::int64_t> parseSize(std::string_view text);

} // namespace poolwright::artefacts
