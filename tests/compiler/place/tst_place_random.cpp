// SPDX-License-Identifier: Apache-2.0
#include "place/problem.h"

#include "dice.h"

#include <QTest>

#include <algorithm>

using namespace poolwright;
using namespace poolwright::place;
using test::Dice;

namespace {

/// Pools like the device's at a share of their size; chains of activations with skips, weights, a few fixed and nested
/// buffers.
Problem randomProblem(unsigned seed, int epochs, double share) {
    Dice dice(seed);
    Problem problem;
    const auto add = [&](const char* name, std::uint64_t start, std::int64_t size, double read, double write) {
        PoolSpec pool;
        pool.name = name;
        pool.range = {Address(start), ByteCount(std::int64_t(double(size) * share) / 64 * 64)};
        pool.readCyclesPerByte = read;
        pool.writeCyclesPerByte = write;
        problem.pools.push_back(pool);
    };
    std::uint64_t start = 0x34100000;
    for (int i = 0; i < 5; ++i) {
        add(("ram" + std::to_string(i)).c_str(), start, i == 0 ? 1048576 : 458752, i == 0 ? 0.3125 : 0.15625, 0.15625);
        start = problem.pools.back().range.end().value + (seed % 3 == 1 && i == 1 ? 1 : 0); // a hole in every third
    }
    add("hyper", 0x90000000, 4 << 20, 2.5, 2.5);
    add("flash", 0x70000000, 64 << 20, 6, 6);
    problem.pools[5].external = problem.pools[6].external = problem.pools[6].constantsPreferred = true;
    problem.pools[6].writable = false;
    if (seed % 2 == 0 && seed % 3 != 1) {
        PoolSpec group;
        group.name = "group";
        group.range = {problem.pools[0].range.start, problem.pools[4].range.end() - problem.pools[0].range.start};
        group.members = {0, 1, 2, 3, 4};
        group.reservedTail = problem.pools[4].reservedTail = ByteCount(8);
        problem.pools.push_back(group);
    }
    for (int e = 0; e < epochs; ++e) {
        problem.computeCycles.push_back(dice(0, 200000));
        BufferSpec out;
        out.name = "t" + std::to_string(e);
        out.size = ByteCount(std::int64_t(double(dice(1, 600000)) * share));
        out.alignment = std::int64_t(1) << dice(0, 6);
        out.live = {e, std::min(epochs - 1, e + int(dice(0, 9) == 0 ? dice(2, epochs) : dice(1, 2)))};
        out.accesses = {{out.live.first, 0, out.size.value}, {out.live.last, out.size.value * dice(1, 4), 0}};
        problem.buffers.push_back(out);
        if (dice(0, 1) == 0)
            continue;
        BufferSpec weights;
        weights.name = "w" + std::to_string(e);
        weights.size = ByteCount(dice(16, 30000));
        weights.alignment = 16;
        weights.live = {0, epochs - 1};
        weights.isConstant = true;
        weights.accesses = {{e, weights.size.value, 0}};
        problem.buffers.push_back(weights);
        if (dice(0, 7) == 0 && out.size.value > 64) {
            BufferSpec part = out;
            part.name += "_part";
            part.alignment = 1;
            part.size = ByteCount(out.size.value / 2);
            part.inside = {int(problem.buffers.size()) - 2, ByteCount(out.size.value / 4)};
            problem.buffers.push_back(part);
        }
    }
    return problem;
}

QString firstBroken(const Problem& problem, const Solution& solution) {
    const auto broken = check(problem, solution);
    return broken.empty() ? QString() : QString::fromStdString(broken.front());
}

/// The objective, computed from the published solution alone.
double cyclesOf(const Problem& problem, const Solution& solution) {
    std::size_t epochs = problem.computeCycles.size();
    std::vector<std::vector<double>> memory(epochs, std::vector<double>(problem.pools.size()));
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        if (!solution.placed[b])
            continue;
        const AddressRange range{solution.placed[b]->address, problem.buffers[b].size};
        for (std::size_t p = 0; p < problem.pools.size(); ++p) {
            const PoolSpec& pool = problem.pools[p];
            if (!pool.members.empty() || !pool.range.overlaps(range))
                continue;
            const double share =
                double(std::min(range.end(), pool.range.end()).value - std::max(range.start, pool.range.start).value) /
                double(range.size.value);
            for (const Access& access : problem.buffers[b].accesses)
                memory[std::size_t(access.epoch)][p] += share * (double(access.readBytes) * pool.readCyclesPerByte +
                                                                 double(access.writeBytes) * pool.writeCyclesPerByte);
        }
    }
    double total = 0;
    for (std::size_t e = 0; e < epochs; ++e)
        total += std::max(double(problem.computeCycles[e]), *std::ranges::max_element(memory[e]));
    return total;
}

std::int64_t unplacedBytes(const Problem& problem, const Solution& solution) {
    std::int64_t bytes = 0;
    for (const Unplaced& unplaced : solution.unplaced)
        bytes += problem.buffers[std::size_t(unplaced.buffer)].inside
                     ? 0
                     : problem.buffers[std::size_t(unplaced.buffer)].size.value;
    return bytes;
}

} // namespace

class TestPlaceRandom : public QObject {
    Q_OBJECT
private slots:
    void legalAndPricedRight_data();
    void legalAndPricedRight();
    void sameAnswerTwice();
    void missingBytesByAnotherSweep();
    void smallOnesAgainstBruteForce();
};

void TestPlaceRandom::legalAndPricedRight_data() {
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<double>("share");
    for (unsigned seed = 0; seed < 24; ++seed)
        for (const double share : {1.0, 0.5, 0.25})
            QTest::addRow("seed %u at %g", seed, share) << seed << share;
}

void TestPlaceRandom::legalAndPricedRight() {
    QFETCH(unsigned, seed);
    QFETCH(double, share);
    const Problem problem = randomProblem(seed, 40 + int(seed) * 3, share);
    const Solution solution = place::place(problem);
    QVERIFY2(firstBroken(problem, solution).isEmpty(), qPrintable(firstBroken(problem, solution)));
    const double cycles = cyclesOf(problem, solution);
    QVERIFY2(std::abs(cycles - solution.estimatedCycles) <= 1e-6 * cycles,
             qPrintable(QString("%1 against %2").arg(cycles).arg(solution.estimatedCycles)));
    if (solution.unplaced.empty())
        QVERIFY(solution.lowerBoundCycles <= cycles * (1 + 1e-9));
    place::Options none;
    none.improvementSteps = 0;
    const Solution greedy = place::place(problem, none);
    QVERIFY(unplacedBytes(problem, solution) <= unplacedBytes(problem, greedy));
    if (unplacedBytes(problem, solution) == unplacedBytes(problem, greedy))
        QVERIFY(solution.estimatedCycles <= greedy.estimatedCycles * (1 + 1e-9));
}

void TestPlaceRandom::sameAnswerTwice() {
    for (unsigned seed = 0; seed < 5; ++seed) {
        const Problem problem = randomProblem(seed, 60, 0.4);
        QCOMPARE(place::place(problem).placed, place::place(problem).placed);
    }
}

/// One pool, one buffer too many: what is missing is the load of an independent count less the capacity.
void TestPlaceRandom::missingBytesByAnotherSweep() {
    int seen = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        Dice dice(seed + 1000);
        Problem problem;
        PoolSpec pool;
        pool.name = "ram";
        pool.range = {Address(0), ByteCount(10000)};
        problem.pools = {pool};
        for (int i = 0; i < 12; ++i) {
            BufferSpec buffer;
            buffer.name = "b" + std::to_string(i);
            buffer.size = ByteCount(dice(500, 4000));
            buffer.live.first = int(dice(0, 20));
            buffer.live.last = buffer.live.first + int(dice(0, 6));
            problem.buffers.push_back(buffer);
        }
        const Solution solution = place::place(problem);
        for (const Unplaced& unplaced : solution.unplaced) {
            const BufferSpec& lost = problem.buffers[std::size_t(unplaced.buffer)];
            std::int64_t worst = 0;
            for (int epoch = lost.live.first; epoch <= lost.live.last; ++epoch) {
                std::int64_t load = lost.size.value;
                for (std::size_t b = 0; b < problem.buffers.size(); ++b)
                    load += solution.placed[b] && problem.buffers[b].live.contains(epoch)
                                ? problem.buffers[b].size.value
                                : 0;
                worst = std::max(worst, load);
            }
            if (unplaced.reason == Reason::CollidesInTime) {
                QCOMPARE(unplaced.missing.value, worst - 10000);
                ++seen;
            } else {
                QCOMPARE(unplaced.reason, Reason::Fragmentation);
                QVERIFY(worst <= 10000);
            }
        }
    }
    QVERIFY(seen > 20);
}

/// Five unit-aligned buffers in a pool of 12: all orders of placing each as low as possible find a packing when there
/// is one.
void TestPlaceRandom::smallOnesAgainstBruteForce() {
    for (unsigned seed = 0; seed < 200; ++seed) {
        Dice dice(seed);
        std::vector<BufferSpec> buffers(6);
        for (BufferSpec& buffer : buffers) {
            buffer.size = ByteCount(dice(1, 6));
            buffer.live.first = int(dice(0, 5));
            buffer.live.last = buffer.live.first + int(dice(0, 3));
        }
        std::vector<int> order = {0, 1, 2, 3, 4, 5};
        std::int64_t lowest = 1000;
        do {
            std::vector<std::int64_t> offsets(6, -1);
            std::int64_t height = 0;
            for (const int i : order) {
                std::int64_t at = 0;
                for (bool moved = true; moved;) {
                    moved = false;
                    for (std::size_t j = 0; j < 6; ++j)
                        if (offsets[j] >= 0 && buffers[j].live.overlaps(buffers[std::size_t(i)].live) &&
                            offsets[j] < at + buffers[std::size_t(i)].size.value &&
                            at < offsets[j] + buffers[j].size.value) {
                            at = offsets[j] + buffers[j].size.value;
                            moved = true;
                        }
                }
                offsets[std::size_t(i)] = at;
                height = std::max(height, at + buffers[std::size_t(i)].size.value);
            }
            lowest = std::min(lowest, height);
        } while (std::ranges::next_permutation(order).found);
        const SinglePoolResult fits = packIntoOne(buffers, lowest), tooLow = packIntoOne(buffers, lowest - 1);
        QCOMPARE(fits.offsets.size(), buffers.size());
        QCOMPARE(fits.height, lowest);
        for (std::size_t a = 0; a < buffers.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                QVERIFY(!buffers[a].live.overlaps(buffers[b].live) ||
                        fits.offsets[a] + buffers[a].size.value <= fits.offsets[b] ||
                        fits.offsets[b] + buffers[b].size.value <= fits.offsets[a]);
        QVERIFY(tooLow.offsets.empty() && tooLow.proven);
    }
}

QTEST_APPLESS_MAIN(TestPlaceRandom)
#include "tst_place_random.moc"
