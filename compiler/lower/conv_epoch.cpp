// SPDX-License-Identifier: Apache-2.0
#include "lower/conv_epoch.h"

#include "lower/streams.h"
#include "lower/tail.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

constexpr int sumBytes = 3; // partial sums are 24-bit words: exact

bool allEqual(const std::vector<std::int32_t>& values) {
    return std::all_of(values.begin(), values.end(), [&](std::int32_t v) { return v == values.front(); });
}

bool isUnsigned(const program::TensorView& view) {
    return view.type == ir::ElementType::UInt8;
}

program::StreamEngineConfig sumsEngine(BufferId buffer, std::int64_t bytes, std::int64_t frames, bool advances,
                                       program::Direction direction) {
    program::StreamEngineConfig engine = rawEngine(buffer, 0, bytes, direction, "");
    engine.bitsIn = engine.bitsOut = 24;
    engine.alignRight = true;
    engine.frameOffset = advances ? bytes : 0;
    engine.frameTotal = frames;
    engine.comment = "partial sums (24 bits)";
    return engine;
}

/// Whole pixels that lie together come as packed words; a group of channels comes with every pixel filled up to whole
/// words.
bool isPacked(const ConvPart& part, const program::TensorView& x) {
    const std::int64_t width = x.shape[3], height = x.shape[2];
    return part.batch == x.shape[1] && (width == 1 || x.strides[3] == part.batch) &&
           (height == 1 || x.strides[2] == part.batch * width);
}

/// Deep-mode features (facts/neural-art-target.md section 2.3.5).
void readDeep(program::StreamEngineConfig& engine, const ConvPart& part, const program::TensorView& x) {
    engine.bitsIn = engine.bitsOut = 24;
    engine.bitsUnsigned = false;
    if (isPacked(part, x)) {
        engine.raw = true;
        engine.offsetEnd = engine.offsetStart + alignUp(x.shape[1] * x.shape[2] * x.shape[3], 3);
        engine.batchDepth = engine.fwidth = engine.fheight = 0;
        engine.batchOffset = engine.lineOffset = 0;
        return;
    }
    engine.rawOut = true;
    engine.batchDepth = (part.batch + 2) / 3;
}

} // namespace

ConvEpochs::ConvEpochs(Context& context, NodeId node, const ConvPlan& plan, const Weights& weights, ConvRequant requant)
    : m_context(context)
    , m_node(node)
    , m_plan(plan)
    , m_weights(weights)
    , m_requant(std::move(requant))
    , m_clamp(context.fusion.chainOf(node).clamp) {
    if (!allEqual(m_requant.factors))
        m_factors = context.addWords(unitName("_mul_scale"), m_requant.factors, 16);
    if (!allEqual(m_requant.offsets))
        m_offsets = context.addWords(unitName("_off_bias"), m_requant.offsets, 32);
}

std::string ConvEpochs::unitName(const std::string& suffix) const {
    return m_context.graph[m_node].name + suffix;
}

std::int64_t ConvEpochs::frameElements(const ConvPart& part) const {
    return m_plan.geometry.outHeight * m_plan.geometry.outWidth * part.nKernels;
}

Result<std::vector<program::Epoch>> ConvEpochs::make(const program::TensorView& input,
                                                     const program::TensorView& output) {
    for (std::int64_t image = 0; image < m_plan.geometry.batches; ++image)
        for (const ConvPart& part : m_plan.parts)
            if (auto done = makePart(part, slice(input, 0, image, 1), slice(output, 0, image, 1)); !done)
                return tl::unexpected(done.error());
    return std::move(m_epochs);
}

/// The contributions of a part, epoch by epoch: one pipe that iterates over channels, or, when the slices of the kernel
/// alone are more than the CONV_ACCs, as many epochs as it takes.
std::vector<std::vector<Contribution>> ConvEpochs::pipesOf(const ConvPart& part) const {
    const std::size_t units = std::size_t(m_context.machine.count(target::UnitKind::ConvAcc));
    const std::size_t most =
        m_context.options.maxCaPipe > 0 ? std::min(units, std::size_t(m_context.options.maxCaPipe)) : units;
    const bool spread = m_plan.slices.size() > most;
    std::vector<std::vector<Contribution>> pipes(1);
    for (std::int64_t p = 0; p < (spread ? part.channelGroups() : part.pipes); ++p)
        for (std::size_t s = 0; s < m_plan.slices.size(); ++s) {
            if (pipes.back().size() == most)
                pipes.emplace_back();
            pipes.back().push_back({s, p * part.batch});
        }
    return pipes;
}

BufferId ConvEpochs::kernelsOf(const ConvPart& part, std::size_t epoch, const std::vector<Contribution>& pipe) {
    const std::vector<std::int64_t> key{part.firstOutput, std::int64_t(epoch)};
    const auto found = m_kernels.find(key);
    if (found != m_kernels.end())
        return found->second;
    std::string name = unitName(part.inflation > 1 ? "_weights_inflated" : "_weights");
    if (!m_kernels.empty())
        name += "_" + std::to_string(m_kernels.size());
    const BufferId id = m_context.addConstant(
        name, packKernels(m_weights, m_plan, part, pipe, part.iterations, part.pipes * part.batch));
    return m_kernels[key] = id;
}

Result<void> ConvEpochs::makePart(const ConvPart& part, const program::TensorView& input,
                                  const program::TensorView& output) {
    const auto pipes = pipesOf(part);
    const std::int64_t sums = part.bundles * part.kernelGroups() * frameElements(part) * sumBytes;
    BufferId before;
    for (std::size_t i = 0; i < pipes.size(); ++i) {
        Job job{part, pipes[i], part.iterations, kernelsOf(part, i, pipes[i]), before, {}, input, output};
        if (i + 1 < pipes.size())
            job.sumsOut =
                m_context.addBuffer(unitName("_partial_sums_" + std::to_string(i)), sums, program::BufferKind::Scratch);
        auto work = epochOf(job);
        if (!work)
            return tl::unexpected(work.error());
        const bool isLast = i + 1 == pipes.size();
        m_epochs.push_back(m_context.hardwareEpoch(m_node, std::move(*work),
                                                   isLast ? part.outputs() * m_plan.geometry.macsPerOutput() : 0));
        before = job.sumsOut;
    }
    return {};
}

Result<program::HardwareWork> ConvEpochs::epochOf(const Job& job) {
    EpochBuilder builder(m_context.machine);
    const int last = addPipe(builder, job);
    if (job.sumsOut.isValid()) {
        const int out = builder.addStream(sumsEngine(job.sumsOut, frameElements(job.part) * sumBytes, job.frames(),
                                                     true, program::Direction::ToMemory),
                                          unitName("_sums_out"));
        builder.link(last, out);
        return builder.finish();
    }
    addOutput(builder, job, addRequant(builder, job, last));
    return builder.finish();
}

/// Features of one unit of the pipe. Frames go through bundles, kernel groups and iterations; an engine has two loops,
/// and the plan sees to it that one of the three stands still.
int ConvEpochs::addFeatures(EpochBuilder& builder, const Job& job, std::size_t position) {
    const ConvGeometry& g = m_plan.geometry;
    const ConvPart& part = job.part;
    const program::TensorView& x = job.input;
    program::StreamEngineConfig engine;
    engine.buffer = x.buffer;
    engine.tensor = x.name;
    const KernelSlice& seen = m_plan.slices[job.pipe[position].slice];
    engine.offsetStart = x.offset + part.firstGroup * g.groupChannels() + job.pipe[position].channel +
                         seen.firstY * x.strides[2] + seen.firstX * x.strides[3];
    engine.offsetEnd = engine.offsetStart;
    engine.fwidth = seen.columns();
    engine.fheight = seen.rows();
    engine.batchDepth = part.batch;
    engine.batchOffset = x.strides[3];
    engine.lineOffset = x.strides[2];
    engine.frameTotal = job.frames();
    const std::int64_t inner = job.iterations > 1 ? job.iterations : part.kernelGroups();
    engine.frameLoopCount = inner;
    engine.frameOffset = job.iterations > 1 ? part.pipes * part.batch : 0;
    engine.loopOffset = part.bundles > 1 ? part.bundleChannels : 0;
    if (m_plan.wideFeatures) {
        engine.bitsOut = 16;
        engine.alignRight = true;
    }
    engine.bitsUnsigned = isUnsigned(x);
    if (part.deep)
        readDeep(engine, part, x);
    const std::string suffix = position == 0 ? "_in" : "_in_" + std::to_string(position);
    return builder.addStream(engine, unitName(suffix));
}

program::ConvConfig ConvEpochs::convConfig(const Job& job, std::size_t position) const {
    const ConvGeometry& g = m_plan.geometry;
    const KernelSlice& slice = m_plan.slices[job.pipe[position].slice];
    program::ConvConfig conv;
    conv.simd = m_plan.wideFeatures ? 2 : 1;
    conv.inbytesF = m_plan.wideFeatures ? 2 : 1;
    conv.fUnsigned = !m_plan.wideFeatures && isUnsigned(job.input);
    conv.fsub = m_plan.wideFeatures ? job.input.quantisation->zeroPoints.front() : 0;
    if (job.pipe.size() > 1) {
        conv.kfiltTotal = int(std::int64_t(job.pipe.size()) * job.part.nKernels);
        conv.kfiltFirst = int(std::int64_t(position) * job.part.nKernels);
        conv.kfiltLast = conv.kfiltFirst + int(job.part.nKernels) - 1;
    }
    conv.fWidth = int(slice.columns());
    conv.fHeight = int(slice.rows());
    conv.batchDepth = int(job.part.batch);
    conv.kernelWidth = int(m_plan.sliceWidth);
    conv.kernelHeight = int(m_plan.sliceHeight);
    conv.nKernels = int(job.part.nKernels);
    conv.hstride = int(g.strideWidth);
    conv.vstride = int(g.strideHeight);
    conv.leftPadding = int(slice.left);
    conv.rightPadding = int(slice.right);
    conv.topPadding = int(slice.top);
    conv.botPadding = int(slice.bottom);
    // The engine reads what the slice sees and no more, so nothing is cropped here.
    conv.rightCrop = conv.fWidth - 1;
    conv.botCrop = conv.fHeight - 1;
    if (job.part.deep) {
        conv.deepmode = true;
        conv.kseten = 3; // all bytes of a kernel word
        conv.inbytesF = isPacked(job.part, job.input) ? 3 : 1;
    }
    conv.accumulate = position > 0 || job.loopsSums() || job.sumsIn.isValid();
    const bool isLast = position + 1 == job.pipe.size();
    if (!isLast || job.loopsSums() || job.sumsOut.isValid()) {
        conv.rawO = true;
        conv.outbytesO = sumBytes;
        return conv;
    }
    conv.shiftO = m_requant.sa;
    conv.roundingO = conv.saturationO = true;
    return conv;
}

int ConvEpochs::addPipe(EpochBuilder& builder, const Job& job) {
    const ConvPart& part = job.part;
    const std::int64_t block = std::int64_t(job.pipe.size()) * part.blockBytes(m_plan.sliceHeight * m_plan.sliceWidth);
    program::StreamEngineConfig kernels =
        rawEngine(job.kernels, 0, block, program::Direction::FromMemory, m_context.buffer(job.kernels).name);
    kernels.continuous = true;
    kernels.frameOffset = block;
    kernels.frameTotal = job.frames();
    kernels.alignRight = m_plan.wideFeatures;
    if (part.deep)
        kernels.bitsIn = kernels.bitsOut = 24;
    const int kernelStream = builder.addStream(kernels, unitName("_kernels"));
    int first = -1, last = -1;
    for (std::size_t i = 0; i < job.pipe.size(); ++i) {
        const int features = addFeatures(builder, job, i);
        const int unit = builder.addConv(convConfig(job, i), unitName(i == 0 ? "" : "_ca_pipe_" + std::to_string(i)));
        builder.link(features, unit, 0);
        builder.link(kernelStream, unit, 1);
        if (i > 0)
            builder.link(last, unit, 2);
        else
            first = unit;
        last = unit;
    }
    addSums(builder, job, first, last);
    return last;
}

/// Partial sums: from the epoch before, or of this epoch's own iterations through a scratch frame that is written and
/// read again.
void ConvEpochs::addSums(EpochBuilder& builder, const Job& job, int first, int last) {
    const std::int64_t bytes = frameElements(job.part) * sumBytes;
    if (job.sumsIn.isValid()) {
        const int in = builder.addStream(
            sumsEngine(job.sumsIn, bytes, job.frames(), true, program::Direction::FromMemory), unitName("_sums_in"));
        builder.link(in, first, 2);
    }
    if (!job.loopsSums())
        return;
    const BufferId scratch = m_context.addBuffer(unitName("_partial_sums"), bytes, program::BufferKind::Scratch);
    const int out = builder.addStream(sumsEngine(scratch, bytes, job.frames(), false, program::Direction::ToMemory),
                                      unitName("_sums_out"));
    const int in = builder.addStream(
        sumsEngine(scratch, bytes, job.frames() - 1, false, program::Direction::FromMemory), unitName("_sums_in"));
    auto& conv = std::get<program::ConvConfig>(builder.unit(first).config);
    conv.accumulateFirst = false;
    conv.afiltTotal = int(job.iterations);
    conv.afiltFirst = 1;
    conv.afiltLast = int(job.iterations) - 1;
    builder.link(last, out);
    builder.link(in, first, 2);
    builder.synchronise(in, out);
}

program::ArithConfig ConvEpochs::mulScale(const ConvPart& part) {
    program::ArithConfig arith;
    arith.shiftO = m_requant.s1;
    arith.roundingO = arith.saturationO = true;
    arith.aScalar = m_requant.factors.front();
    if (m_factors.isValid()) {
        arith.scalar = false;
        arith.aScalar = 1;
        arith.aVector = m_factors;
        arith.aOffset = 2 * part.firstOutput;
        arith.vecCount = int(part.outputs());
        arith.broadcast = program::ArithBroadcast::Channel;
    }
    return arith;
}

program::ArithConfig ConvEpochs::offBias(const ConvPart& part) {
    program::ArithConfig arith = scalarAffine(m_requant.scale, m_requant.offsets.front(), m_requant.s2);
    arith.inbytesX = 2;
    if (m_offsets.isValid()) {
        arith.scalar = false;
        arith.cScalar = 0;
        arith.cVector = m_offsets;
        arith.cOffset = 4 * part.firstOutput;
        arith.vecCount = int(part.outputs());
        arith.broadcast = program::ArithBroadcast::Channel;
    }
    return arith;
}

int ConvEpochs::addRequant(EpochBuilder& builder, const Job& job, int last) {
    const ConvPart& part = job.part;
    const auto append = [&](program::ArithConfig arith, const std::string& suffix, const std::string& kind) {
        arith.fWidth = int(m_plan.geometry.outWidth);
        arith.fHeight = int(m_plan.geometry.outHeight);
        arith.fChannels = int(part.outputs());
        arith.batchDepth = int(part.nKernels);
        return builder.addArith(arith, unitName(suffix), kind);
    };
    if (job.loopsSums()) {
        // Sums left the pipe unshifted: the shift by sa to 16 bits is a step of its own, on the last frame of every
        // round.
        program::ArithConfig shift = scalarAffine(1, 0, m_requant.sa);
        shift.inbytesX = sumBytes;
        shift.outbytesX = shift.outbytesO = 2;
        const int unit = append(shift, "_shift", "Shift");
        builder.link(last, unit, 0, int(job.iterations) - 1, 1);
        last = unit;
    }
    const int scale = append(mulScale(part), "_mul_scale", "Mul");
    builder.link(last, scale);
    const int bias = append(offBias(part), "_off_bias", "Add");
    builder.link(scale, bias);
    return appendTail(builder, bias, m_clamp, isUnsigned(job.output), m_context.graph[m_node].name);
}

void ConvEpochs::addOutput(EpochBuilder& builder, const Job& job, int last) {
    const program::TensorView& y = job.output;
    program::StreamEngineConfig engine;
    engine.direction = program::Direction::ToMemory;
    engine.buffer = y.buffer;
    engine.tensor = y.name;
    engine.offsetStart = y.offset + job.part.firstOutput;
    engine.offsetEnd = engine.offsetStart;
    engine.fwidth = m_plan.geometry.outWidth;
    engine.fheight = m_plan.geometry.outHeight;
    engine.batchDepth = job.part.nKernels;
    engine.batchOffset = y.strides[3];
    engine.lineOffset = y.strides[2];
    engine.frameOffset = job.part.nKernels;
    engine.frameTotal = job.part.bundles * job.part.kernelGroups();
    const int out = builder.addStream(engine, unitName("_out"));
    builder.link(last, out);
}

} // namespace poolwright::lower
