// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/graph.h"
#include "passes/passes.h"

#include <vector>

/// A Softmax on 8-bit integers, of operators that the units have.
namespace poolwright::passes {

/// Adds to `graph` the nodes that make `output` of `input`, both int8 with one scale, over `axis`:
///
///     shift = x - max(x)               0 and below, in steps of x
///     e     = exp(shift)               0 to 1
///     sum   = sum(e)                   at least 1, as the largest e is 1
///     y     = e * (1 / sum)
///
/// Eight bits cannot hold a sum between 1 and n to less than a step of 1 / sum. So 1 / sum is a product of factors
/// b[k-1] / clip(sum, b[k-1], b[k]), each from the sum on a grid of its own that ends at b[k]. An error of b[k] / 510
/// in a sum of b[k-1] moves its reciprocal by `t` steps of 1 / 255 where b[k] = 2 t b[k-1]^2. Full: t = 1; Fast: t = 4.
/// Full also sums what lies below 1/16 on a grid 16 times finer: in long vectors many small numbers weigh much.
void addSoftmax(ir::Graph& graph, const ir::Node& softmax, TensorId input, TensorId output, SoftmaxForm form);

/// b[1], b[2], ... for vectors of `count` elements whose result is at most `largest`.
std::vector<double> sumBounds(std::int64_t count, double largest, SoftmaxForm form);

} // namespace poolwright::passes
