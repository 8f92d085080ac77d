// SPDX-License-Identifier: Apache-2.0
#include "import/matmul.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/numbers.h"
#include "import/operators.h"
#include "import/rewrite.h"

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
    const ir::Attributes attributes{{"alpha", form.alpha}};
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
    if (!node.has(2)) {
        emitMatMul(node, {node.integer("transA", 0) != 0, node.integer("transB", 0) != 0, node.real("alpha", 1.0)});
        return;
    }
    const Rewrite rewrite(node);
    const std::string product = rewrite.temporary("product");
    onnx::NodeProto step = stepOf("Gemm", {rewrite.input(0), rewrite.input(1)}, product);
    for (const auto& attribute : node.proto().attribute())
        *step.add_attribute() = attribute;
    rewrite.read(std::move(step));
    std::string addend = rewrite.input(2);
    if (const double beta = node.real("beta", 1.0); beta != 1.0) {
        const std::string factor = rewrite.constant("beta", ir::makeFloatConstant({}, {}, {beta}));
        addend = rewrite.temporary("scaled");
        rewrite.read(stepOf("Mul", {rewrite.input(2), factor}, addend));
    }
    rewrite.read(stepOf("Add", {product, addend}, rewrite.output()));
}

/// com.microsoft FusedMatMul.
void readFusedMatMul(const NodeView& node) {
    requireReal(node, 0);
    requireReal(node, 1);
    if (node.integer("transBatchA", 0) != 0 || node.integer("transBatchB", 0) != 0)
        refuse("PW2048", "exchanged batch dimensions are not supported");
    emitMatMul(node, {node.integer("transA", 0) != 0, node.integer("transB", 0) != 0, node.real("alpha", 1.0)});
}

} // namespace poolwright::import
