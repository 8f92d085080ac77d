// SPDX-License-Identifier: Apache-2.0
#include "program/print.h"

namespace poolwright::program {

const char* arithOperationName(ArithOperation operation) {
    static const char* const names[] = {"AFFINE", "MIN", "MAX", "MUL", "AND", "OR",  "NOT",  "XOR",
                                        "EQ",     "LT",  "LE",  "GT",  "GE",  "ABS", "SIGN", "CLIP"};
    const int index = int(operation) - 1;
    return index >= 0 && index < 16 ? names[index] : "?";
}

const char* poolOperationName(PoolOperation operation) {
    static const char* const names[] = {"MAX", "MIN", "AVG", "GMAX", "GMIN", "GAVG"};
    const int index = int(operation) - 1;
    return index >= 0 && index < 6 ? names[index] : "?";
}

const char* activOperationName(ActivOperation operation) {
    static const char* const names[] = {"RELU", "PRELU", "TRELU", "FUNC", "LUT"};
    const int index = int(operation) - 1;
    return index >= 0 && index < 5 ? names[index] : "?";
}

const char* epochKindName(EpochKind kind) {
    static const char* const names[] = {"none", "hardware", "software", "hybrid"};
    return names[int(kind)];
}

const char* bufferKindName(BufferKind kind) {
    static const char* const names[] = {"constant", "activation", "scratch", "input", "output"};
    return names[int(kind)];
}

namespace {

/// One line: words, then fields that differ from what is usual.
class Line {
public:
    explicit Line(std::string start)
        : m_text(std::move(start)) {}

    Line& word(const std::string& text) {
        m_text += (m_text.empty() || m_text.back() == ' ' ? "" : " ") + text;
        return *this;
    }
    Line& field(const char* name, std::int64_t value, std::int64_t usual = 0) {
        return value == usual ? *this : word(std::string(name) + "=" + std::to_string(value));
    }
    Line& flag(const char* name, bool value) { return value ? word(name) : *this; }
    std::string end() { return std::move(m_text) + "\n"; }

private:
    std::string m_text;
};

std::string listText(const std::vector<std::int64_t>& values) {
    std::string text = "[";
    for (std::size_t i = 0; i < values.size(); ++i)
        text += (i ? "," : "") + std::to_string(values[i]);
    return text + "]";
}

std::string bufferText(const Program& program, BufferId id) {
    if (!id.isValid() || std::size_t(id.index) >= program.buffers.size())
        return "no buffer";
    return "b" + std::to_string(id.index);
}

std::string viewText(const Program& program, const TensorView& view) {
    Line line(bufferText(program, view.buffer));
    line.field("+", view.offset).word(view.name).word(ir::elementTypeName(view.type));
    line.word(listText(view.shape)).word("strides " + listText(view.strides));
    if (view.quantisation && view.quantisation->isPerTensor() && !view.quantisation->zeroPoints.empty())
        line.word("zero " + std::to_string(view.quantisation->zeroPoints[0]));
    return line.end();
}

std::string sizes(std::initializer_list<std::int64_t> values) {
    std::string text;
    for (std::int64_t value : values)
        text += (text.empty() ? "" : "x") + std::to_string(value);
    return text;
}

void print(const Program& program, const StreamEngineConfig& c, Line& line) {
    line.word(c.direction == Direction::FromMemory ? "from" : "to").word(bufferText(program, c.buffer));
    line.word("[" + std::to_string(c.offsetStart) + (c.raw ? "," + std::to_string(c.offsetEnd) : "") + "]");
    line.word(c.raw ? "raw" : sizes({c.fheight, c.fwidth, c.batchDepth}));
    if (!c.raw)
        line.field("pixel", c.batchOffset).field("line", c.lineOffset);
    line.word("frames " + std::to_string(c.frameTotal)).field("frame", c.frameOffset);
    line.field("loop", c.loopOffset).field("per_loop", c.frameLoopCount);
    line.word(std::to_string(c.bitsIn) + "/" + std::to_string(c.bitsOut));
    line.flag("align_right", c.alignRight).flag("unsigned", c.bitsUnsigned).flag("raw_out", c.rawOut);
    line.flag("continuous", c.continuous).flag("cacheable", c.cacheable).flag("allocate", c.cacheAllocate);
    line.field("sync", c.syncEngine, -1);
    if (!c.tensor.empty())
        line.word("'" + c.tensor + "'");
}

void printOutputStage(Line& line, int shift, bool rounding, bool saturation, int bytes) {
    line.field("shift", shift).flag("round", rounding).flag("sat", saturation).field("outbytes", bytes);
}

void print(const Program&, const ConvConfig& c, Line& line) {
    line.word(sizes({c.fHeight, c.fWidth, c.batchDepth})).word("kernel " + sizes({c.kernelHeight, c.kernelWidth}));
    line.word("x " + std::to_string(c.nKernels)).field("simd", c.simd, -1).field("inbytes", c.inbytesF, 1);
    line.flag("f_unsigned", c.fUnsigned)
        .flag("k_unsigned", c.kUnsigned)
        .field("fsub", c.fsub)
        .field("zfbias", c.zfbias);
    line.flag("deep", c.deepmode)
        .field("kseten", c.kseten)
        .field("vstride", c.vstride, 1)
        .field("hstride", c.hstride, 1);
    line.field("top", c.topPadding)
        .field("left", c.leftPadding)
        .field("bottom", c.botPadding)
        .field("right", c.rightPadding);
    line.field("top_crop", c.topCrop).field("left_crop", c.leftCrop);
    line.field("bot_crop", c.botCrop, c.fHeight - 1).field("right_crop", c.rightCrop, c.fWidth - 1);
    line.flag("accumulate", c.accumulate).flag("not_first", !c.accumulateFirst).flag("gen_first", c.accumulateGenFirst);
    if (c.afiltTotal > 0)
        line.word("afilt " + sizes({c.afiltTotal, c.afiltFirst, c.afiltLast}));
    if (c.kfiltTotal > 0)
        line.word("kfilt " + sizes({c.kfiltTotal, c.kfiltFirst, c.kfiltLast}));
    line.field("shift_f", c.shiftF).field("shift_a", c.shiftA).flag("raw_o", c.rawO);
    printOutputStage(line, c.shiftO, c.roundingO, c.saturationO, c.outbytesO);
}

void printVector(const Program& program, Line& line, const char* name, BufferId buffer, std::int64_t offset, int bits) {
    if (buffer.isValid())
        line.word(std::string(name) + "=" + bufferText(program, buffer) + "[" + std::to_string(offset) +
                  "]:" + std::to_string(bits));
}

void print(const Program& program, const ArithConfig& c, Line& line) {
    static const char* const broadcasts[] = {"", "channel", "height", "width", "height_width", "scalar"};
    line.word(arithOperationName(c.operation)).flag("dual", c.dualinput).flag("combinebc", c.combinebc);
    line.field("inbytes_x", c.inbytesX).field("inbytes_y", c.inbytesY, c.dualinput ? 0 : c.inbytesY);
    line.field("a", c.aScalar).field("b", c.bScalar).field("c", c.cScalar);
    if (!c.scalar) {
        printVector(program, line, "A", c.aVector, c.aOffset, c.vecBits[0]);
        printVector(program, line, "B", c.bVector, c.bOffset, c.vecBits[1]);
        printVector(program, line, "C", c.cVector, c.cOffset, c.vecBits[2]);
        line.field("count", c.vecCount).word(broadcasts[int(c.broadcast)]);
        line.word("of " + sizes({c.fHeight, c.fWidth, c.fChannels}) + " batch " + std::to_string(c.batchDepth));
    }
    line.field("ax_shift", c.axShift).field("by_shift", c.byShift).field("c_shift", c.cShift);
    if (c.operation == ArithOperation::Clip || c.clipout)
        line.flag("clipout", c.clipout).word("clip " + listText({c.clipmin, c.clipmax}));
    printOutputStage(line, c.shiftO, c.roundingO, c.saturationO, c.outbytesO);
}

void print(const Program&, const PoolConfig& c, Line& line) {
    line.word(poolOperationName(c.operation)).word(sizes({c.inputY, c.inputX, c.batchSize}));
    line.word("to " + sizes({c.outputY, c.outputX})).word("window " + sizes({c.windowY, c.windowX}));
    line.field("stride_y", c.strideY, 1).field("stride_x", c.strideX, 1);
    line.field("top", c.topPad).field("left", c.leftPad).field("bottom", c.bottomPad).field("right", c.rightPad);
    line.field("top_crop", c.topCrop).field("left_crop", c.leftCrop);
    line.field("bottom_crop", c.bottomCrop, c.inputY - 1).field("right_crop", c.rightCrop, c.inputX - 1);
    line.field("mulval", c.mulval).field("inbytes", c.inbytesF, 1).flag("dual_line", c.dualLine);
    line.flag("avg_no_pad", c.avgNoPad);
    printOutputStage(line, c.shiftO, c.roundingO, c.saturationO, c.outbytesO);
}

void print(const Program&, const ActivConfig& c, Line& line) {
    line.word(activOperationName(c.operation)).field("parameter", c.parameter).field("parameter2", c.parameter2);
    line.field("inbytes", c.inbytesF, 1);
    if (c.operation == ActivOperation::Function)
        line.field("bwidth", c.bwidth)
            .field("segments", std::int64_t(c.rom0.size()))
            .field("rows", std::int64_t(c.rom1.size() / 3))
            .field("shift_b", c.shiftB)
            .field("shift_c", c.shiftC);
    printOutputStage(line, c.shiftO, c.roundingO, c.saturationO, c.outbytesO);
}

std::string hardwareText(const Program& program, const HardwareWork& work) {
    std::string text;
    for (std::size_t i = 0; i < work.units.size(); ++i) {
        const Unit& unit = work.units[i];
        Line line("  unit " + std::to_string(i) + ": ");
        line.word(target::unitEnumName(unit.kind)).word(std::to_string(unit.index)).word(unit.node);
        std::visit([&](const auto& config) { print(program, config, line); }, unit.config);
        text += line.end();
    }
    for (const Link& link : work.links) {
        Line line("  link " + std::to_string(link.from) + " -> " + std::to_string(link.to) + ":" +
                  std::to_string(link.port));
        text += line.field("drop", link.dropFrames).field("pass", link.passFrames).end();
    }
    return text;
}

std::string softwareText(const Program& program, const SoftwareWork& work) {
    std::string text = std::string("  ") + ir::opKindName(work.kind) + " by " +
                       (work.function.empty() ? "the CPU" : work.function) + (work.isFloat ? " in float\n" : "\n");
    for (const TensorView& view : work.inputs)
        text += "  in " + (view.buffer.isValid() ? viewText(program, view) : std::string("absent\n"));
    for (const TensorView& view : work.outputs)
        text += "  out " + viewText(program, view);
    return text;
}

std::string bufferLine(const Program& program, BufferId id) {
    const Buffer& buffer = program[id];
    Line line("buffer b" + std::to_string(id.index) + " ");
    line.word(buffer.name).word(bufferKindName(buffer.kind)).word(std::to_string(buffer.size.value) + " B");
    line.field("align", buffer.alignment, 16);
    line.word("live " + std::to_string(buffer.live.first) + ".." + std::to_string(buffer.live.last));
    line.flag("cpu", buffer.usedByCpu).flag("user_allocated", buffer.userAllocated);
    if (std::size_t(id.index) < program.placements.size() && program.placements[std::size_t(id.index)]) {
        const Placement& place = *program.placements[std::size_t(id.index)];
        const bool known = place.pool.isValid() && std::size_t(place.pool.index) < program.pools.size();
        line.word("at " + toText(place.address) + " " +
                  (known ? program.pools[std::size_t(place.pool.index)].name : "?"));
    }
    std::string text = line.end();
    for (const TensorView& view : buffer.tensors)
        text += "  view " + viewText(program, view);
    return text;
}

} // namespace

std::string toText(const Program& program, EpochId id) {
    const Epoch& epoch = program[id];
    std::string text = "epoch " + std::to_string(id.index) + " " + epochKindName(epoch.kind) +
                       (epoch.name.empty() ? "" : " " + epoch.name) + "\n";
    for (const OperatorRef& op : epoch.operators)
        text += Line("  operator " + op.name).word(op.kind).field("macs", op.macs).end();
    if (!epoch.reason.empty())
        text += "  because: " + epoch.reason + "\n";
    if (const HardwareWork* hardware = epoch.hardware())
        text += hardwareText(program, *hardware);
    else if (const SoftwareWork* software = epoch.software())
        text += softwareText(program, *software);
    return text;
}

std::string toText(const Program& program) {
    std::string text = "program " + program.networkName + " on " + program.machine.name + "\n";
    for (const mpool::EffectivePool& pool : program.pools)
        text +=
            "pool " + pool.name + " " + toText(pool.range.start) + " " + std::to_string(pool.range.size.value) + " B\n";
    for (const TensorView& view : program.inputs)
        text += "input " + viewText(program, view);
    for (const TensorView& view : program.outputs)
        text += "output " + viewText(program, view);
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
        text += bufferLine(program, BufferId(i));
    for (const UnplacedBuffer& unplaced : program.unplaced)
        text += "unplaced " + bufferText(program, unplaced.buffer) + ": " + unplaced.reason + "\n";
    for (std::size_t i = 0; i < program.epochs.size(); ++i)
        text += toText(program, EpochId(i));
    return text;
}

} // namespace poolwright::program
