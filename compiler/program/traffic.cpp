// SPDX-License-Identifier: Apache-2.0
#include "program/program.h"

#include <algorithm>
#include <numeric>

namespace poolwright::program {

namespace {

/// Frame starts of an engine: two boxes of (loop, frame) steps, the whole loops and the last one, which may be shorter.
void frameStarts(const StreamEngineConfig& engine, std::int64_t& lowest, std::int64_t& highest) {
    const std::int64_t last = std::max<std::int64_t>(engine.frameTotal, 1) - 1;
    const std::int64_t perLoop = engine.frameLoopCount > 0 ? engine.frameLoopCount : last + 1;
    const std::int64_t lastLoop = last / perLoop;
    const std::int64_t steps[][2] = {{0, 0},
                                     {0, std::min(perLoop - 1, last)},
                                     {std::max<std::int64_t>(lastLoop - 1, 0), 0},
                                     {std::max<std::int64_t>(lastLoop - 1, 0), std::min(perLoop - 1, last)},
                                     {lastLoop, 0},
                                     {lastLoop, last % perLoop}};
    lowest = highest = engine.offsetStart;
    for (const auto& [loop, frame] : steps) {
        const std::int64_t start = engine.offsetStart + loop * engine.loopOffset + frame * engine.frameOffset;
        lowest = std::min(lowest, start);
        highest = std::max(highest, start);
    }
}

/// Longest run of bytes that lie together in one frame.
std::int64_t contiguousRun(const StreamEngineConfig& engine) {
    if (engine.raw)
        return engine.offsetEnd - engine.offsetStart;
    const std::int64_t pixel = engine.batchDepth * bytesPerWord(engine);
    if (engine.batchOffset != pixel)
        return pixel;
    const std::int64_t line = engine.fwidth * pixel;
    return engine.lineOffset == line ? engine.fheight * line : line;
}

Transfer transferOf(const Unit& unit, const StreamEngineConfig& engine) {
    Transfer transfer;
    transfer.buffer = engine.buffer;
    transfer.write = engine.direction == Direction::ToMemory;
    transfer.wordBytes = int(bytesPerWord(engine));
    transfer.words = wordsPerFrame(engine) * engine.frameTotal;
    transfer.bytes = transfer.words * memoryBits(engine) / 8;
    transfer.contiguousBytes = contiguousRun(engine);
    transfer.streamEngine = unit.index;
    const ByteSpan span = spanOf(engine);
    transfer.cachedReRead =
        !transfer.write && engine.cacheable && engine.cacheAllocate && transfer.bytes > span.end - span.first;
    return transfer;
}

/// Elements that lie together: dimensions are taken from the smallest stride up while they continue the run.
std::int64_t contiguousBytes(const TensorView& view) {
    std::vector<std::size_t> order(view.shape.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&view](std::size_t a, std::size_t b) { return view.strides[a] < view.strides[b]; });
    std::int64_t run = ir::elementBytes(view.type);
    for (std::size_t dimension : order) {
        if (view.shape[dimension] == 1)
            continue;
        if (view.strides[dimension] != run)
            break;
        run *= view.shape[dimension];
    }
    return run;
}

Transfer transferOf(const TensorView& view, bool write) {
    Transfer transfer;
    transfer.buffer = view.buffer;
    transfer.write = write;
    transfer.words = ir::elementCount(view.shape);
    transfer.wordBytes = int(ir::elementBytes(view.type));
    transfer.bytes = transfer.words * transfer.wordBytes;
    transfer.contiguousBytes = contiguousBytes(view);
    return transfer;
}

/// Coefficient vectors are loaded by the CPU (or the epoch controller) when the unit is configured, not by an engine;
/// they are small and left out.
std::vector<Transfer> transfersOf(const HardwareWork& work) {
    std::vector<Transfer> transfers;
    for (const Unit& unit : work.units)
        if (const auto* engine = std::get_if<StreamEngineConfig>(&unit.config))
            transfers.push_back(transferOf(unit, *engine));
    return transfers;
}

std::vector<Transfer> transfersOf(const SoftwareWork& work) {
    std::vector<Transfer> transfers;
    for (const TensorView& view : work.inputs)
        if (view.buffer.isValid())
            transfers.push_back(transferOf(view, false));
    for (const TensorView& view : work.outputs)
        if (view.buffer.isValid())
            transfers.push_back(transferOf(view, true));
    return transfers;
}

} // namespace

int memoryBits(const StreamEngineConfig& engine) {
    return engine.direction == Direction::FromMemory ? engine.bitsIn : engine.bitsOut;
}

std::int64_t bytesPerWord(const StreamEngineConfig& engine) {
    return (memoryBits(engine) + 7) / 8;
}

std::int64_t wordsPerFrame(const StreamEngineConfig& engine) {
    if (!engine.raw)
        return engine.fwidth * engine.fheight * engine.batchDepth;
    const int bits = memoryBits(engine);
    return bits > 0 ? (engine.offsetEnd - engine.offsetStart) * 8 / bits : 0;
}

std::int64_t frameOffsetOf(const StreamEngineConfig& engine, std::int64_t frame) {
    const std::int64_t perLoop = engine.frameLoopCount;
    if (perLoop <= 0)
        return engine.offsetStart + frame * engine.frameOffset;
    return engine.offsetStart + frame / perLoop * engine.loopOffset + frame % perLoop * engine.frameOffset;
}

ByteSpan spanOf(const StreamEngineConfig& engine) {
    ByteSpan span;
    frameStarts(engine, span.first, span.end);
    if (engine.raw) {
        span.end += engine.offsetEnd - engine.offsetStart;
        return span;
    }
    const std::int64_t extents[] = {(engine.fheight - 1) * engine.lineOffset, (engine.fwidth - 1) * engine.batchOffset};
    for (std::int64_t extent : extents)
        (extent < 0 ? span.first : span.end) += extent;
    span.end += engine.batchDepth * bytesPerWord(engine);
    return span;
}

ByteSpan spanOf(const TensorView& view) {
    ByteSpan span{view.offset, view.offset};
    for (std::size_t i = 0; i < view.shape.size(); ++i) {
        const std::int64_t extent = (view.shape[i] - 1) * view.strides[i];
        (extent < 0 ? span.first : span.end) += extent;
    }
    span.end += ir::elementBytes(view.type);
    return span;
}

std::vector<Transfer> transfersOf(const Program& program, EpochId epoch) {
    const Epoch& what = program[epoch];
    if (const HardwareWork* hardware = what.hardware())
        return transfersOf(*hardware);
    if (const SoftwareWork* software = what.software())
        return transfersOf(*software);
    return {};
}

} // namespace poolwright::program
