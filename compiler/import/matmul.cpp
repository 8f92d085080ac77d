// SPDX-License-Identifier: Apache-2.0
#include "import/matmul.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/numbers.h"
#include "import/operators.h"

#include <numeric>

namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::OpKind;
using ir::Shape;

struct Matrix {
    TensorId id;
    Shape shape;
};

/// A vector becomes [1, K] or [K, 1].
Matrix matrixOf(const NodeView& node, int input, const char* suffix) {
    const Shape shape = node.shape(input);
    if (shape.empty())
        refuse("PW2046", "an operand is a single number");
    if (shape.size() > 1)
        return {node.input(input), shape};
    const Shape matrix = input == 0 ? Shape{1, shape[0]} : Shape{shape[0], 1};
    return {node.emitStep(suffix, OpKind::Reshape, {node.input(input)}, {}, ElementType::Float32, matrix), matrix};
}

Matrix turned(const NodeView& node, Matrix matrix, const char* suffix) {
    std::vector<std::int64_t> perm(matrix.shape.size());
    std::iota(perm.begin(), perm.end(), 0);
    std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
    std::swap(matrix.shape[perm.size() - 1], matrix.shape[perm.size() - 2]);
    matrix.id =
        node.emitStep(suffix, OpKind::Transpose, {matrix.id}, {{"perm", perm}}, ElementType::Float32, matrix.shape);
    return matrix;
}

Shape productShape(const Shape& a, const Shape& b) {
    if (a.back() != b[b.size() - 2])
        refuse("PW2046",
               "inner dimensions " + std::to_string(a.back()) + " and " + std::to_string(b[b.size() - 2]) + " differ");
    Shape shape = broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
    shape.push_back(a[a.size() - 2]);
    shape.push_back(b.back());
    return shape;
}

/// The result's shape in numpy's eyes.
Shape withoutVectors(const NodeView& node, Shape product) {
    if (node.shape(1).size() == 1)
        product.pop_back();
    if (node.shape(0).size() == 1)
        product.erase(product.end() - (node.shape(1).size() == 1 ? 1 : 2));
    return product;
}

} // namespace

void emitMatMul(const NodeView& node, const MatMulForm& form) {
    Matrix a = matrixOf(node, 0, "_row"), b = matrixOf(node, 1, "_column");
    if (form.transA)
        a = turned(node, a, "_a");
    if (form.transB)
        b = turned(node, b, "_b");
    const Shape shape = productShape(a.shape, b.shape), result = withoutVectors(node, shape);
    ir::Attributes attributes{{"alpha", form.alpha}};
    if (form.addend.isValid()) {
        if (broadcast(shape, node.context().graph[form.addend].shape) != shape)
            refuse("PW2046", "the addend does not broadcast to the product");
        attributes["beta"] = form.beta;
        node.emit(OpKind::MatMul, {a.id, b.id, form.addend}, attributes, ElementType::Float32, shape);
        return;
    }
    if (shape == result) {
        node.emit(OpKind::MatMul, {a.id, b.id}, attributes, ElementType::Float32, shape);
        return;
    }
    const TensorId product =
        node.emitStep("_product", OpKind::MatMul, {a.id, b.id}, attributes, ElementType::Float32, shape);
    node.emit(OpKind::Reshape, {product}, {}, ElementType::Float32, result);
}

void emitGemmOfActivations(const NodeView& node) {
    if (node.shape(0).size() != 2 || node.shape(1).size() != 2)
        refuse("PW2046", "the operands of Gemm have two dimensions");
    if (node.has(2))
        requireReal(node, 2);
    emitMatMul(node, {.transA = node.integer("transA", 0) != 0,
                      .transB = node.integer("transB", 0) != 0,
                      .alpha = node.real("alpha", 1.0),
                      .addend = node.has(2) ? node.input(2) : TensorId(),
                      .beta = node.real("beta", 1.0)});
}

/// com.microsoft FusedMatMul.
void readFusedMatMul(const NodeView& node) {
    requireReal(node, 0);
    requireReal(node, 1);
    if (node.integer("transBatchA", 0) != 0 || node.integer("transBatchB", 0) != 0)
        refuse("PW2048", "exchanged batch dimensions are not supported");
    emitMatMul(node, {.transA = node.integer("transA", 0) != 0,
                      .transB = node.integer("transB", 0) != 0,
                      .alpha = node.real("alpha", 1.0)});
}

} // namespace poolwright::import
