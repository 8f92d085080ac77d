// SPDX-License-Identifier: Apache-2.0
#include "place/problem.h"

#include <algorithm>

// Written without the search's own structures, so that a mistake there cannot hide here.

namespace poolwright::place {

namespace {

struct Block {
    int buffer = 0;
    int root = 0;
    std::uint64_t lo = 0, hi = 0;
    EpochRange live;
};

int rootOf(const Problem& problem, int buffer) {
    for (std::size_t steps = 0; steps <= problem.buffers.size(); ++steps) {
        const auto& inside = problem.buffers[std::size_t(buffer)].inside;
        if (!inside || inside->first < 0 || inside->first >= int(problem.buffers.size()))
            return buffer;
        buffer = inside->first;
    }
    return buffer;
}

class Checker {
public:
    Checker(const Problem& problem, const Solution& solution)
        : m_problem(problem)
        , m_solution(solution) {}

    std::vector<std::string> run() {
        if (m_solution.placed.size() != m_problem.buffers.size())
            return {"the solution speaks of " + std::to_string(m_solution.placed.size()) +
                    " buffers, the problem has " + std::to_string(m_problem.buffers.size())};
        for (int b = 0; b < int(m_problem.buffers.size()); ++b)
            m_solution.placed[std::size_t(b)] ? checkPlaced(b) : checkUnplaced(b);
        checkOverlaps();
        return m_broken;
    }

private:
    const BufferSpec& buffer(int b) const { return m_problem.buffers[std::size_t(b)]; }
    void broken(int b, const std::string& what) { m_broken.push_back(buffer(b).name + " " + what); }

    void checkUnplaced(int b) {
        if (std::ranges::count(m_solution.unplaced, b, &Unplaced::buffer) != 1)
            broken(b, "has no place and not exactly one reason");
    }

    void checkPlaced(int b) {
        const Placed& placed = *m_solution.placed[std::size_t(b)];
        if (std::ranges::count(m_solution.unplaced, b, &Unplaced::buffer) != 0)
            broken(b, "has a place and a reason for having none");
        if (placed.pool < 0 || placed.pool >= int(m_problem.pools.size()))
            return broken(b, "is in a pool that does not exist");
        const PoolSpec& pool = m_problem.pools[std::size_t(placed.pool)];
        const std::uint64_t size = std::uint64_t(std::max<std::int64_t>(buffer(b).size.value, 0));
        const std::uint64_t last = pool.range.end().value - std::uint64_t(pool.reservedTail.value);
        if (placed.address < pool.range.start || placed.address.value + size > last)
            broken(b, "leaves " + pool.name + " or lies in its reserved tail");
        if (!pool.writable && !buffer(b).isConstant)
            broken(b, "is written but lies in read-only " + pool.name);
        if (!buffer(b).eligiblePools.empty() && !isAllowed(b, placed.pool))
            broken(b, "may not lie in " + pool.name);
        if (buffer(b).alignment > 1 && placed.address.value % std::uint64_t(buffer(b).alignment) != 0)
            broken(b, "at " + toText(placed.address) + " is not aligned to " + std::to_string(buffer(b).alignment));
        if (buffer(b).fixed && *buffer(b).fixed != placed.address)
            broken(b, "is not at its fixed address");
        if (buffer(b).inside)
            checkInside(b, placed);
    }

    /// A child of a buffer in a virtual pool may be reported in the member it lies in.
    bool isAllowed(int b, int pool) const {
        const auto& eligible = buffer(b).eligiblePools;
        const auto covers = [&](int e) {
            return e == pool ||
                   (e >= 0 && e < int(m_problem.pools.size()) &&
                    std::ranges::count(m_problem.pools[std::size_t(e)].members, pool) > 0 && buffer(b).inside);
        };
        return std::ranges::any_of(eligible, covers);
    }

    void checkInside(int b, const Placed& placed) {
        const auto& [parent, offset] = *buffer(b).inside;
        const auto& outer = m_solution.placed[std::size_t(parent)];
        if (!outer || outer->address + offset != placed.address)
            broken(b, "is not at its offset in " + buffer(parent).name);
    }

    void checkOverlaps() {
        std::vector<Block> blocks;
        for (int b = 0; b < int(m_problem.buffers.size()); ++b)
            if (const auto& placed = m_solution.placed[std::size_t(b)]; placed && buffer(b).size.value > 0)
                blocks.push_back({b, rootOf(m_problem, b), placed->address.value,
                                  placed->address.value + std::uint64_t(buffer(b).size.value), buffer(b).live});
        std::ranges::stable_sort(blocks, {}, &Block::lo);
        std::vector<const Block*> open;
        for (const Block& block : blocks) {
            std::erase_if(open, [&](const Block* other) { return other->hi <= block.lo; });
            for (const Block* other : open)
                checkPair(*other, block);
            open.push_back(&block);
        }
    }

    void checkPair(const Block& a, const Block& b) {
        const int first = m_solution.placed[std::size_t(a.buffer)]->pool;
        const int second = m_solution.placed[std::size_t(b.buffer)]->pool;
        const auto isApart = [&](int pool) { return m_problem.pools[std::size_t(pool)].relative; };
        const bool otherSpace = first != second && (isApart(first) || isApart(second));
        if (a.root != b.root && a.live.overlaps(b.live) && !otherSpace)
            broken(a.buffer, "and " + buffer(b.buffer).name + " share bytes at " + toText(Address(b.lo)) +
                                 " in epoch " + std::to_string(std::max(a.live.first, b.live.first)));
    }

    const Problem& m_problem;
    const Solution& m_solution;
    std::vector<std::string> m_broken;
};

} // namespace

std::vector<std::string> check(const Problem& problem, const Solution& solution) {
    return Checker(problem, solution).run();
}

} // namespace poolwright::place
