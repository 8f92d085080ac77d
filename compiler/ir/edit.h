// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

/// Small edits that import and the passes share.
namespace poolwright::ir {

/// Nodes and graph outputs that read `from` read `to` instead.
void replaceUses(Graph& graph, TensorId from, TensorId to);

/// Drops nodes and tensors that lead to no graph output (graph inputs stay), and puts tensors in the order in which
/// they are first needed: inputs, then node by node its constants and its output. Handles change.
void dropUnused(Graph& graph);

/// Gives every tensor and every node a name of its own, by a number behind the later ones.
void makeNamesUnique(Graph& graph);

} // namespace poolwright::ir
