// SPDX-License-Identifier: Apache-2.0
#include "text/similar.h"

#include <algorithm>
#include <utility>

namespace poolwright::text {

static char folded(char c) {
    if (c >= 'A' && c <= 'Z')
        return char(c - 'A' + 'a');
    return c == '-' ? '_' : c;
}

// Costs are doubled so that a half stays an integer.
int editDistance(std::string_view a, std::string_view b) {
    // Names in real files are short; a long one is no misspelling of any.
    if (a.size() > 64 || b.size() > 64)
        return a == b ? 0 : 1000;
    const auto differs = [&](std::size_t i, std::size_t j) {
        return a[i] == b[j] ? 0 : folded(a[i]) == folded(b[j]) ? 1 : 2;
    };
    std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = int(2 * (i + j));
                continue;
            }
            int best = std::min({cost[i - 1][j] + (a[i - 1] == '_' ? 1 : 2), cost[i][j - 1] + (b[j - 1] == '_' ? 1 : 2),
                                 cost[i - 1][j - 1] + differs(i - 1, j - 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = std::min(best, cost[i - 2][j - 2] + 2);
            cost[i][j] = best;
        }
    return cost[a.size()][b.size()];
}

std::vector<std::string> nearestNames(std::string_view name, const std::vector<std::string>& candidates,
                                      std::size_t count) {
    std::vector<std::pair<int, std::string>> ranked;
    const int limit = int(std::max<std::size_t>(name.size(), 4));
    for (const std::string& candidate : candidates)
        if (const int distance = editDistance(name, candidate); distance <= limit)
            ranked.emplace_back(distance, candidate);
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ranked.size() && i < count; ++i)
        names.push_back(std::move(ranked[i].second));
    return names;
}

std::string joinedWithOr(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0)
            text += i + 1 == names.size() ? " or " : ", ";
        text += names[i];
    }
    return text;
}

} // namespace poolwright::text
