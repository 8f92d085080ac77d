// SPDX-License-Identifier: Apache-2.0
#include "common/format.h"

#include <QRegularExpression>

#include <cmath>

namespace poolwright::widgets {

static const QChar minusSign(0x2212);

QString grouped(std::int64_t value) {
    QString digits = text(ByteCount(value));
    digits.chop(2); // the unit
    return digits;
}

static QString scaled(double value) {
    const int decimals = value >= 100 ? 1 : 2;
    QString digits = QString::number(value, 'f', decimals);
    while (digits.endsWith('0'))
        digits.chop(1);
    if (digits.endsWith('.'))
        digits.chop(1);
    return digits;
}

QString shortBytes(ByteCount bytes) {
    const double magnitude = std::fabs(double(bytes.value));
    if (magnitude < 1024)
        return QStringLiteral("%1 B").arg(bytes.value);
    const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = magnitude / 1024;
    int unit = 0;
    for (; value >= 1024 && unit < 5; ++unit)
        value /= 1024;
    return (bytes.value < 0 ? QString(minusSign) : QString()) + scaled(value) + ' ' + units[unit];
}

QString longBytes(ByteCount bytes) {
    const QString exact = text(bytes);
    return std::llabs(bytes.value) < 1024 ? exact : exact + " (" + shortBytes(bytes) + ")";
}

QString rangeText(AddressRange range) {
    if (range.empty())
        return text(range.start);
    return text(range.start) + QStringLiteral(" – ") + text(range.end() - ByteCount(1));
}

QString milliseconds(double ms) {
    const int decimals = ms >= 100 ? 0 : ms >= 10 ? 1 : ms >= 1 ? 2 : 3;
    return QString::number(ms, 'f', decimals) + " ms";
}

static QString withSign(bool negative, const QString& magnitude) {
    return (negative ? QString(minusSign) : QStringLiteral("+")) + magnitude;
}

QString signedBytes(ByteCount difference) {
    if (difference.value == 0)
        return QStringLiteral("±0");
    return withSign(difference.value < 0, text(ByteCount(std::llabs(difference.value))));
}

QString signedMilliseconds(double difference) {
    if (std::fabs(difference) < 0.0005)
        return QStringLiteral("±0");
    return withSign(difference < 0, milliseconds(std::fabs(difference)));
}

QString signedCount(std::int64_t difference) {
    if (difference == 0)
        return QStringLiteral("±0");
    return withSign(difference < 0, grouped(std::llabs(difference)));
}

static std::optional<std::int64_t> unitFactor(const QString& unit) {
    if (unit.isEmpty() || unit == QLatin1String("b"))
        return 1;
    if (!QStringLiteral("kmg").contains(unit[0]) || !QRegularExpression("^[kmg](i?b)?$").match(unit).hasMatch())
        return std::nullopt;
    return unit[0] == 'k' ? 1024 : unit[0] == 'm' ? 1024 * 1024 : 1024 * 1024 * 1024;
}

std::optional<std::int64_t> parseBytes(const QString& entry) {
    QString digits = entry.trimmed().toLower();
    digits.remove(',').remove('_');
    static const QRegularExpression form("^(0x[0-9a-f]{1,15}|[0-9]{1,15}(?:\\.[0-9]{1,9})?)\\s*([a-z]*)$");
    const auto match = form.match(digits);
    if (!match.hasMatch())
        return std::nullopt;
    const auto factor = unitFactor(match.captured(2));
    if (!factor)
        return std::nullopt;
    const QString number = match.captured(1);
    if (number.startsWith("0x"))
        return *factor == 1 ? std::optional(number.mid(2).toLongLong(nullptr, 16)) : std::nullopt;
    const double bytes = number.toDouble() * double(*factor);
    if (bytes > 9e15 || bytes != std::floor(bytes))
        return std::nullopt;
    return std::int64_t(bytes);
}

} // namespace poolwright::widgets
