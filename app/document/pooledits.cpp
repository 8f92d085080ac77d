// SPDX-License-Identifier: Apache-2.0
#include "document/pooledits.h"

#include "mpool/edit.h"

namespace poolwright::app {

using mpool::PoolFile;

std::optional<PoolId> neighbourAt(const PoolFile& file, PoolId pool, bool isEnd) {
    const AddressRange own = file[pool].range();
    for (std::size_t i = 0; i < file.pools.size(); ++i) {
        const mpool::Pool& other = file.pools[i];
        if (PoolId(i) == pool || !other.isEnabled() || other.mode != mpool::UseMode::Absolute)
            continue;
        if (isEnd ? other.range().start == own.end() : other.range().end() == own.start)
            return PoolId(i);
    }
    return std::nullopt;
}

Result<PoolFile> withMovedEdge(const PoolFile& file, PoolId pool, bool isEnd, Address to) {
    const AddressRange own = file[pool].range();
    const bool outwards = isEnd ? to > own.end() : to < own.start;
    const auto neighbour = neighbourAt(file, pool, isEnd);
    if (outwards && neighbour) {
        const PoolId lower = isEnd ? pool : *neighbour, upper = isEnd ? *neighbour : pool;
        return mpool::moveBoundary(file, lower, upper, to);
    }
    return isEnd ? mpool::withEnd(file, pool, to) : mpool::withStart(file, pool, to);
}

namespace {

/// Applies one edit after the other until one fails.
class Chain {
public:
    explicit Chain(PoolFile file)
        : m_result(std::move(file)) {}
    template <typename Edit> void then(bool wanted, Edit edit) {
        if (wanted && m_result)
            m_result = edit(*m_result);
    }
    Result<PoolFile> result() && { return std::move(m_result); }

private:
    Result<PoolFile> m_result;
};

} // namespace

Result<PoolFile> withPool(const PoolFile& file, PoolId pool, const mpool::Pool& wanted) {
    const mpool::Pool now = file[pool];
    const Address start(std::uint64_t(wanted.offset.bytes));
    Chain chain(file);
    chain.then(wanted.name != now.name, [&](const PoolFile& f) { return mpool::withName(f, pool, wanted.name); });
    chain.then(wanted.fname != now.fname, [&](const PoolFile& f) { return mpool::withFname(f, pool, wanted.fname); });
    chain.then(wanted.mode != now.mode, [&](const PoolFile& f) { return mpool::withMode(f, pool, wanted.mode); });
    chain.then(wanted.format != now.format,
               [&](const PoolFile& f) { return mpool::withFormat(f, pool, wanted.format); });
    chain.then(wanted.offset.bytes != now.offset.bytes,
               [&](const PoolFile& f) { return mpool::withOffset(f, pool, start); });
    chain.then(wanted.size.bytes != now.size.bytes,
               [&](const PoolFile& f) { return mpool::withSize(f, pool, ByteCount(wanted.size.bytes)); });
    chain.then(!(wanted.properties == now.properties),
               [&](const PoolFile& f) { return mpool::withProperties(f, pool, wanted.properties); });
    return std::move(chain).result();
}

} // namespace poolwright::app
