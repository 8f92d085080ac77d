// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/carve_command.h"
#include "cli/compile_command.h"
#include "mpool/diff.h"
#include "mpool/table.h"
#include "mpool/virtual.h"
#include "mpool/write.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace poolwright::cli {

namespace {

struct MpoolOptions {
    std::vector<std::string> files;
    std::string format = "text", runtime = "1.1.1";
    bool virtualPools = false, inPlace = false;

    mpool::RuntimeGeneration generation() const { return mpool::generationFromVersion(runtime); }
};

mpool::CheckedFile checkOne(const std::string& path, const MpoolOptions& options) {
    mpool::CheckedFile checked{path, {}};
    const Result<mpool::PoolFile> file = readPoolFile(path);
    if (!file) {
        checked.diagnostics = file.error();
        return checked;
    }
    checked.diagnostics = file->findings;
    if (options.virtualPools) {
        const Diagnostics warnings = mpool::virtualPoolWarnings(*file, options.generation());
        checked.diagnostics.insert(checked.diagnostics.end(), warnings.begin(), warnings.end());
    }
    return checked;
}

bool isMissingFile(const mpool::CheckedFile& file) {
    return !file.diagnostics.empty() && file.diagnostics.front().code == "PW6001";
}

int check(const MpoolOptions& options) {
    std::vector<mpool::CheckedFile> checked;
    int code = Done;
    for (const std::string& path : options.files) {
        checked.push_back(checkOne(path, options));
        if (isMissingFile(checked.back()))
            code = InputOutput;
        else if (checked.back().hasErrors() && code == Done)
            code = Found;
    }
    for (const mpool::CheckedFile& file : checked) {
        printDiagnostics(file.diagnostics);
        if (options.format == "text")
            std::printf("%s: %s\n", file.path.c_str(), file.hasErrors() ? "errors" : file.diagnostics.empty() ? "good" : "good, see above");
    }
    if (options.format == "json")
        std::fputs(mpool::checksAsJson(checked).c_str(), stdout);
    return code;
}

int show(const MpoolOptions& options) {
    for (const std::string& path : options.files) {
        const Result<mpool::PoolFile> file = readPoolFile(path);
        if (!file)
            return failWith(file.error());
        printDiagnostics(file->findings);
        const std::string table = options.format == "json" ? mpool::tableAsJson(*file, options.virtualPools, options.generation())
                                                           : mpool::tableAsText(*file, options.virtualPools, options.generation());
        std::fputs(table.c_str(), stdout);
    }
    return Done;
}

int format(const MpoolOptions& options) {
    for (const std::string& path : options.files) {
        const Result<mpool::PoolFile> file = readPoolFile(path);
        if (!file)
            return failWith(file.error());
        const std::string text = mpool::writeCanonical(*file);
        if (!options.inPlace)
            std::fputs(text.c_str(), stdout);
        else if (Result<bool> done = writeFile(path, text); !done)
            return failWith(done.error());
    }
    return Done;
}

int diff(const MpoolOptions& options) {
    if (options.files.size() != 2)
        return failWith({makeError("PW6013", "diff takes two files", {{}, 0, 0, "mpool diff"})});
    const Result<mpool::PoolFile> before = readPoolFile(options.files[0]);
    if (!before)
        return failWith(before.error());
    const Result<mpool::PoolFile> after = readPoolFile(options.files[1]);
    if (!after)
        return failWith(after.error());
    std::vector<mpool::Difference> differences = mpool::diffPools(*before, *after);
    if (options.virtualPools) {
        const std::vector<mpool::Difference> groups = mpool::diffVirtualPools(*before, *after, options.generation());
        differences.insert(differences.end(), groups.begin(), groups.end());
    }
    if (options.format == "json")
        std::fputs(mpool::differencesAsJson(differences).c_str(), stdout);
    else
        for (const mpool::Difference& difference : differences)
            std::printf("%s\n", difference.sentence.c_str());
    return differences.empty() ? Done : Found;
}

} // namespace

int runMpool(const Arguments& arguments) {
    if (!arguments.empty() && arguments.front() == "carve")
        return runCarve({arguments.begin() + 1, arguments.end()});
    MpoolOptions options;
    CLI::App app("Memory-pool files.", "poolwright-cli mpool");
    app.require_subcommand(1);
    const auto add = [&](const char* name, const char* summary) {
        CLI::App* command = app.add_subcommand(name, summary);
        command->add_option("files", options.files, "memory-pool files")->required();
        command->add_flag("--enable-virtual-mem-pools", options.virtualPools, "merge adjacent pools into virtual ones");
        command->add_option("--runtime", options.runtime, "whose rule for virtual pools: 1.1.1 (2.x) or 1.1.3 (3.x, 4.x)");
        command->add_option("--format", options.format, "text or json")->check(CLI::IsMember({"text", "json"}));
        return command;
    };
    CLI::App* checkCommand = add("check", "findings with line and column");
    CLI::App* showCommand = add("show", "normalised table");
    CLI::App* formatCommand = add("fmt", "canonical form");
    formatCommand->add_flag("--in-place", options.inPlace, "rewrite the files");
    add("diff", "difference of two files");
    app.add_subcommand("carve", "better boundaries, holes and grouping for one model; see mpool carve --help");
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    if (*checkCommand)
        return check(options);
    if (*showCommand)
        return show(options);
    return *formatCommand ? format(options) : diff(options);
}

} // namespace poolwright::cli
