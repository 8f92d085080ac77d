// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include "import/constants.h"
#include "import/failure.h"
#include "import/matmul.h"

#include <cmath>

namespace poolwright::import {
namespace {

using ir::ElementType;
using ir::OpKind;
using ir::Shape;

/// A constant times a factor: parameters of quantised ones, values of float ones.
ir::Tensor scaled(const ir::Tensor& tensor, double factor) {
    if (factor == 1.0)
        return tensor;
    ir::Tensor result = tensor;
    result.name += "_scaled";
    if (tensor.quantisation && factor > 0) {
        for (double& scale : result.quantisation->scales)
            scale *= factor;
        return result;
    }
    std::vector<double> values = ir::realsOf(tensor);
    for (double& value : values)
        value *= factor;
    return ir::makeFloatConstant(result.name, tensor.shape, values);
}

/// [N], [1, N] or a scalar as [N].
ir::Tensor biasRow(const ir::Tensor& bias, std::int64_t outputs) {
    if (bias.elements() == outputs && (bias.shape.empty() || bias.shape.back() == outputs))
        return reshaped(bias, {outputs});
    if (bias.elements() == 1)
        return ir::makeFloatConstant(bias.name, {outputs},
                                     std::vector<double>(std::size_t(outputs), ir::realsOf(bias)[0]));
    refuse("PW2046", "the bias is neither a row of " + std::to_string(outputs) + " values nor one value");
}

/// Weights as [N, K], named apart from the original when they had to be turned.
ir::Tensor turned(const ir::Tensor& weights) {
    ir::Tensor result = transposed(weights, {1, 0});
    result.name += "_transposed";
    return result;
}

void requireRank(const ir::Tensor& tensor, std::size_t rank, const char* what) {
    if (tensor.shape.size() != rank)
        refuse("PW2046", std::string(what) + " has " + std::to_string(tensor.shape.size()) + " dimensions instead of " +
                             std::to_string(rank));
}

/// x [.., K] times weights [N, K]: ranks other than 2 go through a Reshape on both sides.
void emitProduct(const NodeView& node, TensorId weights) {
    const Shape x = node.shape(0);
    const std::int64_t outputs = node.context().graph[weights].shape[0];
    const std::int64_t depth = node.context().graph[weights].shape[1];
    if (x.empty() || x.back() != depth)
        refuse("PW2046", "the last dimension of the first operand is not " + std::to_string(depth));
    if (x.size() == 2) {
        node.emit(OpKind::Gemm, {node.input(0), weights, TensorId()}, {}, ElementType::Float32, {x[0], outputs});
        return;
    }
    const std::int64_t rows = depth ? checkedCount(x) / depth : 0;
    const TensorId flat =
        node.emitStep("_rows", OpKind::Reshape, {node.input(0)}, {}, ElementType::Float32, {rows, depth});
    const TensorId product =
        node.emitStep("_product", OpKind::Gemm, {flat, weights, TensorId()}, {}, ElementType::Float32, {rows, outputs});
    Shape result = x;
    result.back() = outputs;
    node.emit(OpKind::Reshape, {product}, {}, ElementType::Float32, result);
}

} // namespace

void readGemm(const NodeView& node) {
    requireReal(node, 0);
    requireReal(node, 1);
    if (!node.isConstant(1) || (node.has(2) && !node.isConstant(2))) {
        emitGemmOfActivations(node);
        return;
    }
    ir::Tensor weights = node.constant(1, "the second operand");
    requireRank(node.tensor(0), 2, "the first operand");
    requireRank(weights, 2, "the second operand");
    TensorId x = node.input(0);
    Shape rows = node.shape(0);
    if (node.integer("transA", 0) != 0) {
        std::swap(rows[0], rows[1]);
        x = node.emitStep("_a", OpKind::Transpose, {x}, {{"perm", std::vector<std::int64_t>{1, 0}}},
                          ElementType::Float32, rows);
    }
    const double alpha = node.real("alpha", 1.0);
    TensorId weightsId = node.input(1);
    if (node.integer("transB", 0) == 0 || alpha != 1.0) {
        weights = scaled(node.integer("transB", 0) == 0 ? turned(weights) : weights, alpha);
        weightsId = node.addConstant(weights);
    }
    if (rows[1] != weights.shape[1])
        refuse("PW2046",
               "inner dimensions " + std::to_string(rows[1]) + " and " + std::to_string(weights.shape[1]) + " differ");
    const std::int64_t outputs = weights.shape[0];
    TensorId bias;
    if (node.has(2)) {
        const ir::Tensor row = biasRow(node.constant(2, "the bias"), outputs);
        const double beta = node.real("beta", 1.0);
        bias = beta == 1.0 && row.shape == node.shape(2) ? node.input(2) : node.addConstant(scaled(row, beta));
    }
    node.emit(OpKind::Gemm, {x, weightsId, bias}, {}, ElementType::Float32, {rows[0], outputs});
}

void readMatMul(const NodeView& node) {
    requireReal(node, 0);
    requireReal(node, 1);
    if (!node.isConstant(1) || node.shape(1).size() != 2) {
        emitMatMul(node, {});
        return;
    }
    const TensorId id = node.addConstant(turned(node.tensor(1)));
    emitProduct(node, id);
}

} // namespace poolwright::import
