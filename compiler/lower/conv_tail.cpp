// SPDX-License-Identifier: Apache-2.0
#include "lower/conv_tail.h"

#include "lower/pool_units.h"
#include "lower/tail.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

bool isUnsigned(const program::TensorView& view) {
    return view.type == ir::ElementType::UInt8;
}

bool allEqual(const std::vector<std::int32_t>& values) {
    return std::all_of(values.begin(), values.end(), [&](std::int32_t v) { return v == values.front(); });
}

/// Outputs of the part in the order of frames are simply outputs [firstOutput, ...).
bool isInOrder(const ConvPlan& plan, const ConvPart& part) {
    const std::int64_t bundle = part.bundleStep * plan.geometry.groupOutputs();
    return (part.kernelGroups == 1 || part.kernelStep == part.nKernels) &&
           (part.bundles == 1 || bundle == part.kernelGroups * part.nKernels);
}

int activsOf(const Ending& ending) {
    return ending.function || (ending.clamp.high >= 127 && ending.clamp.low > -128) ? 1 : 0;
}

} // namespace

TailNeed tailNeed(const ir::Graph& graph, const Chain& chain, bool storesUnsigned) {
    TailNeed need;
    need.ariths += storesUnsigned ? 1 : 0;
    need.activs = activsOf(chain.ending);
    for (const Stage& stage : chain.stages) {
        const bool isMax = graph[stage.node].kind == ir::OpKind::MaxPool;
        need.ariths += isMax ? 0 : 1;
        need.activs += activsOf(stage.ending);
        need.pools += stage.isSum() ? 0 : 1;
        need.engines += stage.isSum() ? 1 : 0;
    }
    return need;
}

ConvTail::ConvTail(Context& context, NodeId node, const ConvPlans& plans, ConvRequant requant,
                   SharedConstants& constants)
    : m_context(context)
    , m_node(node)
    , m_plans(plans)
    , m_requant(std::move(requant))
    , m_constants(constants)
    , m_chain(context.fusion.chainOf(node))
    , m_need(tailNeed(context.graph, m_chain, false))
    , m_needUnsigned(tailNeed(context.graph, m_chain, true)) {}

std::string ConvTail::name(NodeId node, const ConvJob& job, const std::string& suffix) const {
    return m_context.graph[node].name + suffix + job.side;
}

/// Coefficients in the order in which frames need them.
std::vector<std::int32_t> ConvTail::ofPart(const std::vector<std::int32_t>& values, const ConvPart& part) const {
    std::vector<std::int32_t> result;
    for (std::int64_t bundle = 0; bundle < part.bundles; ++bundle)
        for (std::int64_t group = 0; group < part.kernelGroups; ++group)
            for (std::int64_t k = 0; k < part.nKernels; ++k)
                result.push_back(
                    values[std::size_t(part.firstOutput + bundle * part.bundleStep * m_plans.geometry.groupOutputs() +
                                       group * part.kernelStep + k)]);
    return result;
}

/// Parts that take the channels in order share one table; the others get their own.
ConvTail::Coefficients ConvTail::followChannels(program::ArithConfig& arith, const ConvPart& part,
                                                const std::string& suffix, const std::vector<std::int32_t>& values,
                                                int bits) {
    arith.scalar = false;
    arith.vecCount = int(part.coefficients());
    arith.broadcast = program::ArithBroadcast::Channel;
    if (isInOrder(m_plans.rasters.front(), part))
        return {m_constants.addWords(suffix, values, bits), bits / 8 * part.firstOutput};
    return {m_constants.addWords(suffix, ofPart(values, part), bits), 0};
}

program::ArithConfig ConvTail::mulScale(const ConvPart& part) {
    program::ArithConfig arith;
    arith.shiftO = m_requant.s1;
    arith.roundingO = arith.saturationO = true;
    arith.aScalar = m_requant.factors.front();
    if (allEqual(m_requant.factors))
        return arith;
    const Coefficients factors = followChannels(arith, part, "_mul_scale", m_requant.factors, 16);
    arith.aScalar = 1;
    arith.aVector = factors.words;
    arith.aOffset = factors.offset;
    return arith;
}

program::ArithConfig ConvTail::offBias(const ConvPart& part) {
    program::ArithConfig arith = scalarAffine(m_requant.scale, m_requant.offsets.front(), m_requant.s2);
    arith.inbytesX = 2;
    if (allEqual(m_requant.offsets))
        return arith;
    const Coefficients offsets = followChannels(arith, part, "_off_bias", m_requant.offsets, 32);
    arith.cScalar = 0;
    arith.cVector = offsets.words;
    arith.cOffset = offsets.offset;
    return arith;
}

int ConvTail::addRequant(EpochBuilder& builder, const ConvJob& job, int last) {
    const ConvPart& part = job.part;
    const auto append = [&](program::ArithConfig arith, const std::string& suffix, const std::string& kind) {
        arith.fWidth = int(job.plan.outWidth);
        arith.fHeight = int(job.plan.outHeight);
        arith.fChannels = int(part.coefficients());
        arith.batchDepth = int(part.nKernels);
        return builder.addArith(arith, name(m_node, job, suffix), kind);
    };
    if (job.loopsSums()) {
        // Sums left the pipe unshifted: the shift by sa to 16 bits is a step of its own, on the last frame of every
        // round.
        program::ArithConfig shift = scalarAffine(1, 0, m_requant.sa);
        if (job.addsSumsBehind())
            shift = dualAffine({.a = 1, .b = 1, .shiftO = m_requant.sa});
        shift.inbytesX = shift.inbytesY = sumBytes;
        shift.outbytesX = shift.outbytesY = shift.outbytesO = 2;
        const int unit = append(shift, "_shift", "Shift");
        builder.link(last, unit, 0, int(job.iterations) - 1, 1);
        if (job.addsSumsBehind())
            builder.link(builder.addStream(sumsEngine(job.sumsIn, job.frameElements() * sumBytes, job.results(), true,
                                                      program::Direction::FromMemory),
                                           name(m_node, job, "_results_in")),
                         unit, 1);
        last = unit;
    }
    const int scale = append(mulScale(part), "_mul_scale", "Mul");
    builder.link(last, scale);
    const int bias = append(offBias(part), "_off_bias", "Add");
    builder.link(scale, bias);
    const bool isEnd = m_chain.stages.empty();
    return appendTail(builder, bias, m_chain.ending, isEnd && isUnsigned(job.output), name(m_node, job, ""));
}

ScaleZero ConvTail::aim(const ConvJob& job, std::size_t stage) const {
    const Stage& s = m_chain.stages[stage];
    if (!s.ending.function && stage + 1 == m_chain.stages.size())
        return outputScaleZero(job.output);
    const ir::Quantisation& own = *m_context.graph[m_context.graph[s.node].outputs[0]].quantisation;
    return {own.scales.front(), own.zeroPoints.front()};
}

namespace {

/// Parameters of what a stage takes in.
ScaleZero scaleZeroOf(const ir::Tensor& tensor) {
    return {tensor.quantisation->scales.front(), tensor.quantisation->zeroPoints.front()};
}

} // namespace

/// The other operand comes in the very order in which results leave.
int ConvTail::addSum(EpochBuilder& builder, const ConvJob& job, std::size_t index, int last) {
    const Stage& stage = m_chain.stages[index];
    const ir::Node& sum = m_context.graph[stage.node];
    const program::TensorView whole = m_context.view(sum.inputs[std::size_t(stage.operand)]);
    const program::TensorView other = slice(*broadcast(whole, m_context.graph[sum.outputs[0]].shape), 0, job.image, 1);
    program::StreamEngineConfig reader = engine(job, other, program::Direction::FromMemory);
    const ScaleZero own = scaleZeroOf(m_context.graph[sum.inputs[std::size_t(1 - stage.operand)]]);
    const bool isFirst = stage.operand == 1; // the convolution's result is the first operand
    program::ArithConfig arith =
        dualAffine(lower::addRequant(isFirst ? own : inputScaleZero(other), isFirst ? inputScaleZero(other) : own,
                                     aim(job, index), sum.kind == ir::OpKind::Sub));
    arith.inbytesX = arith.inbytesY = 1;
    readAsArith(reader, other, isFirst ? arith.inbytesY : arith.inbytesX);
    const int in = builder.addStream(reader, name(stage.node, job, "_in"));
    const int unit = builder.addArith(arith, name(stage.node, job, ""), ir::opKindName(sum.kind));
    builder.link(last, unit, 1 - stage.operand);
    builder.link(in, unit, stage.operand);
    return unit;
}

int ConvTail::addPool(EpochBuilder& builder, const ConvJob& job, std::size_t index, int last) {
    const Stage& stage = m_chain.stages[index];
    const ir::Node& node = m_context.graph[stage.node];
    const PoolShape shape = poolShapeOf(m_context.graph, node);
    const PoolPass pass = passesOf(shape, m_context.limits()).front();
    const int pool = builder.addPool(poolConfig(shape, pass, job.part.nKernels), name(stage.node, job, ""),
                                     shape.isMax ? "MaxPool" : "AveragePool");
    builder.link(last, pool);
    if (shape.isMax)
        return pool;
    const ScaleZero own = scaleZeroOf(m_context.graph[node.inputs[0]]);
    const int scale =
        builder.addArith(meanRequant(own, aim(job, index)), name(stage.node, job, "_requantize"), "Requantize");
    builder.link(pool, scale);
    return scale;
}

program::StreamEngineConfig ConvTail::engine(const ConvJob& job, const program::TensorView& view,
                                             program::Direction direction) const {
    const ConvPlan& plan = job.plan;
    const ConvPart& part = job.part;
    const auto bytes = [&](std::int64_t rows, std::int64_t columns) {
        return rows * view.strides[2] + columns * view.strides[3];
    };
    program::StreamEngineConfig engine;
    engine.direction = direction;
    engine.buffer = view.buffer;
    engine.tensor = view.name;
    engine.offsetStart = view.offset + part.firstOutput + bytes(plan.firstY, plan.firstX);
    engine.offsetEnd = engine.offsetStart;
    // A pool makes the frames smaller; it has whole images only.
    const bool isPooled = view.shape[2] != m_plans.geometry.outHeight || view.shape[3] != m_plans.geometry.outWidth;
    engine.fwidth = isPooled ? view.shape[3] : plan.outWidth;
    engine.fheight = isPooled ? view.shape[2] : plan.outHeight;
    engine.batchDepth = part.nKernels;
    engine.batchOffset = bytes(0, plan.stepX);
    engine.lineOffset = bytes(plan.stepY, 0);
    setLoops(engine, {{plan.repeats.count, bytes(plan.repeats.outputY, plan.repeats.outputX)},
                      {part.bundles, part.bundleStep * m_plans.geometry.groupOutputs()},
                      {part.kernelGroups, part.kernelStep}});
    return engine;
}

void ConvTail::append(EpochBuilder& builder, const ConvJob& job, int last) {
    last = addRequant(builder, job, last);
    for (std::size_t i = 0; i < m_chain.stages.size(); ++i) {
        const Stage& stage = m_chain.stages[i];
        last = stage.isSum() ? addSum(builder, job, i, last) : addPool(builder, job, i, last);
        const bool isEnd = i + 1 == m_chain.stages.size();
        last = appendTail(builder, last, stage.ending, isEnd && isUnsigned(job.output), name(stage.node, job, ""));
    }
    const int out = builder.addStream(engine(job, job.output, program::Direction::ToMemory), name(m_node, job, "_out"));
    builder.link(last, out);
}

void setLoops(program::StreamEngineConfig& engine, const std::vector<FrameLoop>& loops) {
    const std::vector<FrameLoop> joined = joinLoops(loops).value_or(loops);
    engine.frameTotal = 1;
    for (const FrameLoop& loop : joined)
        engine.frameTotal *= loop.count;
    engine.frameOffset = joined.empty() ? 0 : joined.back().step;
    if (joined.size() < 2)
        return;
    engine.frameLoopCount = joined.back().count;
    engine.loopOffset = joined.front().step;
}

} // namespace poolwright::lower
