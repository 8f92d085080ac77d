// SPDX-License-Identifier: Apache-2.0
#include "lower/hardware.h"

#include "lower/activation.h"
#include "lower/arith_lower.h"
#include "lower/compare_lower.h"
#include "lower/conv_lower.h"
#include "lower/layout_lower.h"
#include "lower/move_lower.h"
#include "lower/pool_lower.h"
#include "lower/prelu_lower.h"
#include "lower/reduce_lower.h"

#include <map>

namespace poolwright::lower {

namespace {

using ir::OpKind;

const std::map<OpKind, HardwareLowering>& lowerings() {
    static const std::map<OpKind, HardwareLowering> table{
        // convolutions
        {OpKind::Conv, lowerConv},
        {OpKind::ConvTranspose, lowerConv},
        {OpKind::Gemm, lowerConv},
        // element by element
        {OpKind::Add, lowerArith},
        {OpKind::Sub, lowerArith},
        {OpKind::Mul, lowerArith},
        {OpKind::Div, lowerArith},
        {OpKind::PRelu, lowerPRelu},
        {OpKind::Requantize, lowerRequantize},
        {OpKind::Min, lowerCompare},
        {OpKind::Max, lowerCompare},
        {OpKind::Equal, lowerCompare},
        {OpKind::Less, lowerCompare},
        {OpKind::LessOrEqual, lowerCompare},
        {OpKind::Greater, lowerCompare},
        {OpKind::GreaterOrEqual, lowerCompare},
        {OpKind::And, lowerCompare},
        {OpKind::Or, lowerCompare},
        {OpKind::Xor, lowerCompare},
        {OpKind::Not, lowerNot},
        // one byte in, one byte out
        {OpKind::Relu, lowerActivation},
        {OpKind::Clip, lowerActivation},
        {OpKind::Sigmoid, lowerActivation},
        {OpKind::HardSigmoid, lowerActivation},
        {OpKind::HardSwish, lowerActivation},
        {OpKind::Tanh, lowerActivation},
        {OpKind::LeakyRelu, lowerActivation},
        {OpKind::ThresholdedRelu, lowerActivation},
        {OpKind::Elu, lowerActivation},
        {OpKind::Selu, lowerActivation},
        {OpKind::Celu, lowerActivation},
        {OpKind::Softplus, lowerActivation},
        {OpKind::Softsign, lowerActivation},
        {OpKind::Erf, lowerActivation},
        {OpKind::Gelu, lowerActivation},
        {OpKind::Swish, lowerActivation},
        {OpKind::Exp, lowerActivation},
        {OpKind::Log, lowerActivation},
        {OpKind::Sqrt, lowerActivation},
        {OpKind::Reciprocal, lowerActivation},
        {OpKind::Neg, lowerActivation},
        {OpKind::Abs, lowerActivation},
        {OpKind::Sign, lowerActivation},
        {OpKind::Ceil, lowerActivation},
        {OpKind::Floor, lowerActivation},
        {OpKind::Round, lowerActivation},
        {OpKind::Sin, lowerActivation},
        {OpKind::Cos, lowerActivation},
        {OpKind::Tan, lowerActivation},
        {OpKind::Asin, lowerActivation},
        {OpKind::Acos, lowerActivation},
        {OpKind::Atan, lowerActivation},
        {OpKind::Sinh, lowerActivation},
        {OpKind::Cosh, lowerActivation},
        {OpKind::Asinh, lowerActivation},
        {OpKind::Acosh, lowerActivation},
        {OpKind::Atanh, lowerActivation},
        {OpKind::Pow, lowerActivation},
        {OpKind::Mod, lowerActivation},
        // pools
        {OpKind::MaxPool, lowerPool},
        {OpKind::AveragePool, lowerPool},
        {OpKind::GlobalAveragePool, lowerPool},
        {OpKind::ReduceMean, lowerReduce},
        {OpKind::ReduceSum, lowerReduce},
        {OpKind::ReduceMax, lowerReduce},
        {OpKind::ReduceMin, lowerReduce},
        // layout
        {OpKind::Concat, lowerConcat},
        {OpKind::Reshape, lowerAlias},
        {OpKind::Transpose, lowerAlias},
        {OpKind::Identity, lowerAlias},
        {OpKind::Split, lowerSplit},
        {OpKind::Slice, lowerSlice},
        {OpKind::Expand, lowerExpand},
        {OpKind::Gather, lowerGather},
        {OpKind::Tile, lowerTile},
        {OpKind::DepthToSpace, lowerDepthToSpace},
        {OpKind::SpaceToDepth, lowerSpaceToDepth},
        {OpKind::Cast, lowerCast},
        {OpKind::Pad, lowerPad},
        {OpKind::Resize, lowerResize},
    };
    return table;
}

} // namespace

HardwareLowering hardwareLowering(OpKind kind) {
    const auto found = lowerings().find(kind);
    return found != lowerings().end() ? found->second : nullptr;
}

} // namespace poolwright::lower
