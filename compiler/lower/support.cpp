// SPDX-License-Identifier: Apache-2.0
#include "lower/support.h"

#include "lower/activation.h"
#include "lower/arith_lower.h"
#include "lower/compare_lower.h"
#include "lower/conv_lower.h"
#include "lower/hardware.h"
#include "lower/layout_lower.h"
#include "lower/move_lower.h"
#include "lower/pool_lower.h"
#include "lower/prelu_lower.h"
#include "lower/reduce_lower.h"
#include "lower/software.h"

#include <algorithm>
#include <iterator>

namespace poolwright::lower {

namespace {

using target::Limits;

constexpr const char* engines = "stream engines";

/// What a lowering function brings onto units, by the function itself, so that a kind cannot be described without being
/// lowered (hardware.cpp says which kinds share a function).
struct Description {
    HardwareLowering lowering;
    const char* units;
    std::string (*limits)(ir::OpKind kind, const Limits& limits);
};

std::string convLimits(ir::OpKind kind, const Limits& limits) {
    if (kind == ir::OpKind::Gemm)
        return "constant 8-bit weights; matrices of rank 2 and 3";
    return "constant 8-bit weights; images of rank 4; kernels above " + std::to_string(limits.convKernelHeight) +
           " lines or " + std::to_string(limits.convKernelWidthStride1) + " columns (" +
           std::to_string(limits.convKernelWidthStrided) + " with strides), dilation, strides above " +
           std::to_string(limits.convMaxStride) + " and lines above " + std::to_string(limits.convLineElements) +
           " elements in several passes";
}

std::string arithLimits(ir::OpKind kind, const Limits& limits) {
    const std::string vectors =
        "numbers, or vectors over one dimension, " + std::to_string(limits.arithCoefficients) + " at a time";
    return kind == ir::OpKind::Div ? "by constants: " + vectors
                                   : "two activations, broadcast by re-reading, or constants: " + vectors;
}

std::string poolLimits(ir::OpKind kind, const Limits& limits) {
    if (kind == ir::OpKind::GlobalAveragePool)
        return "images of rank 4";
    const std::string window = std::to_string(limits.poolWindow);
    const std::string own = kind == ir::OpKind::AveragePool
                                ? "; an average that leaves padding out has a window to " + window + "x" + window
                                : "; equal parameters on both sides";
    return "images of rank 4; windows above " + window + "x" + window + " in several passes; strides to " +
           std::to_string(limits.poolMaxStride) + "; no dilation" + own;
}

std::string reduceLimits(ir::OpKind kind, const Limits&) {
    const bool averages = kind == ir::OpKind::ReduceMean || kind == ir::OpKind::ReduceSum;
    return std::string("any dimensions that lie in two loops") + (averages ? "" : "; equal parameters on both sides");
}

std::string compareLimits(ir::OpKind kind, const Limits&) {
    switch (kind) {
    case ir::OpKind::Min:
    case ir::OpKind::Max:
        return "int8 tensors; with a single number through a table";
    case ir::OpKind::And:
    case ir::OpKind::Or:
    case ir::OpKind::Xor:
        return "truth values";
    default:
        return "int8 tensors of one scale; with a single number through a table";
    }
}

std::string preluLimits(ir::OpKind, const Limits& limits) {
    return "constant slopes, float or quantised, one a channel, " + std::to_string(limits.arithCoefficients) +
           " at a time";
}

const Description descriptions[] = {
    {lowerConv, "CONV_ACC, ARITH_ACC", convLimits},
    {lowerArith, "ARITH_ACC", arithLimits},
    {lowerPRelu, "ARITH_ACC", preluLimits},
    {lowerRequantize, "ARITH_ACC",
     [](ir::OpKind, const Limits&) { return std::string("8-bit tensors of one scale each"); }},
    {lowerActivation, "ACTIV_ACC or ARITH_ACC, or the chain in front",
     [](ir::OpKind, const Limits&) {
         return std::string(
             "one 8-bit activation, other operands single numbers; curves that a table meets within one step");
     }},
    {lowerPool, "POOL_ACC", poolLimits},
    {lowerReduce, "POOL_ACC", reduceLimits},
    {lowerCompare, "ARITH_ACC", compareLimits},
    {lowerNot, "ARITH_ACC", [](ir::OpKind, const Limits&) { return std::string("truth values"); }},
    {lowerConcat, engines,
     [](ir::OpKind, const Limits&) { return std::string("by writing in place, else by copies"); }},
    {lowerAlias, engines,
     [](ir::OpKind, const Limits&) { return std::string("no work where the layout allows it, else a copy"); }},
    {lowerSplit, engines, [](ir::OpKind, const Limits&) { return std::string("views of the input, no work"); }},
    {lowerSlice, engines,
     [](ir::OpKind, const Limits&) { return std::string("positive steps: views of the input, no work"); }},
    {lowerExpand, engines, [](ir::OpKind, const Limits&) { return std::string("re-reading, no work"); }},
    {lowerGather, engines, [](ir::OpKind, const Limits&) { return std::string("constant indices"); }},
    {lowerTile, engines, [](ir::OpKind, const Limits&) { return std::string("copies"); }},
    {lowerDepthToSpace, engines, [](ir::OpKind, const Limits&) { return std::string("images of rank 4"); }},
    {lowerSpaceToDepth, engines, [](ir::OpKind, const Limits&) { return std::string("images of rank 4"); }},
    {lowerCast, engines, [](ir::OpKind, const Limits&) { return std::string("to the same type"); }},
    {lowerPad, "stream engines, or the convolution behind",
     [](ir::OpKind, const Limits&) { return std::string("8-bit tensors; one value all around"); }},
    {lowerResize, engines,
     [](ir::OpKind, const Limits&) {
         return std::string("nearest neighbour by whole factors of height and width (asymmetric, floor)");
     }},
};

} // namespace

Support supportOf(ir::OpKind kind, const target::Machine& machine) {
    const HardwareLowering lowering = hardwareLowering(kind);
    if (!lowering)
        return {.onUnits = false, .units = {}, .limits = refuseKind(kind)};
    const auto found = std::find_if(std::begin(descriptions), std::end(descriptions),
                                    [&](const Description& row) { return row.lowering == lowering; });
    if (found == std::end(descriptions))
        return {.onUnits = true, .units = "units", .limits = {}};
    return {.onUnits = true, .units = found->units, .limits = found->limits(kind, machine.limits)};
}

} // namespace poolwright::lower
