// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/context.h"
#include "lower/conv_plan.h"
#include "lower/conv_tile.h"
#include "lower/conv_weights.h"

/// The epochs of one planned convolution: features and kernels -> CONV_ACC pipe -> ARITH mul_scale -> ARITH off_bias ->
/// tail. Rasters and parts that leave enough units run side by side in one epoch.
namespace poolwright::lower {

class ConvEpochs {
public:
    ConvEpochs(Context& context, NodeId node, const ConvPlans& plans, const Weights& weights, ConvRequant requant);

    Result<std::vector<program::Epoch>> make(const program::TensorView& input, const program::TensorView& output);

private:
    /// One epoch's share of a part.
    struct Job {
        const ConvPlan& plan;
        const ConvPart& part;
        std::vector<Contribution> pipe;
        IterationStep step;
        BufferId kernels;
        BufferId sumsIn, sumsOut;          ///< full-size partial sums from the epoch before and for the one behind
        program::TensorView input, output; ///< of one image of the batch
        std::string side;                  ///< tells the names of jobs in one epoch apart

        std::int64_t frames() const { return plan.repeats.count * part.frames() * part.iterations; }
        bool loopsSums() const { return part.iterations > 1; }
        std::int64_t frameElements() const { return plan.outHeight * plan.outWidth * part.nKernels; }
        std::int64_t macs() const { return sumsOut.isValid() ? 0 : plan.macs(part); }
    };

    std::vector<Job> jobsOf(const ConvPlan& plan, const ConvPart& part, const program::TensorView& input,
                            const program::TensorView& output);
    std::vector<std::vector<Contribution>> pipesOf(const ConvPlan& plan, const ConvPart& part) const;
    BufferId kernelsOf(const Job& job);
    bool fitBeside(const std::vector<Job>& jobs, const Job& next) const;
    Result<void> runJobs(std::vector<Job>& jobs);
    Result<void> addJob(EpochBuilder& builder, const Job& job);

    int addPipe(EpochBuilder& builder, const Job& job);
    int addFeatures(EpochBuilder& builder, const Job& job, std::size_t position);
    void addSums(EpochBuilder& builder, const Job& job, int first, int last);
    int addRequant(EpochBuilder& builder, const Job& job, int last);
    void addOutput(EpochBuilder& builder, const Job& job, int last);
    program::ConvConfig convConfig(const Job& job, std::size_t position) const;
    program::ArithConfig mulScale(const ConvPart& part);
    program::ArithConfig offBias(const ConvPart& part);
    /// Where ARITH finds a part's share of the constants of all channels.
    struct Coefficients {
        BufferId words;
        std::int64_t offset = 0; ///< bytes
    };
    Coefficients followChannels(program::ArithConfig& arith, const ConvPart& part, const std::string& suffix,
                                const std::vector<std::int32_t>& values, int bits);
    std::vector<std::int32_t> ofPart(const std::vector<std::int32_t>& values, const ConvPart& part) const;
    BufferId sharedConstant(const std::string& suffix, std::vector<std::uint8_t> bytes);
    BufferId sharedWords(const std::string& suffix, const std::vector<std::int32_t>& words, int bits);
    std::string unitName(const std::string& suffix) const;

    Context& m_context;
    NodeId m_node;
    const ConvPlans& m_plans;
    const Weights& m_weights;
    ConvRequant m_requant;
    Ending m_ending;
    std::map<std::pair<std::string, std::vector<std::uint8_t>>, BufferId> m_constants;
    ///< by suffix and contents: rasters and images of a batch share them
    std::map<std::string, int> m_names;
    std::vector<program::Epoch> m_epochs;
};

} // namespace poolwright::lower
