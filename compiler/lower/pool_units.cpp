// SPDX-License-Identifier: Apache-2.0
#include "lower/pool_units.h"

#include "lower/context.h"
#include "lower/tail.h"

#include <algorithm>

namespace poolwright::lower {

std::string refusePool(const ir::Graph& graph, const ir::Node& node) {
    const ir::Tensor& x = graph[node.inputs[0]];
    const ir::Tensor& y = graph[node.outputs[0]];
    if (x.type != ir::ElementType::Int8 || !isByteTensor(x) || !isByteTensor(y))
        return "units pool int8 tensors with one scale; quantise input and output to int8";
    if (x.shape.size() != 4)
        return "units pool images of rank 4; give a 1-D signal a height of 1";
    if (node.kind == ir::OpKind::MaxPool && (x.quantisation != y.quantisation || x.type != y.type))
        return "a maximum keeps scale and zero point; give input and output the same parameters";
    if (std::any_of(node.outputs.begin() + 1, node.outputs.end(), [](TensorId t) { return t.isValid(); }))
        return "units do not return the indices of maxima; do without them";
    const auto dilations = node.integers("dilations");
    if (std::any_of(dilations.begin(), dilations.end(), [](std::int64_t d) { return d != 1; }))
        return "units have no dilated pooling; pool twice";
    return {};
}

bool isChainedPool(const ir::Graph& graph, const ir::Node& node, const target::Limits& limits) {
    const bool isPool = node.kind == ir::OpKind::MaxPool || node.kind == ir::OpKind::AveragePool ||
                        node.kind == ir::OpKind::GlobalAveragePool;
    if (!isPool || !refusePool(graph, node).empty())
        return false;
    const PoolShape shape = poolShapeOf(graph, node);
    const bool isWindow = std::max(shape.height.window, shape.width.window) <= limits.poolWindow &&
                          std::max(shape.height.stride, shape.width.stride) <= limits.poolMaxStride;
    return (shape.isGlobal() || isWindow) && !shape.hasPadding() && shape.images == 1 && !shape.height.hasFactors() &&
           !shape.width.hasFactors() && shape.width.in <= std::min(limits.poolFrameElements, limits.poolLineElements);
}

std::vector<PoolPass> passesOf(const PoolShape& shape, const target::Limits& limits) {
    if (shape.isGlobal())
        return {{shape.height.in, shape.width.in, 1, 1}};
    return maximumPasses(shape, limits.poolWindow);
}

program::PoolConfig poolConfig(const PoolShape& shape, const PoolPass& pass, std::int64_t batch) {
    program::PoolConfig pool;
    pool.inputX = int(pass.inWidth);
    pool.inputY = int(pass.inHeight);
    pool.batchSize = int(batch);
    pool.rightCrop = pool.inputX - 1;
    pool.bottomCrop = pool.inputY - 1;
    pool.dualLine = true;
    if (shape.isGlobal()) { // as the vendor's tool prints it (facts/neural-art-target.md 2.4): no window, one more
                            // than the input
        pool.operation = shape.isMax ? program::PoolOperation::GlobalMax : program::PoolOperation::GlobalAvg;
        pool.outputX = pool.inputX + 1;
        pool.outputY = pool.inputY + 1;
    } else {
        pool.operation = shape.isMax ? program::PoolOperation::Max : program::PoolOperation::Avg;
        pool.outputX = int(pass.outWidth);
        pool.outputY = int(pass.outHeight);
        pool.windowX = int(pass.windowWidth);
        pool.windowY = int(pass.windowHeight);
        pool.strideX = int(pass.strideWidth);
        pool.strideY = int(pass.strideHeight);
    }
    if (shape.isMax)
        return pool;
    const AverageConstants average = averageConstants(shape.taps());
    pool.mulval = average.mulval;
    pool.shiftO = average.shift;
    pool.roundingO = pool.saturationO = true;
    pool.outbytesF = pool.outbytesO = 2;
    return pool;
}

program::ArithConfig meanRequant(ScaleZero input, ScaleZero output) {
    const ScalarRequant constants = requantise(input, output);
    program::ArithConfig arith = scalarAffine(constants.factor, constants.offset, constants.shift);
    arith.inbytesX = 2;
    arith.axShift = 8;
    return arith;
}

} // namespace poolwright::lower
