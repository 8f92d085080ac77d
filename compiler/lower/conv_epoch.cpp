// SPDX-License-Identifier: Apache-2.0
#include "lower/conv_epoch.h"

#include "lower/streams.h"

#include <algorithm>

namespace poolwright::lower {

namespace {

bool isUnsigned(const program::TensorView& view) {
    return view.type == ir::ElementType::UInt8;
}

/// Whole pixels that lie together come as packed words; a group of channels comes with every pixel filled up to whole
/// words.
bool isPacked(const ConvPlan& plan, const ConvPart& part, const program::TensorView& x) {
    const std::int64_t width = x.shape[3], height = x.shape[2];
    const KernelSlice& slice = plan.slices.front();
    return plan.slices.size() == 1 && plan.repeats.count == 1 && part.batch == x.shape[1] && slice.y.count == height &&
           slice.x.count == width && slice.rows.inputStep == 1 && slice.columns.inputStep == 1 &&
           (width == 1 || x.strides[3] == part.batch) && (height == 1 || x.strides[2] == part.batch * width);
}

/// Deep-mode features (facts/neural-art-target.md section 2.3.5).
void readDeep(program::StreamEngineConfig& engine, const ConvPart& part, bool packed) {
    engine.bitsIn = engine.bitsOut = 24;
    engine.bitsUnsigned = false;
    if (packed) {
        engine.raw = true;
        engine.offsetEnd = engine.offsetStart + alignUp(part.batch * engine.fheight * engine.fwidth, 3);
        engine.batchDepth = engine.fwidth = engine.fheight = 0;
        engine.batchOffset = engine.lineOffset = 0;
        return;
    }
    engine.rawOut = true;
    engine.batchDepth = (part.batch + 2) / 3;
}

} // namespace

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

ConvEpochs::ConvEpochs(Context& context, NodeId node, const ConvPlans& plans, const Weights& weights,
                       ConvRequant requant)
    : m_context(context)
    , m_node(node)
    , m_plans(plans)
    , m_weights(weights)
    , m_shift(requant.sa)
    , m_constants(context, context.graph[node].name)
    , m_tail(context, node, plans, std::move(requant), m_constants) {}

std::string ConvEpochs::unitName(const std::string& suffix) const {
    return m_context.graph[m_node].name + suffix;
}

Result<std::vector<program::Epoch>> ConvEpochs::make(const Views& inputs, const program::TensorView& output) {
    for (std::int64_t image = 0; image < m_plans.geometry.batches; ++image) {
        std::vector<ConvJob> waiting;
        Views images;
        for (const program::TensorView& input : inputs)
            images.push_back(slice(input, 0, image, 1));
        for (const ConvPlan& plan : m_plans.rasters)
            for (const ConvPart& part : plan.parts)
                for (ConvJob& job : jobsOf(plan, part, images, slice(output, 0, image, 1))) {
                    job.image = image;
                    if (!waiting.empty() && !fitBeside(waiting, job))
                        if (auto done = runJobs(waiting); !done)
                            return tl::unexpected(done.error());
                    waiting.push_back(std::move(job));
                }
        if (auto done = runJobs(waiting); !done)
            return tl::unexpected(done.error());
    }
    return std::move(m_epochs);
}

/// The contributions of a part, epoch by epoch: one pipe that iterates, or, when the slices of the kernel alone are
/// more than the CONV_ACCs, two that do or as many epochs as it takes.
std::vector<std::vector<Contribution>> ConvEpochs::pipesOf(const ConvPlan& plan, const ConvPart& part) const {
    std::vector<std::vector<Contribution>> pipes(1);
    const auto lane = [&](std::int64_t p, std::int64_t step) {
        return Lane{0,
                    p * part.batchStep,
                    step * part.batchStep,
                    part.batchStep,
                    (part.channelGroups - 1) * part.batchStep,
                    part.bundleChannels};
    };
    const auto append = [&](const Lane& lane, std::size_t firstSlice, std::size_t endSlice, std::size_t most) {
        for (std::size_t s = firstSlice; s < endSlice; ++s) {
            if (pipes.back().size() == most)
                pipes.emplace_back();
            pipes.back().push_back({s, lane});
        }
    };
    const std::size_t slices = std::size_t(part.slices), all = plan.slices.size(), pipe = std::size_t(part.pipes);
    const bool walksSlices = part.epochs == 1 && slices < all;
    for (const Lane& own : part.lanes)
        append(own, 0, slices, slices * pipe);
    if (!part.lanes.empty())
        return pipes;
    if (part.iteratesTwice()) {
        append(lane(0, part.pipes), 0, slices, slices);
        for (std::int64_t p = 0; p < part.lastPipes; ++p)
            append(lane(p, part.lastPipes), slices, all, slices);
    } else {
        for (std::int64_t p = 0; p < (part.epochs > 1 ? part.channelGroups : part.pipes); ++p)
            append(lane(p, walksSlices ? 0 : part.pipes), 0, part.epochs > 1 ? all : slices,
                   part.epochs > 1 ? pipe : slices * pipe);
    }
    return pipes;
}

std::vector<ConvJob> ConvEpochs::jobsOf(const ConvPlan& plan, const ConvPart& part, const Views& inputs,
                                        const program::TensorView& output) {
    const bool walksSlices = part.epochs == 1 && part.slices < std::int64_t(plan.slices.size());
    const auto pipes = pipesOf(plan, part);
    std::vector<ConvJob> jobs;
    for (std::size_t i = 0; i < pipes.size(); ++i) {
        const std::int64_t groups = part.iteratesTwice() && i > 0 ? part.lastPipes : part.pipes;
        ConvJob job{plan, part,   pipes[i], walksSlices ? part.slices : 0,         {}, {},
                    {},   inputs, output,   part.iterations * part.pipes / groups, 0,  {}};
        job.kernels = kernelsOf(job);
        if (i > 0)
            job.sumsIn = jobs.back().sumsOut;
        if (i + 1 < pipes.size())
            job.sumsOut =
                m_context.addBuffer(unitName("_partial_sums_" + std::to_string(i)),
                                    job.results() * job.frameElements() * sumBytes, program::BufferKind::Scratch);
        jobs.push_back(std::move(job));
    }
    return jobs;
}

BufferId ConvEpochs::kernelsOf(const ConvJob& job) {
    return m_constants.add(job.part.inflation > 1 ? "_weights_inflated" : "_weights",
                           packKernels(m_weights, job.plan, job.part, job.pipe, job.iterations, job.sliceStep));
}

/// Jobs that wait for no other one's sums share an epoch while units last.
bool ConvEpochs::fitBeside(const std::vector<ConvJob>& jobs, const ConvJob& next) const {
    TailNeed sum{0, 0, 0, 0};
    int convs = 0;
    const auto count = [&](const ConvJob& job) {
        const TailNeed& tail = m_tail.need(isUnsigned(job.output));
        convs += int(job.pipe.size());
        sum.engines += int(job.pipe.size()) + 1 + tail.engines + (job.loopsSums() ? 2 : 0);
        sum.ariths += tail.ariths + (job.loopsSums() ? 1 : 0);
        sum.activs += std::max(tail.activs, 1);
        sum.pools += tail.pools;
    };
    const auto isAlone = [](const ConvJob& job) {
        return !job.sumsIn.isValid() && !job.sumsOut.isValid() && job.plan.sumsPlace == SumsPlace::Scratch;
    };
    for (const ConvJob& job : jobs)
        count(job);
    count(next);
    const auto have = [&](target::UnitKind kind) { return m_context.machine.count(kind); };
    return isAlone(next) && std::all_of(jobs.begin(), jobs.end(), isAlone) &&
           convs <= have(target::UnitKind::ConvAcc) && sum.engines <= have(target::UnitKind::StreamEngine) &&
           sum.ariths <= have(target::UnitKind::Arith) && sum.activs <= have(target::UnitKind::Activ) &&
           sum.pools <= have(target::UnitKind::Pool);
}

Result<void> ConvEpochs::runJobs(std::vector<ConvJob>& jobs) {
    EpochBuilder builder(m_context.machine);
    std::int64_t macs = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].side = i > 0 ? "_side_" + std::to_string(i) : "";
        if (auto done = addJob(builder, jobs[i]); !done)
            return done;
        macs += jobs[i].macs();
    }
    jobs.clear();
    auto work = builder.finish();
    if (!work)
        return tl::unexpected(work.error());
    m_epochs.push_back(m_context.hardwareEpoch(m_node, std::move(*work), macs));
    return {};
}

Result<void> ConvEpochs::addJob(EpochBuilder& builder, const ConvJob& job) {
    const int last = addPipe(builder, job);
    if (job.sumsOut.isValid()) {
        const int out = builder.addStream(
            sumsEngine(job.sumsOut, job.frameElements() * sumBytes, job.results(), true, program::Direction::ToMemory),
            unitName("_results_out" + job.side));
        builder.link(last, out, 0, int(job.iterations) - 1, job.loopsSums() ? 1 : 0);
        return {};
    }
    m_tail.append(builder, job, last);
    return {};
}

/// Features of one unit of the pipe. Frames go through repeats, bundles, kernel groups and iterations.
int ConvEpochs::addFeatures(EpochBuilder& builder, const ConvJob& job, std::size_t position) {
    const ConvPlan& plan = job.plan;
    const ConvPart& part = job.part;
    const program::TensorView& x = job.inputOf(position);
    const Contribution& unit = job.pipe[position];
    std::int64_t channel = unit.lane.firstChannel; // within the tensor that holds it
    for (std::size_t i = 0; i < unit.lane.source; ++i)
        channel -= plan.geometry.sources[i];
    const auto bytes = [&](std::int64_t rows, std::int64_t columns) {
        return rows * x.strides[2] + columns * x.strides[3];
    };
    const KernelSlice& seen = plan.slices[unit.slice];
    program::StreamEngineConfig engine;
    engine.buffer = x.buffer;
    engine.tensor = x.name;
    engine.offsetStart =
        x.offset + part.firstGroup * plan.geometry.groupChannels() + channel + bytes(seen.y.first, seen.x.first);
    engine.offsetEnd = engine.offsetStart;
    engine.fwidth = seen.x.count;
    engine.fheight = seen.y.count;
    engine.batchDepth = part.batch;
    engine.batchOffset = bytes(0, seen.columns.inputStep);
    engine.lineOffset = bytes(seen.rows.inputStep, 0);
    const auto slices = sliceStep(plan).value_or(std::pair<std::int64_t, std::int64_t>(0, 0));
    const std::int64_t iteration = unit.lane.step + job.sliceStep * bytes(slices.first, slices.second);
    setLoops(engine, {{plan.repeats.count, bytes(plan.repeats.inputY, plan.repeats.inputX)},
                      {part.bundles, part.bundleStep * plan.geometry.groupChannels()},
                      {part.kernelGroups, 0},
                      {job.iterations, iteration}});
    if (plan.wideFeatures) {
        engine.bitsOut = 16;
        engine.alignRight = true;
    }
    engine.bitsUnsigned = isUnsigned(x);
    if (part.deep)
        readDeep(engine, part, isPacked(plan, part, x));
    const std::string suffix = position == 0 ? "_in" : "_in_" + std::to_string(position);
    return builder.addStream(engine, unitName(suffix + job.side));
}

program::ConvConfig ConvEpochs::convConfig(const ConvJob& job, std::size_t position) const {
    const ConvPlan& plan = job.plan;
    const KernelSlice& slice = plan.slices[job.pipe[position].slice];
    program::ConvConfig conv;
    conv.simd = plan.wideFeatures ? 2 : 1;
    conv.inbytesF = plan.wideFeatures ? 2 : 1;
    conv.fUnsigned = !plan.wideFeatures && isUnsigned(job.inputOf(position));
    conv.fsub = plan.wideFeatures ? job.inputOf(position).quantisation->zeroPoints.front() : 0;
    if (job.pipe.size() > 1) {
        conv.kfiltTotal = int(std::int64_t(job.pipe.size()) * job.part.nKernels);
        conv.kfiltFirst = int(std::int64_t(position) * job.part.nKernels);
        conv.kfiltLast = conv.kfiltFirst + int(job.part.nKernels) - 1;
    }
    conv.fWidth = int(slice.x.count);
    conv.fHeight = int(slice.y.count);
    conv.batchDepth = int(job.part.batch);
    conv.kernelWidth = int(plan.sliceWidth);
    conv.kernelHeight = int(plan.sliceHeight);
    conv.nKernels = int(job.part.nKernels);
    conv.hstride = int(plan.strideWidth);
    conv.vstride = int(plan.strideHeight);
    conv.leftPadding = int(slice.x.padBefore);
    conv.rightPadding = int(slice.x.padAfter);
    conv.topPadding = int(slice.y.padBefore);
    conv.botPadding = int(slice.y.padAfter);
    // The engine reads what the slice sees and no more, so nothing is cropped here.
    conv.rightCrop = conv.fWidth - 1;
    conv.botCrop = conv.fHeight - 1;
    if (job.part.deep) {
        conv.deepmode = true;
        conv.kseten = 3; // all bytes of a kernel word
        conv.inbytesF = isPacked(plan, job.part, job.inputOf(position)) ? 3 : 1;
    }
    conv.accumulate = position > 0 || job.loopsSums() || job.sumsIn.isValid();
    const bool isLast = position + 1 == job.pipe.size();
    if (!isLast || job.loopsSums() || job.sumsOut.isValid()) {
        conv.rawO = true;
        conv.outbytesO = sumBytes;
        return conv;
    }
    conv.shiftO = m_shift;
    conv.roundingO = conv.saturationO = true;
    return conv;
}

int ConvEpochs::addPipe(EpochBuilder& builder, const ConvJob& job) {
    const ConvPart& part = job.part;
    const std::int64_t block =
        std::int64_t(job.pipe.size()) * part.blockBytes(job.plan.sliceHeight * job.plan.sliceWidth);
    const bool shared = job.plan.repeats.sharesKernels();
    program::StreamEngineConfig kernels =
        rawEngine(job.kernels, 0, block, program::Direction::FromMemory, m_context.buffer(job.kernels).name);
    kernels.continuous = true;
    const std::int64_t frames = part.frames() * job.iterations;
    setLoops(kernels, {{job.plan.repeats.count, shared ? 0 : frames * block}, {frames, block}});
    kernels.alignRight = job.plan.wideFeatures;
    if (part.deep)
        kernels.bitsIn = kernels.bitsOut = 24;
    const int kernelStream = builder.addStream(kernels, unitName("_kernels" + job.side));
    int first = -1, last = -1;
    for (std::size_t i = 0; i < job.pipe.size(); ++i) {
        const int features = addFeatures(builder, job, i);
        const int unit =
            builder.addConv(convConfig(job, i), unitName((i == 0 ? "" : "_ca_pipe_" + std::to_string(i)) + job.side));
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

/// One end of the loop of partial sums: in a scratch buffer that both ends share, or in idle rows.
program::StreamEngineConfig ConvEpochs::loopEngine(const ConvJob& job, std::int64_t frames,
                                                   program::Direction direction) {
    const std::int64_t bytes = job.frameElements() * sumBytes;
    const ConvPlan& plan = job.plan;
    if (plan.sumsPlace == SumsPlace::Scratch) {
        if (direction == program::Direction::ToMemory)
            m_scratch = m_context.addBuffer(unitName("_partial_sums" + job.side), bytes, program::BufferKind::Scratch);
        return sumsEngine(m_scratch, bytes, frames, false, direction);
    }
    const program::TensorView& place = plan.sumsPlace == SumsPlace::Output ? job.output : job.inputs.back();
    program::StreamEngineConfig engine = sumsEngine(place.buffer, bytes, frames, false, direction);
    engine.offsetStart += plan.sumsRow * place.strides[2];
    engine.offsetEnd += plan.sumsRow * place.strides[2];
    return engine;
}

/// Partial sums: from the epoch before, or of this epoch's own iterations through a scratch frame that is written and
/// read again.
void ConvEpochs::addSums(EpochBuilder& builder, const ConvJob& job, int first, int last) {
    const std::int64_t bytes = job.frameElements() * sumBytes;
    if (job.sumsIn.isValid() && !job.loopsSums()) {
        const int in =
            builder.addStream(sumsEngine(job.sumsIn, bytes, job.frames(), true, program::Direction::FromMemory),
                              unitName("_sums_in" + job.side));
        builder.link(in, first, 2);
    }
    if (!job.loopsSums())
        return;
    const int out = builder.addStream(loopEngine(job, job.frames(), program::Direction::ToMemory),
                                      unitName("_sums_out" + job.side));
    const int in = builder.addStream(loopEngine(job, job.frames() - 1, program::Direction::FromMemory),
                                     unitName("_sums_in" + job.side));
    auto& conv = std::get<program::ConvConfig>(builder.unit(first).config);
    conv.accumulateFirst = false;
    conv.afiltTotal = int(job.iterations);
    conv.afiltFirst = 1;
    conv.afiltLast = int(job.iterations) - 1;
    builder.link(last, out);
    builder.link(in, first, 2);
    builder.synchronise(in, out);
}

} // namespace poolwright::lower
