// SPDX-License-Identifier: Apache-2.0
#include "emit/c_network.h"

#include <set>

namespace poolwright::emit {

namespace {

constexpr std::int64_t mcuLine = 32; // facts 4.7: ranges are rounded outward to the MCU's line

struct Block {
    const char* call;
    const char* note;
};

/// One call for a whole buffer. Buffers that the application allocates are its own business.
void emitRange(CWriter& writer, const Names& names, BufferId buffer, const Block& block) {
    const program::Buffer& b = names.program()[buffer];
    if (b.userAllocated || !names.program().placements[std::size_t(buffer.index)])
        return;
    const std::int64_t start = names.offset(buffer) / mcuLine * mcuLine;
    const std::int64_t end = alignUp(names.offset(buffer) + b.size.value, mcuLine);
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

} // namespace

void emitCacheBeforeHardware(CWriter& writer, const Names& names, int ordinal) {
    emitRanges(writer, names, buffersOf(names, ordinal, true),
               {"LL_ATON_Cache_MCU_Invalidate_Range", "MCU cache invalidate (only) operation (HW, whole range)"});
}

void emitCacheBeforeSoftware(CWriter& writer, const Names& names, int ordinal) {
    emitRanges(writer, names, buffersOf(names, ordinal, true),
               {"LL_ATON_Cache_MCU_Invalidate_Range", "MCU cache invalidate (only) operation (SW, whole range)"});
}

void emitCacheAfterSoftware(CWriter& writer, const Names& names, int ordinal) {
    emitRanges(writer, names, buffersOf(names, ordinal, true),
               {"LL_ATON_Cache_MCU_Clean_Range", "MCU cache clean operation (SW, whole range)"});
}

} // namespace poolwright::emit
