// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/compile_command.h"
#include "driver/plan.h"
#include "mpool/virtual.h"
#include "place/fit.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace poolwright::cli {

namespace {

struct FitOptions {
    std::string model, quantisation, format = "text", runtime = "1.1.1";
    std::vector<std::string> pools;
    bool virtualPools = false, steps = false;
};

struct Verdict {
    std::string path;
    place::FitVerdict fit;
    std::vector<place::PoolSpec> pools;
};

driver::Request requestFor(const FitOptions& options) {
    driver::Request request;
    request.model = options.model;
    request.quantisation = options.quantisation;
    request.options.nativeFloat = true;
    request.options.enableVirtualMemPools = options.virtualPools;
    request.options.runtimeGeneration = options.runtime;
    return request;
}

void printBuffers(const place::Problem& problem, const std::vector<int>& indices) {
    for (int index : indices) {
        const place::BufferSpec& buffer = problem.buffers[std::size_t(index)];
        std::printf("    %-48s %16s  epochs %d-%d\n", buffer.name.c_str(), toText(buffer.size).c_str(), buffer.live.first, buffer.live.last);
    }
}

void printSteps(const driver::Prepared& prepared, const place::LiveSet& live) {
    for (std::size_t epoch = 0; epoch < live.bytes.size(); ++epoch)
        std::printf("    epoch %3zu %16s  %s\n", epoch, toText(ByteCount(live.bytes[epoch])).c_str(),
                    epoch < prepared.program.epochs.size() ? prepared.program.epochs[epoch].name.c_str() : "");
}

void printText(const driver::Prepared& prepared, const std::vector<Verdict>& verdicts, bool steps) {
    const place::FitVerdict& first = verdicts.front().fit;
    std::printf("activations: peak %s alive at epoch %d; sum over buffers %s\n", toText(ByteCount(first.activations.peak)).c_str(),
                first.activations.peakEpoch, toText(ByteCount(first.activationBytes)).c_str());
    printBuffers(prepared.question.problem, first.activations.aliveAtPeak);
    std::printf("constants: %s\n", toText(ByteCount(first.constantBytes)).c_str());
    if (steps)
        printSteps(prepared, first.activations);
    for (const Verdict& verdict : verdicts) {
        std::printf("%s: %s\n", verdict.path.c_str(), verdict.fit.sentence.c_str());
        for (const place::PoolFit& pool : verdict.fit.pools) {
            if (!pool.usable)
                continue;
            std::printf("    %-24s %16s  %s\n", verdict.pools[std::size_t(pool.pool)].name.c_str(), toText(ByteCount(pool.capacity)).c_str(),
                        pool.missing > 0 ? ("alone " + toText(ByteCount(pool.missing)) + " short").c_str() : "could hold all activations");
        }
    }
}

void printJson(const driver::Prepared& prepared, const std::vector<Verdict>& verdicts) {
    const place::FitVerdict& first = verdicts.front().fit;
    nlohmann::ordered_json json{{"schema_version", 1},
                                {"peak_live_bytes", first.activations.peak},
                                {"peak_epoch", first.activations.peakEpoch},
                                {"activation_bytes", first.activationBytes},
                                {"weights_bytes", first.constantBytes},
                                {"live_bytes", first.activations.bytes}};
    json["alive_at_peak"] = nlohmann::ordered_json::array();
    for (int index : first.activations.aliveAtPeak) {
        const place::BufferSpec& buffer = prepared.question.problem.buffers[std::size_t(index)];
        json["alive_at_peak"].push_back({{"name", buffer.name}, {"bytes", buffer.size.value}});
    }
    json["verdicts"] = nlohmann::ordered_json::array();
    for (const Verdict& verdict : verdicts)
        json["verdicts"].push_back({{"path", verdict.path},
                                    {"fits", verdict.fit.fits},
                                    {"sentence", verdict.fit.sentence},
                                    {"missing_bytes", verdict.fit.missing},
                                    {"missing_on_chip_bytes", verdict.fit.missingOnChip},
                                    {"missing_constant_bytes", verdict.fit.missingConstants}});
    std::puts(json.dump(2).c_str());
}

} // namespace

int runFit(const Arguments& arguments) {
    FitOptions options;
    CLI::App app("What is alive when, and whether it fits, from live ranges alone: no optimiser runs.", "poolwright-cli fit");
    app.add_option("model", options.model, "the model")->required();
    app.add_option("--json-quant-file", options.quantisation, "quantisation of an OE model");
    app.add_option("--load-mpool", options.pools, "memory-pool files")->required();
    app.add_flag("--enable-virtual-mem-pools", options.virtualPools, "merge adjacent pools into virtual ones");
    app.add_option("--runtime", options.runtime, "whose rule for virtual pools");
    app.add_flag("--steps", options.steps, "list the live bytes of every epoch");
    app.add_option("--format", options.format, "text or json")->check(CLI::IsMember({"text", "json"}));
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    const Result<driver::PreparedPtr> prepared = driver::prepare(requestFor(options), {}, interruptFlag());
    if (!prepared)
        return failWith(prepared.error());
    std::vector<Verdict> verdicts;
    for (const std::string& path : options.pools) {
        const Result<mpool::PoolFile> pools = readUsablePoolFile(path);
        if (!pools)
            return failWith(pools.error());
        printDiagnostics(pools->findings);
        place::Problem problem = (*prepared)->question.problem;
        problem.pools = driver::poolSpecs(
            mpool::effectivePools(*pools, options.virtualPools, mpool::generationFromVersion(options.runtime)));
        verdicts.push_back({path, place::fit(problem), problem.pools});
    }
    if (options.format == "json")
        printJson(**prepared, verdicts);
    else
        printText(**prepared, verdicts, options.steps);
    const bool all = std::all_of(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return v.fit.fits; });
    return all ? Done : DoesNotFit;
}

} // namespace poolwright::cli
