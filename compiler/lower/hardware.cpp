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

#include <algorithm>
#include <iterator>
#include <vector>

namespace poolwright::lower {

namespace {

using ir::OpKind;
using target::Limits;

constexpr const char* engines = "stream engines";

std::string convLimits(OpKind kind, const Limits& limits) {
    if (kind == OpKind::Gemm)
        return "constant 8-bit weights; matrices of rank 2 and 3";
    return "constant 8-bit weights; images of rank 4; kernels above " + std::to_string(limits.convKernelHeight) +
           " lines or " + std::to_string(limits.convKernelWidthStride1) + " columns (" +
           std::to_string(limits.convKernelWidthStrided) + " with strides), dilation, strides above " +
           std::to_string(limits.convMaxStride) + " and lines above " + std::to_string(limits.convLineElements) +
           " elements in several passes";
}

std::string arithLimits(OpKind kind, const Limits& limits) {
    const std::string vectors =
        "numbers, or vectors over one dimension, " + std::to_string(limits.arithCoefficients) + " at a time";
    return kind == OpKind::Div ? "by constants: " + vectors
                               : "two activations, broadcast by re-reading, or constants: " + vectors;
}

std::string poolLimits(OpKind kind, const Limits& limits) {
    if (kind == OpKind::GlobalAveragePool)
        return "images of rank 4";
    const std::string window = std::to_string(limits.poolWindow);
    const std::string own = kind == OpKind::AveragePool
                                ? "; an average that leaves padding out has a window to " + window + "x" + window
                                : "; equal parameters on both sides";
    return "images of rank 4; windows above " + window + "x" + window + " in several passes; strides to " +
           std::to_string(limits.poolMaxStride) + "; no dilation" + own;
}

std::string reduceLimits(OpKind kind, const Limits&) {
    const bool averages = kind == OpKind::ReduceMean || kind == OpKind::ReduceSum;
    return std::string("any dimensions that lie in two loops") + (averages ? "" : "; equal parameters on both sides");
}

std::string compareLimits(OpKind kind, const Limits&) {
    switch (kind) {
    case OpKind::Min:
    case OpKind::Max:
        return "int8 tensors; with a single number through a table";
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Xor:
        return "truth values";
    default:
        return "int8 tensors of one scale; with a single number through a table";
    }
}

std::string preluLimits(OpKind, const Limits& limits) {
    return "constant slopes, float or quantised, one a channel, " + std::to_string(limits.arithCoefficients) +
           " at a time";
}

/// Kinds that share a function share a row.
struct HardwareRow {
    std::vector<OpKind> kinds;
    HardwareLowering lowering;
    const char* units;
    std::string (*limits)(OpKind kind, const Limits& limits);
};

const HardwareRow rows[] = {
    {{OpKind::Conv, OpKind::ConvTranspose, OpKind::Gemm}, lowerConv, "CONV_ACC, ARITH_ACC", convLimits},
    {{OpKind::Add, OpKind::Sub, OpKind::Mul, OpKind::Div}, lowerArith, "ARITH_ACC", arithLimits},
    {{OpKind::PRelu}, lowerPRelu, "ARITH_ACC", preluLimits},
    {{OpKind::Requantize},
     lowerRequantize,
     "ARITH_ACC",
     [](OpKind, const Limits&) { return std::string("8-bit tensors of one scale each"); }},
    {{OpKind::Relu,      OpKind::Clip,  OpKind::Sigmoid,   OpKind::HardSigmoid,
      OpKind::HardSwish, OpKind::Tanh,  OpKind::LeakyRelu, OpKind::ThresholdedRelu,
      OpKind::Elu,       OpKind::Selu,  OpKind::Celu,      OpKind::Softplus,
      OpKind::Softsign,  OpKind::Erf,   OpKind::Gelu,      OpKind::Swish,
      OpKind::Exp,       OpKind::Log,   OpKind::Sqrt,      OpKind::Reciprocal,
      OpKind::Neg,       OpKind::Abs,   OpKind::Sign,      OpKind::Ceil,
      OpKind::Floor,     OpKind::Round, OpKind::Sin,       OpKind::Cos,
      OpKind::Tan,       OpKind::Asin,  OpKind::Acos,      OpKind::Atan,
      OpKind::Sinh,      OpKind::Cosh,  OpKind::Asinh,     OpKind::Acosh,
      OpKind::Atanh,     OpKind::Pow,   OpKind::Mod},
     lowerActivation,
     "ACTIV_ACC or ARITH_ACC, or the chain in front",
     [](OpKind, const Limits&) {
         return std::string(
             "one 8-bit activation, other operands single numbers; curves that a table meets within one step");
     }},
    {{OpKind::MaxPool, OpKind::AveragePool, OpKind::GlobalAveragePool}, lowerPool, "POOL_ACC", poolLimits},
    {{OpKind::ReduceMean, OpKind::ReduceSum, OpKind::ReduceMax, OpKind::ReduceMin},
     lowerReduce,
     "POOL_ACC",
     reduceLimits},
    {{OpKind::Min, OpKind::Max, OpKind::Equal, OpKind::Less, OpKind::LessOrEqual, OpKind::Greater,
      OpKind::GreaterOrEqual, OpKind::And, OpKind::Or, OpKind::Xor},
     lowerCompare,
     "ARITH_ACC",
     compareLimits},
    {{OpKind::Not}, lowerNot, "ARITH_ACC", [](OpKind, const Limits&) { return std::string("truth values"); }},
    {{OpKind::Concat},
     lowerConcat,
     engines,
     [](OpKind, const Limits&) { return std::string("by writing in place, else by copies"); }},
    {{OpKind::Reshape, OpKind::Transpose, OpKind::Identity},
     lowerAlias,
     engines,
     [](OpKind, const Limits&) { return std::string("no work where the layout allows it, else a copy"); }},
    {{OpKind::Split},
     lowerSplit,
     engines,
     [](OpKind, const Limits&) { return std::string("views of the input, no work"); }},
    {{OpKind::Slice},
     lowerSlice,
     engines,
     [](OpKind, const Limits&) { return std::string("positive steps: views of the input, no work"); }},
    {{OpKind::Expand}, lowerExpand, engines, [](OpKind, const Limits&) { return std::string("re-reading, no work"); }},
    {{OpKind::Gather}, lowerGather, engines, [](OpKind, const Limits&) { return std::string("constant indices"); }},
    {{OpKind::Tile}, lowerTile, engines, [](OpKind, const Limits&) { return std::string("copies"); }},
    {{OpKind::DepthToSpace},
     lowerDepthToSpace,
     engines,
     [](OpKind, const Limits&) { return std::string("images of rank 4"); }},
    {{OpKind::SpaceToDepth},
     lowerSpaceToDepth,
     engines,
     [](OpKind, const Limits&) { return std::string("images of rank 4"); }},
    {{OpKind::Cast}, lowerCast, engines, [](OpKind, const Limits&) { return std::string("to the same type"); }},
    {{OpKind::Pad},
     lowerPad,
     "stream engines, or the convolution behind",
     [](OpKind, const Limits&) { return std::string("8-bit tensors; one value all around"); }},
    {{OpKind::Resize},
     lowerResize,
     engines,
     [](OpKind, const Limits&) {
         return std::string("nearest neighbour by whole factors of height and width (asymmetric, floor)");
     }},
};

const HardwareRow* rowOf(OpKind kind) {
    const auto has = [&](const HardwareRow& row) {
        return std::find(row.kinds.begin(), row.kinds.end(), kind) != row.kinds.end();
    };
    const auto found = std::find_if(std::begin(rows), std::end(rows), has);
    return found != std::end(rows) ? found : nullptr;
}

} // namespace

HardwareLowering hardwareLowering(OpKind kind) {
    const HardwareRow* row = rowOf(kind);
    return row ? row->lowering : nullptr;
}

std::optional<HardwareWords> hardwareWords(OpKind kind, const Limits& limits) {
    const HardwareRow* row = rowOf(kind);
    if (!row)
        return std::nullopt;
    return HardwareWords{row->units, row->limits(kind, limits)};
}

} // namespace poolwright::lower
