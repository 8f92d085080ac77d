// SPDX-License-Identifier: Apache-2.0
#include "artefacts/open.h"
#include "cli/command.h"
#include "cli/compile_command.h"
#include "cli/lint_command.h"
#include "driver/emulation.h"
#include "emit/csv.h"
#include "emit/recap.h"
#include "report/diff.h"
#include "report/findings.h"
#include "report/gates.h"
#include "report/json.h"
#include "report/nodes.h"
#include "report/why.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace poolwright::cli {

namespace {

struct ReportOptions {
    std::vector<std::string> paths, pools;
    std::string format = "text", why, model;
    bool nodes = false;
    std::optional<int> softwareEpochs;
    bool fits = false;
};

Result<report::Report> openAll(const std::vector<std::string>& paths) {
    return artefacts::open(std::vector<std::filesystem::path>(paths.begin(), paths.end()));
}

Result<report::Gates> gatesOf(const ReportOptions& options) {
    report::Gates gates;
    gates.fits = options.fits;
    gates.softwareEpochs = options.softwareEpochs;
    for (const std::string& text : options.pools) {
        Result<report::PoolLimit> limit = report::parsePoolLimit(text);
        if (!limit)
            return fail(limit.error());
        gates.pools.push_back(*limit);
    }
    return gates;
}

/// A report of our own compile carries its findings; those of others are computed here.
Diagnostics withFindings(const report::Report& report) {
    Diagnostics diagnostics = report.diagnostics;
    for (const report::Finding& finding : report::findings(report))
        if (std::find(diagnostics.begin(), diagnostics.end(), finding.diagnostic) == diagnostics.end())
            diagnostics.push_back(finding.diagnostic);
    return diagnostics;
}

void printReport(const report::Report& report, const std::string& format) {
    if (format == "json") {
        std::fputs(report::toJson(report).c_str(), stdout);
    } else if (format == "csv") {
        std::fputs(emit::csv(report).c_str(), stdout);
    } else {
        printSummary(report);
        std::fputs(emit::recapText(report).c_str(), stdout);
    }
}

void printAnswer(const ReportOptions& options, const std::string& answer) {
    if (options.format == "json")
        std::puts(nlohmann::ordered_json{{"schema_version", 1}, {"name", options.why}, {"why", answer}}.dump(2).c_str());
    else
        std::printf("%s\n", answer.c_str());
}

/// The model of --model, else the one that was compiled if it is still there; empty: none.
std::string modelOf(const report::Report& report, const ReportOptions& options, options::CompilerOptions& compiled) {
    if (const auto given = driver::optionsOf(report.provenance))
        compiled = *given;
    std::error_code ignored;
    return !options.model.empty() || !std::filesystem::exists(compiled.onnxInput, ignored) ? options.model
                                                                                          : compiled.onnxInput;
}

/// Without the model: what the epochs name, and what the report kept of lint.
Result<bool> printNodes(const report::Report& report, const ReportOptions& options) {
    std::vector<report::ModelNode> nodes = report::nodesOfEpochs(report);
    Diagnostics lint = report.diagnostics;
    options::CompilerOptions compiled;
    if (const std::string model = modelOf(report, options, compiled); !model.empty()) {
        const auto off = lint::switchedOff(compiled.lintOff);
        const Result<LintedModel> linted =
            lintedModel(model, options.model.empty() ? compiled.jsonQuantFile : std::string(), off ? *off : std::set<std::string>());
        if (!linted)
            return fail(linted.error());
        nodes.clear();
        for (const ir::Node& node : linted->graph.nodes)
            nodes.push_back({node.name, ir::opKindName(node.kind)});
        lint = linted->found;
    }
    const auto outcomes = report::nodeOutcomes(report, nodes, lint);
    std::fputs((options.format == "json" ? report::nodesJson(report, outcomes) : report::nodesText(report, outcomes)).c_str(),
               stdout);
    return true;
}

} // namespace

int runReport(const Arguments& arguments) {
    ReportOptions options;
    CLI::App app("Reads any artefact set, ours or ST's.", "poolwright-cli report");
    app.add_option("paths", options.paths, "artefact files or folders of one run")->required();
    app.add_option("--format", options.format, "text, json or csv")->check(CLI::IsMember({"text", "json", "csv"}));
    app.add_option("--why", options.why, "explain the place of a buffer, or what bounds an epoch or operator");
    app.add_flag("--nodes", options.nodes, "for each node of the model where it runs, why, and what lint says of it");
    app.add_option("--model", options.model, "the model, for --nodes; without it the one that the artefacts name");
    app.add_option("--assert-pool", options.pools, "NAME=BYTES: at most so many bytes of activations in that pool");
    app.add_option("--assert-sw-epochs", options.softwareEpochs, "at most N epochs that are not pure hardware")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--assert-fits", options.fits, "everything has a place");
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    const Result<report::Gates> gates = gatesOf(options);
    if (!gates)
        return failWith(gates.error());
    const Result<report::Report> report = openAll(options.paths);
    if (!report)
        return failWith(report.error());
    printDiagnostics(withFindings(*report));
    if (!options.why.empty()) {
        const Result<std::string> answer = report::why(*report, options.why);
        if (!answer)
            return failWith(answer.error());
        printAnswer(options, *answer);
    } else if (options.nodes) {
        if (Result<bool> done = printNodes(*report, options); !done)
            return failWith(done.error());
    } else {
        printReport(*report, options.format);
    }
    const Diagnostics broken = report::brokenGates(*report, *gates);
    printDiagnostics(broken);
    return broken.empty() ? Done : Found;
}

int runDiff(const Arguments& arguments) {
    std::string a, b, format = "text";
    std::vector<std::string> moreOfA, moreOfB;
    CLI::App app("What is different between two artefact sets.", "poolwright-cli diff");
    app.add_option("a", a, "artefact file or folder")->required();
    app.add_option("b", b, "artefact file or folder")->required();
    app.add_option("--with-a", moreOfA, "further files of the first set (its csv, say)");
    app.add_option("--with-b", moreOfB, "further files of the second set");
    app.add_option("--format", format, "text or json")->check(CLI::IsMember({"text", "json"}));
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    moreOfA.insert(moreOfA.begin(), a);
    moreOfB.insert(moreOfB.begin(), b);
    const Result<report::Report> first = openAll(moreOfA);
    if (!first)
        return failWith(first.error());
    const Result<report::Report> second = openAll(moreOfB);
    if (!second)
        return failWith(second.error());
    const report::Difference difference = report::difference(*first, *second);
    std::fputs((format == "json" ? report::toJson(difference) : report::toText(difference)).c_str(), stdout);
    return difference.isEmpty() ? Done : Found;
}

} // namespace poolwright::cli
