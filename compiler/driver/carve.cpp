// SPDX-License-Identifier: Apache-2.0
#include "driver/carve.h"

#include "driver/carve_moves.h"
#include "driver/plan.h"
#include "mpool/virtual.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <tuple>

namespace poolwright::driver {

namespace {

/// A pool file, how it is compiled, and what a plan made of it.
struct State {
    mpool::PoolFile file;
    report::CarveFigures figures;
    std::vector<ByteCount> used; ///< by pool of the file: high-water mark
};

/// Less than this share of the time is noise, and no reason for a change.
constexpr double leastShare = 1e-3;

auto rank(const report::CarveFigures& figures) {
    return std::tuple(figures.unplaced, figures.estimatedMs, figures.externalActivations, figures.ramUsed);
}

bool isBetter(const report::CarveFigures& a, const report::CarveFigures& b) {
    if (a.unplaced != b.unplaced)
        return a.unplaced < b.unplaced;
    const double least = b.estimatedMs * leastShare;
    if (std::abs(a.estimatedMs - b.estimatedMs) > least)
        return a.estimatedMs < b.estimatedMs;
    return a.estimatedMs <= b.estimatedMs && a.externalActivations < b.externalActivations;
}

report::CarveStep stepOf(const std::string& kind, const std::string& sentence, const report::CarveFigures& before,
                         const report::CarveFigures& after) {
    report::CarveStep step;
    step.kind = kind;
    step.sentence = sentence;
    step.after = after;
    if (before.fits && after.fits)
        step.gainMs = before.estimatedMs - after.estimatedMs;
    step.gainExternal = before.externalActivations - after.externalActivations;
    step.gainRam = before.ramReserved - after.ramReserved;
    step.gainUnplaced = before.unplaced - after.unplaced;
    return step;
}

/// Plans one network in many pool files.
class Planner {
public:
    Planner(const PreparedPtr& prepared, const CancelFlag& cancel)
        : m_with(withVirtualPools(prepared, true))
        , m_without(withVirtualPools(prepared, false))
        , m_cancel(cancel) {}

    bool mayFit(const mpool::PoolFile& file, bool virtualPools) const {
        return liveRangesAllow(*compiled(virtualPools), file);
    }
    State quick(const mpool::PoolFile& file, bool virtualPools) { return planned(file, virtualPools, 0); }
    State full(const mpool::PoolFile& file, bool virtualPools) {
        return planned(file, virtualPools, place::Options{}.improvementSteps);
    }

private:
    const PreparedPtr& compiled(bool virtualPools) const { return virtualPools ? m_with : m_without; }

    State planned(const mpool::PoolFile& file, bool virtualPools, int steps) {
        place::Options options;
        options.improvementSteps = steps;
        options.cancel = m_cancel;
        State state{file, {}, std::vector<ByteCount>(file.pools.size())};
        state.figures.virtualPools = virtualPools;
        for (const mpool::Pool& pool : file.pools)
            if (pool.properties.rights == mpool::Rights::ReadWrite)
                state.figures.ramReserved += ByteCount(pool.size.bytes);
        const Result<Outcome> outcome = plan(compiled(virtualPools), file, options);
        if (outcome)
            takeFigures(*outcome, state);
        return state;
    }

    void takeFigures(const Outcome& outcome, State& state) const {
        report::CarveFigures& figures = state.figures;
        figures.fits = outcome.report->fits;
        figures.estimatedMs = outcome.report->totals.calibratedMs;
        figures.externalActivations = outcome.report->totals.externalActivations;
        for (const report::Unplaced& unplaced : outcome.report->unplaced)
            figures.unplaced += unplaced.size;
        markUsed(outcome.program, state);
        for (std::size_t p = 0; p < state.used.size(); ++p)
            if (state.file.pools[p].properties.rights == mpool::Rights::ReadWrite)
                figures.ramUsed += state.used[p];
    }

    static void markUsed(const program::Program& program, State& state) {
        for (std::size_t b = 0; b < program.placements.size(); ++b) {
            const auto& placement = program.placements[b];
            if (!placement || placement->pool.index >= int(program.pools.size()))
                continue;
            const mpool::EffectivePool& pool = program.pools[std::size_t(placement->pool.index)];
            const AddressRange bytes{placement->address, program.buffers[b].size};
            for (PoolId id : pool.members) {
                const AddressRange own = state.file[id].range();
                if (bytes.overlaps(own))
                    state.used[std::size_t(id.index)] =
                        std::max(state.used[std::size_t(id.index)], std::min(bytes.end(), own.end()) - own.start);
            }
        }
    }

    PreparedPtr m_with, m_without;
    CancelFlag m_cancel;
};

class Carver {
public:
    Carver(const PreparedPtr& prepared, const MemoryMap& map, const CarveOptions& options, const Progress& progress,
           const CancelFlag& cancel)
        : m_planner(prepared, cancel)
        , m_prepared(prepared)
        , m_map(map)
        , m_options(options)
        , m_progress(progress)
        , m_cancel(cancel) {}

    report::CarveReport run(const mpool::PoolFile& file) {
        report::CarveReport report;
        report.path = file.path;
        const State given = m_planner.full(file, m_prepared->options.enableVirtualMemPools);
        report.given = given.figures;
        const Trail legal = legalised({given, {}});
        explainVirtualPools(legal.state, report);
        Trail fastest = improved(legal);
        if (!fastest.state.figures.fits) {
            report.proposals.push_back(proposal("time", fastest));
        } else {
            const Trail smallest = leastRam(legal, fastest);
            if (isBetter(smallest.state.figures, fastest.state.figures)) // a plan in less memory may be a luckier one
                fastest = smallest;
            report.proposals.push_back(proposal("time", fastest));
            report.proposals.push_back(proposal("ram", smallest));
        }
        explainNeed(fastest.state, report);
        return report;
    }

private:
    /// A state and the steps that led to it.
    struct Trail {
        State state;
        std::vector<report::CarveStep> steps;

        void take(const CarveMove& move, State next) {
            steps.push_back(stepOf(move.kind, move.sentence, state.figures, next.figures));
            state = std::move(next);
        }
    };

    static report::CarveProposal proposal(const char* objective, const Trail& trail) {
        return {objective, trail.steps, trail.state.figures, trail.state.file.text};
    }

    /// Firmware first: whatever it costs.
    Trail legalised(Trail trail) {
        while (const std::optional<CarveMove> move = legalisingMove(trail.state.file, m_map)) {
            if (m_cancel.isCancelled())
                break;
            trail.take(*move, m_planner.full(move->file, trail.state.figures.virtualPools));
        }
        return trail;
    }

    struct Candidate {
        CarveMove move;
        bool virtualPools;
        State quick;
    };

    std::vector<Candidate> candidates(const State& state) {
        const bool joined = state.figures.virtualPools;
        std::vector<Candidate> all;
        for (CarveMove& move : carveMoves(state.file, m_map, joined))
            all.push_back({std::move(move), joined, {}});
        if (m_options.mayJoinPools && !mpool::virtualGroups(state.file).empty())
            all.push_back(
                {{"virtual-pools",
                  joined ? "leave out --enable-virtual-mem-pools" : "join adjacent pools: --enable-virtual-mem-pools",
                  state.file},
                 !joined,
                 {}});
        for (Candidate& candidate : all)
            if (!m_cancel.isCancelled())
                candidate.quick = m_planner.quick(candidate.move.file, candidate.virtualPools);
        std::ranges::stable_sort(
            all, [](const Candidate& a, const Candidate& b) { return rank(a.quick.figures) < rank(b.quick.figures); });
        return all;
    }

    /// The best of all moves, again and again. A plan without improvement chooses the few that get a full one.
    Trail improved(Trail trail) {
        constexpr std::size_t finalists = 5;
        for (int step = 0; step < m_options.mostSteps && !m_cancel.isCancelled(); ++step) {
            tell("moves", double(step) / m_options.mostSteps);
            std::vector<Candidate> all = candidates(trail.state);
            std::optional<std::pair<CarveMove, State>> best;
            for (std::size_t i = 0; i < std::min(finalists, all.size()) && !m_cancel.isCancelled(); ++i) {
                State full = m_planner.full(all[i].move.file, all[i].virtualPools);
                if (isBetter(full.figures, best ? best->second.figures : trail.state.figures))
                    best.emplace(std::move(all[i].move), std::move(full));
            }
            if (!best)
                break;
            trail.take(best->first, std::move(best->second));
        }
        return trail;
    }

    /// From the fastest file, or from the given one where that reserves less and is as fast as it may be.
    Trail leastRam(const Trail& legal, const Trail& fastest) {
        const double limit = fastest.state.figures.estimatedMs * (1 + m_options.timeTolerance);
        Trail best = shrunkAll(fastest, limit);
        if (!legal.state.figures.fits)
            return best;
        const Trail other = shrunkAll(legal, std::max(limit, legal.state.figures.estimatedMs));
        const bool within = other.state.figures.estimatedMs <= limit;
        const ByteCount given = legal.state.figures.ramReserved;
        const bool smaller = other.state.figures.ramReserved < best.state.figures.ramReserved;
        return (within && smaller) || best.state.figures.ramReserved > given ? other : best;
    }

    static bool isRam(const mpool::Pool& pool) {
        return pool.isEnabled() && pool.mode == mpool::UseMode::Absolute &&
               pool.properties.rights == mpool::Rights::ReadWrite;
    }

    /// Slow pools first: what is left then is the fast ones.
    static std::vector<std::string> ramBySpeed(const mpool::PoolFile& file) {
        std::vector<mpool::Pool> pools;
        std::ranges::copy_if(file.pools, std::back_inserter(pools), isRam);
        std::ranges::stable_sort(pools, [](const mpool::Pool& a, const mpool::Pool& b) {
            return a.properties.cyclesPerByte() > b.properties.cyclesPerByte();
        });
        std::vector<std::string> names;
        for (const mpool::Pool& pool : pools)
            names.push_back(pool.name);
        return names;
    }

    Trail shrunkAll(Trail trail, double limitMs) {
        const std::vector<std::string> names = ramBySpeed(trail.state.file);
        for (const std::string& name : names)
            if (!m_cancel.isCancelled())
                tryMove(trail, disabled(trail.state.file, *trail.state.file.find(name)), limitMs);
        for (std::size_t i = 0; i < names.size() && !m_cancel.isCancelled(); ++i) {
            tell("RAM", double(i) / double(names.size()));
            if (isRam(trail.state.file[*trail.state.file.find(names[i])]))
                shrinkPool(trail, names[i], limitMs);
        }
        return trail;
    }

    std::optional<State> accepted(const mpool::PoolFile& file, bool virtualPools, double limitMs) {
        if (!m_planner.mayFit(file, virtualPools)) // plans that do not fit take longest
            return std::nullopt;
        State state = m_planner.full(file, virtualPools);
        if (state.figures.fits && state.figures.estimatedMs <= limitMs)
            return state;
        return std::nullopt;
    }

    bool tryMove(Trail& trail, const CarveMove& move, double limitMs) {
        std::optional<State> state = accepted(move.file, trail.state.figures.virtualPools, limitMs);
        if (state)
            trail.take(move, std::move(*state));
        return state.has_value();
    }

    /// The shortest that is accepted, from its end or, when it touches the pool above it, from its start.
    void shrinkPool(Trail& trail, const std::string& name, double limitMs) {
        const PoolId id = *trail.state.file.find(name);
        constexpr std::int64_t step = 1024;
        std::int64_t bad = 0, good = (trail.state.file[id].size.bytes + step - 1) / step;
        std::optional<std::pair<CarveMove, State>> best;
        const auto at = [&](std::int64_t steps) {
            const auto move = shrunk(trail.state.file, id, ByteCount(steps * step), keepsEnd(trail.state, id));
            std::optional<State> state =
                move ? accepted(move->file, trail.state.figures.virtualPools, limitMs) : std::nullopt;
            if (state)
                best.emplace(*move, std::move(*state));
            return state.has_value();
        };
        const std::int64_t mark = (trail.state.used[std::size_t(id.index)].value + step - 1) / step;
        if (mark > 0 && mark < good && at(mark))
            good = mark;
        const std::int64_t close = std::max<std::int64_t>(1, good / 128); // plans that just do not fit take longest
        while (good - bad > close && !m_cancel.isCancelled()) {
            const std::int64_t middle = bad + (good - bad) / 2;
            (at(middle) ? good : bad) = middle;
        }
        if (best && best->second.figures.ramReserved < trail.state.figures.ramReserved)
            trail.take(best->first, std::move(best->second));
    }

    /// A joined pool that is shortened at its end would be parted from the one above it.
    static bool keepsEnd(const State& state, PoolId id) {
        if (!state.figures.virtualPools)
            return false;
        for (const std::vector<PoolId>& group : mpool::virtualGroups(state.file))
            if (group.front() == id)
                return true;
        return false;
    }

    /// The same file planned with and without joined pools.
    void explainVirtualPools(const State& state, report::CarveReport& report) {
        if (mpool::virtualGroups(state.file).empty())
            return;
        const State with = state.figures.virtualPools ? state : m_planner.full(state.file, true);
        const State without = state.figures.virtualPools ? m_planner.full(state.file, false) : state;
        report.virtualPools.push_back(comparison(with.figures, without.figures));
        const auto generation = mpool::generationFromVersion(m_prepared->options.runtimeGeneration);
        for (const Diagnostic& warning : mpool::virtualPoolWarnings(state.file, generation))
            report.virtualPools.push_back(warning.message + "; " + warning.hint);
    }

    static std::string comparison(const report::CarveFigures& with, const report::CarveFigures& without) {
        char text[200];
        if (with.fits && !without.fits)
            return "virtual pools are needed with these boundaries: without them " + toText(without.unplaced) +
                   " find no place";
        if (!with.fits)
            return "these boundaries are too small with and without virtual pools";
        const double cost = with.estimatedMs - without.estimatedMs;
        const char* verdict = cost > 0   ? "virtual pools hurt here: %.3f ms with them, %.3f ms without"
                              : cost < 0 ? "virtual pools help here: %.3f ms with them, %.3f ms without"
                                         : "virtual pools make no difference here: %.3f ms with them, %.3f ms without";
        std::snprintf(text, sizeof text, verdict, with.estimatedMs, without.estimatedMs);
        return text;
    }

    void explainNeed(const State& fastest, report::CarveReport& report) const {
        if (fastest.figures.virtualPools != m_prepared->options.enableVirtualMemPools)
            report.notes.push_back(fastest.figures.virtualPools ? "compile with --enable-virtual-mem-pools"
                                                                : "compile without --enable-virtual-mem-pools");
        if (!m_map.freeBeyondPools)
            report.notes.push_back("bytes that are in no pool were taken to be somebody else's");
        if (!fastest.figures.fits)
            report.notes.push_back("no carving of this memory was found that holds the network: " +
                                   toText(fastest.figures.unplaced) + " are left over");
    }

    void tell(const char* stage, double share) const {
        if (m_progress)
            m_progress(stage, share);
    }

    Planner m_planner;
    const PreparedPtr& m_prepared;
    const MemoryMap& m_map;
    const CarveOptions& m_options;
    const Progress& m_progress;
    CancelFlag m_cancel;
};

} // namespace

Result<report::CarveReport> carve(const PreparedPtr& prepared, const mpool::PoolFile& file, const CarveOptions& options,
                                  const Progress& progress, const CancelFlag& cancel) {
    const Result<MemoryMap> map =
        memoryMap(prepared->target, prepared->options.board, options.keepFree, options.freeBeyondPools);
    if (!map)
        return fail(map.error());
    report::CarveReport report = Carver(prepared, *map, options, progress, cancel).run(file);
    if (cancel.isCancelled())
        return fail(makeError("PW6005", "cancelled"));
    return report;
}

} // namespace poolwright::driver
