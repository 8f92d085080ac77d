// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/conv_plan.h"
#include "lower/conv_weights.h"
#include "program/program.h"

/// Inside the room: one epoch's share of a part of a convolution.
namespace poolwright::lower {

/// Partial sums in memory, all frames in turn or one again and again.
program::StreamEngineConfig sumsEngine(BufferId buffer, std::int64_t bytes, std::int64_t frames, bool advances,
                                       program::Direction direction);

struct ConvJob {
    const ConvPlan& plan;
    const ConvPart& part;
    std::vector<Contribution> pipe;
    std::int64_t sliceStep = 0; ///< from iteration to iteration
    BufferId kernels;
    BufferId sumsIn, sumsOut;                ///< full-size partial sums from the epoch before and for the one behind
    std::vector<program::TensorView> inputs; ///< of one image of the batch; one for each of ConvGeometry::sources
    program::TensorView output;              ///< what the chain writes
    std::int64_t iterations = 1;             ///< frames that are summed through partial sums
    std::int64_t image = 0;
    std::string side; ///< tells the names of jobs in one epoch apart

    const program::TensorView& inputOf(std::size_t position) const { return inputs[pipe[position].lane.source]; }
    std::int64_t results() const { return plan.repeats.count * part.frames(); } ///< frames when all is summed
    std::int64_t frames() const { return results() * iterations; }
    bool loopsSums() const { return iterations > 1; }
    /// The sums of the epoch before wait for the last iteration.
    bool addsSumsBehind() const { return sumsIn.isValid() && loopsSums(); }
    std::int64_t frameElements() const { return plan.outHeight * plan.outWidth * part.nKernels; }
    std::int64_t macs() const { return sumsOut.isValid() ? 0 : plan.macs(part); }
};

} // namespace poolwright::lower
