// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/sections.h"

#include <cstdint>
#include <vector>

namespace poolwright::place {

/// What is known at one point of a search for a packing: what is placed, and how low each other item can still lie.
/// Every change can be taken back.
class PackState {
public:
    explicit PackState(const std::vector<PackItem>& items);

    const Sections& sections() const { return m_sections; }
    const std::vector<std::int64_t>& floors() const { return m_floor; }
    std::int64_t floor(int item) const { return m_floor[std::size_t(item)]; }
    bool isPlaced(int item) const { return m_placed[std::size_t(item)]; }
    /// It cannot lie on what is placed, only on something to come.
    bool isBlocked(int item) const { return m_base[std::size_t(item)] < m_floor[std::size_t(item)]; }
    /// By section: the item left that can lie lowest, ties by rank; -1: none is left.
    int lowest(int section) const { return m_lowest[std::size_t(section)]; }
    std::int64_t remaining(int section) const { return m_remaining[std::size_t(section)]; }
    std::int64_t slack(int section) const {
        return m_top - m_remaining[std::size_t(section)] - m_floor[std::size_t(m_lowest[std::size_t(section)])];
    }
    /// By section: how often it ended a branch, since the beginning.
    std::int64_t weight(int section) const { return m_weight[std::size_t(section)]; }
    /// A number for an item's place in what is left: equal for items that could stand for each other.
    std::uint64_t key(int item) const;

    // All of these answer false when some item or moment cannot be served any more.
    bool reset(std::vector<int> ranks);
    /// Places the item at its floor. `disturbsNobody` when no other one has to rise for it.
    bool put(int item, bool& disturbsNobody);
    /// Decides that the item, and those that are equal, do not lie at their present floor.
    bool block(int item);
    /// Raises the blocked ones among the items to the lowest that something to come can offer.
    bool liftBlocked(const int* begin, const int* end);

    std::size_t mark() const { return m_undo.size(); }
    void takeBack(std::size_t mark);

private:
    struct Undo {
        enum Kind { Floor, Base, Placed, Lowest } kind;
        int index;
        std::int64_t old = 0;
    };

    void numberClasses();
    void linkFixed();
    bool lift(int item);
    bool raise(int item, std::int64_t least);
    void setFloor(std::size_t item, std::int64_t floor);
    void setBase(std::size_t item, std::int64_t base);
    void enqueue(int section, std::int64_t threshold);
    bool settle(bool possible);
    bool sectionFits(int section);
    bool isFirst(int section, int item);

    const std::vector<PackItem>& m_items;
    Sections m_sections;
    std::int64_t m_top = 0;                ///< the highest end of a window
    std::vector<std::uint64_t> m_class;    ///< by item
    std::vector<std::vector<int>> m_fixed; ///< by item: neighbours that cannot move
    std::vector<int> m_rank;
    std::vector<std::int64_t> m_remaining; ///< by section: bytes not placed yet
    std::vector<int> m_lowest;
    std::vector<std::int64_t> m_weight;
    std::vector<std::int64_t> m_threshold; ///< by section in the queue: the highest floor that changed there
    std::vector<char> m_queued;
    std::vector<int> m_queue;          ///< sections to look at anew
    std::vector<std::int64_t> m_floor; ///< by item: lowest address that is left, or where it was placed
    std::vector<std::int64_t> m_base;  ///< by item: the lowest address above what is placed below it
    std::vector<char> m_placed;
    std::vector<Undo> m_undo;
};

} // namespace poolwright::place
