// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"

namespace poolwright::import {

/// Last steps of an import: parameters of integer tensors travel back through layout operators in front of a
/// DequantizeLinear, nodes and constants that lead to no output are dropped, tensor and node names are made unique
/// (inputs keep theirs).
void finish(ir::Graph& graph);

} // namespace poolwright::import
