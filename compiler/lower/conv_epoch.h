// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/conv_tail.h"

/// The epochs of one planned convolution: features and kernels -> CONV_ACC pipe -> tail (conv_tail.h). Rasters and
/// parts that leave enough units run side by side in one epoch.
namespace poolwright::lower {

class ConvEpochs {
public:
    ConvEpochs(Context& context, NodeId node, const ConvPlans& plans, const Weights& weights, ConvRequant requant);

    using Views = std::vector<program::TensorView>;
    /// `inputs`: the tensors that hold the channels of the input in turn (ConvGeometry::sources), mostly one; all of
    /// one type and quantisation.
    Result<std::vector<program::Epoch>> make(const Views& inputs, const program::TensorView& output);

private:
    std::vector<ConvJob> jobsOf(const ConvPlan& plan, const ConvPart& part, const Views& inputs,
                                const program::TensorView& output);
    std::vector<std::vector<Contribution>> pipesOf(const ConvPlan& plan, const ConvPart& part) const;
    BufferId kernelsOf(const ConvJob& job);
    bool fitBeside(const std::vector<ConvJob>& jobs, const ConvJob& next) const;
    Result<void> runJobs(std::vector<ConvJob>& jobs);
    Result<void> addJob(EpochBuilder& builder, const ConvJob& job);

    int addPipe(EpochBuilder& builder, const ConvJob& job);
    int addFeatures(EpochBuilder& builder, const ConvJob& job, std::size_t position);
    program::StreamEngineConfig loopEngine(const ConvJob& job, std::int64_t frames, program::Direction direction);
    void addSums(EpochBuilder& builder, const ConvJob& job, int first, int last);
    program::ConvConfig convConfig(const ConvJob& job, std::size_t position) const;
    std::string unitName(const std::string& suffix) const;

    Context& m_context;
    NodeId m_node;
    const ConvPlans& m_plans;
    const Weights& m_weights;
    int m_shift; ///< of the last CONV_ACC's output
    SharedConstants m_constants;
    ConvTail m_tail;
    BufferId m_scratch; ///< of the loop that is being made
    std::vector<program::Epoch> m_epochs;
};

} // namespace poolwright::lower
