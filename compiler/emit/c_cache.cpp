// SPDX-License-Identifier: Apache-2.0
#include "emit/c_network.h"

#include <set>

namespace poolwright::emit {

namespace {

constexpr std::int64_t mcuLine = 32, npuLine = 64; // facts 4.7: ranges are rounded outward to the cache's line

struct Block {
    const char* call;
    const char* note;
    std::int64_t line = mcuLine;
};

/// One call for a whole buffer. Buffers that the application allocates are its own business.
void emitRange(CWriter& writer, const Names& names, BufferId buffer, const Block& block) {
    const program::Buffer& b = names.program()[buffer];
    if (b.userAllocated || !names.program().placements[std::size_t(buffer.index)])
        return;
    const std::int64_t start = names.offset(buffer) / block.line * block.line;
    const std::int64_t end = alignUp(names.offset(buffer) + b.size.value, block.line);
    writer.comment(std::string("*** ") + block.note + " ***");
    writer.comment("buffer: " + b.name + ", memory pool: " + names.poolName(buffer));
    writer.comment("start: " + std::to_string(start) + ", end: " + std::to_string(end));
    writer.line(std::string(block.call) + "((uintptr_t)(" + names.poolBase(buffer) + " + " + std::to_string(start) + "), " +
                std::to_string(end - start) + ");");
}

std::set<BufferId> buffersOf(const Names& names, int ordinal, bool writes) {
    std::set<BufferId> buffers;
    for (const program::Transfer& transfer : program::transfersOf(names.program(), EpochId(ordinal)))
        if (transfer.write == writes)
            buffers.insert(transfer.buffer);
    return buffers;
}

void emitRanges(CWriter& writer, const Names& names, const std::set<BufferId>& buffers, const Block& block) {
    if (!names.source().options.cacheMaintenance)
        return;
    for (BufferId buffer : buffers)
        if (names.program()[buffer].usedByCpu)
            emitRange(writer, names, buffer, block);
}

/// Buffers that stream engines reach through the NPU cache and somebody else by the bus. What the cache holds of them
/// must be in memory before the CPU reads, and out of the cache before the CPU writes: there is no plain invalidation.
void emitNpuRanges(CWriter& writer, const Names& names, const std::set<BufferId>& buffers, const Block& block) {
    if (!names.source().options.cacheOpt)
        return;
    std::set<BufferId> cached;
    for (BufferId buffer : buffers)
        if (const auto& placement = names.program().placements[std::size_t(buffer.index)];
            placement && names.program().pools[std::size_t(placement->pool.index)].properties.cacheable)
            cached.insert(buffer);
    emitRanges(writer, names, cached, block);
}

constexpr Block npuClean = {"LL_ATON_Cache_NPU_Clean_Range", "NPU cache clean operation (whole range)", npuLine};
constexpr Block npuCleanInvalidate = {"LL_ATON_Cache_NPU_Clean_Invalidate_Range",
                                      "NPU cache clean and invalidate operation (whole range)", npuLine};

/// What the application writes or reads between two inferences.
std::set<BufferId> interfaceBuffers(const Names& names, program::BufferKind kind) {
    std::set<BufferId> buffers;
    for (std::size_t i = 0; i < names.program().buffers.size(); ++i)
        if (names.program().buffers[i].kind == kind)
            buffers.insert(BufferId(i));
    return buffers;
}

bool isLastThatRuns(const Names& names, int ordinal) {
    return ordinal == names.program().lastEpoch() - 1;
}

} // namespace

void emitCacheBeforeHardware(CWriter& writer, const Names& names, int ordinal) {
    emitRanges(writer, names, buffersOf(names, ordinal, true),
               {"LL_ATON_Cache_MCU_Invalidate_Range", "MCU cache invalidate (only) operation (HW, whole range)"});
}

void emitCacheBeforeSoftware(CWriter& writer, const Names& names, int ordinal) {
    emitNpuRanges(writer, names, buffersOf(names, ordinal, false), npuClean);
    emitNpuRanges(writer, names, buffersOf(names, ordinal, true), npuCleanInvalidate);
    emitRanges(writer, names, buffersOf(names, ordinal, true),
               {"LL_ATON_Cache_MCU_Invalidate_Range", "MCU cache invalidate (only) operation (SW, whole range)"});
}

void emitCacheAfterSoftware(CWriter& writer, const Names& names, int ordinal) {
    emitRanges(writer, names, buffersOf(names, ordinal, true),
               {"LL_ATON_Cache_MCU_Clean_Range", "MCU cache clean operation (SW, whole range)"});
}

void emitCacheAtEnd(CWriter& writer, const Names& names, int ordinal) {
    if (!isLastThatRuns(names, ordinal))
        return;
    emitNpuRanges(writer, names, interfaceBuffers(names, program::BufferKind::Output), npuClean);
    emitNpuRanges(writer, names, interfaceBuffers(names, program::BufferKind::Input), npuCleanInvalidate);
}

} // namespace poolwright::emit
