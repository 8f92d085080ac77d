// SPDX-License-Identifier: Apache-2.0
#include "place/problem.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace poolwright;
using namespace poolwright::place;

namespace {

class Dice {
public:
    explicit Dice(unsigned seed)
        : m_engine(seed) {}
    int operator()(int least, int most) { return least + int(m_engine() % unsigned(most - least + 1)); }

private:
    std::mt19937 m_engine;
};

constexpr int epochs = 6;

PoolSpec pool(std::string name, int start, int size, double price) {
    PoolSpec spec;
    spec.name = std::move(name);
    spec.range = {Address(std::uint64_t(start)), ByteCount(size)};
    spec.readCyclesPerByte = spec.writeCyclesPerByte = price;
    return spec;
}

/// Few small pools, some adjacent and merged, with a reserved tail, a hole or read-only; a handful of buffers that
/// about fill them, some aligned, fixed, constant, bound to pools or inside others.
Problem smallProblem(unsigned seed) {
    Dice dice(seed);
    Problem problem;
    const int first = dice(4, 8), second = dice(3, 7), third = dice(2, 6), hole = dice(0, 2) == 0;
    problem.pools = {pool("a", 16, first, 1), pool("b", 16 + first + hole, second, 2), pool("c", 64, third, 5)};
    if (dice(0, 3) == 0)
        problem.pools[2].writable = false;
    if (!hole && dice(0, 1) == 0) {
        problem.pools.push_back(pool("a_b", 16, first + second, 9));
        problem.pools.back().members = {0, 1};
        if (dice(0, 1) == 0)
            problem.pools.back().reservedTail = problem.pools[1].reservedTail = ByteCount(1);
    }
    const int count = dice(4, 7);
    for (int b = 0; b < count; ++b) {
        BufferSpec buffer;
        buffer.name = std::string("buffer") + char('A' + b);
        buffer.size = ByteCount(dice(1, dice(0, 3) == 0 ? first + 2 : 5));
        buffer.live.first = dice(0, epochs - 1);
        buffer.live.last = std::min(epochs - 1, buffer.live.first + dice(0, 3));
        buffer.alignment = dice(0, 3) == 0 ? 2 : 1;
        buffer.accesses = {{buffer.live.first, 0, buffer.size.value * dice(1, 4)}};
        if (dice(0, 5) == 0) {
            buffer.isConstant = true;
            buffer.live = {0, epochs - 1};
        }
        if (dice(0, 7) == 0)
            buffer.eligiblePools = {dice(0, int(problem.pools.size()) - 1)};
        else if (dice(0, 9) == 0)
            buffer.fixed = Address(std::uint64_t(16 + dice(0, first - 1)));
        else if (b > 0 && dice(0, 9) == 0 && !problem.buffers[0].inside && problem.buffers[0].size.value > 1) {
            buffer.inside = {0, ByteCount(1)};
            buffer.size = ByteCount(1);
            buffer.alignment = 1;
        }
        problem.buffers.push_back(buffer);
    }
    return problem;
}

/// Tries every pool and address of one buffer after the other.
class BruteForce {
public:
    explicit BruteForce(const Problem& problem)
        : m_problem(problem) {
        m_solution.placed.resize(problem.buffers.size());
    }

    bool fits(std::size_t next = 0) {
        if (next == m_problem.buffers.size())
            return true;
        const BufferSpec& buffer = m_problem.buffers[next];
        for (int p = 0; p < int(m_problem.pools.size()); ++p)
            for (std::uint64_t address = m_problem.pools[std::size_t(p)].range.start.value;
                 address < m_problem.pools[std::size_t(p)].range.end().value; ++address) {
                if (buffer.inside && address != m_solution.placed[0]->address.value + 1)
                    continue;
                m_solution.placed[next] = Placed{p, Address(address)};
                if (mayLie(next) && fits(next + 1))
                    return true;
            }
        m_solution.placed[next].reset();
        return false;
    }

private:
    bool mayLie(std::size_t b) const {
        const BufferSpec& buffer = m_problem.buffers[b];
        const Placed& placed = *m_solution.placed[b];
        const PoolSpec& pool = m_problem.pools[std::size_t(placed.pool)];
        const std::uint64_t lo = placed.address.value, hi = lo + std::uint64_t(buffer.size.value);
        if (hi > pool.range.end().value - std::uint64_t(pool.reservedTail.value) ||
            (!pool.writable && !buffer.isConstant) || lo % std::uint64_t(buffer.alignment) != 0 ||
            (buffer.fixed && buffer.fixed->value != lo) ||
            (!buffer.eligiblePools.empty() && std::ranges::count(buffer.eligiblePools, placed.pool) == 0))
            return false;
        for (std::size_t other = 0; other < b; ++other) {
            const BufferSpec& second = m_problem.buffers[other];
            const std::uint64_t from = m_solution.placed[other]->address.value;
            const bool related = buffer.inside && other == 0;
            // What lies in the first buffer makes that live as long.
            if (!related && live(b).overlaps(live(other)) && from < hi && lo < from + std::uint64_t(second.size.value))
                return false;
        }
        return true;
    }

    EpochRange live(std::size_t b) const {
        EpochRange range = m_problem.buffers[b].live;
        for (const BufferSpec& part : m_problem.buffers)
            if (b == 0 && part.inside)
                range = {std::min(range.first, part.live.first), std::max(range.last, part.live.last)};
        return range;
    }

    const Problem& m_problem;
    Solution m_solution;
};

} // namespace

class TestPlaceBrute : public QObject {
    Q_OBJECT
private slots:
    void neverRefusesWhatFits();
};

void TestPlaceBrute::neverRefusesWhatFits() {
    int fitting = 0, refused = 0;
    for (unsigned seed = 0; seed < 250; ++seed) {
        const Problem problem = smallProblem(seed);
        const Solution solution = place::place(problem);
        const auto broken = check(problem, solution);
        QVERIFY2(broken.empty(), broken.empty() ? "" : (std::to_string(seed) + ": " + broken.front()).c_str());
        if (solution.unplaced.empty()) {
            ++fitting;
            continue;
        }
        ++refused;
        QVERIFY2(!BruteForce(problem).fits(), ("seed " + std::to_string(seed)).c_str());
    }
    QVERIFY2(fitting > 50 && refused > 50, (std::to_string(fitting) + " " + std::to_string(refused)).c_str());
}

QTEST_APPLESS_MAIN(TestPlaceBrute)
#include "tst_place_brute.moc"
