// SPDX-License-Identifier: Apache-2.0
#include "lower/pool_lower.h"

#include "lower/batch.h"
#include "lower/mean_conv.h"
#include "lower/pool_units.h"
#include "lower/streams.h"
#include "lower/tail.h"

#include <algorithm>
#include <cmath>

namespace poolwright::lower {

namespace {

using program::TensorView;

Refusal refuseShape(const PoolShape& s, const target::Limits& limits) {
    if (s.isGlobal())
        return {};
    if (std::max(s.height.stride, s.width.stride) > limits.poolMaxStride)
        return "strides above " + std::to_string(limits.poolMaxStride) + " have no unit; pool in several steps";
    const std::int64_t pads = std::max({s.height.padBegin, s.height.padEnd, s.width.padBegin, s.width.padEnd});
    if (pads > 255)
        return "padding above 255 has no unit; pad first";
    const std::size_t most = std::size_t(limits.arithCoefficients);
    const bool uneven = s.height.hasFactors() || s.width.hasFactors();
    if (uneven && std::max(s.height.window, s.width.window) > limits.poolWindow)
        return "an average that leaves padding out of a window above " + std::to_string(limits.poolWindow) +
               " has no unit; count the padding or use a smaller window";
    if (uneven && std::max(s.height.factors.size(), s.width.factors.size()) > most)
        return "an average that leaves padding out has more than " + std::to_string(most) +
               " rows or columns; count the padding";
    return {};
}

/// One image on its way through epochs of pooling.
class Pooling {
public:
    Pooling(Context& context, NodeId id, const PoolShape& shape)
        : m_context(context)
        , m_id(id)
        , m_name(context.graph[id].name)
        , m_shape(shape) {}

    /// Refuses when a line does not fit.
    Refusal plan();
    Result<void> lower(const TensorView& x, const TensorView& y);
    std::vector<program::Epoch> takeEpochs() { return std::move(m_epochs); }

private:
    int addReader(EpochBuilder& builder, const TensorView& view);
    void addWriter(EpochBuilder& builder, int last, const TensorView& view);
    /// Brings the border in: a convolution that changes nothing, since POOL has no choice of the padding's value.
    int addPadding(EpochBuilder& builder, int last);
    int addPool(EpochBuilder& builder, int last, const PoolPass& pass, std::size_t number);
    int addMean(EpochBuilder& builder, int last, const TensorView& x, const TensorView& y);
    int addFactors(EpochBuilder& builder, int last, const TensorView& x, const TensorView& y);
    program::StreamEngineConfig engine(const TensorView& view, program::Direction direction) const;
    std::int64_t groups() const { return m_shape.channels / m_batch; }

    Context& m_context;
    NodeId m_id;
    std::string m_name;
    PoolShape m_shape;
    std::vector<PoolPass> m_passes;
    std::int64_t m_batch = 1;
    int m_padding = 0; ///< value of the border, as stored
    std::vector<program::Epoch> m_epochs;
};

Refusal Pooling::plan() {
    m_passes = passesOf(m_shape, m_context.limits());
    m_batch = poolBatch(m_shape.channels, m_shape.width.padded(), m_context.limits());
    if (m_batch == 0)
        return "a line of " + std::to_string(m_shape.width.padded()) +
               " elements exceeds the line memory; split the image";
    return {};
}

/// Frames are groups of channels; reading and writing differ in size only.
program::StreamEngineConfig Pooling::engine(const TensorView& view, program::Direction direction) const {
    program::StreamEngineConfig config;
    config.direction = direction;
    config.buffer = view.buffer;
    config.tensor = view.name;
    config.offsetStart = config.offsetEnd = view.offset;
    config.fheight = view.shape[2];
    config.fwidth = view.shape[3];
    config.batchDepth = m_batch;
    config.batchOffset = view.strides[3];
    config.lineOffset = view.strides[2];
    config.frameOffset = m_batch;
    config.frameTotal = groups();
    return config;
}

int Pooling::addReader(EpochBuilder& builder, const TensorView& view) {
    return builder.addStream(engine(view, program::Direction::FromMemory), m_name + "_in");
}

void Pooling::addWriter(EpochBuilder& builder, int last, const TensorView& view) {
    builder.link(last, builder.addStream(engine(view, program::Direction::ToMemory), m_name + "_out"));
}

int Pooling::addPadding(EpochBuilder& builder, int last) {
    std::vector<std::uint8_t> identity(std::size_t(m_batch * m_batch), 0);
    for (std::int64_t i = 0; i < m_batch; ++i)
        identity[std::size_t(i * m_batch + i)] = 1;
    const BufferId kernel = m_context.addConstant(m_name + "_pad_kernel", std::move(identity));
    program::StreamEngineConfig kernels =
        rawEngine(kernel, 0, m_batch * m_batch, program::Direction::FromMemory, m_name + "_pad_kernel");
    kernels.frameTotal = groups();
    program::ConvConfig conv;
    conv.zfbias = m_padding;
    conv.outbytesO = 1;
    conv.saturationO = true;
    conv.fWidth = int(m_shape.width.in);
    conv.fHeight = int(m_shape.height.in);
    conv.batchDepth = conv.nKernels = int(m_batch);
    conv.leftPadding = int(m_shape.width.padBegin);
    conv.rightPadding = int(m_shape.width.padEnd);
    conv.topPadding = int(m_shape.height.padBegin);
    conv.botPadding = int(m_shape.height.padEnd);
    conv.rightCrop = conv.fWidth - 1;
    conv.botCrop = conv.fHeight - 1;
    const int kernelStream = builder.addStream(kernels, m_name + "_pad_kernels");
    const int unit = builder.addConv(conv, m_name + "_decomposed_pad");
    builder.link(last, unit, 0);
    builder.link(kernelStream, unit, 1);
    return unit;
}

int Pooling::addPool(EpochBuilder& builder, int last, const PoolPass& pass, std::size_t number) {
    const std::string name = m_passes.size() > 1 ? m_name + "_decomposed_" + std::to_string(number) : m_name;
    const int unit =
        builder.addPool(poolConfig(m_shape, pass, m_batch), name, m_shape.isMax ? "MaxPool" : "AveragePool");
    builder.link(last, unit);
    return unit;
}

int Pooling::addMean(EpochBuilder& builder, int last, const TensorView& x, const TensorView& y) {
    const int scale =
        builder.addArith(meanRequant(inputScaleZero(x), outputScaleZero(y)), m_name + "_requantize", "Requantize");
    builder.link(last, scale);
    return scale;
}

/// Where padding does not count, row and column of an output each have a factor: (m - 256 zero) * row / 2 as 16 bits
/// with 7 fractional ones, then column, scale and zero point.
int Pooling::addFactors(EpochBuilder& builder, int last, const TensorView& x, const TensorView& y) {
    const ScaleZero in = inputScaleZero(x), out = outputScaleZero(y);
    std::vector<std::int32_t> rows, rowOffsets;
    for (double factor : m_shape.height.factors) {
        rows.push_back(std::int32_t(std::lround(factor * 8192)));
        rowOffsets.push_back(-256 * in.zero * rows.back());
    }
    std::vector<double> slopes;
    for (double factor : m_shape.width.factors)
        slopes.push_back(factor * in.scale / out.scale);
    const VectorRequant columns = affineRequant(slopes, std::vector<double>(slopes.size(), out.zero));

    program::ArithConfig first = scalarAffine(0, 0, 14);
    first.inbytesX = first.outbytesX = first.outbytesO = 2;
    first.scalar = false;
    first.broadcast = program::ArithBroadcast::Height;
    first.vecCount = int(rows.size());
    first.aVector = m_context.addWords(m_name + "_row_factors", rows, 16);
    first.cVector = m_context.addWords(m_name + "_row_offsets", rowOffsets, 32);
    program::ArithConfig second = scalarAffine(0, columns.offsets.front(), columns.shift);
    second.inbytesX = 2;
    second.axShift = 7;
    second.scalar = false;
    second.broadcast = program::ArithBroadcast::Width;
    second.vecCount = int(columns.factors.size());
    second.aVector = m_context.addWords(m_name + "_column_factors", columns.factors, 16);
    for (program::ArithConfig* arith : {&first, &second}) {
        arith->fWidth = int(m_shape.width.out);
        arith->fHeight = int(m_shape.height.out);
        arith->fChannels = int(m_shape.channels);
        arith->batchDepth = int(m_batch);
    }
    const int rowUnit = builder.addArith(first, m_name + "_row_scale", "Mul");
    const int columnUnit = builder.addArith(second, m_name + "_requantize", "Requantize");
    builder.link(last, rowUnit);
    builder.link(rowUnit, columnUnit);
    return columnUnit;
}

/// As many passes in one epoch as the machine has units for; what lies between epochs is an image of its own.
Result<void> Pooling::lower(const TensorView& x, const TensorView& y) {
    m_padding = m_shape.isMax ? -128 : x.quantisation->zeroPoints.front();
    const std::size_t units = std::size_t(std::max(m_context.machine.count(target::UnitKind::Pool), 1));
    TensorView from = x;
    for (std::size_t first = 0; first < m_passes.size(); first += units) {
        const std::size_t end = std::min(first + units, m_passes.size());
        EpochBuilder builder(m_context.machine);
        int last = addReader(builder, from);
        if (first == 0 && m_shape.hasPadding())
            last = addPadding(builder, last);
        for (std::size_t i = first; i < end; ++i)
            last = addPool(builder, last, m_passes[i], i);
        TensorView to = y;
        if (end == m_passes.size()) {
            if (!m_shape.isMax)
                last = m_shape.height.hasFactors() || m_shape.width.hasFactors() ? addFactors(builder, last, x, y)
                                                                                 : addMean(builder, last, x, y);
            last = appendTail(builder, last, {}, y.type == ir::ElementType::UInt8, m_name);
        } else {
            to.shape[2] = m_passes[end - 1].outHeight;
            to.shape[3] = m_passes[end - 1].outWidth;
            to = m_context.newBufferLike(to, m_name + "_decomposed_" + std::to_string(end - 1), false);
        }
        addWriter(builder, last, to);
        auto work = builder.finish();
        if (!work)
            return tl::unexpected(work.error());
        m_epochs.push_back(m_context.hardwareEpoch(m_id, std::move(*work)));
        from = to;
    }
    return {};
}

/// Averages over large windows: a depthwise convolution whose weights are all alike.
Result<Refusal> lowerAsConvolution(Context& context, NodeId id, const PoolShape& s, const TensorView& x,
                                   const TensorView& y) {
    ConvGeometry g;
    g.batches = s.images;
    g.channels = g.outputs = g.groups = s.channels;
    g.height = s.height.in;
    g.width = s.width.in;
    g.outHeight = s.height.out;
    g.outWidth = s.width.out;
    g.kernelHeight = s.height.window;
    g.kernelWidth = s.width.window;
    g.strideHeight = s.height.stride;
    g.strideWidth = s.width.stride;
    g.padTop = s.height.padBegin;
    g.padLeft = s.width.padBegin;
    return lowerMeanConv(context, id, g, x, y);
}

} // namespace

Result<Refusal> lowerPool(Context& context, NodeId id) {
    const ir::Node& node = context.graph[id];
    if (const Refusal refusal = refusePool(context.graph, node); !refusal.empty())
        return refusal;
    const PoolShape shape = poolShapeOf(context.graph, node);
    if (const Refusal refusal = refuseShape(shape, context.limits()); !refusal.empty())
        return refusal;
    if (const Refusal refusal = refuseBatch(shape.images); !refusal.empty())
        return refusal;
    auto input = context.channelLast(node.inputs[0], id);
    if (!input)
        return tl::unexpected(input.error());
    const TensorView output = context.outputView(node.outputs[0], true);
    const bool isLarge = std::max(shape.height.window, shape.width.window) > context.limits().poolWindow;
    if (!shape.isMax && !shape.isGlobal() && isLarge)
        return lowerAsConvolution(context, id, shape, *input, output);
    Pooling pooling(context, id, shape);
    if (const Refusal refusal = pooling.plan(); !refusal.empty())
        return refusal;
    for (std::int64_t image = 0; image < shape.images; ++image)
        if (auto done = pooling.lower(slice(*input, 0, image, 1), slice(output, 0, image, 1)); !done)
            return tl::unexpected(done.error());
    context.addStep(id, pooling.takeEpochs());
    return Refusal();
}

} // namespace poolwright::lower
