// SPDX-License-Identifier: Apache-2.0
#include "driver/pool_growth.h"

#include "driver/files.h"
#include "driver/resources.h"
#include "mpool/edit.h"
#include "mpool/read.h"

#include <algorithm>

namespace poolwright::driver {

static bool hasBank(const target::Target& target, const std::string& board, const target::Bank& bank) {
    const std::vector<std::string>& absent = target.board(board).absentBanks;
    return std::ranges::count(absent, bank.name) == 0;
}

std::int64_t roomBehind(const mpool::PoolFile& file, PoolId id, const target::Target& target,
                        const std::string& board) {
    const mpool::Pool& pool = file[id];
    if (pool.mode == mpool::UseMode::Relative)
        return 0;
    const Address end = pool.range().end();
    Address limit = end;
    for (const target::Bank& bank : target.banks)
        if (hasBank(target, board, bank) && bank.range.contains(pool.range().start))
            limit = std::max(limit, bank.range.end());
    for (const mpool::Pool& other : file.pools)
        if (other.isEnabled() && other.mode == mpool::UseMode::Absolute && other.range().start >= end)
            limit = std::min(limit, other.range().start);
    return (limit - end).value;
}

static Result<mpool::PoolFile> stockPools() {
    const auto path = dataFile("mpools/stm32n6570-dk-full.mpool");
    const auto text = path ? readFile(*path) : Result<std::string>(fail(path.error()));
    return text ? mpool::readPools(*text, path->string()) : Result<mpool::PoolFile>(fail(text.error()));
}

std::optional<mpool::Pool> stockPool(const target::Bank& bank) {
    const auto stock = stockPools();
    if (stock)
        for (const mpool::Pool& pool : stock->pools)
            if (bank.range.contains(pool.range().start))
                return pool;
    return std::nullopt;
}

std::vector<mpool::Pool> absentPools(const mpool::PoolFile& file, const target::Target& target,
                                     const std::string& board) {
    std::vector<mpool::Pool> absent;
    const auto stock = stockPools();
    if (!stock)
        return absent;
    for (const mpool::Pool& pool : stock->pools) {
        const auto inBank = [&](const target::Bank& bank) {
            return bank.external && hasBank(target, board, bank) && bank.range.contains(pool.range());
        };
        const auto bank = std::ranges::find_if(target.banks, inBank);
        if (!pool.isEnabled() || bank == target.banks.end())
            continue;
        const auto taken = [&](const mpool::Pool& other) {
            return other.isEnabled() && other.range().overlaps(bank->range);
        };
        const auto sameName = [&](const mpool::Pool& other) { return other.name == pool.name && other.isEnabled(); };
        if (std::ranges::none_of(file.pools, taken) && std::ranges::none_of(file.pools, sameName))
            absent.push_back(pool);
    }
    return absent;
}

mpool::PoolFile withPools(mpool::PoolFile file, const std::vector<mpool::Pool>& pools) {
    for (const mpool::Pool& pool : pools)
        file.pools.push_back(pool);
    return file;
}

} // namespace poolwright::driver
