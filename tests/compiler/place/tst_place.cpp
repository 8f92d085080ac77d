// SPDX-License-Identifier: Apache-2.0
#include "place/problem.h"

#include <QTest>

using namespace poolwright;
using namespace poolwright::place;

namespace {

PoolSpec pool(const char* name, std::uint64_t start, std::int64_t size, double cyclesPerByte) {
    PoolSpec spec;
    spec.name = name;
    spec.range = {Address(start), ByteCount(size)};
    spec.readCyclesPerByte = spec.writeCyclesPerByte = cyclesPerByte;
    return spec;
}

BufferSpec buffer(const char* name, std::int64_t size, EpochRange live, std::int64_t bytesMoved = 0) {
    BufferSpec spec;
    spec.name = name;
    spec.size = ByteCount(size);
    spec.live = live;
    if (bytesMoved > 0)
        spec.accesses = {{live.first, 0, bytesMoved}, {live.last, bytesMoved, 0}};
    return spec;
}

QString describe(const std::vector<std::string>& broken) {
    QString text;
    for (const auto& line : broken)
        text += QString::fromStdString(line) + "\n";
    return text;
}

/// The pools of case c06: cpuRAM2, of `cpuSize` bytes, and the four npuRAMs.
Problem internalPools(std::int64_t cpuSize, bool withVirtual) {
    Problem problem;
    problem.pools = {pool("cpuRAM2", 0x34100000, cpuSize, 2.5 / 8)};
    for (int i = 0; i < 4; ++i)
        problem.pools.push_back(pool(("npuRAM" + std::to_string(i + 3)).c_str(),
                                     0x34200000 + std::uint64_t(i) * 0x70000, 448 * 1024, 1.25 / 8));
    if (withVirtual) {
        const bool touches = cpuSize == 1048576;
        PoolSpec group = pool(touches ? "cpuRAM2_npuRAM3_npuRAM4_npuRAM5_npuRAM6" : "npuRAM3_npuRAM4_npuRAM5_npuRAM6",
                              touches ? 0x34100000 : 0x34200000, (touches ? 1048576 : 0) + 4 * 448 * 1024, 99);
        group.members = touches ? std::vector{0, 1, 2, 3, 4} : std::vector{1, 2, 3, 4};
        group.reservedTail = ByteCount(8);
        problem.pools[4].reservedTail = ByteCount(8);
        problem.pools.push_back(group);
    }
    return problem;
}

/// buffers.json of c06.
void addCaseBuffers(Problem& problem) {
    problem.buffers = {buffer("big", 2000000, {0, 3}, 2000000), buffer("fast", 1200000, {5, 9})};
    for (int i = 0; i < 40; ++i)
        problem.buffers[1].accesses.push_back({5 + i / 8, 1200000, 0});
}

} // namespace

class TestPlace : public QObject {
    Q_OBJECT
private slots:
    void hotBufferTakesTheFastPool();
    void constantsStayInThePoolsThatPreferThem();
    void constantsMayLeaveWhenAsked();
    void activationsNeverInReadOnlyPools();
    void reservedTailStaysFree();
    void aliasesLieInTheirParent();
    void fixedAddresses();
    void relativePoolsShareNoAddresses();
    void computeHidesMemory();
    void priceOfAStraddlingBufferIsSplit();
    void mergedGroupHoldsBig();
    void holeKeepsTheFastGroup();
    void withoutVirtualPoolsBigDoesNotFit();
    void reasonTooLarge();
    void reasonNoRights();
    void reasonCollision();
    void reasonFragmentation();
    void oddInputIsHarmless();
    void singlePool();
};

void TestPlace::hotBufferTakesTheFastPool() {
    Problem problem;
    problem.pools = {pool("slow", 0, 1000, 1.0), pool("fast", 0x10000, 1000, 0.125)};
    problem.buffers = {buffer("cold", 1000, {0, 1}, 1000), buffer("hot", 1000, {0, 1}, 9000)};
    const Solution solution = place::place(problem);
    QVERIFY2(check(problem, solution).empty(), qPrintable(describe(check(problem, solution))));
    QCOMPARE(solution.placed[1]->pool, 1);
    QCOMPARE(solution.placed[0]->pool, 0);
    // Both epochs wait for the slower of the two pools: max(1000 * 1, 9000 / 8) each.
    QCOMPARE(solution.estimatedCycles, 2 * 1125.0);
}

void TestPlace::constantsStayInThePoolsThatPreferThem() {
    Problem problem;
    problem.pools = {pool("ram", 0x1000, 4096, 0.1), pool("flash", 0x70000000, 4096, 6)};
    problem.pools[1].writable = false;
    problem.pools[1].constantsPreferred = problem.pools[1].external = true;
    problem.buffers = {buffer("weights", 1024, {0, 5}), buffer("more", 4000, {0, 5})};
    for (BufferSpec& weights : problem.buffers) {
        weights.isConstant = true;
        weights.accesses = {{2, 1024, 0}};
    }
    const Solution solution = place::place(problem);
    QVERIFY2(check(problem, solution).empty(), qPrintable(describe(check(problem, solution))));
    QCOMPARE(solution.placed[1]->pool, 1);             // the larger one goes first, and fills it
    QCOMPARE(solution.placed[0]->pool, 0);             // overflow goes where there is room
    QCOMPARE(solution.externalBytes, std::int64_t(0)); // weights outside are no spill
}

void TestPlace::constantsMayLeaveWhenAsked() {
    Problem problem;
    problem.pools = {pool("ram", 0x1000, 4096, 0.1), pool("flash", 0x70000000, 4096, 6)};
    problem.pools[1].constantsPreferred = true;
    problem.buffers = {buffer("weights", 1024, {0, 5})};
    problem.buffers[0].isConstant = true;
    problem.buffers[0].accesses = {{2, 1024, 0}};
    QCOMPARE(place::place(problem).placed[0]->pool, 1);
    place::Options options;
    options.constantsInFastPools = true;
    QCOMPARE(place::place(problem, options).placed[0]->pool, 0);
}

void TestPlace::activationsNeverInReadOnlyPools() {
    Problem problem;
    problem.pools = {pool("flash", 0, 4096, 0.1), pool("ram", 0x10000, 100, 1)};
    problem.pools[0].writable = false;
    problem.buffers = {buffer("a", 100, {0, 0}, 1), buffer("b", 100, {0, 0}, 1)};
    const Solution solution = place::place(problem);
    QCOMPARE(solution.unplaced.size(), std::size_t(1));
    QCOMPARE(solution.unplaced[0].reason, Reason::CollidesInTime);
    QVERIFY(check(problem, solution).empty());
}

void TestPlace::reservedTailStaysFree() {
    Problem problem;
    problem.pools = {pool("ram", 0, 100, 1)};
    problem.pools[0].reservedTail = ByteCount(8);
    problem.buffers = {buffer("fits", 92, {0, 0}), buffer("too long", 93, {1, 1})};
    const Solution solution = place::place(problem);
    QVERIFY(solution.placed[0].has_value());
    QCOMPARE(solution.unplaced.size(), std::size_t(1));
    QCOMPARE(solution.unplaced[0].reason, Reason::TooLargeForEveryPool);
    QCOMPARE(solution.unplaced[0].missing.value, std::int64_t(1));
}

void TestPlace::aliasesLieInTheirParent() {
    Problem problem;
    problem.pools = {pool("ram", 0x1000, 256, 1)};
    problem.buffers = {buffer("part", 64, {3, 4}), buffer("whole", 128, {1, 2}), buffer("other", 128, {4, 5})};
    problem.buffers[0].inside = {1, ByteCount(48)};
    problem.buffers[0].alignment = 32; // the parent must then lie 16 beyond a multiple of 32
    const Solution solution = place::place(problem);
    QVERIFY2(check(problem, solution).empty(), qPrintable(describe(check(problem, solution))));
    QCOMPARE(solution.placed[0]->address.value, solution.placed[1]->address.value + 48);
    QCOMPARE(solution.placed[1]->address.value % 32, std::uint64_t(16));
    // "whole" lives on in "part": "other" must keep clear of it in epoch 4.
    QVERIFY(!(AddressRange{solution.placed[1]->address, ByteCount(128)}.overlaps(
                {solution.placed[2]->address, ByteCount(128)})) ||
            solution.unplaced.size() == 1);
}

void TestPlace::fixedAddresses() {
    Problem problem;
    problem.pools = {pool("ram", 0x1000, 256, 1)};
    problem.buffers = {buffer("free", 200, {0, 1}), buffer("fixed", 32, {1, 2}), buffer("outside", 32, {0, 0}),
                       buffer("clash", 32, {2, 2})};
    problem.buffers[1].fixed = Address(0x1010);
    problem.buffers[2].fixed = Address(0x2000);
    problem.buffers[3].fixed = Address(0x1020);
    const Solution solution = place::place(problem);
    QVERIFY2(check(problem, solution).empty(), qPrintable(describe(check(problem, solution))));
    QCOMPARE(solution.placed[1]->address, Address(0x1010));
    QVERIFY(solution.placed[0]->address >= Address(0x1030));
    QCOMPARE(solution.unplaced.size(), std::size_t(2));
    QCOMPARE(solution.unplaced[0].reason, Reason::NoPoolWithRights);
    QCOMPARE(solution.unplaced[1].reason, Reason::CollidesInTime);
    QCOMPARE(solution.unplaced[1].collidesWith, std::vector<int>{1});
}

void TestPlace::relativePoolsShareNoAddresses() {
    Problem problem;
    problem.pools = {pool("a", 0, 64, 1), pool("b", 0, 64, 1)};
    problem.pools[0].relative = problem.pools[1].relative = true;
    problem.buffers = {buffer("x", 64, {0, 0}), buffer("y", 64, {0, 0})};
    const Solution solution = place::place(problem);
    QVERIFY2(check(problem, solution).empty(), qPrintable(describe(check(problem, solution))));
    QVERIFY(solution.unplaced.empty());
}

void TestPlace::computeHidesMemory() {
    Problem problem;
    problem.pools = {pool("ram", 0, 1000, 1)};
    problem.computeCycles = {500, 50};
    problem.buffers = {buffer("a", 100, {0, 1}, 100)};
    const Solution solution = place::place(problem);
    QCOMPARE(solution.estimatedCycles, 500.0 + 100.0);
    QCOMPARE(solution.lowerBoundCycles, 600.0);
}

void TestPlace::priceOfAStraddlingBufferIsSplit() {
    Problem problem;
    problem.pools = {pool("slow", 0, 100, 4), pool("fast", 100, 100, 1), pool("group", 0, 200, 99)};
    problem.pools[2].members = {0, 1};
    problem.buffers = {buffer("a", 150, {0, 0})};
    problem.buffers[0].accesses = {{0, 150, 0}};
    const Solution solution = place::place(problem);
    QCOMPARE(solution.placed[0]->pool, 2);
    QCOMPARE(solution.placed[0]->address.value, std::uint64_t(50)); // all of the fast member, the rest in the slow one
    QCOMPARE(solution.estimatedCycles, 200.0);                      // 50 bytes x 4 beside 100 bytes x 1
}

void TestPlace::mergedGroupHoldsBig() {
    Problem problem = internalPools(1048576, true);
    addCaseBuffers(problem);
    const Solution solution = place::place(problem);
    QVERIFY2(check(problem, solution).empty(), qPrintable(describe(check(problem, solution))));
    QVERIFY(solution.unplaced.empty());
    QCOMPARE(solution.placed[0]->pool, 5);
    QCOMPARE(problem.pools[5].range.size.value, std::int64_t(2883584));
}

void TestPlace::holeKeepsTheFastGroup() {
    Problem problem = internalPools(1048575, true);
    addCaseBuffers(problem);
    const Solution solution = place::place(problem);
    QVERIFY2(check(problem, solution).empty(), qPrintable(describe(check(problem, solution))));
    QCOMPARE(solution.unplaced.size(), std::size_t(1));
    QCOMPARE(solution.unplaced[0].buffer, 0);
    QCOMPARE(solution.unplaced[0].reason, Reason::TooLargeForEveryPool);
    QCOMPARE(solution.unplaced[0].missing.value, std::int64_t(2000000 - (1835008 - 8)));
    QCOMPARE(solution.placed[1]->pool, 5); // npuRAM3..6 alone
    QVERIFY(solution.placed[1]->address >= Address(0x34200000));
}

void TestPlace::withoutVirtualPoolsBigDoesNotFit() {
    for (const std::int64_t size : {1048576, 1048575}) {
        Problem problem = internalPools(size, false);
        addCaseBuffers(problem);
        const Solution solution = place::place(problem);
        QVERIFY(!solution.placed[0].has_value());
        QCOMPARE(solution.unplaced[0].reason, Reason::TooLargeForEveryPool);
    }
}

void TestPlace::reasonTooLarge() {
    Problem problem;
    problem.pools = {pool("small", 0, 64, 1), pool("large", 0x1000, 128, 1)};
    problem.buffers = {buffer("a", 1000, {2, 3})};
    const Solution solution = place::place(problem);
    QCOMPARE(solution.unplaced[0].reason, Reason::TooLargeForEveryPool);
    QCOMPARE(solution.unplaced[0].pool, 1);
    QCOMPARE(solution.unplaced[0].missing.value, std::int64_t(872));
    QVERIFY(solution.unplaced[0].sentence.find("large, the largest, has 128 B") != std::string::npos);
}

void TestPlace::reasonNoRights() {
    Problem problem;
    problem.pools = {pool("flash", 0, 64, 1)};
    problem.pools[0].writable = false;
    problem.buffers = {buffer("a", 10, {2, 3})};
    QCOMPARE(place::place(problem).unplaced[0].reason, Reason::NoPoolWithRights);
}

void TestPlace::reasonCollision() {
    Problem problem;
    problem.pools = {pool("ram", 0, 2883576, 1)};
    problem.buffers = {buffer("a", 1000000, {0, 40}), buffer("b", 1200000, {30, 37}), buffer("c", 200000, {37, 50}),
                       buffer("late", 819200, {35, 39})};
    const Solution solution = place::place(problem);
    QCOMPARE(solution.unplaced.size(), std::size_t(1));
    const Unplaced& unplaced = solution.unplaced[0];
    QCOMPARE(unplaced.reason, Reason::CollidesInTime);
    QCOMPARE(unplaced.epoch, 37);
    // All four live in epoch 37 and lack 335,624 B together; leaving out "c" (200,000 B) does not help, nor would any
    // other but the large.
    const std::int64_t load = 1000000 + 1200000 + 200000 + 819200;
    QCOMPARE(unplaced.missing.value, load - 2883576);
    QCOMPARE(unplaced.collidesWith.size(), std::size_t(3));
}

void TestPlace::reasonFragmentation() {
    Problem problem;
    problem.pools = {pool("ram", 0, 100, 1)};
    problem.buffers = {buffer("middle", 20, {0, 3}), buffer("wide", 60, {1, 1})};
    problem.buffers[0].fixed = Address(40);
    const Solution solution = place::place(problem);
    QCOMPARE(solution.unplaced.size(), std::size_t(1));
    QCOMPARE(solution.unplaced[0].reason, Reason::Fragmentation);
    QCOMPARE(solution.unplaced[0].missing.value, std::int64_t(20)); // the longest run is 40
}

void TestPlace::oddInputIsHarmless() {
    Problem problem;
    QVERIFY(place::place(problem).placed.empty());
    problem.pools = {pool("endless", 0, std::numeric_limits<std::int64_t>::max() - 31, 1), pool("none", 0, 0, 1)};
    problem.pools[0].relative = true;
    problem.buffers = {buffer("empty", 0, {0, 0}), buffer("negative", -5, {0, 0}), buffer("circle", 1, {0, 0}),
                       buffer("odd", 10, {0, 0}),
                       buffer("huge", std::numeric_limits<std::int64_t>::max() / 8, {0, 0}, 5)};
    problem.buffers[2].inside = {2, ByteCount(0)};
    problem.buffers[3].alignment = 0;
    const Solution solution = place::place(problem);
    QVERIFY(solution.placed[0] && solution.placed[1] && solution.placed[3] && solution.placed[4]);
    QVERIFY(!solution.placed[2]);
    QVERIFY(check(problem, solution).empty());
}

void TestPlace::singlePool() {
    const std::vector<BufferSpec> buffers = {buffer("a", 4, {0, 2}), buffer("b", 4, {3, 8}), buffer("c", 8, {0, 5})};
    const SinglePoolResult fits = packIntoOne(buffers, 12);
    QCOMPARE(fits.load, std::int64_t(12));
    QCOMPARE(fits.height, std::int64_t(12));
    QVERIFY(fits.proven);
    const SinglePoolResult not11 = packIntoOne(buffers, 11);
    QVERIFY(not11.offsets.empty() && not11.proven);
    QCOMPARE(not11.loadEpoch, 0);
}

QTEST_APPLESS_MAIN(TestPlace)
#include "tst_place.moc"
