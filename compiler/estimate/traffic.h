// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimate/estimate.h"
#include "estimate/formulas.h"

#include <vector>

namespace poolwright::estimate {

/// Part of a transfer in one concrete pool.
struct TransferPart {
    program::Transfer transfer;   ///< bytes and words of this part; re-reads from the NPU cache counted once
    std::int64_t cachedWords = 0; ///< words delivered by the cache when it is re-read through it
    int pool = 0;                 ///< concrete, index into Program::pools
    bool isConstant = false;
};

/// Which pools the concrete parts of virtual pools are; built once for a program.
class PoolMap {
public:
    explicit PoolMap(const program::Program& program);
    /// Indices of the concrete pools that a pool is made of; itself when it is concrete.
    const std::vector<int>& concrete(int pool) const { return m_members[std::size_t(pool)]; }

private:
    std::vector<std::vector<int>> m_members;
};

/// All transfers of an epoch, each split at the borders of the concrete pools that its buffer lies in. Buffers without
/// a place are left out.
std::vector<TransferPart> splitTransfers(const program::Program& program, const PoolMap& pools, EpochId epoch);

/// The csv columns of an epoch, by pool.
std::vector<PoolTraffic> trafficOf(const program::Program& program, const std::vector<TransferPart>& parts);
std::vector<PoolColumns> columnsOf(const program::Program& program, const std::vector<PoolTraffic>& traffic);

} // namespace poolwright::estimate
