// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/lower.h"
#include "schedule/order.h"

/// Steps and the buffers between them as the orderings see them. Not for other rooms.
namespace poolwright::schedule {

/// A buffer that a step shares with other steps, and the epochs of the step that touch it first and last.
struct Use {
    std::size_t buffer = 0;
    std::size_t first = 0, last = 0;
    bool writes = false;
};

struct StepWork {
    std::vector<Use> uses;            ///< shared activations, each once, ascending
    std::vector<std::int64_t> inside; ///< by epoch of the step: live bytes of buffers that no other step touches
    std::vector<std::size_t> before, after;
};

struct SharedBuffer {
    std::int64_t bytes = 0;
    bool fromStart = false; ///< a network input
    bool toEnd = false;     ///< a network output, or an input that is preserved
    std::vector<std::size_t> users;
};

/// What both greedy orderings and the search for the smallest peak work on. Buffers that the application allocates take
/// nothing from the pools and count zero bytes.
struct Work {
    std::vector<StepWork> steps;
    std::vector<SharedBuffer> buffers;

    /// No order's peak can be below: the step that needs most by itself.
    std::int64_t lowestPeak() const;
    std::int64_t startBytes() const;
};

Work workOf(const lower::Lowered& lowered, const Rules& rules);

/// How a step changes the live bytes when it runs next.
struct Effect {
    std::int64_t peak = 0;  ///< most bytes alive while it runs
    std::int64_t after = 0; ///< bytes alive when it is done
    std::int64_t area = 0;  ///< sum of live bytes over its epochs
};

/// `isDone(step)` tells what ran before.
template <typename IsDone>
Effect effectOf(const Work& work, std::size_t step, std::int64_t live, const IsDone& isDone) {
    const StepWork& s = work.steps[step];
    std::vector<std::int64_t> bytes(s.inside.size() + 1, live);
    for (const Use& use : s.uses) {
        const SharedBuffer& buffer = work.buffers[use.buffer];
        bool isAlive = buffer.fromStart, dies = !buffer.toEnd;
        for (std::size_t user : buffer.users) {
            const bool done = isDone(user);
            isAlive = isAlive || done;
            dies = dies && (done || user == step);
        }
        for (std::size_t e = 0; e < bytes.size(); ++e)
            bytes[e] += (!isAlive && e >= use.first ? buffer.bytes : 0) - (dies && e > use.last ? buffer.bytes : 0);
    }
    Effect effect;
    effect.after = bytes.back();
    for (std::size_t e = 0; e < s.inside.size(); ++e) {
        effect.peak = std::max(effect.peak, bytes[e] + s.inside[e]);
        effect.area += bytes[e] + s.inside[e];
    }
    return effect;
}

std::vector<std::size_t> greedyOrder(const Work& work);
std::vector<std::size_t> depthFirstOrder(const Work& work);

/// The order with the smallest peak that a beam over sets of finished steps finds below `best`'s, or `best` when there
/// is none: complete, and so the smallest of all, while the sets fit into the beam.
std::vector<std::size_t> smallestPeakOrder(const Work& work, std::vector<std::size_t> best, const CancelFlag& cancel);

Figures figuresOf(const Work& work, const std::vector<std::size_t>& order);

} // namespace poolwright::schedule
