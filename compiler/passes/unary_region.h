// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"
#include "reference/reference.h"

#include <optional>
#include <vector>

/// Functions of one activation that a model writes as several element-by-element operators.
namespace poolwright::passes {

/// Nodes that make `exit` of `entry` and single numbers alone, element by element. Nobody else reads what they compute.
struct UnaryRegion {
    TensorId entry, exit;
    std::vector<NodeId> nodes;    ///< in graph order, Quantize and Dequantize among them
    bool quantisesInside = false; ///< an intermediate result is rounded to integers
    bool has(const ir::Graph& graph, ir::OpKind kind) const;
    std::size_t operators(const ir::Graph& graph) const; ///< without Quantize and Dequantize
};

/// The regions that end in `tail`, the smallest first; none for a tail that no element-by-element operator is.
std::vector<UnaryRegion> regionsAt(const ir::Graph& graph, const ir::Uses& uses, NodeId tail);

/// What stays of rounding when a region is evaluated.
enum class Rounding { AsWritten, None };

/// The region's reals for reals of its entry. The exit is not rounded. Fails where the reference does.
Result<std::vector<double>> evaluateRegion(const ir::Graph& graph, const UnaryRegion& region,
                                           const std::vector<double>& inputs, Rounding rounding);

} // namespace poolwright::passes
