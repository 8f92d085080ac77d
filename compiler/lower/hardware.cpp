// SPDX-License-Identifier: Apache-2.0
#include "lower/hardware.h"

#include "lower/activation.h"
#include "lower/arith_lower.h"
#include "lower/conv_lower.h"
#include "lower/layout_lower.h"
#include "lower/move_lower.h"
#include "lower/pool_lower.h"

#include <map>

namespace poolwright::lower {

namespace {

using ir::OpKind;

const std::map<OpKind, HardwareLowering>& lowerings() {
    static const std::map<OpKind, HardwareLowering> table{
        // convolutions
        {OpKind::Conv, lowerConv},
        {OpKind::Gemm, lowerConv},
        // element by element
        {OpKind::Add, lowerArith},
        {OpKind::Sub, lowerArith},
        {OpKind::Mul, lowerArith},
        {OpKind::Requantize, lowerRequantize},
        // one byte in, one byte out
        {OpKind::Relu, lowerActivation},
        {OpKind::Clip, lowerActivation},
        {OpKind::Sigmoid, lowerActivation},
        {OpKind::HardSigmoid, lowerActivation},
        {OpKind::HardSwish, lowerActivation},
        {OpKind::Tanh, lowerActivation},
        // pools
        {OpKind::MaxPool, lowerPool},
        {OpKind::AveragePool, lowerPool},
        {OpKind::GlobalAveragePool, lowerPool},
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
