// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/instance.h"

#include <vector>

namespace poolwright::place {

/// Moments at which as many items are alive as can be: between them items only come, or only go. Two items share a
/// section exactly when they are alive together.
struct Sections {
    std::vector<int> first, last;        ///< by item, inclusive
    std::vector<std::vector<int>> items; ///< by section
    std::vector<std::int64_t> load;      ///< by section: bytes of its items

    explicit Sections(const std::vector<Item>& all);
};

/// Orders in which a search may try items: result[i] is the rank of item i. The first ones sort by length, area and
/// load of the fullest section in turn, the later ones shake these by a fixed seed; every number gives an order.
std::vector<int> searchRanks(const Instance& instance, const Sections& sections, int order);

} // namespace poolwright::place
