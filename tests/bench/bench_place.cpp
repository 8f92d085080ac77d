// SPDX-License-Identifier: Apache-2.0
#include "place/problem.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <string>

using namespace poolwright;
using namespace poolwright::place;

namespace {

/// A network of `epochs` epochs with about four buffers each: activations with skips, scratch, weights and vectors; the
/// device's pools.
Problem network(int epochs, double share, bool merged) {
    std::mt19937 engine(7);
    const auto dice = [&](std::int64_t least, std::int64_t most) {
        return least + std::int64_t(engine() % std::uint32_t(most - least + 1));
    };
    Problem problem;
    const auto add = [&](std::string name, std::uint64_t start, double size, double price, int preference) {
        PoolSpec pool;
        pool.name = std::move(name);
        pool.range = {Address(start), ByteCount(std::int64_t(size) / 64 * 64)};
        pool.readCyclesPerByte = pool.writeCyclesPerByte = price;
        pool.preference = preference;
        problem.pools.push_back(pool);
    };
    std::uint64_t start = 0x34100000;
    for (int i = 0; i < 5; ++i) {
        add("ram" + std::to_string(i), start, share * (i == 0 ? 1048576 : 458752), i == 0 ? 0.3125 : 0.15625,
            i ? 94 : 84);
        start = problem.pools.back().range.end().value;
    }
    add("flexMEM", 0x34000000, share * 409600, 0.3125, 84);
    add("hyperRAM", 0x90000000, 32 << 20, 2.5, 82);
    add("octoFlash", 0x70000000, 64 << 20, 6, 50);
    problem.pools[6].external = problem.pools[7].external = true;
    problem.pools[6].constantsPreferred = problem.pools[7].constantsPreferred = true;
    problem.pools[7].writable = false;
    if (merged) {
        PoolSpec group;
        group.name = "group";
        group.range = {problem.pools[0].range.start, problem.pools[4].range.end() - problem.pools[0].range.start};
        group.members = {0, 1, 2, 3, 4};
        group.reservedTail = problem.pools[4].reservedTail = ByteCount(8);
        problem.pools.push_back(group);
    }
    for (int e = 0; e < epochs; ++e) {
        problem.computeCycles.push_back(dice(5000, 300000));
        const auto activation = [&](std::int64_t most, int last) {
            BufferSpec buffer;
            buffer.name = "a" + std::to_string(problem.buffers.size());
            buffer.size = ByteCount(dice(most / 8, most));
            buffer.alignment = 16;
            buffer.live = {e, std::min(epochs - 1, last)};
            buffer.accesses = {{e, 0, buffer.size.value}, {buffer.live.last, buffer.size.value * dice(1, 8), 0}};
            problem.buffers.push_back(buffer);
        };
        activation(400000, e + (dice(0, 7) == 0 ? int(dice(2, 60)) : 1));
        if (dice(0, 2) == 0)
            activation(40000, e);
        for (int k = 0; k < 3; ++k) {
            BufferSpec weights;
            weights.name = "w" + std::to_string(problem.buffers.size());
            weights.size = ByteCount(k == 0 ? dice(1000, 80000) : dice(16, 2048));
            weights.alignment = 16;
            weights.live = {0, epochs - 1};
            weights.isConstant = true;
            weights.accesses = {{e, weights.size.value, 0}};
            problem.buffers.push_back(weights);
        }
    }
    return problem;
}

void measure(benchmark::State& state, const Problem& problem, const place::Options& options) {
    Solution solution;
    for (auto _ : state)
        benchmark::DoNotOptimize(solution = place::place(problem, options));
    state.counters["buffers"] = double(problem.buffers.size());
    state.counters["unplaced"] = double(solution.unplaced.size());
    state.counters["over_bound"] = solution.estimatedCycles / solution.lowerBoundCycles;
    state.counters["external"] = double(solution.externalBytes);
    state.counters["ended"] = solution.improvedToTheEnd;
}

/// Goal C7: a re-plan at 600 epochs and 2,500 buffers, 50 ms at most, 16 ms aimed at. Argument: pool sizes in percent.
void replan(benchmark::State& state) {
    measure(state, network(600, double(state.range(0)) / 100, state.range(1) != 0), {});
}

void constructOnly(benchmark::State& state) {
    place::Options options;
    options.improvementSteps = 0;
    measure(state, network(600, double(state.range(0)) / 100, state.range(1) != 0), options);
}

void replanByEpochs(benchmark::State& state) {
    measure(state, network(int(state.range(0)), 0.5, true), {});
}

} // namespace

BENCHMARK(replan)->ArgsProduct({{100, 50, 25}, {0, 1}})->Unit(benchmark::kMillisecond);
BENCHMARK(constructOnly)->ArgsProduct({{100, 50, 25}, {0, 1}})->Unit(benchmark::kMillisecond);
BENCHMARK(replanByEpochs)->Arg(60)->Arg(600)->Arg(2400)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
