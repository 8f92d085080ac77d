// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.h"

#include <QString>

#include <optional>
#include <string>

/// Numbers as the workbench shows them: digits in groups of three, binary units, exact values in tooltips.
namespace poolwright::widgets {

inline QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}
inline QString text(Address address) {
    return text(toText(address));
}
inline QString text(ByteCount bytes) {
    return text(toText(bytes));
}

/// "1,835,008": grouped digits, no unit.
QString grouped(std::int64_t value);
/// "448 KiB", "1.75 MiB", "37 B": at most three significant decimals.
QString shortBytes(ByteCount bytes);
/// "458,752 B (448 KiB)"; no brackets below 1 KiB.
QString longBytes(ByteCount bytes);
/// "0x34200000 – 0x3426FFFF": first and last byte.
QString rangeText(AddressRange range);
/// "28.4 ms", "0.123 ms".
QString milliseconds(double ms);
/// Differences with their sign; "±0" when nothing changed.
QString signedBytes(ByteCount difference);
QString signedMilliseconds(double difference);
QString signedCount(std::int64_t difference);

/// Reads "0x34200000", "448 KiB", "448k", "1.5 MiB", "458752"; nothing when the text is no whole, non-negative number
/// of bytes.
std::optional<std::int64_t> parseBytes(const QString& entry);

} // namespace poolwright::widgets
