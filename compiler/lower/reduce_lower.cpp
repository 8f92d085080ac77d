// SPDX-License-Identifier: Apache-2.0
#include "lower/reduce_lower.h"

#include "lower/streams.h"
#include "lower/tail.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

using ir::OpKind;
using program::TensorView;

constexpr std::int64_t tallest = 4095; // POOL extents have 12 bits (facts/neural-art-target.md section 2.4)
constexpr std::int64_t mostChains = 40;

Refusal refuse(const ir::Graph& graph, const ir::Node& node) {
    const ir::Tensor& x = graph[node.inputs[0]];
    const ir::Tensor& y = graph[node.outputs[0]];
    if (x.type != ir::ElementType::Int8 || !isByteTensor(x) || !isByteTensor(y))
        return "units reduce int8 tensors with one scale; quantise input and output to int8";
    const bool picks = node.kind == OpKind::ReduceMax || node.kind == OpKind::ReduceMin;
    if (picks && (x.type != y.type || x.quantisation != y.quantisation))
        return "a maximum keeps scale and zero point; give input and output the same parameters";
    return {};
}

std::vector<bool> reducedDimensions(const ir::Node& node, std::size_t rank) {
    const auto axes = node.integers("axes");
    std::vector<bool> reduced(rank, axes.empty());
    for (std::int64_t axis : axes)
        reduced[std::size_t(axis < 0 ? axis + std::int64_t(rank) : axis)] = true;
    return reduced;
}

/// The loops of a reduction: over what is reduced (steps in the input), and over what stays (steps in both).
struct Loops {
    std::vector<Loop> reduced, kept;
    std::int64_t elements = 1; ///< that make one result
};

Loops loopsOf(const TensorView& x, const TensorView& y, const std::vector<bool>& reduced) {
    ir::Shape inside, outside;
    Strides insideX, outsideX, outsideY;
    const bool keepsRank = y.shape.size() == x.shape.size();
    for (std::size_t i = 0, next = 0; i < x.shape.size(); ++i) {
        (reduced[i] ? inside : outside).push_back(x.shape[i]);
        (reduced[i] ? insideX : outsideX).push_back(x.strides[i]);
        if (!reduced[i])
            outsideY.push_back(y.strides[keepsRank ? i : next]);
        next += reduced[i] ? 0 : 1;
    }
    return {nestOf(inside, {insideX}, 0, 1).loops, nestOf(outside, {outsideX, outsideY}, 1, 1).loops,
            ir::elementCount(inside)};
}

/// At most two loops, each within the unit's extents at `batch` channels; false when that cannot be.
bool fitSides(std::vector<Loop>& reduced, std::int64_t batch, std::int64_t line) {
    if (reduced.size() == 1 && reduced[0].count * batch > line) {
        std::int64_t inner = line / batch;
        while (reduced[0].count % inner != 0)
            --inner;
        Loop outer{reduced[0].count / inner, {reduced[0].steps[0] * inner}};
        reduced[0].count = inner;
        reduced.insert(reduced.begin(), outer);
    }
    while (reduced.size() < 2)
        reduced.insert(reduced.begin(), Loop{1, {0}});
    return reduced.size() == 2 && reduced[0].count <= tallest && reduced[1].count * batch <= line;
}

class Reduction {
public:
    Reduction(Context& context, NodeId id, const TensorView& x, const TensorView& y)
        : m_context(context)
        , m_id(id)
        , m_node(context.graph[id])
        , m_x(x)
        , m_y(y)
        , m_loops(loopsOf(x, y, reducedDimensions(context.graph[id], x.shape.size()))) {}

    Refusal plan();
    Result<void> lower();

private:
    /// Where one chain begins in both tensors.
    struct Start {
        std::int64_t x = 0, y = 0;
    };

    void takeBatch();
    std::vector<Start> starts() const;
    program::StreamEngineConfig engine(const TensorView& view, std::size_t operand, std::int64_t start) const;
    program::PoolConfig poolConfig() const;
    void addChain(EpochBuilder& builder, const Start& start, const std::string& name) const;
    bool isMean() const { return m_node.kind == OpKind::ReduceMean || m_node.kind == OpKind::ReduceSum; }
    /// A sum is a mean of that many times the scale.
    double times() const { return m_node.kind == OpKind::ReduceSum ? double(m_loops.elements) : 1; }

    Context& m_context;
    NodeId m_id;
    const ir::Node& m_node;
    TensorView m_x, m_y;
    Loops m_loops;
    std::int64_t m_batch = 1;
    std::vector<Loop> m_outer; ///< loops that frames cannot walk: a chain for each step
};

/// Neighbours in both tensors go side by side through the unit.
void Reduction::takeBatch() {
    if (m_loops.kept.empty() || m_loops.kept.back().steps[0] != 1 || m_loops.kept.back().steps[1] != 1)
        return;
    Loop& last = m_loops.kept.back();
    m_batch = std::min<std::int64_t>(m_context.limits().poolMaxBatch, last.count);
    while (last.count % m_batch != 0)
        --m_batch;
    last.count /= m_batch;
    last.steps = {m_batch, m_batch};
    if (last.count == 1)
        m_loops.kept.pop_back();
}

Refusal Reduction::plan() {
    takeBatch();
    const target::Limits& limits = m_context.limits();
    if (!fitSides(m_loops.reduced, m_batch, std::min(limits.poolLineElements, limits.poolFrameElements)))
        return "the reduced dimensions lie in more loops, or longer ones, than the pooling unit has; reduce neighbours";
    // The mean has 8 fractional bits and a factor of 15: a sum of much finer steps would lose them.
    const double gain = inputScaleZero(m_x).scale * times() / outputScaleZero(m_y).scale;
    if (isMean() && gain > 64)
        return "the result's scale is finer than the pooling unit's mean; widen it";
    std::int64_t chains = 1;
    while (m_loops.kept.size() > 2) {
        chains *= m_loops.kept.front().count;
        m_outer.push_back(m_loops.kept.front());
        m_loops.kept.erase(m_loops.kept.begin());
    }
    if (chains > mostChains)
        return "the dimensions that stay lie in more loops than a stream engine has; keep the tensor in one layout";
    while (m_loops.kept.size() < 2)
        m_loops.kept.insert(m_loops.kept.begin(), Loop{1, {0, 0}});
    return {};
}

std::vector<Reduction::Start> Reduction::starts() const {
    std::vector<Start> all{{m_x.offset, m_y.offset}};
    for (const Loop& loop : m_outer) {
        std::vector<Start> next;
        for (const Start& start : all)
            for (std::int64_t i = 0; i < loop.count; ++i)
                next.push_back({start.x + i * loop.steps[0], start.y + i * loop.steps[1]});
        all = std::move(next);
    }
    return all;
}

program::StreamEngineConfig Reduction::engine(const TensorView& view, std::size_t operand, std::int64_t start) const {
    const bool reads = operand == 0;
    program::StreamEngineConfig config;
    config.direction = reads ? program::Direction::FromMemory : program::Direction::ToMemory;
    config.buffer = view.buffer;
    config.tensor = view.name;
    config.offsetStart = config.offsetEnd = start;
    config.batchDepth = m_batch;
    config.fheight = reads ? m_loops.reduced[0].count : 1;
    config.fwidth = reads ? m_loops.reduced[1].count : 1;
    config.lineOffset = reads ? m_loops.reduced[0].steps[0] : m_batch;
    config.batchOffset = reads ? m_loops.reduced[1].steps[0] : m_batch;
    const Loop &outer = m_loops.kept[0], &inner = m_loops.kept[1];
    config.frameOffset = inner.steps[operand];
    config.frameTotal = outer.count * inner.count;
    if (outer.count > 1) {
        config.frameLoopCount = inner.count;
        config.loopOffset = outer.steps[operand];
    }
    return config;
}

program::PoolConfig Reduction::poolConfig() const {
    program::PoolConfig pool;
    pool.operation = isMean()                           ? program::PoolOperation::GlobalAvg
                     : m_node.kind == OpKind::ReduceMax ? program::PoolOperation::GlobalMax
                                                        : program::PoolOperation::GlobalMin;
    pool.inputY = int(m_loops.reduced[0].count);
    pool.inputX = int(m_loops.reduced[1].count);
    pool.outputX = pool.inputX + 1;
    pool.outputY = pool.inputY + 1;
    pool.rightCrop = pool.inputX - 1;
    pool.bottomCrop = pool.inputY - 1;
    pool.batchSize = int(m_batch);
    pool.dualLine = true;
    if (!isMean())
        return pool;
    const AverageConstants average = averageConstants(m_loops.elements);
    pool.mulval = average.mulval;
    pool.shiftO = average.shift;
    pool.roundingO = pool.saturationO = true;
    pool.outbytesF = pool.outbytesO = 2;
    return pool;
}

void Reduction::addChain(EpochBuilder& builder, const Start& start, const std::string& name) const {
    const int in = builder.addStream(engine(m_x, 0, start.x), name + "_in");
    int last = builder.addPool(poolConfig(), name, ir::opKindName(m_node.kind));
    builder.link(in, last);
    if (isMean()) {
        ScaleZero from = inputScaleZero(m_x);
        from.scale *= times();
        const ScalarRequant constants = requantise(from, outputScaleZero(m_y));
        program::ArithConfig arith = scalarAffine(constants.factor, constants.offset, constants.shift);
        arith.inbytesX = 2;
        arith.axShift = 8;
        const int scale = builder.addArith(arith, name + "_requantize", "Requantize");
        builder.link(last, scale);
        last = scale;
    }
    last = appendTail(builder, last, {}, m_y.type == ir::ElementType::UInt8, name);
    builder.link(last, builder.addStream(engine(m_y, 1, start.y), name + "_out"));
}

Result<void> Reduction::lower() {
    const std::vector<Start> all = starts();
    const std::size_t side = std::size_t(std::max(m_context.machine.count(target::UnitKind::Pool), 1));
    std::vector<program::Epoch> epochs;
    for (std::size_t first = 0; first < all.size(); first += side) {
        EpochBuilder builder(m_context.machine);
        for (std::size_t i = first; i < std::min(first + side, all.size()); ++i)
            addChain(builder, all[i], i == first ? m_node.name : m_node.name + "_side_" + std::to_string(i - first));
        auto work = builder.finish();
        if (!work)
            return tl::unexpected(work.error());
        epochs.push_back(m_context.hardwareEpoch(m_id, std::move(*work)));
    }
    m_context.addStep(m_id, std::move(epochs));
    return {};
}

} // namespace

Result<Refusal> lowerReduce(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    if (const Refusal refusal = refuse(context.graph, node); !refusal.empty())
        return refusal;
    Reduction reduction(context, id, context.view(node.inputs[0]), context.outputView(node.outputs[0]));
    if (const Refusal refusal = reduction.plan(); !refusal.empty())
        return refusal;
    if (auto done = reduction.lower(); !done)
        return tl::unexpected(done.error());
    return Refusal();
}

} // namespace poolwright::lower
