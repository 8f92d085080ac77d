// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/compile_command.h"
#include "driver/plan.h"
#include "mpool/schema.h"
#include "mpool/virtual.h"
#include "place/buffers_json.h"
#include "place/csv.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cinttypes>
#include <cstdio>

namespace poolwright::cli {

namespace {

struct PlaceOptions {
    std::string file, pools, runtime = "1.1.1", format = "text";
    std::int64_t capacity = 0;
    bool virtualPools = false;
    place::Options search;
};

int packIntoOne(const PlaceOptions& options, const std::string& text) {
    const Result<std::vector<place::BufferSpec>> buffers = place::readCsv(text, options.file);
    if (!buffers)
        return failWith(buffers.error());
    const place::SinglePoolResult result = place::packIntoOne(*buffers, options.capacity, options.search);
    if (interruptFlag().isCancelled())
        return Interrupted;
    if (result.offsets.empty() && !buffers->empty()) {
        printDiagnostics(
            {makeError("PW3310", place::whyNot(*buffers, options.capacity, result), {options.file, 0, 0, {}})});
        return DoesNotFit;
    }
    std::fputs(place::writeCsv(*buffers, result.offsets).c_str(), stdout);
    return Done;
}

/// "throughput HIGH, latency LOW": what a pool is rated where a buffer lies.
std::string rating(const mpool::Properties& properties) {
    return std::string("throughput ") + mpool::word(properties.throughput) + ", latency " +
           mpool::word(properties.latency);
}

void printText(const std::vector<mpool::EffectivePool>& pools, const place::Problem& problem,
               const place::Solution& solution) {
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const place::BufferSpec& buffer = problem.buffers[b];
        if (const auto& placed = solution.placed[b])
            std::printf("%-32s %16s  %s in %s (%s)\n", buffer.name.c_str(), toText(buffer.size).c_str(),
                        toText(placed->address).c_str(), problem.pools[std::size_t(placed->pool)].name.c_str(),
                        rating(pools[std::size_t(placed->pool)].properties).c_str());
    }
    for (const place::Unplaced& unplaced : solution.unplaced)
        std::printf("%-32s %16s  no place: %s\n", problem.buffers[std::size_t(unplaced.buffer)].name.c_str(),
                    toText(problem.buffers[std::size_t(unplaced.buffer)].size).c_str(), unplaced.sentence.c_str());
    std::printf("estimated cycles of memory: %.0f (no placement can be below %.0f); bytes in external pools: %" PRId64
                "\n",
                solution.estimatedCycles, solution.lowerBoundCycles, solution.externalBytes);
}

nlohmann::ordered_json placedJson(const place::Problem& problem, const place::Solution& solution) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        if (const auto& placed = solution.placed[b])
            list.push_back({{"name", problem.buffers[b].name},
                            {"bytes", problem.buffers[b].size.value},
                            {"pool", problem.pools[std::size_t(placed->pool)].name},
                            {"address", placed->address.value}});
    return list;
}

void printJson(const place::Problem& problem, const place::Solution& solution) {
    nlohmann::ordered_json json{{"schema_version", 1},
                                {"fits", solution.unplaced.empty()},
                                {"estimated_cycles", solution.estimatedCycles},
                                {"lower_bound_cycles", solution.lowerBoundCycles},
                                {"external_activations_bytes", solution.externalBytes},
                                {"buffers", placedJson(problem, solution)},
                                {"unplaced", nlohmann::ordered_json::array()}};
    for (const place::Unplaced& unplaced : solution.unplaced)
        json["unplaced"].push_back({{"name", problem.buffers[std::size_t(unplaced.buffer)].name},
                                    {"bytes", problem.buffers[std::size_t(unplaced.buffer)].size.value},
                                    {"reason", unplaced.sentence}});
    std::puts(json.dump(2).c_str());
}

int placeIntoPools(const PlaceOptions& options, const std::string& text) {
    const Result<std::vector<place::BufferSpec>> buffers = place::readBuffersJson(text, options.file);
    if (!buffers)
        return failWith(buffers.error());
    const Result<mpool::PoolFile> file = readUsablePoolFile(options.pools);
    if (!file)
        return failWith(file.error());
    printDiagnostics(file->findings);
    const auto pools =
        mpool::effectivePools(*file, options.virtualPools, mpool::generationFromVersion(options.runtime));
    const place::Problem problem{driver::poolSpecs(pools), *buffers, {}};
    place::Options search = options.search;
    search.objective = place::Objective::MemoryCycles; // a list of buffers knows nothing of computing
    const place::Solution solution = place::place(problem, search);
    if (interruptFlag().isCancelled())
        return Interrupted;
    if (options.format == "json")
        printJson(problem, solution);
    else
        printText(pools, problem, solution);
    return solution.unplaced.empty() ? Done : DoesNotFit;
}

} // namespace

int runPlace(const Arguments& arguments) {
    PlaceOptions options;
    CLI::App app("The planner alone: packs the buffers of a CSV file (id,lower,upper,size) into one pool, or places "
                 "those of a JSON list into the pools of a file.",
                 "poolwright-cli place");
    app.add_option("file", options.file, "CSV file, or JSON list of {name, bytes, epochs, accesses}")->required();
    auto* capacity = app.add_option("--capacity", options.capacity, "bytes of the one pool")
                         ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 53));
    auto* pools = app.add_option("--load-mpool", options.pools, "memory-pool file for a JSON list")->excludes(capacity);
    app.add_flag("--enable-virtual-mem-pools", options.virtualPools, "merge adjacent pools into virtual ones")
        ->needs(pools);
    app.add_option("--runtime", options.runtime, "whose rule for virtual pools")->needs(pools);
    app.add_option("--format", options.format, "text or json")->check(CLI::IsMember({"text", "json"}))->needs(pools);
    app.add_option("--budget-ms", options.search.budgetMilliseconds, "time to search; 0: to the end")
        ->check(CLI::NonNegativeNumber);
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    if (!capacity->count() && !pools->count())
        return failWith({makeError("PW3311", "nothing to place into", {options.file, 0, 0, {}},
                                   "give --capacity BYTES for a CSV file, or --load-mpool FILE for a JSON list")});
    options.search.cancel = interruptFlag();
    const Result<std::string> text = readFile(options.file);
    if (!text)
        return failWith(text.error());
    return pools->count() ? placeIntoPools(options, *text) : packIntoOne(options, *text);
}

} // namespace poolwright::cli
