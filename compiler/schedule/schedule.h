// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "ir/graph.h"
#include "lower/lower.h"
#include "options/options.h"
#include "program/program.h"
#include "target/machine.h"

/// Steps to ordered epochs with live ranges.
namespace poolwright::schedule {

/// A quantised graph as a Program without pools and placements: epoch 0 holds the constants, the last one is the
/// return. Buffers carry live ranges over the ordinals in between. `warnings` gets what is legal but likely unwanted.
Result<program::Program> schedule(const ir::Graph& graph, const target::Machine& machine,
                                  const options::CompilerOptions& options, Diagnostics& warnings,
                                  const CancelFlag& cancel = {});

/// A buffer that an epoch reads or writes.
struct Access {
    BufferId buffer;
    bool write = false;
};
/// Every buffer that an epoch touches, each (buffer, direction) once.
std::vector<Access> accessesOf(const program::Epoch& epoch);

/// The same from steps that are lowered already, in a given order: several orders share one lowering.
program::Program assemble(lower::Lowered lowered, const std::vector<std::size_t>& order, const target::Machine& machine,
                          const options::CompilerOptions& options);

} // namespace poolwright::schedule
