// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Placement of buffers with live ranges into memory pools. Knows nothing of NPUs: pools have a price for a byte read
/// or written.
namespace poolwright::place {

struct PoolSpec {
    std::string name;
    AddressRange range;
    ByteCount reservedTail; ///< bytes at the end that nothing may use
    bool writable = true;
    bool constantsPreferred = false;
    bool external = false;
    bool relative = false; ///< `range` counts from the pool's own base: its addresses mean nothing in any other pool
    double readCyclesPerByte = 1, writeCyclesPerByte = 1;
    int preference = 0; ///< breaks ties: higher first (the vendor's score)
    std::vector<int>
        members; ///< virtual pool: indices of the concrete pools it is made of, in address order; else empty
};

struct Access {
    int epoch = 0;
    std::int64_t readBytes = 0, writeBytes = 0;
};

struct BufferSpec {
    std::string name;
    ByteCount size;
    std::int64_t alignment = 1;
    EpochRange live;                ///< inclusive
    bool isConstant = false;        ///< may lie in read-only pools; others may not
    std::vector<Access> accesses;   ///< ascending by epoch
    std::vector<int> eligiblePools; ///< empty: every pool with the rights
    std::optional<Address> fixed;   ///< must lie exactly here
    std::optional<std::pair<int, ByteCount>>
        inside; ///< lies at this offset of another buffer (alias); shares its bytes on purpose
};

struct Problem {
    std::vector<PoolSpec> pools; ///< concrete pools first, virtual ones after them
    std::vector<BufferSpec> buffers;
    std::vector<Cycles> computeCycles; ///< by epoch ordinal: what the epoch costs when memory is free
};

struct Placed {
    int pool = -1;
    Address address;
    bool operator==(const Placed&) const = default;
};

enum class Reason { TooLargeForEveryPool, NoPoolWithRights, CollidesInTime, Fragmentation };

/// Why one buffer has no place. `epoch`, `collidesWith` and `missing` say where the contention is and what it lacks.
struct Unplaced {
    int buffer = -1;
    Reason reason = Reason::CollidesInTime;
    int epoch = -1;
    int pool = -1; ///< the pool that came closest
    ByteCount missing;
    std::vector<int> collidesWith; ///< largest first
    std::string sentence;
};

struct Solution {
    std::vector<std::optional<Placed>> placed; ///< one for each buffer
    std::vector<Unplaced> unplaced;
    double estimatedCycles = 0;          ///< by Options::objective
    double lowerBoundCycles = 0;         ///< no placement of these buffers can be below
    std::int64_t externalBytes = 0;      ///< bytes of activations placed in external pools
    std::vector<std::int64_t> peakBytes; ///< by pool: high-water mark from the pool's start
    bool improvedToTheEnd = true;        ///< false: the budget or a cancel ended the search early
};

/// What a plan is judged by, once everything has a place.
enum class Objective {
    EpochTime,    ///< sum over epochs of max(compute, memory cycles of each pool); then the sum of memory cycles
    MemoryCycles, ///< sum over buffers and the concrete regions they lie in of bytes moved x cycles per byte
};

struct Options {
    Objective objective = Objective::EpochTime;
    int improvementSteps =
        2000; ///< moves tried after the constructive phase: a budget that gives the same answer on any machine
    int budgetMilliseconds =
        0; ///< a cap on top of the steps, so that a drag stays fluent; 0: none. An answer cut short by it may differ
    bool constantsInFastPools =
        false; ///< constants may leave constants_preferred pools where that saves time; the vendor's never do
    CancelFlag cancel;
};

/// Deterministic for equal input. Never fails: what finds no place is listed in `unplaced`.
Solution place(const Problem& problem, const Options& options = {});

/// Every broken rule (overlap in space and time, range, alignment, rights) as a sentence; empty for a legal solution.
std::vector<std::string> check(const Problem& problem, const Solution& solution);

/// Packs all buffers into one pool: greedy orders first, then a complete search within the budget
/// (options.budgetMilliseconds; without one a fixed number of search nodes). Used by `place FILE.csv` and by tests.
struct SinglePoolResult {
    std::vector<std::int64_t> offsets; ///< empty when it does not fit
    std::int64_t height = 0;           ///< highest address used, also by the best packing that did not fit
    std::int64_t load = 0;             ///< largest sum of live bytes at one time: no packing can be lower
    int loadEpoch = 0;
    bool proven = false; ///< true: fits, or complete search showed that it cannot
};
SinglePoolResult packIntoOne(const std::vector<BufferSpec>& buffers, std::int64_t capacity,
                             const Options& options = {});

} // namespace poolwright::place
