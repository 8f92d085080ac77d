// SPDX-License-Identifier: Apache-2.0
#include "reference/kernel.h"

#include "ir/kinds.h"

namespace poolwright::reference {

namespace {

using ir::OpKind;

struct Entry {
    OpKind kind;
    Kernel kernel;
    bool plainIntegers = false; ///< computes on integers without a scale too
};

constexpr Entry entries[] = {
    {OpKind::Conv, evaluateConv},
    {OpKind::ConvTranspose, evaluateConvTranspose},
    {OpKind::Gemm, evaluateGemm},
    {OpKind::MatMul, evaluateMatMul},
    // two operands
    {OpKind::Add, evaluateBinary, true},
    {OpKind::Sub, evaluateBinary, true},
    {OpKind::Mul, evaluateBinary, true},
    {OpKind::Div, evaluateBinary, true},
    {OpKind::Pow, evaluateBinary, true},
    {OpKind::Mod, evaluateBinary, true},
    {OpKind::Min, evaluateBinary, true},
    {OpKind::Max, evaluateBinary, true},
    {OpKind::PRelu, evaluateBinary},
    // decisions
    {OpKind::Equal, evaluateComparison},
    {OpKind::Less, evaluateComparison},
    {OpKind::LessOrEqual, evaluateComparison},
    {OpKind::Greater, evaluateComparison},
    {OpKind::GreaterOrEqual, evaluateComparison},
    {OpKind::And, evaluateLogic},
    {OpKind::Or, evaluateLogic},
    {OpKind::Xor, evaluateLogic},
    {OpKind::Not, evaluateNot},
    {OpKind::Where, evaluateWhere, true},
    {OpKind::Cast, evaluateCast},
    // one operand
    {OpKind::Relu, evaluateUnary, true},
    {OpKind::Clip, evaluateUnary},
    {OpKind::LeakyRelu, evaluateUnary},
    {OpKind::ThresholdedRelu, evaluateUnary},
    {OpKind::Elu, evaluateUnary},
    {OpKind::Selu, evaluateUnary},
    {OpKind::Celu, evaluateUnary},
    {OpKind::Sigmoid, evaluateUnary},
    {OpKind::HardSigmoid, evaluateUnary},
    {OpKind::HardSwish, evaluateUnary},
    {OpKind::Tanh, evaluateUnary},
    {OpKind::Softplus, evaluateUnary},
    {OpKind::Softsign, evaluateUnary},
    {OpKind::Erf, evaluateUnary},
    {OpKind::Gelu, evaluateUnary},
    {OpKind::Swish, evaluateUnary},
    {OpKind::Exp, evaluateUnary},
    {OpKind::Log, evaluateUnary},
    {OpKind::Sqrt, evaluateUnary},
    {OpKind::Reciprocal, evaluateUnary},
    {OpKind::Neg, evaluateUnary, true},
    {OpKind::Abs, evaluateUnary, true},
    {OpKind::Sign, evaluateUnary, true},
    {OpKind::Ceil, evaluateUnary},
    {OpKind::Floor, evaluateUnary},
    {OpKind::Round, evaluateUnary},
    {OpKind::Sin, evaluateUnary},
    {OpKind::Cos, evaluateUnary},
    {OpKind::Tan, evaluateUnary},
    {OpKind::Asin, evaluateUnary},
    {OpKind::Acos, evaluateUnary},
    {OpKind::Atan, evaluateUnary},
    {OpKind::Sinh, evaluateUnary},
    {OpKind::Cosh, evaluateUnary},
    {OpKind::Asinh, evaluateUnary},
    {OpKind::Acosh, evaluateUnary},
    {OpKind::Atanh, evaluateUnary},
    // pools and reductions
    {OpKind::MaxPool, evaluateMaxPool},
    {OpKind::AveragePool, evaluateAveragePool},
    {OpKind::GlobalAveragePool, evaluateMean},
    {OpKind::ReduceMean, evaluateMean},
    {OpKind::ReduceSum, evaluateReduction, true},
    {OpKind::ReduceProd, evaluateReduction, true},
    {OpKind::ReduceL1, evaluateReduction, true},
    {OpKind::ReduceL2, evaluateReduction},
    {OpKind::ReduceSumSquare, evaluateReduction, true},
    {OpKind::ReduceLogSum, evaluateReduction},
    {OpKind::ReduceLogSumExp, evaluateReduction},
    {OpKind::ReduceMax, evaluateExtremum},
    {OpKind::ReduceMin, evaluateExtremum},
    {OpKind::ArgMax, evaluateArgExtremum},
    {OpKind::ArgMin, evaluateArgExtremum},
    // normalisations
    {OpKind::BatchNormalization, evaluateBatchNormalization},
    {OpKind::InstanceNormalization, evaluateInstanceNormalization},
    {OpKind::LayerNormalization, evaluateLayerNormalization},
    {OpKind::LpNormalization, evaluateLpNormalization},
    {OpKind::LRN, evaluateLocalResponse},
    {OpKind::Softmax, evaluateSoftmax},
    {OpKind::LogSoftmax, evaluateSoftmax},
    {OpKind::Hardmax, evaluateSoftmax},
    // layout
    {OpKind::Concat, evaluateConcat},
    {OpKind::Reshape, evaluateReshape},
    {OpKind::Transpose, evaluateTranspose},
    {OpKind::Split, evaluateSplit},
    {OpKind::Slice, evaluateSlice},
    {OpKind::Gather, evaluateGather},
    {OpKind::Expand, evaluateExpand},
    {OpKind::Tile, evaluateTile},
    {OpKind::DepthToSpace, evaluateDepthToSpace},
    {OpKind::SpaceToDepth, evaluateSpaceToDepth},
    {OpKind::Pad, evaluatePad},
    {OpKind::Resize, evaluateResize},
    // the same reals in another form
    {OpKind::Quantize, evaluateConversion},
    {OpKind::Dequantize, evaluateConversion},
    {OpKind::Requantize, evaluateConversion},
    {OpKind::Identity, evaluateConversion},
};

const Entry* entryOf(OpKind kind) {
    static const std::vector<const Entry*> byKind = [] {
        std::vector<const Entry*> found(ir::allKinds().size(), nullptr);
        for (const Entry& entry : entries)
            found[std::size_t(entry.kind)] = &entry;
        return found;
    }();
    return byKind[std::size_t(kind)];
}

} // namespace

Kernel kernelOf(OpKind kind) {
    const Entry* entry = entryOf(kind);
    return entry ? entry->kernel : nullptr;
}

bool takesPlainIntegers(OpKind kind) {
    const Entry* entry = entryOf(kind);
    return entry && entry->plainIntegers;
}

} // namespace poolwright::reference
