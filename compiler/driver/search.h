// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compile.h"

#include <functional>
#include <string>
#include <vector>

/// The search over options: --Oauto and --Oauto-sched.
namespace poolwright::driver {

/// Values to try for each option; one value each means that nothing is searched.
struct SearchSpace {
    enum class Split { AsGiven, Channels, Kernels, Stripes, AllStripes };
    std::vector<Split> splits;      ///< --Oconv-split-cw, -kw, -stripe, -stripe-full
    std::vector<int> pipes;         ///< --Omax-ca-pipe
    std::vector<bool> alternate;    ///< --Oalt-sched
    std::vector<bool> smallestPeak; ///< --Os
    std::vector<int> levels;        ///< --optimization
    std::vector<bool> virtualPools; ///< --enable-virtual-mem-pools
    std::size_t size() const;
};

/// What --Oauto (or, `schedulersOnly`, --Oauto-sched) tries. Options that were asked for stay as they are: a given
/// --Os, --optimization, --Oalt-sched, conv split, or --Omax-ca-pipe above 0 is not varied. Without virtual pools is
/// only tried where the user allows these and the pools have neighbours that merge; results stay the same in every
/// configuration except where --Oconv-split-* is.
SearchSpace searchSpaceOf(const Request& request, bool schedulersOnly = false);

enum class TrialState {
    Placed,
    SameEpochs, ///< gives the epochs of another row, which was placed with no less effort
    Bound,      ///< cannot be faster than the best: not placed
    Failed      ///< these options do not compile
};

struct PoolPeak {
    std::string pool;
    ByteCount used, size;
    bool operator==(const PoolPeak&) const = default;
};

/// One configuration and what it gave.
struct Trial {
    int number = 0;                   ///< from 1, in the order of the space
    options::CompilerOptions options; ///< complete; compiling with them gives these figures
    std::string label;                ///< the options that the search varies
    TrialState state = TrialState::Placed;
    int sameAs = 0;   ///< SameEpochs: the number of that row
    std::string note; ///< why it was not placed, or one reason for each unplaced buffer
    bool fits = false;
    double boundMs = 0;      ///< no placement can be faster
    double milliseconds = 0; ///< calibrated estimate
    Cycles vendorCycles = 0;
    int epochs = 0, hw = 0, hybrid = 0, sw = 0;
    ByteCount spilled;  ///< activations in external memory
    ByteCount peakLive; ///< of activations, at peakEpoch
    int peakEpoch = -1;
    ByteCount unplacedBytes, shortfall;
    std::vector<PoolPeak> pools; ///< concrete ones that are used
    std::vector<report::Unplaced> unplaced;
};

struct SearchResult {
    std::vector<Trial> trials; ///< placed ones from best to worst (fits, time, external bytes, peak), then the rest
    Outcome best;              ///< compiled with the options of trials.front(), the search itself switched off
    int placed = 0, pruned = 0;

    bool fits() const { return !trials.empty() && trials.front().fits; }
};

/// How far a search is; called from working threads, one call at a time.
struct SearchProgress {
    int done = 0, total = 0;
    double bestMs = 0; ///< 0: nothing fits yet
    std::string stage;
};
using SearchProgressCall = std::function<void(const SearchProgress&)>;

/// One front end run for all; lowering shared by all that agree in it. Same result for any number of threads (0: as
/// many as the machine has). When nothing fits, the rows say what is missing, and `best` is the plan that comes
/// closest. Fails when the front end fails, when no configuration compiles, or with PW6005 when cancelled.
Result<SearchResult> search(const Request& request, const SearchSpace& space, const SearchProgressCall& progress = {},
                            const CancelFlag& cancel = {}, int threads = 0);

/// Whether the options ask for a search, and for which.
bool asksForSearch(const options::CompilerOptions& options);
Result<SearchResult> search(const Request& request, const SearchProgressCall& progress = {},
                            const CancelFlag& cancel = {});

/// "placed", "same epochs as 3", "pruned: bound", "failed".
std::string stateText(const Trial& trial);

/// The table: every placed row and a count of the rest; with `detail` 1 the reasons too, with 2 every row.
std::string searchAsText(const SearchResult& result, int detail = 0);
std::string searchAsJson(const SearchResult& result);
std::string searchAsCsv(const SearchResult& result);

} // namespace poolwright::driver
