// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/context.h"

namespace poolwright::import {

/// The first input of an operator on images, as [N, C, H, W]: a signal [N, C, W] gets height 1 by a Reshape in front,
/// and its result loses it again by one behind. Refuses other ranks.
class ImageOperator {
public:
    explicit ImageOperator(const NodeView& node);

    const NodeView& node() const { return m_node; }
    std::size_t spatialAxes() const { return m_isSignal ? 1 : 2; }
    TensorId input() const { return m_input; }
    const ir::Shape& shape() const { return m_shape; }

    /// Emits the operator, whose result is [N, C', H', W'] of `shape`.
    void emit(ir::OpKind kind, std::vector<TensorId> inputs, ir::Attributes attributes, const ElementSort& sort,
              const ir::Shape& shape) const;

private:
    const NodeView& m_node;
    bool m_isSignal;
    TensorId m_input;
    ir::Shape m_shape;
};

/// [A, B, K] as [A, B, 1, K]; other ranks as they are.
ir::Shape withHeight(const ir::Shape& shape);

} // namespace poolwright::import
