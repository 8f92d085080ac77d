// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/views.h"

/// Loop nests over strided tensors, and stream engines that walk them (facts/neural-art-target.md section 2.1).
namespace poolwright::lower {

/// One loop: `count` steps, for each operand the bytes of a step.
struct Loop {
    std::int64_t count = 1;
    std::vector<std::int64_t> steps;
};

/// Loops over a common shape, outermost first, joined wherever all operands allow it.
struct Nest {
    std::vector<Loop> loops;
    std::int64_t wordBytes = 1;
};

/// Walks `shape` in the memory order of operand `leader` (largest stride outermost). All strides belong to `shape`.
Nest nestOf(const ir::Shape& shape, const std::vector<Strides>& operands, std::size_t leader, std::int64_t wordBytes);

/// True when engines can walk the nest: at most five loops, counts within 16 bits.
bool fitsEngine(const Nest& nest);

/// The engine of one operand of a nest: 8 bits a word (wider elements move as several bytes); all operands of one nest
/// have the same frames. Calling it needs fitsEngine(nest).
program::StreamEngineConfig engineOf(const Nest& nest, std::size_t operand, const program::TensorView& view,
                                     program::Direction direction);

/// Words of one frame of the engines of this nest.
std::int64_t frameWords(const Nest& nest);

/// Engines that copy the same bytes: moves them as words of 24 or 16 bits where whole pixels (or raw frames) divide so,
/// since a stream carries one word a cycle whatever its width (facts/cost-model.md section 1.2).
void widenWords(program::StreamEngineConfig& reader, program::StreamEngineConfig& writer);

/// A contiguous run of bytes as one raw frame.
program::StreamEngineConfig rawEngine(BufferId buffer, std::int64_t offset, std::int64_t bytes,
                                      program::Direction direction, const std::string& tensor);

} // namespace poolwright::lower
