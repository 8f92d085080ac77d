// SPDX-License-Identifier: Apache-2.0
#include "driver/plan.h"

#include "driver/cache_path.h"
#include "driver/report_build.h"
#include "estimate/estimate.h"
#include "mpool/virtual.h"
#include "place/fit.h"

#include <algorithm>
#include <map>

namespace poolwright::driver {

/// Index of a concrete pool of the file among the effective pools.
static std::map<PoolId, int> concreteIndices(const std::vector<mpool::EffectivePool>& pools) {
    std::map<PoolId, int> indices;
    for (std::size_t i = 0; i < pools.size(); ++i)
        if (!pools[i].isVirtual())
            indices[pools[i].members.front()] = int(i);
    return indices;
}

std::vector<place::PoolSpec> poolSpecs(const std::vector<mpool::EffectivePool>& pools) {
    const std::map<PoolId, int> concrete = concreteIndices(pools);
    std::vector<place::PoolSpec> specs;
    for (const mpool::EffectivePool& pool : pools) {
        place::PoolSpec spec;
        spec.name = pool.name;
        spec.range = pool.range;
        spec.reservedTail = pool.reservedTail;
        spec.writable = pool.properties.rights == mpool::Rights::ReadWrite;
        spec.constantsPreferred = pool.properties.constantsPreferred;
        spec.external = pool.external;
        spec.relative = pool.mode == mpool::UseMode::Relative;
        spec.readCyclesPerByte = spec.writeCyclesPerByte = pool.properties.cyclesPerByte();
        spec.preference = pool.score;
        if (pool.isVirtual())
            for (PoolId member : pool.members)
                spec.members.push_back(concrete.at(member));
        specs.push_back(std::move(spec));
    }
    return specs;
}

static std::vector<mpool::EffectivePool> effectivePoolsFor(const Prepared& prepared, const mpool::PoolFile& file) {
    return mpool::effectivePools(file, prepared.options.enableVirtualMemPools,
                                 mpool::generationFromVersion(prepared.options.runtimeGeneration));
}

std::vector<place::PoolSpec> poolsFor(const Prepared& prepared, const mpool::PoolFile& file) {
    return poolSpecs(effectivePoolsFor(prepared, file));
}

bool liveRangesAllow(const Prepared& prepared, const mpool::PoolFile& file) {
    place::Problem problem = prepared.question.problem;
    problem.pools = poolsFor(prepared, file);
    return place::fit(problem).fits;
}

PreparedPtr withVirtualPools(const PreparedPtr& prepared, bool on) {
    if (prepared->options.enableVirtualMemPools == on)
        return prepared;
    auto other = std::make_shared<Prepared>(*prepared);
    other->options.enableVirtualMemPools = on;
    return other;
}

Result<Outcome> planAndVerify(const PreparedPtr& prepared, const mpool::PoolFile& pools, const CancelFlag& cancel) {
    place::Options options;
    options.cancel = cancel;
    Result<Outcome> outcome = plan(prepared, pools, options);
    if (outcome && prepared->options.verify)
        if (Diagnostics broken = program::verify(outcome->program); !broken.empty())
            return fail(std::move(broken));
    return outcome;
}

static place::BufferSpec bufferSpec(const program::Buffer& buffer) {
    place::BufferSpec spec;
    spec.name = buffer.name;
    spec.size = buffer.size;
    spec.alignment = buffer.alignment;
    spec.live = buffer.live;
    spec.isConstant = buffer.kind == program::BufferKind::Constant;
    return spec;
}

/// Buffers that the application allocates get no place; `indices` maps a spec back to the program's buffer.
static std::vector<place::BufferSpec> bufferSpecs(const program::Program& program, std::vector<int>& indices) {
    std::vector<int> specOf(program.buffers.size(), -1);
    std::vector<place::BufferSpec> specs;
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        if (program.buffers[i].userAllocated)
            continue;
        specOf[i] = int(specs.size());
        indices.push_back(int(i));
        specs.push_back(bufferSpec(program.buffers[i]));
    }
    for (int epoch = 0; epoch < int(program.epochs.size()); ++epoch) {
        std::map<int, place::Access> accesses;
        for (const program::Transfer& transfer : program::transfersOf(program, EpochId(epoch))) {
            place::Access& access = accesses[transfer.buffer.index];
            access.epoch = epoch;
            // What the NPU cache delivers again costs the pool nothing.
            const std::int64_t size = program[transfer.buffer].size.value;
            (transfer.write ? access.writeBytes : access.readBytes) +=
                transfer.cachedReRead ? std::min(transfer.bytes, size) : transfer.bytes;
        }
        for (const auto& [buffer, access] : accesses)
            if (const int spec = specOf[std::size_t(buffer)]; spec >= 0)
                specs[std::size_t(spec)].accesses.push_back(access);
    }
    return specs;
}

PlacementQuestion placementQuestion(const program::Program& program) {
    PlacementQuestion question;
    question.problem.buffers = bufferSpecs(program, question.bufferOfSpec);
    for (int epoch = 0; epoch < int(program.epochs.size()); ++epoch)
        question.problem.computeCycles.push_back(estimate::computeCycles(program, EpochId(epoch)));
    return question;
}

static void takePlacements(program::Program& program, const PlacementQuestion& question, const place::Solution& solution) {
    program.placements.assign(program.buffers.size(), std::nullopt);
    program.unplaced.clear();
    for (std::size_t i = 0; i < solution.placed.size(); ++i)
        if (solution.placed[i])
            program.placements[std::size_t(question.bufferOfSpec[i])] =
                program::Placement{PoolId(solution.placed[i]->pool), solution.placed[i]->address};
    for (const place::Unplaced& unplaced : solution.unplaced)
        program.unplaced.push_back({BufferId(question.bufferOfSpec[std::size_t(unplaced.buffer)]), unplaced.sentence});
}

/// --optimization decides how long improvements are looked for: 0 not at all, 3 four times as long as 2.
static place::Options byLevel(place::Options options, int level) {
    constexpr int quarters[] = {0, 1, 4, 16};
    options.improvementSteps = options.improvementSteps * quarters[std::clamp(level, 0, 3)] / 4;
    return options;
}

Result<Outcome> plan(const PreparedPtr& prepared, const mpool::PoolFile& pools, const place::Options& placeOptions) {
    Outcome outcome;
    outcome.prepared = prepared;
    outcome.pools = pools;
    outcome.program = prepared->program;
    outcome.program.pools =
        effectivePoolsFor(*prepared, pools);

    PlacementQuestion question = prepared->question;
    question.problem.pools = poolSpecs(outcome.program.pools);
    const place::Solution solution = place::place(question.problem, byLevel(placeOptions, prepared->options.optimization));
    if (placeOptions.cancel.isCancelled())
        return fail(makeError("PW6005", "cancelled"));
    takePlacements(outcome.program, question, solution);
    if (prepared->options.cacheOpt)
        useCachePath(outcome.program);

    outcome.estimate = estimate::estimate(outcome.program, prepared->target.board(prepared->options.board));
    outcome.report = buildReport(outcome, question, solution);
    return outcome;
}

} // namespace poolwright::driver
