// SPDX-License-Identifier: Apache-2.0
#include "schedule/schedule.h"

#include <algorithm>
#include <set>

namespace poolwright::schedule {

namespace {

/// Greedy list scheduling over steps and the buffers between them.
class Ordering {
public:
    explicit Ordering(const lower::Lowered& lowered)
        : m_lowered(lowered)
        , m_successors(lowered.steps.size())
        , m_waiting(lowered.steps.size(), 0)
        , m_buffers(lowered.steps.size())
        , m_uses(lowered.buffers.size(), 0)
        , m_isLive(lowered.buffers.size(), false)
        , m_isKept(lowered.buffers.size(), false) {
        collectBuffers();
        collectDependencies();
        for (const program::TensorView& output : lowered.outputs)
            m_isKept[std::size_t(output.buffer.index)] = true;
    }

    std::vector<std::size_t> run();

private:
    void collectBuffers();
    void collectDependencies();
    void depend(std::size_t before, std::size_t after);
    std::int64_t growth(std::size_t step) const;
    void take(std::size_t step, std::size_t time);

    const lower::Lowered& m_lowered;
    std::vector<std::set<std::size_t>> m_successors;
    std::vector<int> m_waiting;
    std::vector<std::vector<std::size_t>> m_buffers; ///< activations of a step, each once
    std::vector<int> m_uses;                         ///< steps still to come that touch a buffer
    std::vector<bool> m_isLive, m_isKept;
    std::vector<std::size_t> m_freshness =
        std::vector<std::size_t>(m_lowered.steps.size(), 0); ///< when its last input was made
};

void Ordering::collectBuffers() {
    for (std::size_t i = 0; i < m_lowered.steps.size(); ++i) {
        std::set<std::size_t> touched;
        for (const program::Epoch& epoch : m_lowered.steps[i].epochs)
            for (const Access& access : accessesOf(epoch)) {
                const std::size_t buffer = std::size_t(access.buffer.index);
                if (m_lowered.buffers[buffer].kind != program::BufferKind::Constant)
                    touched.insert(buffer);
            }
        m_buffers[i].assign(touched.begin(), touched.end());
        for (std::size_t buffer : touched)
            ++m_uses[buffer];
    }
}

void Ordering::depend(std::size_t before, std::size_t after) {
    if (before != after && m_successors[before].insert(after).second)
        ++m_waiting[after];
}

/// Steps stand in a legal order already. Who reads a buffer waits for all that wrote it before; writers of one buffer
/// write apart from each other (parts of a concatenation) and may swap.
void Ordering::collectDependencies() {
    std::vector<std::vector<std::size_t>> writers(m_lowered.buffers.size());
    for (std::size_t i = 0; i < m_lowered.steps.size(); ++i) {
        for (const program::Epoch& epoch : m_lowered.steps[i].epochs)
            for (const Access& access : accessesOf(epoch))
                if (!access.write)
                    for (std::size_t writer : writers[std::size_t(access.buffer.index)])
                        depend(writer, i);
        for (const program::Epoch& epoch : m_lowered.steps[i].epochs)
            for (const Access& access : accessesOf(epoch))
                if (access.write)
                    writers[std::size_t(access.buffer.index)].push_back(i);
    }
}

/// Bytes that come alive less bytes that die.
std::int64_t Ordering::growth(std::size_t step) const {
    std::int64_t bytes = 0;
    for (std::size_t buffer : m_buffers[step]) {
        const std::int64_t size = m_lowered.buffers[buffer].size.value;
        const bool dies = m_uses[buffer] == 1 && !m_isKept[buffer];
        if (!m_isLive[buffer] && !dies)
            bytes += size;
        if (m_isLive[buffer] && dies)
            bytes -= size;
    }
    return bytes;
}

void Ordering::take(std::size_t step, std::size_t time) {
    for (std::size_t buffer : m_buffers[step]) {
        --m_uses[buffer];
        m_isLive[buffer] = m_uses[buffer] > 0 || m_isKept[buffer];
    }
    for (std::size_t next : m_successors[step]) {
        --m_waiting[next];
        m_freshness[next] = time + 1;
    }
}

std::vector<std::size_t> Ordering::run() {
    std::set<std::size_t> ready;
    for (std::size_t i = 0; i < m_waiting.size(); ++i)
        if (m_waiting[i] == 0)
            ready.insert(i);
    for (const program::TensorView& input : m_lowered.inputs)
        m_isLive[std::size_t(input.buffer.index)] = true;
    std::vector<std::size_t> order;
    while (!ready.empty()) {
        std::size_t best = *ready.begin();
        std::int64_t bestGrowth = growth(best);
        for (std::size_t step : ready) {
            const std::int64_t now = growth(step);
            if (now < bestGrowth || (now == bestGrowth && m_freshness[step] > m_freshness[best])) {
                best = step;
                bestGrowth = now;
            }
        }
        ready.erase(best);
        take(best, order.size());
        order.push_back(best);
        for (std::size_t next : m_successors[best])
            if (m_waiting[next] == 0)
                ready.insert(next);
    }
    return order;
}

} // namespace

std::vector<std::size_t> orderOf(const lower::Lowered& lowered) {
    return Ordering(lowered).run();
}

} // namespace poolwright::schedule
