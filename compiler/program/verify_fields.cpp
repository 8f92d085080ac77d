// SPDX-License-Identifier: Apache-2.0
#include "program/findings.h"

#include <algorithm>

/// The fields of one unit: register widths and legal values of facts/neural-art-target.md sections 2.1 to 2.6.
namespace poolwright::program {

namespace {

bool inRange(std::int64_t value, std::int64_t lowest, std::int64_t highest) {
    return lowest <= value && value <= highest;
}

bool fits16(std::int64_t value) {
    return inRange(value, -32768, 32767);
}

void verifyOutputStage(int shift, int bytes, int roundMode, Findings& findings) {
    findings.require(inRange(shift, 0, 63), "PW3570", "the output shift does not fit its register");
    findings.require(inRange(bytes, 1, 3), "PW3571", "output words are 1, 2 or 3 bytes");
    findings.require(roundMode == 1, "PW3572", "only rounding mode 1 (nearest, half up) is known");
}

/// Most words that one frame may have: an emulator holds whole frames.
constexpr std::int64_t frameLimit = std::int64_t(1) << 28;

bool fitsFrame(std::int64_t height, std::int64_t width, std::int64_t depth) {
    return height >= 0 && width >= 0 && depth >= 0 && height <= 65535 + 1024 && width <= 65535 + 1024 &&
           depth <= 65535 && height * width <= frameLimit && height * width * depth <= frameLimit;
}

/// Largest size that a stream walk may have; keeps sums and products of the fields far from overflow.
constexpr std::int64_t walkLimit = std::int64_t(1) << 31;

bool verifyWalk(const StreamEngineConfig& engine, Findings& findings) {
    bool ok = findings.require(inRange(engine.frameTotal, 1, walkLimit), "PW3580", "no frames, or too many");
    ok &= findings.require(inRange(engine.frameLoopCount, 0, walkLimit), "PW3580", "the frame loop is too long");
    for (std::int64_t offset : {engine.offsetStart, engine.offsetEnd, engine.frameOffset, engine.loopOffset,
                                engine.batchOffset, engine.lineOffset})
        ok &= findings.require(inRange(offset, -walkLimit, walkLimit), "PW3581", "an offset of more than 2 GB");
    const int bits = memoryBits(engine);
    ok &= findings.require(bits == 8 || bits == 16 || bits == 24, "PW3582", "words in memory have 8, 16 or 24 bits");
    ok &= findings.require(engine.bitsIn <= 24 && engine.bitsOut <= 24 && engine.bitsIn >= 1 && engine.bitsOut >= 1,
                           "PW3582", "stream words have at most 24 bits");
    if (engine.raw)
        ok &= findings.require(engine.offsetEnd > engine.offsetStart &&
                                   (engine.offsetEnd - engine.offsetStart) * 8 % std::max(bits, 1) == 0,
                               "PW3583", "a raw frame is a whole number of words");
    else
        ok &= findings.require(inRange(engine.fwidth, 1, 65535) && inRange(engine.fheight, 1, 65535) &&
                                   inRange(engine.batchDepth, 1, 65535),
                               "PW3584", "raster extents are 1 to 65535") &&
              findings.require(fitsFrame(engine.fheight, engine.fwidth, engine.batchDepth), "PW3586",
                               "a frame of more than 2^28 words");
    return ok;
}

void verifyEngine(const Program& program, const StreamEngineConfig& engine, Findings& findings) {
    if (!findings.require(isBuffer(program, engine.buffer), "PW3510", "the engine names no buffer"))
        return;
    if (!verifyWalk(engine, findings))
        return;
    findings.require(wordsPerFrame(engine) <= frameLimit, "PW3586", "a frame of more than 2^28 words");
    // Deep mode reads 24-bit words: the last one may reach past the tensor (2.3.5).
    const std::int64_t slack = engine.direction == Direction::FromMemory && memoryBits(engine) == 24 ? 2 : 0;
    const ByteSpan span = spanOf(engine);
    const std::int64_t size = program[engine.buffer].size.value;
    findings.require(span.first >= 0 && span.end <= size + slack, "PW3585",
                     "touches bytes " + std::to_string(span.first) + " to " + std::to_string(span.end) + " of buffer " +
                         program[engine.buffer].name + " of " + std::to_string(size));
}

void verifyConvTile(const target::Limits& limits, const ConvConfig& conv, Findings& findings) {
    const int width =
        conv.hstride > 1 || conv.vstride > 1 ? limits.convKernelWidthStrided : limits.convKernelWidthStride1;
    findings.require(inRange(conv.kernelWidth, 1, width) && inRange(conv.kernelHeight, 1, limits.convKernelHeight),
                     "PW3590",
                     "kernel of " + std::to_string(conv.kernelHeight) + " x " + std::to_string(conv.kernelWidth) +
                         " is larger than the unit takes");
    findings.require(inRange(conv.nKernels, 1, limits.convMaxKernels), "PW3591",
                     std::to_string(conv.nKernels) + " kernels in one pass");
    const std::int64_t tile = std::int64_t(conv.nKernels) * conv.batchDepth;
    if (conv.deepmode) {
        findings.require(inRange(conv.batchDepth, 1, limits.convMaxDeepBatch) && tile <= limits.convDeepTile, "PW3592",
                         "the deep tile is too large");
        return;
    }
    findings.require(inRange(conv.batchDepth, 1, limits.convMaxBatch) &&
                         tile * conv.kernelWidth * conv.kernelHeight <= limits.convTile,
                     "PW3592", "the kernel tile is too large");
    const int line = limits.convLineElements / (conv.inbytesF > 1 ? 2 : 1);
    findings.require(conv.kernelHeight == 1 || std::int64_t(conv.fWidth) * conv.batchDepth <= line, "PW3593",
                     "a feature line of " + std::to_string(std::int64_t(conv.fWidth) * conv.batchDepth) +
                         " elements does not fit the line memory of " + std::to_string(line));
}

void verifyDeepMode(const ConvConfig& conv, Findings& findings) {
    const bool plain = conv.kernelWidth == 1 && conv.kernelHeight == 1 && conv.simd == 1 && conv.zfbias == 0 &&
                       conv.leftPadding + conv.rightPadding + conv.topPadding + conv.botPadding == 0;
    findings.require(plain, "PW3594", "deep mode is for 1 x 1 kernels of 8-bit operands without padding");
    findings.require(conv.inbytesF == 1 || conv.inbytesF == 3, "PW3595",
                     "deep features are raw words or padded pixels");
}

void verifyConvFilters(const ConvConfig& conv, Findings& findings) {
    if (conv.kfiltTotal > 0)
        findings.require(conv.kfiltTotal <= 255 && 0 <= conv.kfiltFirst && conv.kfiltFirst <= conv.kfiltLast &&
                             conv.kfiltLast < conv.kfiltTotal && conv.kfiltLast - conv.kfiltFirst + 1 == conv.nKernels,
                         "PW3596", "the kernel filter must pick nKernels kernels");
    if (conv.afiltTotal > 0)
        findings.require(conv.accumulate && conv.afiltTotal <= 255 && 0 <= conv.afiltFirst &&
                             conv.afiltFirst <= conv.afiltLast && conv.afiltLast < conv.afiltTotal,
                         "PW3597", "the accumulator filter is out of range");
}

void verifyConvGeometry(const target::Limits& limits, const ConvConfig& conv, Findings& findings) {
    findings.require(inRange(conv.fWidth, 1, 65535) && inRange(conv.fHeight, 1, 65535) &&
                         std::int64_t(conv.fWidth) * conv.batchDepth <= 65535,
                     "PW3598", "feature extents do not fit their registers");
    findings.require(inRange(conv.hstride, 1, limits.convMaxStride) && inRange(conv.vstride, 1, limits.convMaxStride),
                     "PW3598", "stride out of range");
    for (int pad : {conv.leftPadding, conv.rightPadding, conv.topPadding, conv.botPadding})
        findings.require(inRange(pad, 0, 255), "PW3598", "padding out of range");
    const std::int64_t deepest = std::max(conv.batchDepth, conv.nKernels);
    findings.require(fitsFrame(std::int64_t(conv.fHeight) + conv.topPadding + conv.botPadding,
                               std::int64_t(conv.fWidth) + conv.leftPadding + conv.rightPadding, deepest),
                     "PW3586", "a frame of more than 2^28 words");
    const bool crops = inRange(conv.leftCrop, 0, conv.fWidth - 1) && inRange(conv.rightCrop, 0, conv.fWidth - 1) &&
                       inRange(conv.topCrop, 0, conv.fHeight - 1) && inRange(conv.botCrop, 0, conv.fHeight - 1) &&
                       (conv.rightCrop == 0 || conv.leftCrop <= conv.rightCrop) &&
                       (conv.botCrop == 0 || conv.topCrop <= conv.botCrop);
    findings.require(crops, "PW3599", "the crop keeps nothing of the feature");
}

void verifyConv(const Program& program, const ConvConfig& conv, Findings& findings) {
    verifyOutputStage(conv.shiftO, conv.outbytesO, conv.roundModeO, findings);
    findings.require(inRange(conv.simd, 0, 2), "PW3600", "simd is 0, 1 or 2");
    findings.require(inRange(conv.fsub, -(1 << 23), (1 << 23) - 1) && fits16(conv.zfbias), "PW3600",
                     "fsub or zfbias does not fit its register");
    findings.require(inRange(conv.shiftF, 0, 23) && inRange(conv.shiftA, 0, 31), "PW3600", "input shift out of range");
    verifyConvTile(program.machine.limits, conv, findings);
    verifyConvFilters(conv, findings);
    verifyConvGeometry(program.machine.limits, conv, findings);
    if (conv.deepmode)
        verifyDeepMode(conv, findings);
    else
        findings.require(conv.inbytesF == (conv.simd == 1 ? 1 : 2), "PW3595",
                         "the feature width does not fit the mode");
}

void verifyVector(const Program& program, BufferId buffer, std::int64_t offset, int bits, int count,
                  Findings& findings) {
    if (!buffer.isValid())
        return;
    if (!findings.require(isBuffer(program, buffer), "PW3510", "a coefficient vector names no buffer"))
        return;
    findings.require(program[buffer].kind == BufferKind::Constant, "PW3604", "coefficients are constants");
    findings.require(bits == 8 || bits == 16 || bits == 32, "PW3604", "coefficients have 8, 16 or 32 bits");
    findings.require(offset >= 0 && offset + std::int64_t(count) * bits / 8 <= program[buffer].size.value, "PW3605",
                     "a coefficient vector reaches past its buffer");
}

void verifyArith(const Program& program, const ArithConfig& arith, Findings& findings) {
    verifyOutputStage(arith.shiftO, arith.outbytesO, arith.roundModeO, findings);
    findings.require(inRange(arith.inbytesX, 1, 3) && inRange(arith.inbytesY, 1, 3), "PW3601",
                     "operands have 1 to 3 bytes");
    findings.require(inRange(arith.axShift, 0, 31) && inRange(arith.byShift, 0, 31) && inRange(arith.cShift, 0, 31),
                     "PW3601", "shift out of range");
    const std::int64_t c = std::int64_t(1) << (arith.combinebc ? 31 : 15);
    findings.require(fits16(arith.aScalar) && fits16(arith.bScalar) && inRange(arith.cScalar, -c, c - 1), "PW3602",
                     "a coefficient does not fit its register");
    findings.require(!(arith.combinebc && arith.dualinput), "PW3603", "combined B and C leave no coefficient for y");
    findings.require(inRange(arith.vecCount, arith.scalar ? 0 : 1, program.machine.limits.arithCoefficients), "PW3604",
                     std::to_string(arith.vecCount) + " coefficients");
    findings.require(arith.fWidth >= 1 && arith.fHeight >= 1 && arith.batchDepth >= 1 &&
                         arith.fChannels >= arith.batchDepth && arith.fChannels % arith.batchDepth == 0,
                     "PW3606", "channels must be a multiple of the batch");
    if (arith.scalar)
        return;
    verifyVector(program, arith.aVector, arith.aOffset, arith.vecBits[0], arith.vecCount, findings);
    verifyVector(program, arith.bVector, arith.bOffset, arith.vecBits[1], arith.vecCount, findings);
    verifyVector(program, arith.cVector, arith.cOffset, arith.vecBits[2], arith.vecCount, findings);
}

bool isGlobal(PoolOperation operation) {
    return operation >= PoolOperation::GlobalMax;
}

void verifyPool(const Program& program, const PoolConfig& pool, Findings& findings) {
    const target::Limits& limits = program.machine.limits;
    verifyOutputStage(pool.shiftO, pool.outbytesO, pool.roundModeO, findings);
    findings.require(inRange(pool.batchSize, 1, limits.poolMaxBatch), "PW3610", "batch size out of range");
    findings.require(pool.inputX >= 1 && pool.inputY >= 1 &&
                         std::int64_t(pool.inputX) * pool.batchSize <=
                             std::min(limits.poolFrameElements, limits.poolLineElements),
                     "PW3611", "an input line does not fit the line memory");
    findings.require(fitsFrame(pool.inputY, pool.inputX, pool.batchSize) &&
                         fitsFrame(pool.outputY, pool.outputX, pool.batchSize),
                     "PW3586", "a frame of more than 2^28 words");
    findings.require(fits16(pool.mulval), "PW3612", "mulval does not fit its register");
    if (isGlobal(pool.operation))
        return;
    findings.require(inRange(pool.windowX, 1, limits.poolWindow) && inRange(pool.windowY, 1, limits.poolWindow),
                     "PW3613", "the window is larger than the unit takes");
    findings.require(inRange(pool.strideX, 1, limits.poolMaxStride) && inRange(pool.strideY, 1, limits.poolMaxStride),
                     "PW3614", "stride out of range");
    findings.require(pool.outputX >= 1 && pool.outputY >= 1, "PW3615", "no output");
    findings.require(inRange(pool.leftPad, 0, 7) && inRange(pool.rightPad, 0, 7) && inRange(pool.topPad, 0, 7) &&
                         inRange(pool.bottomPad, 0, std::max(pool.windowY - 1, 0)),
                     "PW3616", "padding out of range");
}

void verifyActiv(const ActivConfig& activ, Findings& findings) {
    verifyOutputStage(activ.shiftO, activ.outbytesO, activ.roundModeO, findings);
    findings.require(inRange(activ.bwidth, 0, 5), "PW3620", "bwidth is 0 to 5");
    if (activ.operation != ActivOperation::Function)
        return;
    findings.require(activ.rom0.size() <= 32 && activ.rom0.size() >= (std::size_t(1) << std::clamp(activ.bwidth, 0, 5)),
                     "PW3621", "the first table has one byte for each outer segment");
    findings.require(!activ.rom1.empty() && activ.rom1.size() % 3 == 0 && activ.rom1.size() <= 64 * 3, "PW3622",
                     "the second table has up to 64 rows of three");
    for (std::uint8_t entry : activ.rom0)
        if (!findings.require(std::size_t(entry & 63) + (std::size_t(1) << (entry >> 6)) <= activ.rom1.size() / 3,
                              "PW3623", "the first table points past the second"))
            break;
}

} // namespace

void verifyUnit(const Program& program, const Unit& unit, Findings& findings) {
    if (const auto* engine = std::get_if<StreamEngineConfig>(&unit.config))
        verifyEngine(program, *engine, findings);
    else if (const auto* conv = std::get_if<ConvConfig>(&unit.config))
        verifyConv(program, *conv, findings);
    else if (const auto* arith = std::get_if<ArithConfig>(&unit.config))
        verifyArith(program, *arith, findings);
    else if (const auto* pool = std::get_if<PoolConfig>(&unit.config))
        verifyPool(program, *pool, findings);
    else if (const auto* activ = std::get_if<ActivConfig>(&unit.config))
        verifyActiv(*activ, findings);
}

} // namespace poolwright::program
