// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/conv_job.h"
#include "lower/conv_tile.h"
#include "lower/shared_constants.h"

/// What a convolution's sums go through on their way to memory: ARITH mul_scale -> ARITH off_bias -> bounds or table ->
/// the sum and the pools that ride along -> output engine.
namespace poolwright::lower {

/// Units that a chain takes behind the pipe of CONV_ACCs. A pipe that iterates takes one ARITH more.
struct TailNeed {
    int ariths = 2, activs = 0, pools = 0, engines = 1;
};
TailNeed tailNeed(const ir::Graph& graph, const Chain& chain, bool storesUnsigned);

class ConvTail {
public:
    ConvTail(Context& context, NodeId node, const ConvPlans& plans, ConvRequant requant, SharedConstants& constants);

    /// From the last CONV_ACC to memory.
    void append(EpochBuilder& builder, const ConvJob& job, int last);
    const TailNeed& need(bool storesUnsigned) const { return storesUnsigned ? m_needUnsigned : m_need; }

private:
    int addRequant(EpochBuilder& builder, const ConvJob& job, int last);
    int addSum(EpochBuilder& builder, const ConvJob& job, std::size_t stage, int last);
    int addPool(EpochBuilder& builder, const ConvJob& job, std::size_t stage, int last);
    program::StreamEngineConfig engine(const ConvJob& job, const program::TensorView& view,
                                       program::Direction direction) const;
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
    /// Parameters of a stage's result: its own, or those of what the chain writes.
    ScaleZero aim(const ConvJob& job, std::size_t stage) const;
    std::string name(NodeId node, const ConvJob& job, const std::string& suffix) const;

    Context& m_context;
    NodeId m_node;
    const ConvPlans& m_plans;
    ConvRequant m_requant;
    SharedConstants& m_constants;
    Chain m_chain;
    TailNeed m_need, m_needUnsigned;
};

/// The loops (outermost first) as those of the engine; the plan sees to it that they are two at most.
void setLoops(program::StreamEngineConfig& engine, const std::vector<FrameLoop>& loops);

} // namespace poolwright::lower
