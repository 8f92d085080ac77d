// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// Moving elements without computing: layout copies by stream engines, requantising copies through one ARITH.
namespace poolwright::lower {

/// A step that brings `from` to `to` (same shape; types and parameters may differ). Falls back to software when no
/// engine can walk it.
Result<void> copyStep(Context& context, NodeId node, const program::TensorView& from, const program::TensorView& to);

/// One epoch of bytes from one view to another of the same element type; a refusal when engines cannot walk them.
Result<program::HardwareWork> copyWork(const Context& context, const std::string& node, const program::TensorView& from,
                                       const program::TensorView& to);

/// One tensor, or a part of one, on its way from one place to another; both views have the same shape.
struct Move {
    program::TensorView from, to;
};

/// Epochs that carry out all moves, as many side by side as the machine has engines for. A move that no engine can walk
/// is cut along its shortest dimension; fails when that makes too many pieces. Types and parameters may differ as for
/// copyStep.
Result<std::vector<program::HardwareWork>> moveWorks(Context& context, const std::string& name,
                                                     const std::vector<Move>& moves);

/// ARITH "requantise" on bytes: scale and zero point of `from` to those of `to`.
Result<program::HardwareWork> requantiseWork(Context& context, const std::string& node, const program::TensorView& from,
                                             const program::TensorView& to, Clamp clamp = {});

} // namespace poolwright::lower
