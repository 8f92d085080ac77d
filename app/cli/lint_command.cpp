// SPDX-License-Identifier: Apache-2.0
#include "cli/lint_command.h"

#include "cli/command.h"
#include "import/import.h"
#include "lint/lint.h"
#include "text/json.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>

namespace poolwright::cli {

namespace {

struct LintOptions {
    std::string model, quantisation, format = "text";
    std::vector<std::string> off;
    bool rules = false;
};

void print(const Diagnostics& found, const std::string& format) {
    if (format == "json") {
        std::printf("{\"schema_version\": 1, \"diagnostics\": %s}\n", text::diagnosticsJson(found).c_str());
        return;
    }
    for (const Diagnostic& diagnostic : found)
        std::puts(toText(diagnostic).c_str());
    if (found.empty())
        std::puts("no rule of lint has anything to say");
}

int lintModel(const LintOptions& options) {
    const auto off = lint::switchedOff(options.off);
    if (!off)
        return failWith(off.error());
    const Result<LintedModel> model = lintedModel(options.model, options.quantisation, *off);
    if (!model)
        return failWith(model.error());
    print(model->found, options.format);
    return model->found.empty() ? Done : Found;
}

} // namespace

Result<LintedModel> lintedModel(const std::string& path, const std::string& quantisation, const std::set<std::string>& off) {
    import::Options importOptions;
    importOptions.quantisation = quantisation;
    importOptions.nativeFloat = true;
    Diagnostics notes;
    Result<ir::Graph> graph = import::importModel(path, importOptions, notes);
    if (!graph)
        return fail(graph.error());
    Diagnostics found = lint::check({*graph, std::filesystem::path(path).filename().string()}, off);
    return LintedModel{std::move(*graph), std::move(found)};
}

int runLint(const Arguments& arguments) {
    LintOptions options;
    CLI::App app("Rules that look at the graph alone, before anything is compiled.", "poolwright-cli lint");
    auto* model = app.add_option("model", options.model, "the model");
    app.add_option("--json-quant-file", options.quantisation, "quantisation of an OE model");
    app.add_option("--lint-off", options.off, "a rule to leave out");
    app.add_option("--format", options.format, "text or json")->check(CLI::IsMember({"text", "json"}));
    auto* rules = app.add_flag("--rules", options.rules, "print the rules as Markdown");
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    if (rules->count()) {
        std::fputs(lint::rulesAsMarkdown().c_str(), stdout);
        return Done;
    }
    if (!model->count())
        return failWith({makeError("PW1020", "the model is missing", {}, "poolwright-cli lint MODEL")});
    return lintModel(options);
}

} // namespace poolwright::cli
