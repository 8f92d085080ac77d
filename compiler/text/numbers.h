// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Numbers as they stand in files: always in the C locale, whatever the process has set.
namespace poolwright::text {

/// The shortest text that reads back as the same double: "2.5", "1e+300", "nan", "inf".
std::string formatDouble(double value);
/// As the "%.<decimals>f" of the C locale.
std::string formatFixed(double value, int decimals);
/// "0x34200000" with at least `digits` digits.
std::string formatHex(std::uint64_t value, int digits = 1, bool upperCase = false);

/// The whole text must be one number; nothing otherwise. Accepts what JSON accepts and a leading '+'.
std::optional<double> parseDouble(std::string_view text);
/// Decimal, optional sign; nothing when it does not fit 64 bits or is not all of the text.
std::optional<std::int64_t> parseInteger(std::string_view text);
/// Decimal or 0x/0X hexadecimal without a sign; nothing when it does not fit 64 bits.
std::optional<std::uint64_t> parseUnsigned(std::string_view text);

} // namespace poolwright::text
