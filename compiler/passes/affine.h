// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

#include <vector>

namespace poolwright::passes {

/// y = x * factor + offset for each channel.
struct Affine {
    std::vector<double> factor, offset;
};

/// True when all of it can be a float32: parameters of a model can be anything, the root of a negative variance too.
bool isFinite(const Affine& affine);

/// The Conv or Gemm of constant weights that makes x, when nobody else reads x; else invalid.
NodeId denseInFront(const ir::Graph& graph, const ir::Uses& uses, TensorId x);

/// Takes what `node` computes behind `target`, one factor and offset an output channel, into the weights and bias of
/// that Conv or Gemm, which then makes the node's output. Integer weights keep their integers, only the scales change;
/// false where that is not possible.
bool foldInto(ir::Graph& graph, NodeId target, const ir::Node& node, const Affine& affine);

} // namespace poolwright::passes
