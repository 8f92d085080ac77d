// SPDX-License-Identifier: Apache-2.0
#include "schedule/work.h"

#include "schedule/schedule.h"

#include <algorithm>
#include <map>

namespace poolwright::schedule {

namespace {

/// Activations that a step touches, each once, with its first and last epoch there.
std::map<std::size_t, Use> usesOf(const lower::Step& step, const std::vector<program::Buffer>& buffers) {
    std::map<std::size_t, Use> uses;
    for (std::size_t e = 0; e < step.epochs.size(); ++e)
        for (const Access& access : accessesOf(step.epochs[e])) {
            const std::size_t buffer = std::size_t(access.buffer.index);
            if (buffers[buffer].kind == program::BufferKind::Constant)
                continue;
            Use& use = uses.try_emplace(buffer, Use{buffer, e, e, false}).first->second;
            use.last = e;
            use.writes = use.writes || access.write;
        }
    return uses;
}

class Builder {
public:
    Builder(const lower::Lowered& lowered, const Rules& rules)
        : m_lowered(lowered)
        , m_rules(rules) {}

    Work build() {
        m_work.steps.resize(m_lowered.steps.size());
        describeBuffers();
        collectUses();
        collectDependences();
        keepSharedOnly();
        return std::move(m_work);
    }

private:
    void describeBuffers() {
        for (const program::Buffer& buffer : m_lowered.buffers) {
            SharedBuffer shared;
            shared.bytes = buffer.userAllocated ? 0 : buffer.size.value;
            shared.fromStart = buffer.kind == program::BufferKind::Input;
            shared.toEnd = buffer.kind == program::BufferKind::Output || (shared.fromStart && m_rules.preserveInputs);
            m_work.buffers.push_back(std::move(shared));
        }
        for (const program::TensorView& output : m_lowered.outputs)
            m_work.buffers[std::size_t(output.buffer.index)].toEnd = true;
    }

    void collectUses() {
        for (std::size_t i = 0; i < m_lowered.steps.size(); ++i) {
            m_work.steps[i].inside.assign(m_lowered.steps[i].epochs.size(), 0);
            for (const auto& [buffer, use] : usesOf(m_lowered.steps[i], m_lowered.buffers)) {
                m_work.steps[i].uses.push_back(use);
                m_work.buffers[buffer].users.push_back(i);
            }
        }
    }

    /// Steps stand in a legal order already. Who reads a buffer waits for all that wrote it before; writers of one
    /// buffer write apart from each other (parts of a concatenation) and may swap.
    void collectDependences() {
        std::vector<std::vector<std::size_t>> writers(m_lowered.buffers.size());
        for (std::size_t i = 0; i < m_lowered.steps.size(); ++i) {
            std::vector<std::size_t>& before = m_work.steps[i].before;
            for (const program::Epoch& epoch : m_lowered.steps[i].epochs)
                for (const Access& access : accessesOf(epoch))
                    if (!access.write)
                        for (std::size_t writer : writers[std::size_t(access.buffer.index)])
                            before.push_back(writer);
            for (const Use& use : m_work.steps[i].uses)
                if (use.writes)
                    writers[use.buffer].push_back(i);
            std::ranges::sort(before);
            before.erase(std::unique(before.begin(), before.end()), before.end());
            for (std::size_t earlier : before)
                m_work.steps[earlier].after.push_back(i);
        }
    }

    /// What only one step touches is part of that step's own need.
    void keepSharedOnly() {
        for (std::size_t i = 0; i < m_work.steps.size(); ++i) {
            StepWork& step = m_work.steps[i];
            std::erase_if(step.uses, [&](const Use& use) {
                const SharedBuffer& buffer = m_work.buffers[use.buffer];
                if (buffer.users.size() > 1 || buffer.fromStart || buffer.toEnd)
                    return false;
                for (std::size_t e = use.first; e <= use.last; ++e)
                    step.inside[e] += buffer.bytes;
                return true;
            });
        }
    }

    const lower::Lowered& m_lowered;
    const Rules& m_rules;
    Work m_work;
};

} // namespace

Work workOf(const lower::Lowered& lowered, const Rules& rules) {
    return Builder(lowered, rules).build();
}

std::int64_t Work::lowestPeak() const {
    std::int64_t lowest = 0;
    for (const StepWork& step : steps)
        for (std::size_t e = 0; e < step.inside.size(); ++e) {
            std::int64_t bytes = step.inside[e];
            for (const Use& use : step.uses)
                bytes += use.first <= e && e <= use.last ? buffers[use.buffer].bytes : 0;
            lowest = std::max(lowest, bytes);
        }
    return lowest;
}

std::int64_t Work::startBytes() const {
    std::int64_t bytes = 0;
    for (const SharedBuffer& buffer : buffers)
        bytes += buffer.fromStart && (buffer.toEnd || !buffer.users.empty()) ? buffer.bytes : 0;
    return bytes;
}

Figures figuresOf(const Work& work, const std::vector<std::size_t>& order) {
    std::vector<bool> done(work.steps.size(), false);
    Figures figures;
    std::int64_t live = work.startBytes();
    for (std::size_t step : order) {
        const Effect effect = effectOf(work, step, live, [&](std::size_t s) { return bool(done[s]); });
        figures.peakBytes = std::max(figures.peakBytes, effect.peak);
        figures.byteEpochs += effect.area;
        live = effect.after;
        done[step] = true;
    }
    return figures;
}

} // namespace poolwright::schedule
