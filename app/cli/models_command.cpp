// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/compile_command.h"
#include "driver/emulation.h"
#include "emulate/compare.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace poolwright::cli {

namespace {

namespace fs = std::filesystem;

struct ModelOptions {
    std::vector<std::string> paths;
    std::string pools, format = "text";
    bool emulate = true;
};

/// One line of the table. `error` is set when the model does not compile; then nothing else is.
struct Row {
    std::string model, error;
    bool fits = false;
    report::Totals totals;
    std::vector<std::pair<std::string, std::int64_t>> usedBytes;
    double compileSeconds = 0;
    emulate::Agreement chained, isolated;
    bool emulated = false;
};

std::vector<fs::path> modelFiles(const std::vector<std::string>& paths) {
    std::vector<fs::path> files;
    for (const std::string& path : paths) {
        std::error_code ignored;
        if (!fs::is_directory(path, ignored)) {
            files.emplace_back(path);
            continue;
        }
        std::vector<fs::path> inside;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, ignored))
            if (entry.path().extension() == ".onnx")
                inside.push_back(entry.path());
        std::sort(inside.begin(), inside.end());
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

Result<bool> emulateInto(Row& row, const driver::Outcome& outcome) {
    std::vector<reference::Value> inputs;
    for (std::size_t i = 0; i < outcome.program.inputs.size(); ++i)
        inputs.push_back(driver::randomInput(outcome.program.inputs[i], 1 + i));
    const auto run = [&](emulate::Feeding feeding) {
        return emulate::compare(outcome.program, outcome.prepared->graph, inputs, feeding, interruptFlag());
    };
    const Result<emulate::Comparison> chained = run(emulate::Feeding::Chained);
    if (!chained)
        return fail(chained.error());
    const Result<emulate::Comparison> isolated = run(emulate::Feeding::Isolated);
    if (!isolated)
        return fail(isolated.error());
    row.chained = chained->total();
    row.isolated = emulate::sumOf(isolated->tensors);
    row.emulated = true;
    return true;
}

Row compileRow(const fs::path& model, const ModelOptions& options, const mpool::PoolFile& pools) {
    Row row;
    row.model = model.stem().string();
    driver::Request request;
    request.model = model;
    request.pools = pools;
    request.options.nativeFloat = true;
    request.options.enableVirtualMemPools = true;
    const auto start = std::chrono::steady_clock::now();
    const Result<driver::Outcome> outcome = driver::compile(request, {}, interruptFlag());
    row.compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!outcome) {
        row.error = outcome.error().front().message;
        return row;
    }
    row.fits = outcome->report->fits;
    row.totals = outcome->report->totals;
    for (const report::Pool& pool : outcome->report->pools)
        if (!pool.isVirtual && pool.used.value > 0)
            row.usedBytes.emplace_back(pool.name, pool.used.value);
    if (options.emulate && row.fits)
        if (Result<bool> done = emulateInto(row, *outcome); !done)
            row.error = "emulation: " + done.error().front().message;
    return row;
}

std::string usedText(const Row& row) {
    std::string text;
    for (const auto& [pool, bytes] : row.usedBytes)
        text += (text.empty() ? "" : ", ") + pool + " " + toText(ByteCount(bytes));
    return text;
}

std::string matchText(const Row& row, const emulate::Agreement& agreement) {
    if (!row.emulated)
        return "-";
    char text[64];
    std::snprintf(text, sizeof text, "%.2f %% (max %g)",
                  agreement.values ? 100.0 * double(agreement.equal) / double(agreement.values) : 100.0, agreement.largest);
    return text;
}

void printMarkdown(const std::vector<Row>& rows) {
    std::puts("| model | fits | epochs HW | SW | bytes by pool | estimated ms | vendor formula ms | equal, each epoch on exact inputs | equal, "
              "outputs after all epochs | compile s |");
    std::puts("|---|---|---|---|---|---|---|---|---|---|");
    for (const Row& row : rows) {
        if (!row.error.empty()) {
            std::printf("| %s | %s | | | | | | | | |\n", row.model.c_str(), row.error.c_str());
            continue;
        }
        std::printf("| %s | %s | %d | %d | %s | %.3f | %.3f | %s | %s | %.2f |\n", row.model.c_str(), row.fits ? "yes" : "no",
                    row.totals.hw, row.totals.sw, usedText(row).c_str(), row.totals.calibratedMs, row.totals.vendorMs,
                    matchText(row, row.isolated).c_str(), matchText(row, row.chained).c_str(), row.compileSeconds);
    }
}

void printText(const std::vector<Row>& rows) {
    std::printf("%-52s %4s %6s %6s %12s %12s %22s %22s %9s\n", "model", "fits", "HW", "SW", "est. ms", "vendor ms", "equal, each epoch",
                "equal, outputs", "compile s");
    for (const Row& row : rows) {
        if (!row.error.empty()) {
            std::printf("%-52s %s\n", row.model.c_str(), row.error.c_str());
            continue;
        }
        std::printf("%-52s %4s %6d %6d %12.3f %12.3f %22s %22s %9.2f\n", row.model.c_str(), row.fits ? "yes" : "no", row.totals.hw,
                    row.totals.sw, row.totals.calibratedMs, row.totals.vendorMs, matchText(row, row.isolated).c_str(),
                    matchText(row, row.chained).c_str(), row.compileSeconds);
        std::printf("%-52s %s\n", "", usedText(row).c_str());
    }
}

nlohmann::ordered_json agreementJson(const emulate::Agreement& a) {
    return {{"values", a.values}, {"equal", a.equal}, {"within_one", a.withinOne}, {"largest", a.largest}};
}

void printJson(const std::vector<Row>& rows) {
    nlohmann::ordered_json all{{"schema_version", 1}, {"models", nlohmann::ordered_json::array()}};
    for (const Row& row : rows) {
        nlohmann::ordered_json json{{"model", row.model}};
        if (!row.error.empty())
            json["error"] = row.error;
        json["fits"] = row.fits;
        json["epochs"] = {{"total", row.totals.epochs}, {"hw", row.totals.hw}, {"sw", row.totals.sw}, {"hybrid", row.totals.hybrid}};
        for (const auto& [pool, bytes] : row.usedBytes)
            json["used_bytes"][pool] = bytes;
        json["estimate"] = {{"calibrated_ms", row.totals.calibratedMs}, {"vendor_ms", row.totals.vendorMs}};
        if (row.emulated)
            json["emulated"] = {{"each_epoch", agreementJson(row.isolated)}, {"outputs", agreementJson(row.chained)}};
        json["compile_seconds"] = row.compileSeconds;
        all["models"].push_back(std::move(json));
    }
    std::puts(all.dump(2).c_str());
}

} // namespace

int runModels(const Arguments& arguments) {
    ModelOptions options;
    bool noEmulation = false;
    CLI::App app("Compiles and emulates many models: one row each.", "poolwright-cli models");
    app.add_option("models", options.paths, "models, or folders to look for .onnx files in")->required();
    app.add_option("--load-mpool", options.pools, "memory-pool file")->required();
    app.add_option("--format", options.format, "text, md or json")->check(CLI::IsMember({"text", "md", "json"}));
    app.add_flag("--no-emulation", noEmulation, "compile only");
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    options.emulate = !noEmulation;
    const Result<mpool::PoolFile> pools = readPoolFile(options.pools);
    if (!pools)
        return failWith(pools.error());
    std::vector<Row> rows;
    for (const fs::path& model : modelFiles(options.paths)) {
        if (interruptFlag().isCancelled())
            return Interrupted;
        std::fprintf(stderr, "%s\n", model.filename().c_str());
        rows.push_back(compileRow(model, options, *pools));
    }
    if (options.format == "json")
        printJson(rows);
    else if (options.format == "md")
        printMarkdown(rows);
    else
        printText(rows);
    if (rows.empty())
        return failWith({makeError("PW6015", "there is no .onnx file among the paths", {options.paths.front(), 0, 0, {}})});
    const bool all = std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.error.empty(); });
    return all ? Done : Found;
}

} // namespace poolwright::cli
