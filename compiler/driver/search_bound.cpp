// SPDX-License-Identifier: Apache-2.0
#include "driver/search_bound.h"

#include "driver/cache_path.h"
#include "mpool/virtual.h"

#include <algorithm>

namespace poolwright::driver {

namespace {

/// One pool that stands for all that prefer constants; none when it could promise too little time.
struct ConstantPool {
    mpool::EffectivePool pool;
    double bytesPerSecond = 0;
};

std::optional<ConstantPool> constantPool(const program::Program& program, const Request& request,
                                         const target::Board& board) {
    std::int64_t bytes = 0, largest = 0;
    for (const program::Buffer& buffer : program.buffers)
        bytes += buffer.kind == program::BufferKind::Constant ? alignUp(buffer.size.value, buffer.alignment) : 0;
    std::optional<ConstantPool> all;
    for (const mpool::EffectivePool& pool :
         mpool::effectivePools(request.pools, false, mpool::generationFromVersion(request.options.runtimeGeneration))) {
        if (!pool.properties.constantsPreferred)
            continue;
        const bool isRam = pool.properties.rights == mpool::Rights::ReadWrite && board.externalRamBytesPerSecond > 0;
        if (!all)
            all = ConstantPool{pool, 0};
        if (!pool.external || pool.properties.cacheable != all->pool.properties.cacheable)
            return {};
        all->bytesPerSecond += isRam ? board.externalRamBytesPerSecond : board.flashBytesPerSecond;
        largest = std::max(largest, (pool.range.size - pool.reservedTail).value);
    }
    if (!all || largest < bytes)
        return {};
    all->pool.properties.rights = mpool::Rights::ReadOnly;
    return all;
}

bool onlyCopies(const program::Epoch& epoch) {
    const program::HardwareWork* work = epoch.hardware();
    return work && std::ranges::all_of(work->units, [](const program::Unit& unit) {
               return unit.kind == target::UnitKind::StreamEngine;
           });
}

} // namespace

double boundMilliseconds(const program::Program& given, const Request& request) {
    target::Board board = request.target.board(request.options.board);
    program::Program program = given;
    if (const auto pool = constantPool(program, request, board)) {
        program.pools = {pool->pool};
        board.flashBytesPerSecond = pool->bytesPerSecond;
        program.placements.assign(program.buffers.size(), std::nullopt);
        for (std::size_t i = 0; i < program.buffers.size(); ++i)
            if (program.buffers[i].kind == program::BufferKind::Constant)
                program.placements[i] = program::Placement{PoolId(0), pool->pool.range.start};
        if (request.options.cacheOpt)
            useCachePath(program);
    }
    const estimate::NetworkEstimate network = estimate::estimate(program, board);
    double cycles = network.calibratedCycles;
    for (std::size_t i = 0; i < program.epochs.size(); ++i)
        if (onlyCopies(program.epochs[i]))
            cycles -= network.epochs[i].calibratedCore;
    return cycles / (board.npuMegahertz * 1e3);
}

} // namespace poolwright::driver
