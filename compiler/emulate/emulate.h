// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "emulate/memory.h"
#include "reference/reference.h"

#include <functional>
#include <vector>

/// Runs a Program unit by unit on a memory image, bit by bit as the NPU would (facts/neural-art-target.md section 2).
/// What the units do with their frames is defined in emulate/epoch.h.
namespace poolwright::emulate {

class Machine;

struct Options {
    CancelFlag cancel;
    /// Remembers which bytes were written. Activations of a new live range start as unwritten and hold 0xA5, so reading
    /// what nothing wrote (a compiler bug) gives a warning and wrong numbers.
    bool detectUnwritten = false;
    /// Called before an epoch runs, which may overwrite its inputs, and after it has run, which may read any buffer or
    /// view.
    std::function<void(Machine&, EpochId)> beforeEpoch, afterEpoch;
};

/// A Program and its memory. The Program must outlive the Machine.
class Machine {
public:
    /// Fails with the findings of program::verify() when the program breaks a rule.
    static Result<Machine> create(const program::Program& program, Options options = {});

    /// Overwrites what the constants put there with the bytes of an initialiser file (emulate/initialiser.h).
    Memory& memory() { return m_memory; }
    const Memory& memory() const { return m_memory; }
    const program::Program& program() const { return *m_program; }

    /// A value in the network's input `index`; type and shape must be the input's.
    Result<void> setInput(std::size_t index, const reference::Value& value);
    Result<void> write(const program::TensorView& view, const reference::Value& value);
    Result<reference::Value> read(const program::TensorView& view) const;

    /// Runs one epoch, hooks included.
    Result<void> runEpoch(EpochId epoch);
    /// Runs all epochs in order.
    Result<void> runAll();
    Result<std::vector<reference::Value>> outputs() const;

private:
    Machine(const program::Program& program, Memory memory, Options options)
        : m_program(&program)
        , m_memory(std::move(memory))
        , m_options(std::move(options)) {}
    void beginLiveRanges(EpochId epoch);
    Result<void> runWork(EpochId epoch);

    const program::Program* m_program;
    Memory m_memory;
    Options m_options;
};

/// Sets the inputs (in graph order), runs all epochs and answers the network's outputs. Warnings, when asked for, are
/// appended to `findings`.
Result<std::vector<reference::Value>> run(const program::Program& program, const std::vector<reference::Value>& inputs,
                                          const Options& options = {}, Diagnostics* findings = nullptr);

} // namespace poolwright::emulate
