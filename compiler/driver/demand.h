// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"
#include "place/problem.h"
#include "report/fit.h"

/// What a network must hold by itself, one node after the other, before any compiler decides anything. Constants and
/// activations as the planner's buffers, whose epochs are the nodes of the graph.
namespace poolwright::driver {

enum class Width {
    Int8, ///< as if every tensor had one byte an element (biases and per-channel parameters four)
    Own   ///< as the graph has it
};

/// Whether the result of a concatenation is a buffer of its own, or no more than its inputs kept together.
enum class Concats { Built, InPlace };

/// Tensors that share bytes are one buffer, named after the first: what only changes the shape, and element-wise
/// operators with one input whose input nobody else reads. A graph input is written over by nothing but its
/// quantisation, and that only when all widths are int8: then it is handed over so.
std::vector<place::BufferSpec> demandOf(const ir::Graph& graph, Width width, Concats concats);

/// The same as figures for people; of buffers alone without names of steps. `built`: demandOf(..., Built).
report::Demand demandFigures(const ir::Graph& graph, Width width, const std::vector<place::BufferSpec>& built);
report::Demand demandFigures(const std::vector<place::BufferSpec>& buffers);

/// Multiply-accumulates of convolutions and products of matrices, and elements of their constant weights.
std::int64_t macsOf(const ir::Graph& graph);
std::int64_t weightElementsOf(const ir::Graph& graph);

} // namespace poolwright::driver
