// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "ir/graph.h"
#include "options/options.h"
#include "program/program.h"
#include "target/machine.h"

/// Operators to work: each node of a quantised graph becomes epochs of NPU units, a software epoch with its reason, or
/// nothing at all (an alias, or part of another node's chain). Buffers and views are decided here; order and live
/// ranges are schedule's.
namespace poolwright::lower {

/// The epochs of one node; they run in this order and together.
struct Step {
    NodeId node;
    std::vector<program::Epoch> epochs;
};

struct Lowered {
    std::vector<Step> steps;              ///< in an order that is legal as it stands
    std::vector<program::Buffer> buffers; ///< without live ranges
    std::vector<program::TensorView> inputs, outputs;
};

/// Fails for a node that neither units nor software can carry out, and for any software epoch under
/// --disable-sw-fallback.
Result<Lowered> lower(const ir::Graph& graph, const target::Machine& machine, const options::CompilerOptions& options,
                      Diagnostics& warnings, const CancelFlag& cancel = {});

} // namespace poolwright::lower
