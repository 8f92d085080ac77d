// SPDX-License-Identifier: Apache-2.0
#include "schedule/work.h"

#include <algorithm>

namespace poolwright::schedule {

namespace {

/// What it takes to come from nothing to a step's results, as if nothing were shared between branches.
struct Need {
    std::int64_t peak = 0;    ///< bytes alive at most on the way
    std::int64_t results = 0; ///< bytes that stay for those who read them
    std::int64_t beyond() const { return peak - results; }
};

class DepthFirst {
public:
    explicit DepthFirst(const Work& work)
        : m_work(work)
        , m_needs(work.steps.size())
        , m_isTaken(work.steps.size(), false) {
        for (std::size_t i = 0; i < work.steps.size(); ++i)
            m_needs[i] = needOf(i);
    }

    std::vector<std::size_t> run() {
        std::vector<std::size_t> ends;
        for (std::size_t i = 0; i < m_work.steps.size(); ++i)
            if (m_work.steps[i].after.empty())
                ends.push_back(i);
        for (std::size_t end : greatestFirst(std::move(ends)))
            visit(end);
        return std::move(m_order);
    }

private:
    std::vector<std::size_t> greatestFirst(std::vector<std::size_t> steps) const {
        std::ranges::stable_sort(
            steps, [&](std::size_t a, std::size_t b) { return m_needs[a].beyond() > m_needs[b].beyond(); });
        return steps;
    }

    /// Steps stand in a legal order: the needs of those before are known.
    Need needOf(std::size_t step) const {
        Need need;
        std::int64_t kept = 0;
        for (std::size_t before : greatestFirst(m_work.steps[step].before)) {
            need.peak = std::max(need.peak, kept + m_needs[before].peak);
            kept += m_needs[before].results;
        }
        std::int64_t own = 0;
        for (const Use& use : m_work.steps[step].uses) {
            own += m_work.buffers[use.buffer].bytes;
            need.results += use.writes ? m_work.buffers[use.buffer].bytes : 0;
        }
        for (std::int64_t inside : m_work.steps[step].inside)
            need.peak = std::max(need.peak, own + inside);
        return need;
    }

    /// Without recursion: a network may be ten thousand steps deep.
    void visit(std::size_t end) {
        struct Frame {
            std::size_t step;
            std::vector<std::size_t> before;
            std::size_t next = 0;
        };
        std::vector<Frame> stack;
        const auto enter = [&](std::size_t step) {
            if (m_isTaken[step])
                return;
            m_isTaken[step] = true;
            stack.push_back({step, greatestFirst(m_work.steps[step].before), 0});
        };
        enter(end);
        while (!stack.empty()) {
            if (Frame& top = stack.back(); top.next < top.before.size()) {
                enter(top.before[top.next++]);
                continue;
            }
            m_order.push_back(stack.back().step);
            stack.pop_back();
        }
    }

    const Work& m_work;
    std::vector<Need> m_needs;
    std::vector<bool> m_isTaken;
    std::vector<std::size_t> m_order;
};

} // namespace

std::vector<std::size_t> depthFirstOrder(const Work& work) {
    return DepthFirst(work).run();
}

} // namespace poolwright::schedule
