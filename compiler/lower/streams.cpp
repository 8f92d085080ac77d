// SPDX-License-Identifier: Apache-2.0
#include "lower/streams.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace poolwright::lower {

namespace {

constexpr std::int64_t counterLimit = 65535;
constexpr std::size_t engineLoops = 5;

std::vector<std::size_t> memoryOrder(const ir::Shape& shape, const Strides& leader) {
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return leader[a] > leader[b]; });
    return order;
}

bool joins(const Loop& outer, const Loop& inner) {
    for (std::size_t i = 0; i < outer.steps.size(); ++i)
        if (outer.steps[i] != inner.steps[i] * inner.count)
            return false;
    return true;
}

void append(std::vector<Loop>& loops, Loop loop) {
    if (loop.count == 1)
        return;
    if (!loops.empty() && joins(loops.back(), loop)) {
        loop.count *= loops.back().count;
        loops.back() = std::move(loop);
    } else {
        loops.push_back(std::move(loop));
    }
}

/// Counters have 16 bits: a longer loop becomes two, if it has a fitting divisor.
void splitLong(std::vector<Loop>& loops) {
    for (std::size_t i = 0; i < loops.size(); ++i) {
        if (loops[i].count <= counterLimit)
            continue;
        std::int64_t inner = counterLimit;
        while (loops[i].count % inner != 0)
            --inner;
        Loop outer = loops[i];
        outer.count /= inner;
        for (std::int64_t& step : outer.steps)
            step *= inner;
        loops[i].count = inner;
        loops.insert(loops.begin() + std::ptrdiff_t(i), outer);
    }
}

bool isContiguous(const Nest& nest) {
    return nest.loops.empty() ||
           (nest.loops.size() == 1 && std::all_of(nest.loops[0].steps.begin(), nest.loops[0].steps.end(),
                                                  [](std::int64_t step) { return step == 1; }));
}

/// The loops padded to batch, width, height, frames, loops (innermost first).
std::array<Loop, engineLoops> engineLoopsOf(const Nest& nest) {
    std::array<Loop, engineLoops> levels;
    const std::size_t operands = nest.loops.empty() ? 0 : nest.loops[0].steps.size();
    for (Loop& level : levels)
        level.steps.assign(operands, 0);
    const bool unitInnermost =
        !nest.loops.empty() && std::all_of(nest.loops.back().steps.begin(), nest.loops.back().steps.end(),
                                           [](std::int64_t step) { return step == 1; });
    std::size_t level = unitInnermost ? 0 : 1;
    for (std::size_t i = nest.loops.size(); i-- > 0; ++level)
        levels[level] = nest.loops[i];
    return levels;
}

bool hasUnitInnermost(const Nest& nest) {
    const Loop& last = nest.loops.back();
    return std::all_of(last.steps.begin(), last.steps.end(), [](std::int64_t step) { return step == 1; });
}

} // namespace

Nest nestOf(const ir::Shape& shape, const std::vector<Strides>& operands, std::size_t leader, std::int64_t wordBytes) {
    Nest nest;
    nest.wordBytes = wordBytes;
    for (std::size_t dim : memoryOrder(shape, operands[leader])) {
        Loop loop;
        loop.count = shape[dim];
        for (const Strides& strides : operands)
            loop.steps.push_back(strides[dim]);
        append(nest.loops, std::move(loop));
    }
    if (wordBytes > 1) // wider elements move byte by byte: a copy does not care
        append(nest.loops, {wordBytes, std::vector<std::int64_t>(operands.size(), 1)});
    if (!isContiguous(nest))
        splitLong(nest.loops);
    return nest;
}

bool fitsEngine(const Nest& nest) {
    if (isContiguous(nest))
        return true;
    const std::size_t levels = nest.loops.size() + (hasUnitInnermost(nest) ? 0 : 1);
    return levels <= engineLoops && std::all_of(nest.loops.begin(), nest.loops.end(),
                                                [](const Loop& loop) { return loop.count <= counterLimit; });
}

std::int64_t frameWords(const Nest& nest) {
    if (isContiguous(nest))
        return nest.loops.empty() ? 1 : nest.loops[0].count;
    const auto levels = engineLoopsOf(nest);
    return levels[0].count * levels[1].count * levels[2].count;
}

program::StreamEngineConfig engineOf(const Nest& nest, std::size_t operand, const program::TensorView& view,
                                     program::Direction direction) {
    if (isContiguous(nest))
        return rawEngine(view.buffer, view.offset, frameWords(nest), direction, view.name);
    const auto levels = engineLoopsOf(nest);
    program::StreamEngineConfig engine;
    engine.direction = direction;
    engine.buffer = view.buffer;
    engine.tensor = view.name;
    engine.offsetStart = view.offset;
    engine.batchDepth = levels[0].count;
    engine.fwidth = levels[1].count;
    engine.batchOffset = levels[1].steps[operand];
    engine.fheight = levels[2].count;
    engine.lineOffset = levels[2].steps[operand];
    engine.frameOffset = levels[3].steps[operand];
    engine.frameTotal = levels[3].count * levels[4].count;
    if (levels[4].count > 1) {
        engine.frameLoopCount = levels[3].count;
        engine.loopOffset = levels[4].steps[operand];
    }
    engine.offsetEnd = engine.offsetStart;
    return engine;
}

namespace {

bool divides(const program::StreamEngineConfig& engine, std::int64_t bytes) {
    return (engine.raw ? engine.offsetEnd - engine.offsetStart : engine.batchDepth) % bytes == 0;
}

void setWord(program::StreamEngineConfig& engine, int bytes) {
    engine.bitsIn = engine.bitsOut = 8 * bytes;
    if (!engine.raw)
        engine.batchDepth /= bytes;
}

} // namespace

void widenWords(program::StreamEngineConfig& reader, program::StreamEngineConfig& writer) {
    for (int bytes : {3, 2}) {
        if (!divides(reader, bytes) || !divides(writer, bytes))
            continue;
        setWord(reader, bytes);
        setWord(writer, bytes);
        return;
    }
}

program::StreamEngineConfig rawEngine(BufferId buffer, std::int64_t offset, std::int64_t bytes,
                                      program::Direction direction, const std::string& tensor) {
    program::StreamEngineConfig engine;
    engine.direction = direction;
    engine.raw = true;
    engine.buffer = buffer;
    engine.tensor = tensor;
    engine.offsetStart = offset;
    engine.offsetEnd = offset + bytes;
    return engine;
}

} // namespace poolwright::lower
