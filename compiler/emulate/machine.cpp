// SPDX-License-Identifier: Apache-2.0
#include "emulate/emulate.h"

#include "emulate/epoch.h"
#include "emulate/software.h"
#include "emulate/views.h"

#include <new>

namespace poolwright::emulate {

using program::Program;
using program::TensorView;
using reference::Value;

Result<Machine> Machine::create(const Program& program, Options options) {
    Diagnostics findings = program::verify(program);
    if (hasErrors(findings))
        return fail(std::move(findings));
    Result<Memory> memory = Memory::create(program);
    if (!memory)
        return fail(memory.error());
    if (options.detectUnwritten)
        memory->trackWrites();
    Machine machine(program, std::move(*memory), std::move(options));
    if (machine.m_options.detectUnwritten)
        machine.beginLiveRanges(EpochId(0));
    return machine;
}

/// What lay at the addresses before is of no use to the buffers that begin to live.
void Machine::beginLiveRanges(EpochId epoch) {
    for (std::size_t i = 0; i < m_program->buffers.size(); ++i) {
        const program::Buffer& buffer = m_program->buffers[i];
        const bool fresh = buffer.kind != program::BufferKind::Constant && buffer.kind != program::BufferKind::Input;
        if (buffer.live.first == epoch.index && (fresh || (epoch.index == 0 && !buffer.contents)))
            m_memory.forget(BufferId(i), true);
    }
}

Result<void> Machine::setInput(std::size_t index, const Value& value) {
    if (index >= m_program->inputs.size())
        return fail(makeError("PW4150", "the network has " + std::to_string(m_program->inputs.size()) + " inputs"));
    const TensorView& view = m_program->inputs[index];
    if (value.shape != view.shape)
        return fail(makeError("PW4151", "the value has another shape than the input", {{}, 0, 0, view.name}));
    return write(view, value);
}

Result<void> Machine::write(const TensorView& view, const Value& value) {
    return scatter(m_memory, view, value);
}

Result<Value> Machine::read(const TensorView& view) const {
    return peekValue(m_memory, view);
}

Result<void> Machine::runWork(EpochId epoch) {
    const program::Epoch& what = (*m_program)[epoch];
    try {
        if (what.hardware())
            return runHardwareEpoch(*m_program, epoch.index, m_memory, m_options.cancel);
        if (what.software())
            return runSoftwareEpoch(*m_program, epoch.index, m_memory);
        return {};
    } catch (const std::bad_alloc&) {
        return fail(makeError("PW4107", "the host has too little memory for the frames of this epoch",
                              {{}, 0, 0, placeText({epoch.index, &what.name})}));
    }
}

Result<void> Machine::runEpoch(EpochId epoch) {
    if (m_options.cancel.isCancelled())
        return fail(makeError("PW4100", "cancelled"));
    if (m_options.detectUnwritten && epoch.index > 0)
        beginLiveRanges(epoch);
    if (m_options.beforeEpoch)
        m_options.beforeEpoch(*this, epoch);
    const Result<void> done = runWork(epoch);
    if (done && m_options.afterEpoch)
        m_options.afterEpoch(*this, epoch);
    return done;
}

Result<void> Machine::runAll() {
    for (int ordinal = 0; ordinal <= m_program->lastEpoch(); ++ordinal)
        if (Result<void> done = runEpoch(EpochId(ordinal)); !done)
            return done;
    return {};
}

Result<std::vector<Value>> Machine::outputs() const {
    std::vector<Value> values;
    for (const TensorView& view : m_program->outputs) {
        Result<Value> value = read(view);
        if (!value)
            return fail(value.error());
        values.push_back(std::move(*value));
    }
    return values;
}

Result<std::vector<Value>> run(const Program& program, const std::vector<Value>& inputs, const Options& options,
                               Diagnostics* findings) {
    Result<Machine> machine = Machine::create(program, options);
    if (!machine)
        return fail(machine.error());
    if (inputs.size() != program.inputs.size())
        return fail(makeError("PW4150", "the network has " + std::to_string(program.inputs.size()) + " inputs, " +
                                            std::to_string(inputs.size()) + " were given"));
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (const Result<void> done = machine->setInput(i, inputs[i]); !done)
            return fail(done.error());
    if (const Result<void> done = machine->runAll(); !done)
        return fail(done.error());
    if (findings)
        findings->insert(findings->end(), machine->memory().findings().begin(), machine->memory().findings().end());
    return machine->outputs();
}

} // namespace poolwright::emulate
