// SPDX-License-Identifier: Apache-2.0
#include "schedule/order.h"

#include "schedule/work.h"

#include <numeric>
#include <set>

namespace poolwright::schedule {

namespace {

/// List scheduling: what is ready, and how often each buffer is still needed.
class Greedy {
public:
    explicit Greedy(const Work& work)
        : m_work(work)
        , m_waiting(work.steps.size(), 0)
        , m_freshness(work.steps.size(), 0)
        , m_usesLeft(work.buffers.size(), 0)
        , m_isLive(work.buffers.size(), false) {
        for (std::size_t i = 0; i < work.steps.size(); ++i)
            m_waiting[i] = work.steps[i].before.size();
        for (std::size_t b = 0; b < work.buffers.size(); ++b) {
            m_usesLeft[b] = work.buffers[b].users.size();
            m_isLive[b] = work.buffers[b].fromStart;
        }
    }

    std::vector<std::size_t> run() {
        for (std::size_t i = 0; i < m_waiting.size(); ++i)
            if (m_waiting[i] == 0)
                m_ready.insert(i);
        std::vector<std::size_t> order;
        while (!m_ready.empty()) {
            const std::size_t step = best();
            m_ready.erase(step);
            order.push_back(step);
            take(step, order.size());
        }
        return order;
    }

private:
    /// Bytes that come alive less bytes that die.
    std::int64_t growth(std::size_t step) const {
        std::int64_t bytes = 0;
        for (const Use& use : m_work.steps[step].uses) {
            const SharedBuffer& buffer = m_work.buffers[use.buffer];
            const bool dies = m_usesLeft[use.buffer] == 1 && !buffer.toEnd;
            if (m_isLive[use.buffer] == dies)
                bytes += dies ? -buffer.bytes : buffer.bytes;
        }
        return bytes;
    }

    std::size_t best() const {
        std::size_t found = *m_ready.begin();
        std::int64_t smallest = growth(found);
        for (std::size_t step : m_ready) {
            const std::int64_t now = growth(step);
            if (now < smallest || (now == smallest && m_freshness[step] > m_freshness[found])) {
                found = step;
                smallest = now;
            }
        }
        return found;
    }

    void take(std::size_t step, std::size_t time) {
        for (const Use& use : m_work.steps[step].uses) {
            --m_usesLeft[use.buffer];
            m_isLive[use.buffer] = m_usesLeft[use.buffer] > 0 || m_work.buffers[use.buffer].toEnd;
        }
        for (std::size_t next : m_work.steps[step].after) {
            m_freshness[next] = time;
            if (--m_waiting[next] == 0)
                m_ready.insert(next);
        }
    }

    const Work& m_work;
    std::vector<std::size_t> m_waiting;
    std::vector<std::size_t> m_freshness; ///< when the last input was made
    std::vector<std::size_t> m_usesLeft;
    std::vector<bool> m_isLive;
    std::set<std::size_t> m_ready;
};

std::vector<std::size_t> modelOrder(const Work& work) {
    std::vector<std::size_t> order(work.steps.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    return order;
}

std::vector<std::size_t> bestOf(const Work& work, std::vector<std::vector<std::size_t>> orders) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < orders.size(); ++i)
        if (figuresOf(work, orders[i]) < figuresOf(work, orders[best]))
            best = i;
    return std::move(orders[best]);
}

} // namespace

std::vector<std::size_t> greedyOrder(const Work& work) {
    return Greedy(work).run();
}

Rules rulesOf(const options::CompilerOptions& options) {
    return {options.optimization, options.altSched, options.optimizeSize, options.preserveInputs};
}

Figures figuresOf(const lower::Lowered& lowered, const std::vector<std::size_t>& order, bool preserveInputs) {
    return figuresOf(workOf(lowered, {.preserveInputs = preserveInputs}), order);
}

std::vector<std::size_t> orderOf(const lower::Lowered& lowered, const Rules& rules, const CancelFlag& cancel) {
    const Work work = workOf(lowered, rules);
    if (rules.smallestPeak) {
        auto known = rules.alternate ? std::vector{depthFirstOrder(work), greedyOrder(work), modelOrder(work)}
                                     : std::vector{greedyOrder(work), depthFirstOrder(work), modelOrder(work)};
        return smallestPeakOrder(work, bestOf(work, std::move(known)), cancel);
    }
    if (rules.alternate)
        return depthFirstOrder(work);
    if (rules.level == 0)
        return modelOrder(work);
    if (rules.level == 1)
        return greedyOrder(work);
    return bestOf(work, {greedyOrder(work), depthFirstOrder(work), modelOrder(work)});
}

} // namespace poolwright::schedule
