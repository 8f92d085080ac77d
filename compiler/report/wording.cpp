// SPDX-License-Identifier: Apache-2.0
#include "report/wording.h"

#include <charconv>

namespace poolwright::report {

std::string grouped(std::int64_t number) {
    const std::string withUnit = toText(ByteCount(number));
    return withUnit.substr(0, withUnit.size() - 2);
}

std::string counted(std::int64_t count, const std::string& noun) {
    return grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i)
        text += (i > 0 ? ", " : "") + names[i];
    if (names.size() > most)
        text += " and " + std::to_string(names.size() - most) + " more";
    return text;
}

std::string epochsText(EpochRange range) {
    if (range.first == range.last)
        return "epoch " + std::to_string(range.first);
    return "epochs " + std::to_string(range.first) + "-" + std::to_string(range.last);
}

std::string fixed(double number, int decimals) {
    char text[400];
    const auto [end, error] = std::to_chars(text, text + sizeof text, number, std::chars_format::fixed, decimals);
    return error == std::errc() ? std::string(text, end) : std::string("?");
}

std::string poolName(const Report& report, int pool) {
    return pool >= 0 && std::size_t(pool) < report.pools.size() ? report.pools[std::size_t(pool)].name : "(no pool)";
}

} // namespace poolwright::report
