// SPDX-License-Identifier: Apache-2.0
#include "schedule/work.h"

#include <algorithm>
#include <map>

namespace poolwright::schedule {

namespace {

using Bits = std::vector<std::uint64_t>;

bool testBit(const Bits& bits, std::size_t i) {
    return (bits[i / 64] >> (i % 64)) & 1;
}

/// A set of finished steps and the best known way to it.
struct State {
    Bits done;
    std::vector<std::size_t> ready; ///< ascending
    std::int64_t live = 0;
    Figures figures;
    std::size_t trace = 0;
};

/// The way back: one entry for each state ever kept.
struct Trace {
    std::size_t before = 0;
    std::size_t step = 0;
};

/// Breadth first over the number of finished steps; equal sets meet, and of a level only the best states go on. While a
/// level fits, nothing is lost, and the result is the smallest peak there is.
class Beam {
public:
    Beam(const Work& work, Figures known)
        : m_work(work)
        , m_known(known)
        , m_lowest(work.lowestPeak())
        , m_width(std::clamp<std::size_t>(worthOfSteps / std::max<std::size_t>(work.steps.size(), 1), 4, 2000)) {}

    /// Empty when nothing below the known figures was found.
    std::vector<std::size_t> run(const CancelFlag& cancel) {
        std::vector<State> level{start()};
        m_trace.push_back({});
        for (std::size_t count = 0; count < m_work.steps.size() && !level.empty(); ++count) {
            if (cancel.isCancelled())
                return {};
            level = next(level);
        }
        return level.empty() ? std::vector<std::size_t>() : wayTo(level.front());
    }

private:
    static constexpr std::size_t worthOfSteps = 200'000;

    State start() const {
        State state;
        state.done.assign((m_work.steps.size() + 63) / 64, 0);
        state.live = m_work.startBytes();
        for (std::size_t i = 0; i < m_work.steps.size(); ++i)
            if (m_work.steps[i].before.empty())
                state.ready.push_back(i);
        return state;
    }

    Effect effect(const State& state, std::size_t step) const {
        return effectOf(m_work, step, state.live, [&](std::size_t s) { return testBit(state.done, s); });
    }

    /// A step that leaves no more alive than before and stays below a peak that is there anyway can only help now.
    bool isFree(const State& state, const Effect& effect) const {
        return effect.after <= state.live && effect.peak <= std::max(state.figures.peakBytes, m_lowest);
    }

    std::vector<State> next(const std::vector<State>& level) {
        std::map<Bits, State> states;
        for (const State& state : level) {
            std::vector<std::pair<std::size_t, Effect>> moves;
            for (std::size_t step : state.ready) {
                moves.emplace_back(step, effect(state, step));
                if (isFree(state, moves.back().second)) {
                    moves = {moves.back()};
                    break;
                }
            }
            for (const auto& [step, change] : moves)
                follow(state, step, change, states);
        }
        return kept(states);
    }

    void follow(const State& state, std::size_t step, const Effect& change, std::map<Bits, State>& states) {
        Figures figures{std::max(state.figures.peakBytes, change.peak), state.figures.byteEpochs + change.area};
        if (figures.peakBytes >= m_known.peakBytes)
            return;
        Bits done = state.done;
        done[step / 64] |= std::uint64_t(1) << (step % 64);
        const auto [found, isNew] = states.try_emplace(std::move(done));
        State& other = found->second;
        if (!isNew && other.figures <= figures)
            return;
        other.done = found->first;
        other.live = change.after;
        other.figures = figures;
        other.ready = readyAfter(state, other.done, step);
        m_trace.push_back({state.trace, step});
        other.trace = m_trace.size() - 1;
    }

    std::vector<std::size_t> readyAfter(const State& state, const Bits& done, std::size_t step) const {
        std::vector<std::size_t> ready = state.ready;
        std::erase(ready, step);
        for (std::size_t next : m_work.steps[step].after)
            if (std::ranges::all_of(m_work.steps[next].before, [&](std::size_t s) { return testBit(done, s); }))
                ready.insert(std::ranges::lower_bound(ready, next), next);
        return ready;
    }

    std::vector<State> kept(std::map<Bits, State>& states) const {
        std::vector<State> level;
        for (auto& [done, state] : states)
            level.push_back(std::move(state));
        std::ranges::stable_sort(level, [](const State& a, const State& b) {
            return std::tuple(a.figures.peakBytes, a.live, a.figures.byteEpochs) <
                   std::tuple(b.figures.peakBytes, b.live, b.figures.byteEpochs);
        });
        if (level.size() > m_width)
            level.resize(m_width);
        return level;
    }

    std::vector<std::size_t> wayTo(const State& state) const {
        std::vector<std::size_t> order;
        for (std::size_t at = state.trace; at != 0; at = m_trace[at].before)
            order.push_back(m_trace[at].step);
        std::ranges::reverse(order);
        return order;
    }

    const Work& m_work;
    const Figures m_known;
    const std::int64_t m_lowest;
    const std::size_t m_width;
    std::vector<Trace> m_trace;
};

} // namespace

std::vector<std::size_t> smallestPeakOrder(const Work& work, std::vector<std::size_t> best, const CancelFlag& cancel) {
    const Figures known = figuresOf(work, best);
    if (known.peakBytes <= work.lowestPeak())
        return best;
    std::vector<std::size_t> found = Beam(work, known).run(cancel);
    return found.empty() ? best : found;
}

} // namespace poolwright::schedule
