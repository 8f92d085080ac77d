// SPDX-License-Identifier: Apache-2.0
#include "cli/carve_command.h"

#include "artefacts/firmware.h"
#include "cli/carve_text.h"
#include "cli/compile_command.h"
#include "driver/carve.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace poolwright::cli {

namespace {

struct CarveArguments {
    std::string model, quantisation, pools, out, objective = "time", format = "text", runtime = "1.1.1", board;
    std::vector<std::string> firmware, keepFree;
    bool virtualPools = false, keepVirtual = false, allFree = false;
    double tolerance = 1;
};

Result<std::vector<driver::KeepFree>> firmwareRegions(const std::vector<std::string>& paths) {
    std::vector<driver::KeepFree> regions, passedOver;
    for (const std::string& path : paths) {
        const Result<std::string> content = readFile(path);
        if (!content)
            return fail(content.error());
        const auto read = artefacts::readFirmware(*content, path);
        if (!read)
            return fail(read.error());
        for (const artefacts::FirmwareRegion& region : *read)
            regions.push_back({std::filesystem::path(path).filename().string() + " " + region.name, region.range});
    }
    regions = driver::inBanks(regions, target::builtinTarget(), passedOver);
    for (const driver::KeepFree& region : passedOver)
        printDiagnostics({makeWarning("PW6033", region.name + " at " + toText(region.range.start) +
                                                    " is in no memory that pools are carved from: passed over")});
    return regions;
}

Result<driver::CarveOptions> optionsOf(const CarveArguments& arguments) {
    driver::CarveOptions options;
    Result<std::vector<driver::KeepFree>> firmware = firmwareRegions(arguments.firmware);
    if (!firmware)
        return fail(firmware.error());
    options.keepFree = std::move(*firmware);
    Diagnostics problems;
    for (const std::string& text : arguments.keepFree)
        if (const Result<driver::KeepFree> region = driver::parseKeepFree(text))
            options.keepFree.push_back(*region);
        else
            problems.insert(problems.end(), region.error().begin(), region.error().end());
    if (!problems.empty())
        return fail(problems);
    options.freeBeyondPools = arguments.allFree || !options.keepFree.empty();
    options.mayJoinPools = !arguments.keepVirtual;
    options.timeTolerance = arguments.tolerance / 100;
    return options;
}

Result<driver::Request> requestFor(const CarveArguments& arguments) {
    Result<mpool::PoolFile> file = readUsablePoolFile(arguments.pools);
    if (!file)
        return fail(file.error());
    driver::Request request;
    request.model = arguments.model;
    request.quantisation = arguments.quantisation;
    request.pools = std::move(*file);
    request.options.enableVirtualMemPools = arguments.virtualPools;
    request.options.runtimeGeneration = arguments.runtime;
    if (!arguments.board.empty())
        request.options.board = arguments.board;
    return request;
}

/// The proposal that was asked for, in the file that was asked for.
Result<bool> writeProposal(const report::CarveReport& report, const CarveArguments& arguments) {
    const auto found = std::ranges::find(report.proposals, arguments.objective, &report::CarveProposal::objective);
    if (arguments.out.empty())
        return true;
    if (found == report.proposals.end() || !found->figures.fits)
        return fail(makeError("PW6034", "nothing is written: no carving holds the network", {arguments.out, 0, 0, {}}));
    return writeFile(arguments.out, found->text);
}

void declare(CLI::App& app, CarveArguments& arguments) {
    app.add_option("model", arguments.model, "the model")->required();
    app.add_option("--json-quant-file", arguments.quantisation, "quantisation of an OE model");
    app.add_option("--load-mpool", arguments.pools, "the memory-pool file to start from")->required();
    app.add_option("--firmware", arguments.firmware,
                   "linker script, map, ELF or Intel Hex file: its memory is kept free");
    app.add_option("--keep-free", arguments.keepFree, "ADDRESS+SIZE that no pool may have, as 0x341C0000+256K");
    app.add_flag("--all-free", arguments.allFree,
                 "what no pool has may be taken; so it is when firmware or regions are named");
    app.add_option("--out", arguments.out, "write the proposal here");
    app.add_option("--objective", arguments.objective, "which proposal is written: time or ram")
        ->check(CLI::IsMember({"time", "ram"}));
    app.add_option("--tolerance", arguments.tolerance,
                   "percent that the proposal for RAM may be slower than the fastest")
        ->check(CLI::Range(0.0, 1000.0));
    app.add_flag("--enable-virtual-mem-pools", arguments.virtualPools, "merge adjacent pools into virtual ones");
    app.add_flag("--keep-virtual", arguments.keepVirtual, "do not propose to switch virtual pools on or off");
    app.add_option("--runtime", arguments.runtime, "whose rule for virtual pools: 1.1.1 (2.x) or 1.1.3 (3.x, 4.x)");
    app.add_option("--board", arguments.board, "the board whose banks and clocks count");
    app.add_option("--format", arguments.format, "text or json")->check(CLI::IsMember({"text", "json"}));
}

} // namespace

int runCarve(const Arguments& given) {
    CarveArguments arguments;
    CLI::App app("Better boundaries, holes and grouping of memory pools for one model.", "poolwright-cli mpool carve");
    declare(app, arguments);
    if (const std::optional<int> code = parseArguments(app, given))
        return *code;
    const Result<driver::CarveOptions> options = optionsOf(arguments);
    if (!options)
        return failWith(options.error());
    const Result<driver::Request> request = requestFor(arguments);
    if (!request)
        return failWith(request.error());
    printDiagnostics(request->pools.findings);
    const Result<driver::PreparedPtr> prepared = driver::prepare(*request, {}, interruptFlag());
    if (!prepared)
        return failWith(prepared.error());
    const auto report = driver::carve(*prepared, request->pools, *options, {}, interruptFlag());
    if (!report)
        return failWith(report.error());
    std::puts(arguments.format == "json" ? carveJson(*report).c_str() : carveText(*report).c_str());
    const bool fits = report->proposals.front().figures.fits;
    if (const Result<bool> written = writeProposal(*report, arguments); !written)
        return fits ? failWith(written.error()) : (printDiagnostics(written.error()), int(DoesNotFit));
    return fits ? Done : DoesNotFit;
}

} // namespace poolwright::cli
