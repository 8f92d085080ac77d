// SPDX-License-Identifier: Apache-2.0
#include "driver/cache_path.h"

namespace poolwright::driver {

namespace {

constexpr std::int64_t cacheBytes = 256 * 1024; // 512 lines of 64 bytes, 8 ways (facts/cost-model.md section 1.1)

bool liesInCacheablePool(const program::Program& program, BufferId buffer) {
    const auto& placement = program.placements[std::size_t(buffer.index)];
    return placement && program.pools[std::size_t(placement->pool.index)].properties.cacheable;
}

bool isReRead(const program::StreamEngineConfig& engine) {
    const program::ByteSpan span = program::spanOf(engine);
    const std::int64_t moved = program::wordsPerFrame(engine) * engine.frameTotal * program::memoryBits(engine) / 8;
    return moved > span.end - span.first && span.end - span.first <= cacheBytes;
}

} // namespace

void useCachePath(program::Program& program) {
    for (program::Epoch& epoch : program.epochs) {
        auto* work = std::get_if<program::HardwareWork>(&epoch.work);
        if (!work)
            continue;
        for (program::Unit& unit : work->units)
            if (auto* engine = std::get_if<program::StreamEngineConfig>(&unit.config);
                engine && engine->buffer.isValid() && liesInCacheablePool(program, engine->buffer)) {
                engine->cacheable = true;
                engine->cacheAllocate = engine->direction == program::Direction::FromMemory && isReRead(*engine);
            }
    }
}

} // namespace poolwright::driver
