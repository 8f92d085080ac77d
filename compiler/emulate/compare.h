// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "emulate/emulate.h"

#include <string>
#include <vector>

/// The emulated Program against the reference interpreter on the graph it was made from.
namespace poolwright::emulate {

/// How a tensor's values agree. Integers are compared in steps. Reals count as equal within 1e-6, as within one within
/// 1e-3 of the reference's size (or of 1); `largest` is the absolute difference of either.
struct Agreement {
    std::string tensor;
    int epoch = -1; ///< that wrote the values; -1 for the network's outputs
    std::int64_t values = 0, equal = 0, withinOne = 0;
    double largest = 0;

    bool operator==(const Agreement&) const = default;
};

/// All values taken together: counts added, the largest difference of any.
Agreement sumOf(const std::vector<Agreement>& agreements, const std::string& name = {});

enum class Feeding {
    Chained, ///< every epoch reads what the emulated epochs before it wrote
    Isolated ///< before an epoch its inputs are overwritten with the interpreter's values: differences are the epoch's
             ///< own
};

struct Comparison {
    std::vector<Agreement> tensors; ///< by epoch: every named tensor in memory, as far as the epoch wrote it
    std::vector<Agreement> outputs; ///< of the network, in graph order

    Agreement total() const; ///< over the outputs
};

/// Runs both. Tensors are matched by name (program::TensorView::name and ir::Tensor::name). A view that keeps an 8-bit
/// tensor with another zero point (the unsigned copies of 2.3.2) is compared after shifting the reference. Views of
/// other types are left out.
Result<Comparison> compare(const program::Program& program, const ir::Graph& graph,
                           const std::vector<reference::Value>& inputs, Feeding feeding, const CancelFlag& cancel = {});

/// How `value` agrees with what the reference says; both have the same type and number of elements.
Agreement agreementOf(const std::string& tensor, const reference::Value& value, const reference::Value& expected);

} // namespace poolwright::emulate
