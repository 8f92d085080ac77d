// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/c_writer.h"
#include "emit/network_c.h"

/// Parts of network.c, shared by the files c_*.cpp. Not for other rooms.
namespace poolwright::emit {

/// Where things are called and lie, for every part of the file.
class Names {
public:
    explicit Names(const NetworkSource& source) : m_source(source) {}

    const NetworkSource& source() const { return m_source; }
    const program::Program& program() const { return m_source.program; }
    const std::string& network() const { return m_source.program.networkName; }
    /// C expression for the start of the pool that a buffer lies in, or for the pointer the application sets.
    std::string poolBase(BufferId buffer) const;
    /// Bytes from that start to the buffer.
    std::int64_t offset(BufferId buffer) const;
    /// Absolute address of a byte of a buffer as a C expression.
    std::string address(BufferId buffer, std::int64_t offset) const;
    const std::string& poolName(BufferId buffer) const;
    /// Index of a user-allocated buffer among the network's inputs or outputs.
    std::string userPointer(BufferId buffer) const;

private:
    const mpool::EffectivePool& pool(BufferId buffer) const;
    const NetworkSource& m_source;
};

void emitBanner(CWriter& writer, const Names& names);
void emitPools(CWriter& writer, const Names& names);
void emitUserIo(CWriter& writer, const Names& names);
void emitEpoch(CWriter& writer, const Names& names, int ordinal);
void emitHardwareStart(CWriter& writer, const Names& names, int ordinal, const program::HardwareWork& work);
void emitHardwareEnd(CWriter& writer, int ordinal, const program::HardwareWork& work);
void emitSoftware(CWriter& writer, const Names& names, int ordinal, const program::SoftwareWork& work);
void emitEpochTable(CWriter& writer, const Names& names);
void emitBufferTables(CWriter& writer, const Names& names);

/// Cache maintenance of facts 4.7; nothing without --cache-maintenance.
void emitCacheBeforeHardware(CWriter& writer, const Names& names, int ordinal);
void emitCacheBeforeSoftware(CWriter& writer, const Names& names, int ordinal);
void emitCacheAfterSoftware(CWriter& writer, const Names& names, int ordinal);
/// After the last epoch: what the application reads leaves the NPU cache for memory, what it will write leaves the cache.
void emitCacheAtEnd(CWriter& writer, const Names& names, int ordinal);

/// "Conv2D_3_init4": the struct of one unit in one epoch.
std::string unitStruct(const program::Unit& unit, int ordinal);

} // namespace poolwright::emit
