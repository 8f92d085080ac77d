// SPDX-License-Identifier: Apache-2.0
#include "import/image.h"

#include "import/failure.h"

namespace poolwright::import {

ir::Shape withHeight(const ir::Shape& shape) {
    if (shape.size() != 3)
        return shape;
    return {shape[0], shape[1], 1, shape[2]};
}

static ir::Shape imageShape(const ir::Shape& shape) {
    if (shape.size() == 5)
        refuse("PW2045", "3-D operators (5 dimensions, [N, C, D, H, W]) are not supported",
               "the device works on images: reshape depth into the batch or the channels");
    if (shape.size() != 3 && shape.size() != 4)
        refuse("PW2045", "the input has " + std::to_string(shape.size()) +
                             " dimensions; only [N, C, H, W] and [N, C, W] are supported");
    return withHeight(shape);
}

ImageOperator::ImageOperator(const NodeView& node)
    : m_node(node)
    , m_isSignal(node.shape(0).size() == 3)
    , m_input(node.input(0))
    , m_shape(imageShape(node.shape(0))) {
    if (!m_isSignal)
        return;
    const ElementSort sort = movedSort(node, 0);
    m_input = node.emitStep("_image", ir::OpKind::Reshape, {node.input(0)}, {}, sort.type, m_shape);
    node.context().graph[m_input].quantisation = sort.quantisation;
}

void ImageOperator::emit(ir::OpKind kind, std::vector<TensorId> inputs, ir::Attributes attributes,
                         const ElementSort& sort, const ir::Shape& shape) const {
    if (!m_isSignal) {
        m_node.emit(kind, std::move(inputs), std::move(attributes), sort.type, shape, sort.quantisation);
        return;
    }
    const TensorId result = m_node.emitStep("_rows", kind, std::move(inputs), std::move(attributes), sort.type, shape);
    m_node.context().graph[result].quantisation = sort.quantisation;
    m_node.emit(ir::OpKind::Reshape, {result}, {}, sort.type, {shape[0], shape[1], shape[3]}, sort.quantisation);
}

} // namespace poolwright::import
