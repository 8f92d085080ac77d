// SPDX-License-Identifier: Apache-2.0
#include "cli/search_files.h"

#include "cli/compile_command.h"
#include "options/table.h"
#include "text/escape.h"

#include <filesystem>

namespace poolwright::cli {

namespace {

/// Options that a profile holds: no file names of this one compile.
std::string profileOptions(options::CompilerOptions options) {
    for (const options::OptionSpec& spec : options::optionTable()) {
        const bool isPath = spec.kind == options::ArgumentKind::File || spec.status == options::Status::FrontEnd ||
                            spec.name == "out-dir-prefix" || spec.name == "network-name";
        if (!isPath)
            continue;
        if (const auto* field = std::get_if<std::string options::CompilerOptions::*>(&spec.field))
            options.** field = options::CompilerOptions{}.**field;
        std::erase_if(options.given, [&](const auto& entry) { return entry.first == spec.name; });
    }
    return options::toCommandLine(options);
}

/// Paths of a profile start at its own folder.
std::string pathFrom(const std::string& profile, const std::string& path) {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::absolute(profile, error).parent_path();
    const std::filesystem::path relative = std::filesystem::proximate(path, folder, error);
    return (error ? std::filesystem::path(path) : relative).generic_string();
}

std::string profileText(const driver::SearchResult& result, const std::string& file) {
    const options::CompilerOptions& options = result.trials.front().options;
    std::string text = "{\n  \"Globals\": { },\n  \"Profiles\": {\n    \"searched\": {\n      \"memory_pool\": " +
                       text::jsonQuote(pathFrom(file, options.loadMpool)) + ",\n";
    std::error_code ignored;
    if (std::filesystem::exists(options.loadMdesc, ignored))
        text += "      \"machine_desc\": " + text::jsonQuote(pathFrom(file, options.loadMdesc)) + ",\n";
    return text + "      \"options\": " + text::jsonQuote(profileOptions(options)) + "\n    }\n  }\n}\n";
}

} // namespace

const char* const searchFilesHelp =
    "\nWith --Oauto or --Oauto-sched:\n"
    "  --search-file FILE   writes the table of all configurations as CSV, or as JSON to a name that ends in .json\n"
    "  --save-profile FILE  writes the best options as profile \"searched\": generate --st-neural-art searched@FILE\n";

SearchFiles takeSearchFiles(Arguments& arguments) {
    SearchFiles files;
    files.table = takeOption(arguments, "--search-file");
    files.profile = takeOption(arguments, "--save-profile");
    return files;
}

Result<bool> writeSearch(const driver::SearchResult& result, const SearchFiles& files) {
    if (!files.table.empty()) {
        const bool isJson = files.table.ends_with(".json");
        const Result<bool> done =
            writeFile(files.table, isJson ? driver::searchAsJson(result) : driver::searchAsCsv(result));
        if (!done)
            return done;
    }
    return files.profile.empty() || !result.fits() ? Result<bool>(true)
                                                   : writeFile(files.profile, profileText(result, files.profile));
}

} // namespace poolwright::cli
