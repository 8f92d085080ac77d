// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/compile_command.h"
#include "cli/fit_text.h"
#include "driver/fit.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

namespace poolwright::cli {

namespace {

struct FitOptions {
    std::string model, quantisation, format = "text", runtime = "1.1.1";
    std::vector<std::string> pools;
    bool virtualPools = false, steps = false, noProposals = false;
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

Result<std::vector<mpool::PoolFile>> readAll(const std::vector<std::string>& paths) {
    std::vector<mpool::PoolFile> files;
    for (const std::string& path : paths) {
        Result<mpool::PoolFile> file = readUsablePoolFile(path);
        if (!file)
            return fail(file.error());
        printDiagnostics(file->findings);
        files.push_back(std::move(*file));
    }
    return files;
}

void addProposals(const driver::Request& request, const driver::PreparedPtr& prepared,
                  const std::vector<mpool::PoolFile>& files, report::FitReport& report) {
    for (std::size_t f = 0; f < files.size(); ++f)
        if (report::FitVerdict& verdict = report.verdicts[f]; !verdict.planned)
            verdict.proposals = driver::proposals(request, prepared, files[f], verdict.refused, {}, interruptFlag());
}

} // namespace

int runFit(const Arguments& arguments) {
    FitOptions options;
    CLI::App app("What is alive when, whether it fits, and the smallest changes after which it does.",
                 "poolwright-cli fit");
    app.add_option("model", options.model, "the model")->required();
    app.add_option("--json-quant-file", options.quantisation, "quantisation of an OE model");
    app.add_option("--load-mpool", options.pools, "memory-pool files")->required();
    app.add_flag("--enable-virtual-mem-pools", options.virtualPools, "merge adjacent pools into virtual ones");
    app.add_option("--runtime", options.runtime, "whose rule for virtual pools");
    app.add_flag("--steps", options.steps, "list the live bytes of every step");
    app.add_flag("--no-proposals", options.noProposals, "verdicts alone, when it does not fit");
    app.add_option("--format", options.format, "text or json")->check(CLI::IsMember({"text", "json"}));
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    const Result<std::vector<mpool::PoolFile>> files = readAll(options.pools);
    if (!files)
        return failWith(files.error());
    const driver::Request request = requestFor(options);
    const Result<driver::PreparedPtr> prepared = driver::prepare(request, {}, interruptFlag());
    if (!prepared)
        return failWith(prepared.error());
    report::FitReport report = driver::fitReport(*prepared, *files);
    if (!options.noProposals)
        addProposals(request, *prepared, *files, report);
    std::puts(options.format == "json" ? fitJson(report).c_str() : fitText(report, options.steps).c_str());
    return std::ranges::all_of(report.verdicts, &report::FitVerdict::planned) ? Done : DoesNotFit;
}

} // namespace poolwright::cli
