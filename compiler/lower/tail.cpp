// SPDX-License-Identifier: Apache-2.0
#include "lower/tail.h"

namespace poolwright::lower {

program::ArithConfig scalarAffine(std::int32_t factor, std::int64_t offset, int shift) {
    program::ArithConfig arith;
    arith.operation = program::ArithOperation::Affine;
    arith.combinebc = true;
    arith.aScalar = factor;
    arith.cScalar = offset;
    arith.shiftO = shift;
    arith.roundingO = true;
    arith.saturationO = true;
    arith.inbytesX = 1;
    arith.outbytesX = arith.outbytesO = 1;
    return arith;
}

namespace {

/// Relu that saturation does not do by itself (facts/neural-art-target.md 2.6, TRELU).
program::ActivConfig thresholdRelu(int zero) {
    program::ActivConfig activ;
    activ.operation = program::ActivOperation::TRelu;
    activ.parameter = activ.parameter2 = zero;
    return activ;
}

/// x + 128 as a wrapping byte: int8 with zero point -128 becomes uint8 with zero point 0.
program::ArithConfig toUnsigned() {
    program::ArithConfig arith = scalarAffine(16384, 128 * 16384, 14);
    arith.roundingO = arith.saturationO = false;
    return arith;
}

} // namespace

program::ArithConfig dualAffine(const DualRequant& constants) {
    program::ArithConfig arith;
    arith.dualinput = true;
    arith.aScalar = constants.a;
    arith.bScalar = constants.b;
    arith.cScalar = constants.c;
    arith.axShift = constants.axShift;
    arith.byShift = constants.byShift;
    arith.cShift = constants.cShift;
    arith.shiftO = constants.shiftO;
    arith.roundingO = arith.saturationO = true;
    arith.outbytesX = arith.outbytesY = arith.outbytesO = 1;
    return arith;
}

int appendTail(EpochBuilder& builder, int last, const Ending& ending, bool storeUnsigned, const std::string& node) {
    const Clamp& clamp = ending.clamp;
    if (ending.function) {
        const int function = builder.addActiv(*ending.function, node + "_function", "Activation");
        builder.link(last, function);
        last = function;
    } else if (clamp.high < 127) {
        auto& arith = std::get<program::ArithConfig>(builder.unit(last).config);
        arith.clipout = true;
        arith.clipmin = clamp.low;
        arith.clipmax = clamp.high;
    } else if (clamp.low > -128) {
        const int relu = builder.addActiv(thresholdRelu(clamp.low), node + "_relu", "Relu");
        builder.link(last, relu);
        last = relu;
    }
    if (!storeUnsigned)
        return last;
    const int sub = builder.addArith(toUnsigned(), node + "_suboff", "Sub");
    builder.link(last, sub);
    return sub;
}

ScaleZero anchorScaleZero(const Context& context, NodeId anchor, const program::TensorView& output) {
    const Chain chain = context.fusion.chainOf(anchor);
    if (!chain.ending.function && chain.stages.empty())
        return outputScaleZero(output);
    const ir::Quantisation& own = *context.graph[context.graph[anchor].outputs[0]].quantisation;
    return {own.scales.front(), own.zeroPoints.front()};
}

void readAsArith(program::StreamEngineConfig& engine, const program::TensorView& view, int& wordBytes) {
    wordBytes = 1;
    if (view.type != ir::ElementType::UInt8)
        return;
    wordBytes = 2;
    engine.bitsOut = 16;
    engine.alignRight = true;
    engine.bitsUnsigned = true;
}

} // namespace poolwright::lower
