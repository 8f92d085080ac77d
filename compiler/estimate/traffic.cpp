// SPDX-License-Identifier: Apache-2.0
#include "estimate/traffic.h"

#include <algorithm>
#include <map>

namespace poolwright::estimate {

namespace {

std::int64_t scaled(std::int64_t value, std::int64_t part, std::int64_t whole) {
    return part == whole ? value : std::int64_t(double(value) * double(part) / double(whole));
}

std::int64_t sharedBytes(AddressRange a, AddressRange b) {
    return a.overlaps(b) ? (std::min(a.end(), b.end()) - std::max(a.start, b.start)).value : 0;
}

/// Unique bytes once: the cache delivers the rest (facts/cost-model.md section 1.3).
TransferPart wholePart(const program::Transfer& transfer, const program::Buffer& buffer) {
    TransferPart part;
    part.transfer = transfer;
    part.isConstant = buffer.kind == program::BufferKind::Constant;
    if (transfer.cachedReRead) {
        part.cachedWords = transfer.words;
        part.transfer.bytes = std::min(transfer.bytes, buffer.size.value);
        part.transfer.words = part.transfer.bytes / std::max(transfer.wordBytes, 1);
    }
    return part;
}

} // namespace

PoolMap::PoolMap(const program::Program& program)
    : m_members(program.pools.size()) {
    std::map<PoolId, int> concrete;
    for (int i = 0; i < int(program.pools.size()); ++i)
        if (const auto& members = program.pools[std::size_t(i)].members; members.size() == 1)
            concrete.try_emplace(members.front(), i);
    for (int i = 0; i < int(program.pools.size()); ++i) {
        const mpool::EffectivePool& pool = program.pools[std::size_t(i)];
        if (pool.isVirtual())
            for (const PoolId member : pool.members)
                if (const auto found = concrete.find(member); found != concrete.end())
                    m_members[std::size_t(i)].push_back(found->second);
        if (m_members[std::size_t(i)].empty())
            m_members[std::size_t(i)] = {i};
    }
}

std::vector<TransferPart> splitTransfers(const program::Program& program, const PoolMap& pools, EpochId epoch) {
    std::vector<TransferPart> parts;
    for (const program::Transfer& transfer : program::transfersOf(program, epoch)) {
        const std::size_t index = std::size_t(transfer.buffer.index);
        if (!transfer.buffer.isValid() || index >= program.placements.size() || !program.placements[index])
            continue;
        const program::Buffer& buffer = program.buffers[index];
        const program::Placement& placement = *program.placements[index];
        const TransferPart whole = wholePart(transfer, buffer);
        const AddressRange range{placement.address, buffer.size};
        const std::vector<int>& members = pools.concrete(placement.pool.index);
        for (const int pool : members) {
            const std::int64_t inside =
                members.size() == 1 ? range.size.value : sharedBytes(range, program.pools[std::size_t(pool)].range);
            if (inside <= 0)
                continue;
            TransferPart part = whole;
            part.pool = pool;
            part.transfer.bytes = scaled(whole.transfer.bytes, inside, range.size.value);
            part.transfer.words = scaled(whole.transfer.words, inside, range.size.value);
            parts.push_back(part);
        }
    }
    return parts;
}

std::vector<PoolTraffic> trafficOf(const program::Program& program, const std::vector<TransferPart>& parts) {
    std::map<int, PoolTraffic> byPool;
    for (const TransferPart& part : parts) {
        const mpool::Properties& properties = program.pools[std::size_t(part.pool)].properties;
        PoolTraffic& traffic = byPool[part.pool];
        traffic.pool = part.pool;
        const double cycles = streamCycles(part.transfer.bytes, part.transfer.wordBytes, part.transfer.contiguousBytes,
                                           properties.freqRatio, properties.byteWidth);
        (part.transfer.write ? traffic.writeBytes : traffic.readBytes) += part.transfer.bytes;
        (part.transfer.write ? traffic.writeCycles : traffic.readCycles) += cycles;
    }
    std::vector<PoolTraffic> all;
    for (const auto& [pool, traffic] : byPool)
        all.push_back(traffic);
    return all;
}

std::vector<PoolColumns> columnsOf(const program::Program& program, const std::vector<PoolTraffic>& traffic) {
    std::vector<PoolColumns> columns;
    for (const PoolTraffic& pool : traffic) {
        const mpool::Properties& properties = program.pools[std::size_t(pool.pool)].properties;
        columns.push_back({pool.readBytes, pool.writeBytes, pool.readCycles, pool.writeCycles, properties.freqRatio,
                           properties.byteWidth, properties.readPower, properties.writePower});
    }
    return columns;
}

} // namespace poolwright::estimate
