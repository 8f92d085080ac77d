// SPDX-License-Identifier: Apache-2.0
#include "ir/kinds.h"

namespace poolwright::ir {

static constexpr KindTraits kinds[] = {
    {OpKind::Conv, "Conv", 2, 3, Effect::Computes},
    {OpKind::ConvTranspose, "ConvTranspose", 2, 3, Effect::Computes},
    {OpKind::Gemm, "Gemm", 2, 3, Effect::Computes},
    {OpKind::MatMul, "MatMul", 2, 3, Effect::Computes},
    {OpKind::Add, "Add", 2, 2, Effect::Computes},
    {OpKind::Sub, "Sub", 2, 2, Effect::Computes},
    {OpKind::Mul, "Mul", 2, 2, Effect::Computes},
    {OpKind::Div, "Div", 2, 2, Effect::Computes},
    {OpKind::Pow, "Pow", 2, 2, Effect::Computes},
    {OpKind::Mod, "Mod", 2, 2, Effect::Computes},
    {OpKind::Min, "Min", 2, 2, Effect::Computes},
    {OpKind::Max, "Max", 2, 2, Effect::Computes},
    {OpKind::Equal, "Equal", 2, 2, Effect::Decides},
    {OpKind::Less, "Less", 2, 2, Effect::Decides},
    {OpKind::LessOrEqual, "LessOrEqual", 2, 2, Effect::Decides},
    {OpKind::Greater, "Greater", 2, 2, Effect::Decides},
    {OpKind::GreaterOrEqual, "GreaterOrEqual", 2, 2, Effect::Decides},
    {OpKind::And, "And", 2, 2, Effect::Decides},
    {OpKind::Or, "Or", 2, 2, Effect::Decides},
    {OpKind::Xor, "Xor", 2, 2, Effect::Decides},
    {OpKind::Not, "Not", 1, 1, Effect::Decides},
    {OpKind::Where, "Where", 3, 3, Effect::Computes},
    {OpKind::Relu, "Relu", 1, 1, Effect::Clamps},
    {OpKind::Clip, "Clip", 1, 1, Effect::Clamps},
    {OpKind::LeakyRelu, "LeakyRelu", 1, 1, Effect::Computes},
    {OpKind::PRelu, "PRelu", 2, 2, Effect::Computes},
    {OpKind::ThresholdedRelu, "ThresholdedRelu", 1, 1, Effect::Computes},
    {OpKind::Elu, "Elu", 1, 1, Effect::Computes},
    {OpKind::Selu, "Selu", 1, 1, Effect::Computes},
    {OpKind::Celu, "Celu", 1, 1, Effect::Computes},
    {OpKind::Sigmoid, "Sigmoid", 1, 1, Effect::Computes},
    {OpKind::HardSigmoid, "HardSigmoid", 1, 1, Effect::Computes},
    {OpKind::HardSwish, "HardSwish", 1, 1, Effect::Computes},
    {OpKind::Tanh, "Tanh", 1, 1, Effect::Computes},
    {OpKind::Softplus, "Softplus", 1, 1, Effect::Computes},
    {OpKind::Softsign, "Softsign", 1, 1, Effect::Computes},
    {OpKind::Erf, "Erf", 1, 1, Effect::Computes},
    {OpKind::Gelu, "Gelu", 1, 2, Effect::Computes},
    {OpKind::Swish, "Swish", 1, 1, Effect::Computes},
    {OpKind::Exp, "Exp", 1, 1, Effect::Computes},
    {OpKind::Log, "Log", 1, 1, Effect::Computes},
    {OpKind::Sqrt, "Sqrt", 1, 1, Effect::Computes},
    {OpKind::Reciprocal, "Reciprocal", 1, 1, Effect::Computes},
    {OpKind::Neg, "Neg", 1, 1, Effect::Computes},
    {OpKind::Abs, "Abs", 1, 1, Effect::Computes},
    {OpKind::Sign, "Sign", 1, 1, Effect::Computes},
    {OpKind::Ceil, "Ceil", 1, 1, Effect::Computes},
    {OpKind::Floor, "Floor", 1, 1, Effect::Computes},
    {OpKind::Round, "Round", 1, 1, Effect::Computes},
    {OpKind::Sin, "Sin", 1, 1, Effect::Computes},
    {OpKind::Cos, "Cos", 1, 1, Effect::Computes},
    {OpKind::Tan, "Tan", 1, 1, Effect::Computes},
    {OpKind::Asin, "Asin", 1, 1, Effect::Computes},
    {OpKind::Acos, "Acos", 1, 1, Effect::Computes},
    {OpKind::Atan, "Atan", 1, 1, Effect::Computes},
    {OpKind::Sinh, "Sinh", 1, 1, Effect::Computes},
    {OpKind::Cosh, "Cosh", 1, 1, Effect::Computes},
    {OpKind::Asinh, "Asinh", 1, 1, Effect::Computes},
    {OpKind::Acosh, "Acosh", 1, 1, Effect::Computes},
    {OpKind::Atanh, "Atanh", 1, 1, Effect::Computes},
    {OpKind::MaxPool, "MaxPool", 1, 1, Effect::Moves},
    {OpKind::AveragePool, "AveragePool", 1, 1, Effect::Computes},
    {OpKind::GlobalAveragePool, "GlobalAveragePool", 1, 1, Effect::Computes},
    {OpKind::ReduceMean, "ReduceMean", 1, 1, Effect::Computes},
    {OpKind::ReduceSum, "ReduceSum", 1, 1, Effect::Computes},
    {OpKind::ReduceMax, "ReduceMax", 1, 1, Effect::Moves},
    {OpKind::ReduceMin, "ReduceMin", 1, 1, Effect::Moves},
    {OpKind::ReduceProd, "ReduceProd", 1, 1, Effect::Computes},
    {OpKind::ReduceL1, "ReduceL1", 1, 1, Effect::Computes},
    {OpKind::ReduceL2, "ReduceL2", 1, 1, Effect::Computes},
    {OpKind::ReduceSumSquare, "ReduceSumSquare", 1, 1, Effect::Computes},
    {OpKind::ReduceLogSum, "ReduceLogSum", 1, 1, Effect::Computes},
    {OpKind::ReduceLogSumExp, "ReduceLogSumExp", 1, 1, Effect::Computes},
    {OpKind::ArgMax, "ArgMax", 1, 1, Effect::Decides},
    {OpKind::ArgMin, "ArgMin", 1, 1, Effect::Decides},
    {OpKind::BatchNormalization, "BatchNormalization", 5, 5, Effect::Computes},
    {OpKind::InstanceNormalization, "InstanceNormalization", 3, 3, Effect::Computes},
    {OpKind::LayerNormalization, "LayerNormalization", 2, 3, Effect::Computes},
    {OpKind::LpNormalization, "LpNormalization", 1, 1, Effect::Computes},
    {OpKind::LRN, "LRN", 1, 1, Effect::Computes},
    {OpKind::Softmax, "Softmax", 1, 1, Effect::Computes},
    {OpKind::LogSoftmax, "LogSoftmax", 1, 1, Effect::Computes},
    {OpKind::Hardmax, "Hardmax", 1, 1, Effect::Computes},
    {OpKind::Concat, "Concat", 1, unboundedInputs, Effect::Moves},
    {OpKind::Split, "Split", 1, 1, Effect::Moves},
    {OpKind::Slice, "Slice", 1, 1, Effect::Moves},
    {OpKind::Gather, "Gather", 2, 2, Effect::Moves},
    {OpKind::Expand, "Expand", 1, 1, Effect::Moves},
    {OpKind::Tile, "Tile", 1, 1, Effect::Moves},
    {OpKind::Reshape, "Reshape", 1, 1, Effect::Moves},
    {OpKind::Transpose, "Transpose", 1, 1, Effect::Moves},
    {OpKind::Pad, "Pad", 1, 1, Effect::Moves},
    {OpKind::Resize, "Resize", 1, 1, Effect::Moves},
    {OpKind::DepthToSpace, "DepthToSpace", 1, 1, Effect::Moves},
    {OpKind::SpaceToDepth, "SpaceToDepth", 1, 1, Effect::Moves},
    {OpKind::Identity, "Identity", 1, 1, Effect::Moves},
    {OpKind::Cast, "Cast", 1, 1, Effect::Decides},
    {OpKind::Quantize, "QuantizeLinear", 1, 1, Effect::Computes},
    {OpKind::Dequantize, "DequantizeLinear", 1, 1, Effect::Computes},
    {OpKind::Requantize, "Requantize", 1, 1, Effect::Computes},
};

static constexpr bool isInOrder() {
    for (std::size_t k = 0; k < std::size(kinds); ++k)
        if (std::size_t(kinds[k].kind) != k)
            return false;
    return true;
}
static_assert(isInOrder(), "the table is indexed by kind");

const KindTraits& traitsOf(OpKind kind) {
    return kinds[std::size_t(kind)];
}

std::span<const KindTraits> allKinds() {
    return kinds;
}

std::optional<OpKind> kindNamed(std::string_view name) {
    for (const KindTraits& traits : kinds)
        if (name == traits.name)
            return traits.kind;
    return std::nullopt;
}

const char* opKindName(OpKind kind) {
    return traitsOf(kind).name;
}

} // namespace poolwright::ir
