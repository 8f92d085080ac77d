// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace poolwright::text {

/// Edits (insert, remove, replace, swap of neighbours) between two words; case and '_' or '-' count half a replacement.
int editDistance(std::string_view a, std::string_view b);

/// At most `count` candidates that someone may have meant by `name`, nearest first; none when all are far.
std::vector<std::string> nearestNames(std::string_view name, const std::vector<std::string>& candidates,
                                      std::size_t count = 3);

/// "a", "a or b", "a, b or c".
std::string joinedWithOr(const std::vector<std::string>& names);

} // namespace poolwright::text
