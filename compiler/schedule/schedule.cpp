// SPDX-License-Identifier: Apache-2.0
#include "schedule/schedule.h"

#include "schedule/order.h"

#include <algorithm>
#include <map>

namespace poolwright::schedule {

namespace {

void appendEpochs(program::Program& program, lower::Lowered& lowered, const std::vector<std::size_t>& order) {
    program::Epoch constants;
    constants.name = "constants";
    program.epochs.push_back(std::move(constants));
    for (std::size_t step : order)
        for (program::Epoch& epoch : lowered.steps[step].epochs)
            program.epochs.push_back(std::move(epoch));
    program::Epoch last;
    last.name = "return";
    program.epochs.push_back(std::move(last));
}

/// First and last ordinal at which each buffer is touched; inputs exist from the start, outputs to the end, constants
/// always.
std::vector<EpochRange> liveRanges(const program::Program& program, bool preserveInputs, std::vector<bool>& isUsed) {
    const int last = program.lastEpoch();
    std::vector<EpochRange> ranges(program.buffers.size(), {last, 0});
    const auto touch = [&](BufferId id, int ordinal) {
        EpochRange& range = ranges[std::size_t(id.index)];
        range.first = std::min(range.first, ordinal);
        range.last = std::max(range.last, ordinal);
        isUsed[std::size_t(id.index)] = true;
    };
    for (int ordinal = 0; ordinal <= last; ++ordinal)
        for (const Access& access : accessesOf(program.epochs[std::size_t(ordinal)]))
            touch(access.buffer, ordinal);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (program.buffers[i].kind == program::BufferKind::Input)
            touch(BufferId(i), 1);
        if (program.buffers[i].kind == program::BufferKind::Input && preserveInputs)
            touch(BufferId(i), last);
        if (program.buffers[i].kind == program::BufferKind::Output)
            touch(BufferId(i), last);
        if (program.buffers[i].kind == program::BufferKind::Constant)
            ranges[i] = {0, last};
    }
    return ranges;
}

class Renumbering {
public:
    explicit Renumbering(std::vector<int> newIndex)
        : m_newIndex(std::move(newIndex)) {}

    void apply(BufferId& id) const {
        if (id.isValid())
            id = BufferId(m_newIndex[std::size_t(id.index)]);
    }
    void apply(std::vector<program::TensorView>& views) const {
        for (program::TensorView& view : views)
            apply(view.buffer);
    }
    void apply(program::Unit& unit) const {
        if (auto* stream = std::get_if<program::StreamEngineConfig>(&unit.config)) {
            apply(stream->buffer);
        } else if (auto* arith = std::get_if<program::ArithConfig>(&unit.config)) {
            apply(arith->aVector);
            apply(arith->bVector);
            apply(arith->cVector);
        }
    }
    void apply(program::Epoch& epoch) const {
        if (auto* hardware = std::get_if<program::HardwareWork>(&epoch.work))
            for (program::Unit& unit : hardware->units)
                apply(unit);
        if (auto* software = std::get_if<program::SoftwareWork>(&epoch.work)) {
            apply(software->inputs);
            apply(software->outputs);
        }
    }

private:
    std::vector<int> m_newIndex;
};

/// Buffers that nobody touches (left by aliases and planned places) go; the others keep their order.
void dropUnused(program::Program& program, const std::vector<bool>& isUsed) {
    std::vector<int> newIndex(program.buffers.size(), -1);
    std::vector<program::Buffer> kept;
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
        if (isUsed[i]) {
            newIndex[i] = int(kept.size());
            kept.push_back(std::move(program.buffers[i]));
        }
    program.buffers = std::move(kept);
    const Renumbering renumbering(std::move(newIndex));
    for (program::Buffer& buffer : program.buffers)
        renumbering.apply(buffer.tensors);
    for (program::Epoch& epoch : program.epochs)
        renumbering.apply(epoch);
    renumbering.apply(program.inputs);
    renumbering.apply(program.outputs);
}

/// Names identify buffers in every artefact: who comes second gets a number.
void makeNamesUnique(std::vector<program::Buffer>& buffers) {
    std::map<std::string, int> seen;
    for (program::Buffer& buffer : buffers) {
        const int count = seen[buffer.name]++;
        if (count > 0)
            buffer.name += "_" + std::to_string(count);
    }
}

} // namespace

program::Program assemble(lower::Lowered lowered, const std::vector<std::size_t>& order, const target::Machine& machine,
                          const options::CompilerOptions& options) {
    program::Program program;
    program.networkName = options.networkName;
    program.machine = machine;
    appendEpochs(program, lowered, order);
    program.buffers = std::move(lowered.buffers);
    program.inputs = std::move(lowered.inputs);
    program.outputs = std::move(lowered.outputs);
    std::vector<bool> isUsed(program.buffers.size(), false);
    const std::vector<EpochRange> ranges = liveRanges(program, options.preserveInputs, isUsed);
    for (std::size_t i = 0; i < ranges.size(); ++i)
        program.buffers[i].live = ranges[i];
    dropUnused(program, isUsed);
    makeNamesUnique(program.buffers);
    return program;
}

Result<program::Program> schedule(const ir::Graph& graph, const target::Machine& machine,
                                  const options::CompilerOptions& options, Diagnostics& warnings,
                                  const CancelFlag& cancel) {
    auto lowered = lower::lower(graph, machine, options, warnings, cancel);
    if (!lowered)
        return tl::unexpected(lowered.error());
    const std::vector<std::size_t> order = orderOf(*lowered, rulesOf(options), cancel);
    return assemble(std::move(*lowered), order, machine, options);
}

} // namespace poolwright::schedule
