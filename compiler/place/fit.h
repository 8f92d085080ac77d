// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "place/problem.h"

#include <string>
#include <vector>

/// Does it fit, answered from live ranges alone: no addresses, no search.
namespace poolwright::place {

/// Buffers alive at one epoch, largest first.
std::vector<int> aliveAt(const std::vector<BufferSpec>& buffers, int epoch);
/// "a, b, c and 4 more".
std::string namesOf(const std::vector<BufferSpec>& buffers, const std::vector<int>& indices, std::size_t most);

/// Bytes of activations alive in each epoch, buffers inside others not counted again.
struct LiveSet {
    std::vector<std::int64_t> bytes; ///< by epoch, from 0 to the last in which anything lives
    std::int64_t peak = 0;
    int peakEpoch = 0;            ///< the first epoch of the peak
    std::vector<int> aliveAtPeak; ///< activations, largest first
};
LiveSet liveSet(const std::vector<BufferSpec>& buffers);

/// Whether one pool could hold all activations alone.
struct PoolFit {
    int pool = 0;
    std::int64_t capacity = 0; ///< without the reserved tail
    bool usable = true;        ///< false: read-only, or switched off
    std::int64_t missing = 0;  ///< peak less capacity when positive
    std::vector<int> tooLarge; ///< activations larger than the pool
};

/// What holds for all pools together. `fits` false is certain; true means that nothing speaks against it before a
/// placement is tried.
struct FitVerdict {
    LiveSet activations;
    std::int64_t constantBytes = 0, activationBytes = 0; ///< sums over buffers, blind to lifetimes
    std::vector<PoolFit> pools;
    std::int64_t writableBytes = 0,
                 internalBytes = 0; ///< capacity of the concrete writable pools, and of those on the chip
    std::int64_t missing = 0;       ///< bytes of activations at the peak beyond all writable pools together
    /// Bytes of the activations that are too large for all but some pools, beyond what these have, at the worst epoch.
    std::int64_t missingForLarge = 0;
    int largeEpoch = 0;             ///< that epoch
    std::vector<int> large;         ///< these activations, largest first
    std::vector<int> largePools;    ///< these pools
    std::int64_t missingOnChip = 0; ///< the same without external pools: what must spill
    std::int64_t missingConstants =
        0;                     ///< bytes of constants beyond all pools together with the activations at their peak
    std::vector<int> homeless; ///< buffers larger than every pool that may hold them
    bool fits = true;
    std::string sentence;
};
/// `stepWord` is what the sentence calls an epoch.
FitVerdict fit(const Problem& problem, const char* stepWord = "epoch");

} // namespace poolwright::place
