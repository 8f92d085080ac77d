// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/kernel.h"

/// Operands of different shapes, element by element (numpy's rule, as ONNX Broadcasting).
namespace poolwright::reference {

/// Walks over the elements of an output, row-major, and says where each operand's element is.
class BroadcastWalk {
public:
    /// Steps of `operands` through `output`; nothing when one of them does not broadcast to it, or when an extent of
    /// the output comes from no operand.
    static std::optional<BroadcastWalk> over(const ir::Shape& output, const std::vector<const ir::Shape*>& operands);

    std::size_t at(std::size_t operand) const { return std::size_t(m_offsets[operand]); }
    void next();

private:
    ir::Shape m_shape;
    std::vector<std::vector<std::int64_t>> m_strides; ///< for each operand one a dimension of the output
    std::vector<std::int64_t> m_position, m_offsets;
};

/// All inputs of a call against its output; all must be present.
Result<BroadcastWalk> broadcastWalk(const Call& call);

} // namespace poolwright::reference
