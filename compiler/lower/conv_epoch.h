// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"
#include "lower/conv_plan.h"
#include "lower/conv_weights.h"

/// The epochs of one planned convolution: features and kernels -> CONV_ACC pipe -> ARITH mul_scale -> ARITH off_bias ->
/// tail.
namespace poolwright::lower {

class ConvEpochs {
public:
    ConvEpochs(Context& context, NodeId node, const ConvPlan& plan, const Weights& weights, ConvRequant requant);

    Result<std::vector<program::Epoch>> make(const program::TensorView& input, const program::TensorView& output);

private:
    /// One epoch's share of a part.
    struct Job {
        const ConvPart& part;
        std::vector<Contribution> pipe;
        std::int64_t iterations = 1;
        BufferId kernels;
        BufferId sumsIn, sumsOut;          ///< full-size partial sums from the epoch before and for the one behind
        program::TensorView input, output; ///< of one image of the batch

        std::int64_t frames() const { return part.bundles * part.kernelGroups() * iterations; }
        bool loopsSums() const { return iterations > 1; }
    };

    Result<void> makePart(const ConvPart& part, const program::TensorView& input, const program::TensorView& output);
    std::vector<std::vector<Contribution>> pipesOf(const ConvPart& part) const;
    BufferId kernelsOf(const ConvPart& part, std::size_t epoch, const std::vector<Contribution>& pipe);
    Result<program::HardwareWork> epochOf(const Job& job);

    int addPipe(EpochBuilder& builder, const Job& job);
    int addFeatures(EpochBuilder& builder, const Job& job, std::size_t position);
    void addSums(EpochBuilder& builder, const Job& job, int first, int last);
    int addRequant(EpochBuilder& builder, const Job& job, int last);
    void addOutput(EpochBuilder& builder, const Job& job, int last);
    program::ConvConfig convConfig(const Job& job, std::size_t position) const;
    program::ArithConfig mulScale(const ConvPart& part);
    program::ArithConfig offBias(const ConvPart& part);
    std::string unitName(const std::string& suffix) const;
    std::int64_t frameElements(const ConvPart& part) const;

    Context& m_context;
    NodeId m_node;
    const ConvPlan& m_plan;
    const Weights& m_weights;
    ConvRequant m_requant;
    Clamp m_clamp;
    BufferId m_factors, m_offsets;
    std::map<std::vector<std::int64_t>, BufferId> m_kernels; ///< by part and epoch: images of a batch share them
    std::vector<program::Epoch> m_epochs;
};

} // namespace poolwright::lower
