// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "emulate/memory.h"

/// Execution of one hardware epoch. The rules below are the contract with `lower`; section numbers are those of
/// facts/neural-art-target.md, "own" marks what the facts leave open and this project defines.
///
/// **Ports hold words, producers make frames.** A unit pushes whole frames into its links. An input port is a queue of
/// words; a unit works as soon as each port in use holds the words of *its own* next frame, however the producer framed
/// them (2.5.4):
///   * CONV port 0: fHeight * fWidth * batchDepth words; in deep mode packed 24-bit words, ceil(fHeight * fWidth *
///   batchDepth / 3) with
///     inbytesF 3 (the whole frame packed) or fHeight * fWidth * ceil(batchDepth / 3) with inbytesF 1 (each pixel
///     padded to 3 bytes).
///   * CONV port 1, for each feature frame: K * kernelHeight * kernelWidth * batchDepth words, K = kfiltTotal or else
///   nKernels. In deep mode
///     K / nKernels blocks of ceil(nKernels * batchDepth / 3) packed words.
///   * CONV port 2: oh * ow * nKernels words, the size of an output frame.
///   * POOL: inputY * inputX * batchSize words. Output engine: wordsPerFrame. ARITH and ACTIV: any number of words;
///   with dualinput x and y
///     are matched word by word.
/// At the end every output engine must have written frameTotal frames, every input engine must have delivered
/// frameTotal frames and no word may be left in a port (the loop of a CONV into its own port 2 excepted). Anything else
/// is an error that names the units.
///
/// **Links.** Counted in frames of the producer: of every dropFrames + passFrames frames the first dropFrames are
/// dropped; passFrames 0 passes all.
///
/// **Synchronised input engines.** With syncEngine = e an engine delivers its frame k (from 0) only after output engine
/// e has written k + 1 frames; output engine e's next frame is never written before, as long as the CONV that makes it
/// needs frame k.
///
/// **Accumulation** (2.3; own where the facts are silent). With accumulate, frame n of the CONV (from 0) takes one
/// frame from port 2 and adds it, shifted left by shiftA, except:
///   * n = 0 with accumulateFirst = false or accumulateGenFirst = true: nothing is taken, the sum starts from zero.
///   * afiltTotal = T > 0 and n mod T outside [afiltFirst, afiltLast]: the frame *is taken* from port 2 and ignored;
///   the sum starts from
///     zero (FRAMEZERO).
/// So partial sums of G kernel groups over T channel groups: the output engine writes all G*T frames, the synchronised
/// input engine has frameTotal G*T - 1, accumulateFirst = false, afiltTotal = T, afiltFirst = 1, afiltLast = T - 1, and
/// the link to the next unit drops T - 1 frames and passes 1. Words of 24 bits are sign-extended on port 2.
///
/// **Kernel filter** (2.3). With kfiltTotal > 0 the unit uses kernels [kfiltFirst, kfiltLast] of the kfiltTotal that
/// belong to each of its frames. Kernels are counted in this unit's own kernel size, so all units on one kernel stream
/// have the same kernel size.
///
/// **Convolution** (2.3.1). The kept rows and columns (leftCrop..rightCrop, topCrop..botCrop, counted from 0; right or
/// bottom 0 keeps all) are padded with zfbias after fsub was subtracted; acc = sum of (f - fsub) * k, then port 2, then
/// the output stage. With rawO the output has 24 bits and saturates (2.8). oh = (rows + pads - kernelHeight) / vstride
/// + 1. Kernel order 2.3.4.
///
/// **ARITH** (2.5). A word is taken as a signed number of inbytes bytes. AFFINE as in program.h, sums in 64 bits. MUL:
/// x * y, or x * A without a second input. MIN, MAX: of x and y, or x and C << cShift. CLIP: x into [clipmin, clipmax].
/// Comparisons give 1 or 0, logic takes any number but 0 as true (own). Coefficient index 2.5.2, e counted over the
/// whole epoch. C_scalar -1 beside a C vector negates it.
///
/// **POOL** (2.4). Windows are cut at the frame's edge: padding never wins a maximum and adds nothing to a sum. Global
/// operations see the whole kept frame and give one word for each channel of the batch.
///
/// **Output stage** (2.0): `(acc + half) >> shift` with rounding, then saturation to signed outbytes, or else the low
/// bytes. Words are kept sign-extended; units that take unsigned features mask them.
namespace poolwright::emulate {

/// Runs the epoch `ordinal`, which must be a hardware epoch that program::verify() accepts.
Result<void> runHardwareEpoch(const program::Program& program, int ordinal, Memory& memory, const CancelFlag& cancel);

} // namespace poolwright::emulate
