// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/context.h"

#include <span>

namespace poolwright::import {

/// Turns one ONNX node into graph nodes: checks it, brings attributes of all opsets (7..21) to one form, infers shapes.
/// Throws Failure.
using OperatorReader = void (*)(const NodeView&);

/// The reader of an operator, nullptr when there is none. The default domain is empty.
OperatorReader readerOf(const std::string& domain, const std::string& opType);

/// Domain (empty: ai.onnx) and name of everything that has a reader or is folded; sorted.
std::vector<std::pair<std::string, std::string>> readableOperators();

/// Operators that exist only as long as their inputs are constant (shape arithmetic): Gather, Cast, Slice, ...
bool isFoldableOnly(const std::string& opType);
std::span<const char* const> foldableOperators(); ///< the names of which isFoldableOnly() is true

/// Evaluates a node whose inputs are all constant (Shape and Size need only a shape). False when this operator or type
/// is not folded.
bool foldConstant(const NodeView& node);

// operators_conv.cpp
void readConv(const NodeView& node);
void readConvTranspose(const NodeView& node);
// operators_dense.cpp
void readGemm(const NodeView& node);
void readMatMul(const NodeView& node);
// matmul.cpp
void readFusedMatMul(const NodeView& node);
// operators_pool.cpp
void readMaxPool(const NodeView& node);
void readAveragePool(const NodeView& node);
void readGlobalAveragePool(const NodeView& node);
void readGlobalMaxPool(const NodeView& node);
void readLpPool(const NodeView& node);
// operators_elementwise.cpp
void readBinary(const NodeView& node);
void readDiv(const NodeView& node);
void readPow(const NodeView& node);
void readMod(const NodeView& node);
void readVariadic(const NodeView& node);
void readMean(const NodeView& node);
void readPRelu(const NodeView& node);
void readNeg(const NodeView& node);
// operators_unary.cpp
void readUnary(const NodeView& node);
void readClip(const NodeView& node);
void readGelu(const NodeView& node);
void readMish(const NodeView& node);
void readQuickGelu(const NodeView& node);
void readBiasedGelu(const NodeView& node);
// operators_decide.cpp
void readComparison(const NodeView& node);
void readLogic(const NodeView& node);
void readNot(const NodeView& node);
void readWhere(const NodeView& node);
void readCast(const NodeView& node);
// operators_reduce.cpp
void readReduction(const NodeView& node);
void readArgExtremum(const NodeView& node);
// operators_normalise.cpp
void readBatchNormalization(const NodeView& node);
void readInstanceNormalization(const NodeView& node);
void readGroupNormalization(const NodeView& node);
void readLayerNormalization(const NodeView& node);
void readMeanVarianceNormalization(const NodeView& node);
void readLpNormalization(const NodeView& node);
void readLRN(const NodeView& node);
void readSoftmax(const NodeView& node);
// operators_layout.cpp
void readConcat(const NodeView& node);
void readReshape(const NodeView& node);
void readFlatten(const NodeView& node);
void readSqueeze(const NodeView& node);
void readUnsqueeze(const NodeView& node);
void readTranspose(const NodeView& node);
void readIdentity(const NodeView& node);
// operators_pad.cpp
void readPad(const NodeView& node);
// operators_move.cpp
void readSplit(const NodeView& node);
void readSlice(const NodeView& node);
void readGather(const NodeView& node);
void readExpand(const NodeView& node);
void readTile(const NodeView& node);
void readDepthToSpace(const NodeView& node);
void readSpaceToDepth(const NodeView& node);
// operators_qlinear.cpp
void readQLinearUnary(const NodeView& node);
void readQLinearBinary(const NodeView& node);
void readQLinearConv(const NodeView& node);
void readQLinearMatMul(const NodeView& node);
void readQLinearConcat(const NodeView& node);
void readQGemm(const NodeView& node);
// operators_integer.cpp
void readMatMulInteger(const NodeView& node);
void readConvInteger(const NodeView& node);
void readDynamicQuantizeLinear(const NodeView& node);
void readComputedDequantizeLinear(const NodeView& node);
// operators_mct.cpp
void readMctActivation(const NodeView& node);
void readMctWeights(const NodeView& node);
// operators_resize.cpp
void readResize(const NodeView& node);
// operators_quantise.cpp
void readQuantizeLinear(const NodeView& node);
void readDequantizeLinear(const NodeView& node);
void readConstant(const NodeView& node);

} // namespace poolwright::import
