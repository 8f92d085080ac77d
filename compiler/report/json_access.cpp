// SPDX-License-Identifier: Apache-2.0
#include "report/json_access.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace poolwright::report {

using nlohmann::json;

namespace {

const json* find(const json& object, const char* key) {
    if (!object.is_object())
        return nullptr;
    const auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
}

std::uint64_t parseUnsigned(const std::string& text, std::uint64_t fallback) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    std::uint64_t value = 0;
    const char* begin = text.data() + (hexadecimal ? 2 : 0);
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(begin, end, value, hexadecimal ? 16 : 10);
    return error == std::errc() && rest == end ? value : fallback;
}

std::int64_t fromDouble(double value, std::int64_t fallback) {
    constexpr double limit = 9.2e18;
    if (std::isnan(value))
        return fallback;
    return std::int64_t(std::clamp(value, -limit, limit));
}

} // namespace

std::int64_t toInteger(const json& value, std::int64_t fallback) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (value.is_number_unsigned())
        return std::int64_t(std::min(value.get<std::uint64_t>(), std::uint64_t(most)));
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_number_float())
        return fromDouble(value.get<double>(), fallback);
    if (value.is_string())
        return std::int64_t(
            std::min(parseUnsigned(value.get_ref<const std::string&>(), std::uint64_t(fallback)), std::uint64_t(most)));
    return fallback;
}

double toNumber(const json& value, double fallback) {
    return value.is_number() ? value.get<double>() : fallback;
}

std::int64_t integerAt(const json& object, const char* key, std::int64_t fallback) {
    const json* value = find(object, key);
    return value ? toInteger(*value, fallback) : fallback;
}

std::uint64_t addressAt(const json& object, const char* key, std::uint64_t fallback) {
    const json* value = find(object, key);
    if (!value)
        return fallback;
    if (value->is_string())
        return parseUnsigned(value->get_ref<const std::string&>(), fallback);
    return value->is_number() ? std::uint64_t(std::max<std::int64_t>(0, toInteger(*value))) : fallback;
}

int intAt(const json& object, const char* key, int fallback) {
    return int(std::clamp<std::int64_t>(integerAt(object, key, fallback), std::numeric_limits<int>::min(),
                                        std::numeric_limits<int>::max()));
}

double numberAt(const json& object, const char* key, double fallback) {
    const json* value = find(object, key);
    return value ? toNumber(*value, fallback) : fallback;
}

bool boolAt(const json& object, const char* key, bool fallback) {
    const json* value = find(object, key);
    return value && value->is_boolean() ? value->get<bool>() : fallback;
}

std::string textAt(const json& object, const char* key, const std::string& fallback) {
    const json* value = find(object, key);
    return value && value->is_string() ? value->get<std::string>() : fallback;
}

const json& arrayAt(const json& object, const char* key) {
    static const json empty = json::array();
    const json* value = find(object, key);
    return value && value->is_array() ? *value : empty;
}

const json& objectAt(const json& object, const char* key) {
    static const json empty = json::object();
    const json* value = find(object, key);
    return value && value->is_object() ? *value : empty;
}

} // namespace poolwright::report
