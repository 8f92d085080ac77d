// SPDX-License-Identifier: Apache-2.0
// Re-planning a real network after an edit of its pool file: what live carving costs (design section 7, bench/goals.md C7).
#include "driver/compile.h"
#include "mpool/edit.h"
#include "mpool/read.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace poolwright;

namespace {

std::string readAll(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::vector<std::filesystem::path> models() {
    std::vector<std::filesystem::path> found;
    const char* shared = std::getenv("POOLWRIGHT_SHARED");
    const std::filesystem::path folder = shared ? shared : POOLWRIGHT_SOURCE_DIR "/../shared";
    std::error_code ignored;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "models", ignored))
        if (entry.path().extension() == ".onnx")
            found.push_back(entry.path());
    for (const auto& entry : std::filesystem::directory_iterator(POOLWRIGHT_SOURCE_DIR "/resources/examples", ignored))
        if (entry.path().extension() == ".onnx")
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

mpool::PoolFile stockPools() {
    const std::string path = POOLWRIGHT_SOURCE_DIR "/mpools/stm32n6570-dk-full.mpool";
    return *mpool::readPools(readAll(path), path);
}

driver::Request requestFor(const std::filesystem::path& model) {
    driver::Request request;
    request.model = model;
    request.pools = stockPools();
    request.options.nativeFloat = true;
    request.options.enableVirtualMemPools = true;
    return request;
}

/// One step of a drag: npuRAM4 starts a little later every time, so that no plan equals the one before.
void replan(benchmark::State& state, const driver::PreparedPtr& prepared) {
    const mpool::PoolFile pools = stockPools();
    const PoolId pool = *pools.find("npuRAM4");
    std::int64_t step = 0;
    for (auto _ : state) {
        const Address start = pools[pool].range().start + ByteCount(1024 * (1 + step++ % 64));
        const Result<mpool::PoolFile> edited = mpool::withStart(pools, pool, start);
        benchmark::DoNotOptimize(driver::plan(prepared, *edited));
    }
    state.counters["epochs"] = double(prepared->program.epochs.size());
    state.counters["buffers"] = double(prepared->program.buffers.size());
}

void coldCompile(benchmark::State& state, const driver::Request& request) {
    for (auto _ : state)
        benchmark::DoNotOptimize(driver::compile(request));
}

} // namespace

int main(int argc, char** argv) {
    for (const std::filesystem::path& model : models()) {
        const driver::Request request = requestFor(model);
        const Result<driver::PreparedPtr> prepared = driver::prepare(request);
        if (!prepared)
            continue;
        const std::string name = model.stem().string();
        benchmark::RegisterBenchmark(("replan/" + name).c_str(), replan, *prepared)->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("compile/" + name).c_str(), coldCompile, request)->Unit(benchmark::kMillisecond);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
