// SPDX-License-Identifier: Apache-2.0
#include "emit/c_network.h"

#include <algorithm>

namespace poolwright::emit {

namespace {

using program::Direction;

/// Writes the fields of one unit's structure. Fields that are zero are left out (C initialisers make them zero), except those that the
/// reader of the file looks for.
class FieldWriter {
public:
    FieldWriter(CWriter& writer, const Names& names) : m_writer(writer), m_names(names) {}

    void operator()(const program::StreamEngineConfig& c) {
        m_writer.field("dir", c.direction == Direction::ToMemory ? 1 : 0);
        flag("raw", c.raw);
        flag("raw_out", c.rawOut);
        flag("continuous", c.continuous);
        m_writer.field("noblk", 0);
        m_writer.field("align_right", c.alignRight ? 1 : 0);
        m_writer.field("nbits_unsigned", c.bitsUnsigned ? 1 : 0);
        if (c.syncEngine >= 0) {
            m_writer.field("sync_with_other", 1);
            m_writer.field("sync_dma", c.syncEngine);
        }
        flag("cacheable", c.cacheable);
        flag("cache_allocate", c.cacheAllocate);
        streamAddresses(c);
        m_writer.field("nbits_in", c.bitsIn);
        m_writer.field("nbits_out", c.bitsOut);
    }

    void operator()(const program::ConvConfig& c) {
        m_writer.field("simd", c.simd);
        m_writer.field("fsub", c.fsub);
        number("zfbias", c.zfbias);
        flag("accumulate", c.accumulate);
        m_writer.field("accumulate_first", c.accumulateFirst ? 1 : 0);
        flag("accumulate_gen_first", c.accumulateGenFirst);
        convFilters(c);
        m_writer.field("inbytes_f", c.inbytesF);
        number("shift_f", c.shiftF);
        number("shift_a", c.shiftA);
        m_writer.field("shift_o", c.shiftO);
        flag("raw_o", c.rawO);
        output(c.roundingO, c.saturationO, c.roundModeO, c.outbytesO);
        flag("f_unsigned", c.fUnsigned);
        flag("k_unsigned", c.kUnsigned);
        flag("deepmode", c.deepmode);
        number("kseten", c.kseten);
        convGeometry(c);
    }

    void operator()(const program::ArithConfig& c) {
        static const char* operations[] = {"",    "AFFINE", "MIN", "MAX", "MUL", "AND", "OR",  "NOT", "XOR",
                                           "EQ",  "LT",     "LE",  "GT",  "GE",  "ABS", "SIGN", "CLIP"};
        static const char* broadcasts[] = {"NONE", "CHAN", "HEIGHT", "WIDTH", "HEIGHT_WIDTH", "SCALAR"};
        output(c.roundingO, c.saturationO, c.roundModeO, c.outbytesO);
        m_writer.field("inbytes_x", c.inbytesX);
        m_writer.field("inbytes_y", c.inbytesY);
        m_writer.field("outbytes_x", c.outbytesX);
        m_writer.field("outbytes_y", c.outbytesY);
        m_writer.field("shift_o", c.shiftO);
        m_writer.field("scalar", c.scalar ? 1 : 0);
        m_writer.field("dualinput", c.dualinput ? 1 : 0);
        m_writer.field("operation", std::string("ARITH_") + operations[int(c.operation)]);
        m_writer.field("bcast", std::string("ARITH_BCAST_") + broadcasts[int(c.broadcast)]);
        m_writer.field("combinebc", c.combinebc ? 1 : 0);
        arithCoefficients(c);
        if (c.clipout) {
            m_writer.field("clipout", 1);
            m_writer.field("clipmin", c.clipmin);
            m_writer.field("clipmax", c.clipmax);
        }
        m_writer.field("fWidth", c.fWidth);
        m_writer.field("fHeight", c.fHeight);
        m_writer.field("fChannels", c.fChannels);
        m_writer.field("batchDepth", c.batchDepth);
    }

    void operator()(const program::PoolConfig& c) {
        static const char* operations[] = {"", "MAX", "MIN", "AVG", "GMAX", "GMIN", "GAVG"};
        m_writer.field("operation", std::string("POOL_") + operations[int(c.operation)]);
        output(c.roundingO, c.saturationO, c.roundModeO, c.outbytesO);
        m_writer.field("shift_o", c.shiftO);
        m_writer.field("inbytes_f", c.inbytesF);
        m_writer.field("outbytes_f", c.outbytesF);
        m_writer.field("inputX", c.inputX);
        m_writer.field("inputY", c.inputY);
        m_writer.field("outputX", c.outputX);
        m_writer.field("outputY", c.outputY);
        m_writer.field("poolWinX", c.windowX);
        m_writer.field("poolWinY", c.windowY);
        m_writer.field("strideX", c.strideX);
        m_writer.field("strideY", c.strideY);
        m_writer.field("topCrop", c.topCrop);
        m_writer.field("bottomCrop", c.bottomCrop);
        m_writer.field("leftCrop", c.leftCrop);
        m_writer.field("rightCrop", c.rightCrop);
        m_writer.field("topPad", c.topPad);
        m_writer.field("bottomPad", c.bottomPad);
        m_writer.field("leftPad", c.leftPad);
        m_writer.field("rightPad", c.rightPad);
        m_writer.field("batchSize", c.batchSize);
        m_writer.field("mulval", c.mulval);
        flag("dualLine", c.dualLine);
        flag("avgnopad", c.avgNoPad);
    }

    void operator()(const program::ActivConfig& c) {
        static const char* operations[] = {"", "RELU", "PRELU", "TRELU", "FUNC", "LUT"};
        m_writer.field("operation", std::string("ACTIV_") + operations[int(c.operation)]);
        output(c.roundingO, c.saturationO, c.roundModeO, c.outbytesO);
        m_writer.field("inbytes_f", c.inbytesF);
        m_writer.field("parameter", c.parameter);
        m_writer.field("parameter_2", c.parameter2);
        m_writer.field("shift_norm", c.shiftNorm);
        m_writer.field("shift_b", c.shiftB);
        m_writer.field("shift_c", c.shiftC);
        m_writer.field("shift_o", c.shiftO);
        m_writer.field("bwidth", c.bwidth);
        m_writer.field("signedop", c.signedop ? 1 : 0);
        m_writer.field("ROM0_vector", table(c.rom0));
        m_writer.field("ROM1_vector", table(c.rom1));
        m_writer.field("ROM0_nbytes", std::int64_t(c.rom0.size()));
        m_writer.field("ROM1_nbytes", std::int64_t(c.rom1.size() * 2));
    }

private:
    void flag(const char* name, bool value) {
        if (value)
            m_writer.field(name, 1);
    }
    void number(const char* name, int value) {
        if (value)
            m_writer.field(name, value);
    }
    void output(bool rounding, bool saturation, int roundMode, int bytes) {
        m_writer.field("rounding_o", rounding ? 1 : 0);
        m_writer.field("saturation_o", saturation ? 1 : 0);
        m_writer.field("round_mode_o", roundMode);
        m_writer.field("relu_mode_o", 0);
        m_writer.field("outbytes_o", bytes);
    }

    void streamAddresses(const program::StreamEngineConfig& c) {
        const std::int64_t base = m_names.offset(c.buffer);
        const std::int64_t size = m_names.program()[c.buffer].size.value;
        m_writer.field("addr_base", "{" + m_names.poolBase(c.buffer) + "} /* " + c.tensor +
                                        (c.comment.empty() ? "" : ", " + c.comment) + " */");
        m_writer.field("offset_start", base + c.offsetStart);
        if (c.raw)
            m_writer.field("offset_end", base + c.offsetEnd);
        m_writer.field("offset_limit", alignUp(base + size, 8) + m_names.program().machine.limits.prefetchPadding);
        m_writer.field("frame_count", 0);
        if (!c.raw)
            rasterFields(c);
        m_writer.field("frame_offset", c.frameOffset);
        if (c.frameLoopCount > 0) {
            m_writer.field("loop_offset", c.loopOffset);
            m_writer.field("frame_loop_cnt", c.frameLoopCount);
        }
        m_writer.field("frame_tot_cnt", c.frameTotal);
    }

    void rasterFields(const program::StreamEngineConfig& c) {
        m_writer.field("fwidth", c.fwidth);
        m_writer.field("fheight", c.fheight);
        m_writer.field("batch_depth", c.batchDepth);
        m_writer.field("batch_offset", c.batchOffset);
        m_writer.field("line_offset", c.lineOffset == c.fwidth * c.batchOffset ? 0 : c.lineOffset);
    }

    void convFilters(const program::ConvConfig& c) {
        if (c.afiltTotal > 0) {
            m_writer.field("afilt_mode", "AFILT_MODE_FRAMEZERO");
            m_writer.field("afilt_tot", c.afiltTotal);
            m_writer.field("afilt_first", c.afiltFirst);
            m_writer.field("afilt_last", c.afiltLast);
        }
        if (c.kfiltTotal > 0) {
            m_writer.field("kfilt_tot", c.kfiltTotal);
            m_writer.field("kfilt_first", c.kfiltFirst);
            m_writer.field("kfilt_last", c.kfiltLast);
        }
    }

    void convGeometry(const program::ConvConfig& c) {
        m_writer.field("kernelWidth", c.kernelWidth);
        m_writer.field("kernelHeight", c.kernelHeight);
        m_writer.field("nKernels", c.nKernels);
        m_writer.field("batchDepth", c.batchDepth);
        m_writer.field("hstride", c.hstride);
        m_writer.field("vstride", c.vstride);
        m_writer.field("left_padding", c.leftPadding);
        m_writer.field("right_padding", c.rightPadding);
        m_writer.field("top_padding", c.topPadding);
        m_writer.field("bot_padding", c.botPadding);
        m_writer.field("left_crop", c.leftCrop);
        m_writer.field("right_crop", c.rightCrop);
        m_writer.field("top_crop", c.topCrop);
        m_writer.field("bot_crop", c.botCrop);
        m_writer.field("fWidth", c.fWidth);
        m_writer.field("fHeight", c.fHeight);
    }

    void arithCoefficients(const program::ArithConfig& c) {
        m_writer.field("Ax_shift", c.axShift);
        m_writer.field("By_shift", c.byShift);
        m_writer.field("C_shift", c.cShift);
        // With combinebc the 32-bit constant travels as its two halves (facts 2.5).
        const std::int64_t b = c.combinebc ? c.cScalar >> 16 : c.bScalar;
        const std::int64_t low = c.combinebc ? c.cScalar & 0xFFFF : c.cScalar;
        m_writer.field("A_scalar", "(short)" + std::to_string(c.aScalar));
        m_writer.field("B_scalar", "(short)" + std::to_string(b));
        m_writer.field("C_scalar", "(short)" + std::to_string(low));
        vectorField("A_vector", c.aVector, c.aOffset);
        vectorField("B_vector", c.bVector, c.bOffset);
        vectorField("C_vector", c.cVector, c.cOffset);
        m_writer.field("vec_precision", "{" + std::to_string(c.vecBits[0]) + ", " + std::to_string(c.vecBits[1]) + ", " +
                                            std::to_string(c.vecBits[2]) + "}");
    }

    void vectorField(const char* name, BufferId buffer, std::int64_t offset) {
        if (buffer.isValid())
            m_writer.field(name, "{" + m_names.address(buffer, offset) + "} /* " + m_names.program()[buffer].name + " */");
        else
            m_writer.field(name, "{0}");
    }

    /// Small tables travel inside the structure as compound literals.
    template <typename T> static std::string table(const std::vector<T>& values) {
        std::string text = sizeof(T) == 1 ? "(const unsigned char[]){" : "(const unsigned char *)(const short[]){";
        for (std::size_t i = 0; i < values.size(); ++i)
            text += (i ? ", " : "") + std::to_string(values[i]);
        return text + "}";
    }

    CWriter& m_writer;
    const Names& m_names;
};

struct UnitType {
    const char* structure;
    const char* init;
};

UnitType unitType(target::UnitKind kind) {
    switch (kind) {
    case target::UnitKind::ConvAcc:
        return {"LL_Convacc_InitTypeDef", "LL_Convacc_Init"};
    case target::UnitKind::Arith:
        return {"LL_Arithacc_InitTypeDef", "LL_Arithacc_Init"};
    case target::UnitKind::Pool:
        return {"LL_Poolacc_InitTypeDef", "LL_Poolacc_Init"};
    case target::UnitKind::Activ:
        return {"LL_Activacc_InitTypeDef", "LL_Activacc_Init"};
    default:
        return {"LL_Streng_TensorInitTypeDef", "LL_Streng_TensorInit"};
    }
}

std::string unitText(const program::Unit& unit) {
    return std::string(target::unitPrintName(unit.kind)) + " " + std::to_string(unit.index);
}

const program::StreamEngineConfig* engineOf(const program::Unit& unit) {
    return std::get_if<program::StreamEngineConfig>(&unit.config);
}

void emitUnit(CWriter& writer, const Names& names, int ordinal, const program::Unit& unit) {
    writer.comment("Unit= " + std::to_string(names.program().machine.printIndex(unit.kind, unit.index)) + " [" + unitText(unit) + "]");
    const program::StreamEngineConfig* engine = engineOf(unit);
    if (engine) {
        const std::int64_t base = names.offset(engine->buffer);
        writer.comment("Emit conf for " + unitText(unit) + " node=" + unit.node + " range=" + names.poolName(engine->buffer) + "[" +
                       std::to_string(base) + "," + std::to_string(base + names.program()[engine->buffer].size.value) + "]");
    } else {
        writer.comment("kind=" + unit.opKind + " node=" + unit.node);
    }
    const UnitType type = unitType(unit.kind);
    const std::string name = unitStruct(unit, ordinal);
    writer.open("static const " + std::string(type.structure) + " " + name + " = {");
    std::visit(FieldWriter(writer, names), unit.config);
    writer.close("};");
    writer.line(std::string(type.init) + "(" + std::to_string(unit.index) + ", &" + name + (engine ? ", 1);" : ");"));
    writer.line();
}

void emitBandwidth(CWriter& writer, const Names& names, int ordinal, bool writes) {
    writer.comment(std::string(writes ? "Dma output" : "Dma input") + " bandwidth " + (writes ? "to" : "from") + " memory pools:");
    std::vector<std::pair<std::string, std::int64_t>> sums;
    for (const program::Transfer& transfer : program::transfersOf(names.program(), EpochId(ordinal))) {
        if (transfer.write != writes)
            continue;
        const std::string& pool = names.poolName(transfer.buffer);
        auto found = std::find_if(sums.begin(), sums.end(), [&](const auto& sum) { return sum.first == pool; });
        if (found == sums.end())
            sums.emplace_back(pool, transfer.bytes);
        else
            found->second += transfer.bytes;
    }
    for (const auto& [pool, bytes] : sums)
        writer.comment(pool + (writes ? " <- " : " -> ") + std::to_string(bytes));
    writer.line();
}

std::string port(const program::Unit& unit, int number, const char* macro) {
    return std::string(macro) + "(STRSWITCH, 0, " + target::unitEnumName(unit.kind) + ", " + std::to_string(unit.index) + ", " +
           std::to_string(number) + ")";
}

void emitSwitch(CWriter& writer, int ordinal, const program::HardwareWork& work) {
    writer.open("static const LL_Switch_InitTypeDef switch_init_in_" + std::to_string(ordinal) + "[] = {");
    for (const program::Link& link : work.links) {
        const program::Unit& from = work.units[std::size_t(link.from)];
        const program::Unit& to = work.units[std::size_t(link.to)];
        std::string text = "{ LL_Switch_Init_Dest() = " + port(to, link.port, "ATONN_DSTPORT") +
                           ", LL_Switch_Init_Source(0) = " + port(from, 0, "ATONN_SRCPORT") +
                           ", LL_Switch_Init_Context(0) = 1, LL_Switch_Init_Frames(0) = " + std::to_string(link.dropFrames) + ", ";
        if (link.passFrames > 0) {
            text = "{ LL_Switch_Init_Dest() = " + port(to, link.port, "ATONN_DSTPORT") +
                   ", LL_Switch_Init_Source(0) = " + port(from, 0, "ATONN_SRCPORT") +
                   ", LL_Switch_Init_Context(0) = 0, LL_Switch_Init_Frames(0) = " + std::to_string(link.dropFrames) +
                   ", LL_Switch_Init_Source(1) = " + port(from, 0, "ATONN_SRCPORT") +
                   ", LL_Switch_Init_Context(1) = 1, LL_Switch_Init_Frames(1) = " + std::to_string(link.passFrames) + ", ";
        }
        writer.line(text + "}, /* " + from.node + " -> " + to.node + " */");
    }
    writer.close("};");
}

bool isOutputEngine(const program::Unit& unit) {
    const program::StreamEngineConfig* engine = engineOf(unit);
    return engine && engine->direction == Direction::ToMemory;
}

/// Output engines first, then computing units, then input engines (facts 2.2).
std::vector<const program::Unit*> enableOrder(const program::HardwareWork& work) {
    std::vector<const program::Unit*> order;
    for (int phase = 0; phase < 3; ++phase)
        for (const program::Unit& unit : work.units)
            if ((isOutputEngine(unit) ? 0 : engineOf(unit) ? 2 : 1) == phase)
                order.push_back(&unit);
    return order;
}

void emitUnitTable(CWriter& writer, const std::string& name, const program::HardwareWork& work) {
    writer.open("static const LL_ATON_EnableUnits_InitTypeDef " + name + "[] = {");
    for (const program::Unit* unit : enableOrder(work))
        writer.line("{ {" + std::string(target::unitEnumName(unit->kind)) + ", " + std::to_string(unit->index) + "} }, /* " +
                    unitText(*unit) + " */");
    writer.close("};");
}

} // namespace

std::string unitStruct(const program::Unit& unit, int ordinal) {
    const program::StreamEngineConfig* engine = engineOf(unit);
    if (!engine)
        return identifier(unit.node) + "_init" + std::to_string(ordinal);
    return identifier(unit.node) + "_dma_init_" + (engine->direction == Direction::ToMemory ? "out_" : "in_") +
           std::to_string(unit.index) + "_" + std::to_string(ordinal);
}

void emitHardwareStart(CWriter& writer, const Names& names, int ordinal, const program::HardwareWork& work) {
    for (const program::Unit& unit : work.units)
        if (!engineOf(unit))
            emitUnit(writer, names, ordinal, unit);
    writer.comment("Dma input units to cycle:");
    for (const program::Unit& unit : work.units)
        if (engineOf(unit) && !isOutputEngine(unit))
            emitUnit(writer, names, ordinal, unit);
    emitBandwidth(writer, names, ordinal, false);
    writer.comment("Dma output units from cycle:");
    for (const program::Unit& unit : work.units)
        if (isOutputEngine(unit))
            emitUnit(writer, names, ordinal, unit);
    emitBandwidth(writer, names, ordinal, true);
    emitSwitch(writer, ordinal, work);
    const std::string count = std::to_string(work.links.size());
    writer.line("LL_Switch_Init(switch_init_in_" + std::to_string(ordinal) + ", " + count + ");");
    writer.line();
    emitCacheBeforeHardware(writer, names, ordinal);
    const std::string table = "Enable_epoch_" + std::to_string(ordinal) + "_all_units";
    emitUnitTable(writer, table, work);
    writer.line("LL_ATON_EnableUnits_Init(" + table + ", " + std::to_string(work.units.size()) + ");");
}

void emitHardwareEnd(CWriter& writer, int ordinal, const program::HardwareWork& work) {
    writer.open("static const LL_Switch_DeinitTypeDef switch_deinit_in_" + std::to_string(ordinal) + "[] = {");
    for (const program::Link& link : work.links)
        writer.line("{ LL_Switch_Init_Dest() = " + port(work.units[std::size_t(link.to)], link.port, "ATONN_DSTPORT") + ", },");
    writer.close("};");
    writer.line("LL_Switch_Deinit(switch_deinit_in_" + std::to_string(ordinal) + ", " + std::to_string(work.links.size()) + ");");
    const std::string table = "Disable_epoch_" + std::to_string(ordinal) + "_all_units";
    writer.open("static const LL_ATON_DisableUnits_InitTypeDef " + table + "[] = {");
    for (const program::Unit* unit : enableOrder(work))
        writer.line("{ {" + std::string(target::unitEnumName(unit->kind)) + ", " + std::to_string(unit->index) + "} },");
    writer.close("};");
    writer.line("LL_ATON_DisableUnits_Init(" + table + ", " + std::to_string(work.units.size()) + ");");
}

} // namespace poolwright::emit
