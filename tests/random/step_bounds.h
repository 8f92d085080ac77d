// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"
#include "reference/reference.h"

#include <string>
#include <vector>

namespace poolwright::test {

/// How far a unit's own result may be from the reference on the same inputs, in steps of the result: one rounding more
/// (facts/numerics.md sections 2, 4 and 5), three where PRelu takes four units.
int ownSteps(ir::OpKind kind);

/// How far a tensor that one hardware epoch writes may be from the reference: every unit as far off as ownSteps() says,
/// carried through the operators behind it by the reference itself. A table that serves several elementwise operators
/// counts as one unit. `values`: of all tensors of the graph, by index. A tensor that no operator of the epoch makes (a
/// concatenation in place) holds the epoch's last result.
Result<int> stepBound(const ir::Graph& graph, const std::vector<reference::Value>& values, const program::Epoch& epoch,
                      const std::string& tensor);

} // namespace poolwright::test
