// SPDX-License-Identifier: Apache-2.0
#include "estimate/latency.h"

#include <algorithm>
#include <array>

namespace poolwright::estimate {

namespace {

using namespace program;

struct Flow {
    std::int64_t frames = 0, words = 0;
    bool fromEngine = false;
};

constexpr int portCount = 3;
using Ports = std::array<Flow, portCount>;

/// Frames that a link lets through.
Flow through(const Link& link, Flow flow) {
    const std::int64_t period = std::int64_t(link.dropFrames) + link.passFrames;
    if (link.passFrames <= 0 || flow.frames <= 0)
        return flow;
    const std::int64_t rest = flow.frames % period;
    const std::int64_t passed =
        flow.frames / period * link.passFrames + std::max<std::int64_t>(0, rest - link.dropFrames);
    flow.words = flow.words / flow.frames * passed;
    flow.frames = passed;
    return flow;
}

std::int64_t outputExtent(int size, int firstKept, int lastKept, int padding, int kernel, int stride) {
    const int kept = lastKept > 0 ? lastKept - firstKept + 1 : size - firstKept;
    const int reach = kept + padding - kernel;
    return reach < 0 || stride <= 0 ? 0 : reach / stride + 1;
}

std::int64_t convFrameWords(const ConvConfig& conv) {
    return outputExtent(conv.fHeight, conv.topCrop, conv.botCrop, conv.topPadding + conv.botPadding, conv.kernelHeight,
                        conv.vstride) *
           outputExtent(conv.fWidth, conv.leftCrop, conv.rightCrop, conv.leftPadding + conv.rightPadding,
                        conv.kernelWidth, conv.hstride) *
           conv.nKernels;
}

bool isGlobal(PoolOperation operation) {
    return operation == PoolOperation::GlobalMax || operation == PoolOperation::GlobalMin ||
           operation == PoolOperation::GlobalAvg;
}

class Flows {
public:
    explicit Flows(const HardwareWork& work)
        : m_work(work)
        , m_units(work.units.size())
        , m_state(work.units.size()) {
        for (std::size_t unit = 0; unit < m_units.size(); ++unit)
            visit(int(unit));
        for (std::size_t unit = 0; unit < m_units.size(); ++unit)
            if (const auto* conv = std::get_if<ConvConfig>(&work.units[unit].config))
                finishConv(int(unit), *conv);
    }

    std::vector<UnitWork> take() { return std::move(m_units); }

private:
    enum class State { New, Open, Done };

    void visit(int unit) {
        if (m_state[std::size_t(unit)] != State::New)
            return;
        m_state[std::size_t(unit)] = State::Open;
        const Ports ports = incoming(unit);
        std::visit([&](const auto& config) { compute(m_units[std::size_t(unit)], config, ports); },
                   m_work.units[std::size_t(unit)].config);
        m_state[std::size_t(unit)] = State::Done;
    }

    bool isUnit(int index) const { return index >= 0 && index < int(m_units.size()); }

    Ports incoming(int unit) {
        Ports ports;
        for (const Link& link : m_work.links) {
            if (link.to != unit || !isUnit(link.from) || link.port < 0 || link.port >= portCount)
                continue;
            visit(link.from);
            const UnitWork& source = m_units[std::size_t(link.from)];
            Flow flow = through(link, {source.outputFrames, source.outputWords, false});
            flow.fromEngine = m_work.units[std::size_t(link.from)].kind == target::UnitKind::StreamEngine;
            ports[std::size_t(link.port)] = flow;
        }
        return ports;
    }

    static void compute(UnitWork& unit, const StreamEngineConfig& engine, const Ports& ports) {
        const bool reads = engine.direction == Direction::FromMemory;
        unit.outputFrames = reads ? engine.frameTotal : ports[0].frames;
        unit.outputWords = reads ? wordsPerFrame(engine) * engine.frameTotal : ports[0].words;
    }

    static void compute(UnitWork& unit, const ConvConfig& conv, const Ports& ports) {
        unit.ports.features = ports[0].words;
        unit.ports.weights = ports[1].words;
        // Only sums that go through memory load the port; a pipe's raw link moves no more than its output.
        unit.ports.accumulator = ports[2].fromEngine ? ports[2].words : 0;
        unit.outputFrames = ports[0].frames;
        unit.outputWords = ports[0].frames * convFrameWords(conv);
        unit.macs = unit.outputWords * conv.kernelHeight * conv.kernelWidth * conv.batchDepth;
    }

    static void compute(UnitWork& unit, const ArithConfig&, const Ports& ports) {
        unit.outputFrames = ports[0].frames;
        unit.outputWords = unit.latency = std::max(ports[0].words, ports[1].words);
    }

    static void compute(UnitWork& unit, const PoolConfig& pool, const Ports& ports) {
        const std::int64_t pixels = isGlobal(pool.operation) ? 1 : std::int64_t(pool.outputX) * pool.outputY;
        unit.outputFrames = ports[0].frames;
        unit.outputWords = pixels * pool.batchSize * ports[0].frames;
        unit.latency = std::max(ports[0].words, unit.outputWords);
    }

    static void compute(UnitWork& unit, const ActivConfig&, const Ports& ports) {
        unit.outputFrames = ports[0].frames;
        unit.outputWords = unit.latency = ports[0].words;
    }

    /// The output port counts what is passed on: partial sums that a link drops never leave the pipe.
    void finishConv(int unit, const ConvConfig&) {
        UnitWork& conv = m_units[std::size_t(unit)];
        for (const Link& link : m_work.links) {
            if (link.from != unit)
                continue;
            const Flow flow = through(link, {conv.outputFrames, conv.outputWords, false});
            conv.ports.output = std::max(conv.ports.output, flow.words);
            const bool toMemory = isUnit(link.to) && isSynchronised(link.to);
            conv.ports.accumulator = std::max(conv.ports.accumulator, toMemory ? flow.words : 0);
        }
        conv.latency = convLatency(conv.ports);
    }

    /// An output engine of partial sums: an input engine starts its frames on this one's frame end.
    bool isSynchronised(int unit) const {
        if (m_work.units[std::size_t(unit)].kind != target::UnitKind::StreamEngine)
            return false;
        const int index = m_work.units[std::size_t(unit)].index;
        return std::ranges::any_of(m_work.units, [&](const Unit& other) {
            const auto* engine = std::get_if<StreamEngineConfig>(&other.config);
            return engine && engine->direction == Direction::FromMemory && engine->syncEngine == index;
        });
    }

    const HardwareWork& m_work;
    std::vector<UnitWork> m_units;
    std::vector<State> m_state;
};

std::int64_t bytesOf(const std::vector<TensorView>& views) {
    std::int64_t bytes = 0;
    for (const TensorView& view : views)
        if (view.buffer.isValid())
            bytes += ir::elementCount(view.shape) * ir::elementBytes(view.type);
    return bytes;
}

} // namespace

std::vector<UnitWork> unitWork(const HardwareWork& work) {
    return Flows(work).take();
}

Cycles softwareCycles(const SoftwareWork& work) {
    std::int64_t elements = 0;
    for (const TensorView& output : work.outputs)
        elements += ir::elementCount(output.shape);
    switch (work.kind) {
    case ir::OpKind::Quantize:
    case ir::OpKind::Dequantize:
        return 2 * elements + 2;
    case ir::OpKind::Transpose:
        return elements;
    default:
        return (bytesOf(work.inputs) + bytesOf(work.outputs)) / 4;
    }
}

std::int64_t operations(const HardwareWork& work, const std::vector<UnitWork>& units) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < units.size(); ++i)
        total += 2 * units[i].macs + (work.units[i].kind == target::UnitKind::Arith ? units[i].outputWords : 0);
    return total;
}

} // namespace poolwright::estimate
