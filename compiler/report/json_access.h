// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

/// Reading of JSON that others wrote: a member that is absent or has another type answers the fallback, never an
/// exception.
namespace poolwright::report {

/// Numbers, and texts that hold one ("875888640", "0x34200000"). What does not fit is cut off at the ends of the type.
std::int64_t integerAt(const nlohmann::json& object, const char* key, std::int64_t fallback = 0);
std::uint64_t addressAt(const nlohmann::json& object, const char* key, std::uint64_t fallback = 0);
/// As integerAt(), cut off at the ends of int.
int intAt(const nlohmann::json& object, const char* key, int fallback = 0);
double numberAt(const nlohmann::json& object, const char* key, double fallback = 0);
bool boolAt(const nlohmann::json& object, const char* key, bool fallback = false);
std::string textAt(const nlohmann::json& object, const char* key, const std::string& fallback = {});

/// The member when it is an array (an object), else an empty one.
const nlohmann::json& arrayAt(const nlohmann::json& object, const char* key);
const nlohmann::json& objectAt(const nlohmann::json& object, const char* key);

std::int64_t toInteger(const nlohmann::json& value, std::int64_t fallback = 0);
double toNumber(const nlohmann::json& value, double fallback = 0);

} // namespace poolwright::report
