// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"

/// The end of every arithmetic chain: bounds of a merged Relu or Clip, the step to unsigned bytes, and the output
/// engine.
namespace poolwright::lower {

/// ARITH with a scalar factor and a 32-bit constant: ((a * x) >> axShift) + offset >>r shift, saturated to a signed
/// byte.
program::ArithConfig scalarAffine(std::int32_t factor, std::int64_t offset, int shift);

/// ARITH of two streams with scalar constants, saturated to a signed byte; callers widen what they read or write.
program::ArithConfig dualAffine(const DualRequant& constants);

/// Appends what must follow `last` (an ARITH that writes signed bytes) and returns the unit whose stream goes to
/// memory.
int appendTail(EpochBuilder& builder, int last, const Ending& ending, bool storeUnsigned, const std::string& node);

/// What the anchor of a chain aims at: its own output's signed bytes when a function or a stage follows, else those of
/// the view that the chain writes.
ScaleZero anchorScaleZero(const Context& context, NodeId anchor, const program::TensorView& output);

/// Reads a byte tensor for ARITH: signed bytes as they are, unsigned ones as 16-bit words. Sets `wordBytes` of the
/// stream.
void readAsArith(program::StreamEngineConfig& engine, const program::TensorView& view, int& wordBytes);

} // namespace poolwright::lower
