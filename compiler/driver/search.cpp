// SPDX-License-Identifier: Apache-2.0
#include "driver/search.h"

#include "driver/plan.h"
#include "driver/prepare.h"
#include "driver/search_bound.h"
#include "driver/search_space.h"
#include "lower/lower.h"
#include "program/print.h"
#include "schedule/order.h"
#include "schedule/schedule.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

namespace poolwright::driver {

namespace {

/// Steps that all configurations with the same conv split and pipeline length share.
struct Lowering {
    Configuration configuration;
    Result<lower::Lowered> lowered;
    std::string text; ///< the program in the model's order: equal texts mean equal work
    int sameAs = -1;  ///< an earlier lowering with the same text
    double boundMs = 0;
    std::vector<int> trials; ///< rows, as indices

    bool isUsable() const { return lowered.has_value() && sameAs < 0; }
};

/// The rows of one lowering that give the same epochs: only one of them is placed.
struct Candidate {
    int trial = 0;
    std::vector<std::size_t> order;
};

class Search {
public:
    Search(const Request& request, const SearchSpace& space, const SearchProgressCall& progress,
           const CancelFlag& cancel, int threads)
        : m_request(request)
        , m_space(space)
        , m_progress(progress)
        , m_cancel(cancel)
        , m_threads(threads > 0 ? threads : std::max(1, int(std::thread::hardware_concurrency())))
        , m_configurations(configurationsOf(space)) {}

    Result<SearchResult> run();

private:
    template <typename Work> void inParallel(std::size_t count, const Work& work);
    void makeRows();
    void makeLowerings();
    Result<void> tryAll(std::vector<Lowering*> lowerings);
    std::vector<Lowering*> worthLowering(const std::vector<Lowering*>& lowerings);
    void lowerOne(Lowering& lowering);
    void findSame(const std::vector<Lowering*>& lowerings);
    void tryLowering(Lowering& lowering);
    std::vector<Candidate> candidatesOf(Lowering& lowering);
    void place(const Candidate& candidate, const lower::Lowered& lowered);
    Result<Outcome> planOf(const Candidate& candidate, const lower::Lowered& lowered) const;
    void fill(Trial& trial, const Outcome& outcome) const;
    void skip(Trial& trial, TrialState state, std::string note);
    Result<Outcome> compileBest(const Trial& trial);
    void tell(const char* stage, int resolved);
    SearchResult ranked();

    const Request& m_request;
    const SearchSpace& m_space;
    const SearchProgressCall& m_progress;
    const CancelFlag& m_cancel;
    const int m_threads;
    const std::vector<Configuration> m_configurations;
    std::shared_ptr<Prepared> m_imported;
    std::vector<Lowering> m_lowerings;
    std::map<std::string, int> m_texts; ///< program texts of lowerings and who had them first
    std::vector<Trial> m_trials;
    Diagnostics m_failure;         ///< of the first lowering that failed
    const Trial* m_best = nullptr; ///< fastest that fits, of the lowerings tried so far
    std::mutex m_progressLock;
    int m_resolved = 0;
};

/// Indices are handed out in order; which thread takes one changes nothing.
template <typename Work> void Search::inParallel(std::size_t count, const Work& work) {
    std::atomic<std::size_t> next{0};
    const auto loop = [&] {
        for (std::size_t i = next++; i < count && !m_cancel.isCancelled(); i = next++)
            work(i);
    };
    std::vector<std::jthread> helpers;
    for (int i = 1; i < std::min(m_threads, int(count)); ++i)
        helpers.emplace_back(loop);
    loop();
}

void Search::tell(const char* stage, int resolved) {
    const std::lock_guard lock(m_progressLock);
    m_resolved += resolved;
    if (m_progress)
        m_progress({m_resolved, int(m_trials.size()), m_best ? m_best->milliseconds : 0, stage});
}

void Search::makeRows() {
    for (std::size_t i = 0; i < m_configurations.size(); ++i) {
        Trial& trial = m_trials.emplace_back();
        trial.number = int(i) + 1;
        trial.options = optionsOf(m_request.options, m_configurations[i]);
        trial.label = labelOf(m_space, m_configurations[i]);
    }
}

void Search::lowerOne(Lowering& lowering) {
    const options::CompilerOptions options = optionsOf(m_request.options, lowering.configuration);
    const target::Machine& machine = m_request.target.machine;
    Diagnostics ignored; // those of the winner are reported when it is compiled
    lowering.lowered = lower::lower(m_imported->graph, machine, options, ignored, m_cancel);
    if (lowering.lowered) {
        for (program::Buffer& buffer : lowering.lowered->buffers)
            buffer.contents.reset(); // twenty copies of the weights would fill the memory
        const auto order = schedule::orderOf(*lowering.lowered, {.level = 0});
        const program::Program program = schedule::assemble(*lowering.lowered, order, machine, options);
        lowering.boundMs = boundMilliseconds(program, m_request);
        lowering.text = program::toText(program);
    }
    tell("lowering", 0);
}

void Search::makeLowerings() {
    for (std::size_t i = 0; i < m_configurations.size(); ++i) {
        const Configuration& c = m_configurations[i];
        const auto known = std::ranges::find_if(m_lowerings, [&](const Lowering& l) {
            return l.configuration.split == c.split && l.configuration.pipe == c.pipe;
        });
        Lowering& lowering = known != m_lowerings.end() ? *known : m_lowerings.emplace_back();
        if (lowering.trials.empty())
            lowering.configuration = c;
        lowering.trials.push_back(int(i));
    }
}

void Search::findSame(const std::vector<Lowering*>& lowerings) {
    for (Lowering* one : lowerings) {
        Lowering& lowering = *one;
        if (!lowering.lowered)
            continue;
        const auto [found, isNew] = m_texts.try_emplace(std::move(lowering.text), int(one - m_lowerings.data()));
        if (isNew)
            continue;
        lowering.sameAs = found->second;
        lowering.lowered = {};
        const std::vector<int>& others = m_lowerings[std::size_t(found->second)].trials;
        for (std::size_t t = 0; t < lowering.trials.size(); ++t) { // rows of all lowerings stand in the same order
            Trial& trial = m_trials[std::size_t(lowering.trials[t])];
            trial.sameAs = m_trials[std::size_t(others[t])].number;
            skip(trial, TrialState::SameEpochs, "same epochs as row " + std::to_string(trial.sameAs));
        }
    }
}

void Search::skip(Trial& trial, TrialState state, std::string note) {
    trial.state = state;
    trial.note = std::move(note);
    tell("search", 1);
}

/// One for each order and each set of pools, the one with most effort; the other rows say whose epochs they have.
std::vector<Candidate> Search::candidatesOf(Lowering& lowering) {
    std::vector<schedule::Rules> rules;
    for (int t : lowering.trials)
        rules.push_back(schedule::rulesOf(m_trials[std::size_t(t)].options));
    std::vector<schedule::Rules> distinct;
    for (const schedule::Rules& r : rules)
        if (std::ranges::find(distinct, r) == distinct.end())
            distinct.push_back(r);
    std::vector<std::vector<std::size_t>> orders(distinct.size());
    inParallel(distinct.size(),
               [&](std::size_t i) { orders[i] = schedule::orderOf(*lowering.lowered, distinct[i], m_cancel); });

    std::map<std::pair<bool, std::vector<std::size_t>>, int> chosen;
    const auto keyOf = [&](std::size_t t) {
        const auto rule = std::ranges::find(distinct, rules[t]) - distinct.begin();
        return std::pair(m_trials[std::size_t(lowering.trials[t])].options.enableVirtualMemPools,
                         orders[std::size_t(rule)]);
    };
    const auto level = [&](int t) { return m_trials[std::size_t(t)].options.optimization; };
    for (std::size_t t = 0; t < lowering.trials.size(); ++t) {
        const auto [found, isNew] = chosen.try_emplace(keyOf(t), lowering.trials[t]);
        if (!isNew && level(lowering.trials[t]) > level(found->second))
            found->second = lowering.trials[t];
    }
    std::vector<Candidate> candidates;
    for (std::size_t t = 0; t < lowering.trials.size(); ++t) {
        Trial& trial = m_trials[std::size_t(lowering.trials[t])];
        const auto key = keyOf(t);
        const Trial& other = m_trials[std::size_t(chosen.at(key))];
        if (&other == &trial) {
            candidates.push_back({lowering.trials[t], key.second});
            continue;
        }
        trial.sameAs = other.number;
        skip(trial, TrialState::SameEpochs,
             "same epochs as row " + std::to_string(other.number) +
                 (other.options.optimization > trial.options.optimization ? ", placed with more effort there" : ""));
    }
    return candidates;
}

Result<Outcome> Search::planOf(const Candidate& candidate, const lower::Lowered& lowered) const {
    const options::CompilerOptions& options = m_trials[std::size_t(candidate.trial)].options;
    auto prepared = std::make_shared<Prepared>();
    prepared->target = m_request.target;
    prepared->provenance = m_imported->provenance;
    setProgram(*prepared, schedule::assemble(lowered, candidate.order, m_request.target.machine, options), options);
    place::Options placeOptions;
    placeOptions.cancel = m_cancel;
    return plan(prepared, m_request.pools, placeOptions);
}

void Search::fill(Trial& trial, const Outcome& outcome) const {
    const report::Report& report = *outcome.report;
    trial.state = TrialState::Placed;
    trial.fits = report.fits;
    trial.milliseconds = report.totals.calibratedMs;
    trial.vendorCycles = report.totals.vendorCycles;
    trial.epochs = report.totals.epochs;
    trial.hw = report.totals.hw;
    trial.hybrid = report.totals.hybrid;
    trial.sw = report.totals.sw;
    trial.spilled = report.totals.externalActivations;
    trial.peakLive = report.totals.peakLive;
    trial.peakEpoch = report.totals.peakEpoch;
    trial.shortfall = report.shortfall;
    trial.unplaced = report.unplaced;
    for (const report::Unplaced& unplaced : report.unplaced) {
        trial.unplacedBytes.value += unplaced.size.value;
        trial.note += (trial.note.empty() ? "" : "; ") + unplaced.name + ": " + unplaced.reason;
    }
    for (const report::Pool& pool : report.pools)
        if (!pool.isVirtual && pool.used.value > 0)
            trial.pools.push_back({pool.name, pool.used, pool.size});
}

void Search::place(const Candidate& candidate, const lower::Lowered& lowered) {
    Trial& trial = m_trials[std::size_t(candidate.trial)];
    const Result<Outcome> outcome = planOf(candidate, lowered);
    if (outcome)
        fill(trial, *outcome);
    else
        trial.state = TrialState::Failed;
    if (!outcome)
        trial.note = outcome.error().front().message;
    tell("placement", 1);
}

void Search::tryLowering(Lowering& lowering) {
    for (int t : lowering.trials)
        m_trials[std::size_t(t)].boundMs = lowering.boundMs;
    if (m_best && lowering.boundMs >= m_best->milliseconds) {
        char note[160];
        std::snprintf(note, sizeof note, "no placement can be below %.3f ms, and row %d has %.3f ms", lowering.boundMs,
                      m_best->number, m_best->milliseconds);
        for (int t : lowering.trials)
            skip(m_trials[std::size_t(t)], TrialState::Bound, note);
        return;
    }
    const std::vector<Candidate> candidates = candidatesOf(lowering);
    inParallel(candidates.size(), [&](std::size_t i) { place(candidates[i], *lowering.lowered); });
    for (const Candidate& candidate : candidates) {
        const Trial& trial = m_trials[std::size_t(candidate.trial)];
        const bool isBetter =
            trial.state == TrialState::Placed && trial.fits && (!m_best || trial.milliseconds < m_best->milliseconds);
        m_best = isBetter ? &trial : m_best;
    }
}

auto rankOf(const Trial& trial) {
    const bool isPlaced = trial.state == TrialState::Placed;
    return std::tuple(!isPlaced, !trial.fits, trial.fits ? 0 : trial.unplacedBytes.value,
                      isPlaced ? trial.milliseconds : 0.0, trial.spilled.value, trial.peakLive.value, trial.number);
}

SearchResult Search::ranked() {
    m_best = nullptr;
    SearchResult result;
    result.trials = std::move(m_trials);
    std::ranges::sort(result.trials, [](const Trial& a, const Trial& b) { return rankOf(a) < rankOf(b); });
    for (const Trial& trial : result.trials)
        ++(trial.state == TrialState::Placed ? result.placed : result.pruned);
    return result;
}

/// Once more with all constants, from the same graph.
Result<Outcome> Search::compileBest(const Trial& trial) {
    const target::Machine& machine = m_request.target.machine;
    Result<program::Program> program =
        schedule::schedule(m_imported->graph, machine, trial.options, m_imported->diagnostics, m_cancel);
    if (!program)
        return fail(program.error());
    m_imported->diagnostics.push_back({"PW6025",
                                       Severity::Note,
                                       "the search keeps row " + std::to_string(trial.number) + ": " + trial.label,
                                       {},
                                       {}});
    setProgram(*m_imported, std::move(*program), trial.options);
    return planAndVerify(m_imported, m_request.pools, m_cancel);
}

/// Of two lowerings that differ in the pipeline length alone, the one without a limit could have chosen the other's
/// tiles: it is slower by no more than what the choice of tiles may give away (lower/conv_plan.cpp: another way must be
/// worth a twentieth). So what is far too slow without a limit need not be lowered with one.
std::vector<Lowering*> Search::worthLowering(const std::vector<Lowering*>& lowerings) {
    std::vector<Lowering*> worth;
    for (Lowering* lowering : lowerings) {
        const auto free = std::ranges::find_if(m_lowerings, [&](const Lowering& other) {
            return other.configuration.split == lowering->configuration.split && other.configuration.pipe == 0;
        });
        const double bound = free != m_lowerings.end() ? 0.95 * free->boundMs : 0;
        if (!m_best || bound < m_best->milliseconds) {
            worth.push_back(lowering);
            continue;
        }
        char note[160];
        std::snprintf(note, sizeof note,
                      "without a limit of the pipeline no placement can be below %.3f ms, and row %d has %.3f ms",
                      free->boundMs, m_best->number, m_best->milliseconds);
        for (int t : lowering->trials) {
            m_trials[std::size_t(t)].boundMs = bound;
            skip(m_trials[std::size_t(t)], TrialState::Bound, note);
        }
    }
    return worth;
}

/// Lowers them side by side; then places one after the other, the most promising first.
Result<void> Search::tryAll(std::vector<Lowering*> lowerings) {
    inParallel(lowerings.size(), [&](std::size_t i) { lowerOne(*lowerings[i]); });
    if (m_cancel.isCancelled())
        return fail(makeError("PW6005", "cancelled"));
    findSame(lowerings);
    for (Lowering* lowering : lowerings)
        if (!lowering->lowered && lowering->sameAs < 0) {
            m_failure = m_failure.empty() ? lowering->lowered.error() : m_failure;
            for (int t : lowering->trials)
                skip(m_trials[std::size_t(t)], TrialState::Failed, lowering->lowered.error().front().message);
        }
    std::erase_if(lowerings, [](const Lowering* lowering) { return !lowering->isUsable(); });
    std::ranges::stable_sort(lowerings, [](const Lowering* a, const Lowering* b) { return a->boundMs < b->boundMs; });
    for (Lowering* lowering : lowerings) {
        tryLowering(*lowering);
        lowering->lowered = {};
        if (m_cancel.isCancelled())
            return fail(makeError("PW6005", "cancelled"));
    }
    return {};
}

Result<SearchResult> Search::run() {
    const auto imported = importModel(m_request, {}, m_cancel);
    if (!imported)
        return fail(imported.error());
    m_imported = *imported;
    makeRows();
    makeLowerings();
    std::vector<Lowering*> first, second;
    for (Lowering& lowering : m_lowerings)
        (lowering.configuration.pipe == m_space.pipes.front() ? first : second).push_back(&lowering);
    if (Result<void> done = tryAll(std::move(first)); !done)
        return fail(done.error());
    if (Result<void> done = tryAll(worthLowering(second)); !done)
        return fail(done.error());
    SearchResult result = ranked();
    if (result.placed == 0)
        return fail(!m_failure.empty() ? m_failure
                                       : Diagnostics{makeError("PW6023", "no configuration could be placed: " +
                                                                             result.trials.front().note)});
    Result<Outcome> best = compileBest(result.trials.front());
    if (!best)
        return fail(best.error());
    result.best = std::move(*best);
    return result;
}

} // namespace

Result<SearchResult> search(const Request& request, const SearchSpace& space, const SearchProgressCall& progress,
                            const CancelFlag& cancel, int threads) {
    return Search(request, space, progress, cancel, threads).run();
}

bool asksForSearch(const options::CompilerOptions& options) {
    return options.autoOptions || options.autoSched;
}

Result<SearchResult> search(const Request& request, const SearchProgressCall& progress, const CancelFlag& cancel) {
    return search(request, searchSpaceOf(request, !request.options.autoOptions), progress, cancel);
}

} // namespace poolwright::driver
