// SPDX-License-Identifier: Apache-2.0
#include "emit/network_c.h"

#include "emit/c_network.h"

#include <cstdio>
#include <functional>

namespace poolwright::emit {

const mpool::EffectivePool& Names::pool(BufferId buffer) const {
    return program().pools[std::size_t(program().placements[std::size_t(buffer.index)]->pool.index)];
}

std::string Names::userPointer(BufferId buffer) const {
    const auto pointer = [&](const std::vector<program::TensorView>& views, const char* kind) -> std::string {
        for (std::size_t i = 0; i < views.size(); ++i)
            if (views[i].buffer == buffer)
                return std::string("_mem_pool__user_io_") + kind + "_" + std::to_string(i) + "_" + network();
        return {};
    };
    const std::string input = pointer(program().inputs, "input");
    return input.empty() ? pointer(program().outputs, "output") : input;
}

std::string Names::poolBase(BufferId buffer) const {
    if (program()[buffer].userAllocated)
        return "(unsigned char *)(" + userPointer(buffer) + ")";
    const mpool::EffectivePool& p = pool(buffer);
    if (p.mode == mpool::UseMode::Relative)
        return "(unsigned char *)(_mem_pool_" + identifier(p.fname) + "_" + network() + ")";
    return "(unsigned char *)(" + hexAddress(p.range.start.value) + ")";
}

std::int64_t Names::offset(BufferId buffer) const {
    if (program()[buffer].userAllocated)
        return 0;
    return (program().placements[std::size_t(buffer.index)]->address - pool(buffer).range.start).value;
}

std::string Names::address(BufferId buffer, std::int64_t bytes) const {
    return "(" + poolBase(buffer) + " + " + std::to_string(offset(buffer) + bytes) + ")";
}

const std::string& Names::poolName(BufferId buffer) const {
    static const std::string user = "user";
    return program()[buffer].userAllocated ? user : pool(buffer).name;
}

namespace {

std::size_t nodeCount(const program::Epoch& epoch) {
    return epoch.hardware() ? epoch.hardware()->units.size() : 1;
}

void emitCallback(CWriter& writer, const char* which, int ordinal, const std::function<void()>& body) {
    writer.line(std::string("static void LL_ATON_") + which + "_EpochBlock_" + std::to_string(ordinal) + "(const void *epoch_block)");
    writer.open("{");
    writer.line("LL_ATON_LIB_UNUSED(epoch_block);");
    writer.line();
    body();
    writer.close("}");
    writer.line();
}

std::uint32_t engineMask(const program::Epoch& epoch, program::Direction direction) {
    std::uint32_t mask = 0;
    if (const program::HardwareWork* work = epoch.hardware())
        for (const program::Unit& unit : work->units)
            if (const auto* engine = std::get_if<program::StreamEngineConfig>(&unit.config))
                if (engine->direction == direction)
                    mask |= 1u << unit.index;
    return mask;
}

std::string hex(std::uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", value);
    return text;
}

const char* kindFlag(program::EpochKind kind) {
    switch (kind) {
    case program::EpochKind::Hardware:
        return "EpochBlock_Flags_pure_hw";
    case program::EpochKind::Hybrid:
        return "EpochBlock_Flags_hybrid";
    default:
        return "EpochBlock_Flags_pure_sw";
    }
}

void emitEpochRow(CWriter& writer, const Names& names, int ordinal) {
    const program::Epoch& epoch = names.program().epochs[std::size_t(ordinal)];
    const std::string number = std::to_string(ordinal);
    const std::uint32_t outputs = engineMask(epoch, program::Direction::ToMemory);
    writer.open("{ /* " + epoch.name + " */");
    if (epoch.hardware())
        writer.field("start_epoch_block", "LL_ATON_Start_EpochBlock_" + number);
    writer.field("end_epoch_block", "LL_ATON_End_EpochBlock_" + number);
    writer.field("blob_address", "0");
    writer.field("wait_mask", hex(outputs));
    writer.field("flags", std::string("EpochBlock_Flags_epoch_start | EpochBlock_Flags_epoch_end | ") + kindFlag(epoch.kind));
    writer.raw("#ifdef LL_ATON_EB_DBG_INFO\n");
    writer.field("epoch_num", ordinal);
    writer.field("last_epoch_num", ordinal);
    writer.field("in_streng_mask", hex(engineMask(epoch, program::Direction::FromMemory)));
    writer.field("out_streng_mask", hex(outputs));
    if (std::size_t(ordinal) < names.source().cycles.size()) {
        writer.field("estimated_npu_cycles", names.source().cycles[std::size_t(ordinal)].first);
        writer.field("estimated_tot_cycles", names.source().cycles[std::size_t(ordinal)].second);
    }
    writer.raw("#endif // LL_ATON_EB_DBG_INFO\n");
    writer.close("},");
}

Diagnostics unplacedBuffers(const NetworkSource& source) {
    Diagnostics errors;
    for (std::size_t i = 0; i < source.program.buffers.size(); ++i)
        if (!source.program.buffers[i].userAllocated && (i >= source.program.placements.size() || !source.program.placements[i]))
            errors.push_back(makeError("PW4001", "network.c needs a place for every buffer", {{}, 0, 0, source.program.buffers[i].name}));
    return errors;
}

} // namespace

void emitEpoch(CWriter& writer, const Names& names, int ordinal) {
    const program::Epoch& epoch = names.program().epochs[std::size_t(ordinal)];
    if (epoch.kind == program::EpochKind::None)
        return;
    writer.comment("scheduling epoch=" + std::to_string(ordinal) + " nodes=" + std::to_string(nodeCount(epoch)) +
                   " ------------------------------------------------------------------");
    if (!epoch.reason.empty())
        writer.comment("not in hardware: " + epoch.reason);
    writer.line();
    if (const program::HardwareWork* hardware = epoch.hardware()) {
        emitCallback(writer, "Start", ordinal, [&] { emitHardwareStart(writer, names, ordinal, *hardware); });
        emitCallback(writer, "End", ordinal, [&] {
            emitHardwareEnd(writer, ordinal, *hardware);
            emitCacheAtEnd(writer, names, ordinal);
        });
    } else if (const program::SoftwareWork* software = epoch.software()) {
        emitCallback(writer, "End", ordinal, [&] {
            emitSoftware(writer, names, ordinal, *software);
            emitCacheAtEnd(writer, names, ordinal);
        });
    }
}

void emitEpochTable(CWriter& writer, const Names& names) {
    const std::string& network = names.network();
    writer.line("const EpochBlock_ItemTypeDef *LL_ATON_EpochBlockItems_" + network + "(void)");
    writer.open("{");
    writer.open("static const EpochBlock_ItemTypeDef ll_atonn_rt_epoch_block_array_" + network + "[] = {");
    for (int ordinal = 0; ordinal < int(names.program().epochs.size()); ++ordinal)
        if (names.program().epochs[std::size_t(ordinal)].kind != program::EpochKind::None)
            emitEpochRow(writer, names, ordinal);
    writer.open("{");
    writer.field("wait_mask", "0");
    writer.field("flags", "EpochBlock_Flags_last_eb");
    writer.close("},");
    writer.close("};");
    writer.line("return ll_atonn_rt_epoch_block_array_" + network + ";");
    writer.close("}");
    writer.line();
}

Result<std::string> networkC(const NetworkSource& source) {
    if (source.options.runtimeGeneration != "1.1.1")
        return fail(makeError("PW4002", "network.c for runtime \"" + source.options.runtimeGeneration + "\" is not available",
                              {{}, 0, 0, "--runtime"}, "network.c is written for runtime 1.1.1 (ST Edge AI Core 2.2)"));
    if (Diagnostics errors = unplacedBuffers(source); !errors.empty())
        return fail(std::move(errors));
    const Names names(source);
    CWriter writer;
    emitBanner(writer, names);
    emitPools(writer, names);
    emitUserIo(writer, names);
    for (int ordinal = 0; ordinal < int(source.program.epochs.size()); ++ordinal)
        emitEpoch(writer, names, ordinal);
    writer.comment("scheduling DONE ------------------------------------------------------------------");
    writer.line();
    emitEpochTable(writer, names);
    emitBufferTables(writer, names);
    return writer.text();
}

} // namespace poolwright::emit
