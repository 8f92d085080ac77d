// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/compile_command.h"
#include "driver/front_end.h"
#include "driver/resources.h"
#include "options/parse.h"
#include "options/profile.h"

#include <algorithm>
#include <cstdio>

namespace poolwright::cli {

namespace {

Result<options::ProfileFile> profileFile(const options::ProfileSelection& selection) {
    std::string path = selection.file;
    if (path.empty()) {
        const Result<std::filesystem::path> builtin = driver::dataFile("mpools/profiles.json");
        if (!builtin)
            return fail(builtin.error());
        path = builtin->string();
    }
    const Result<std::string> text = readFile(path);
    if (!text)
        return fail(text.error());
    return options::readProfiles(*text, path);
}

/// Everything but the front end's own words goes to the profile as additions.
struct FrontEnd {
    std::string model, profile, name, output, format;
    SearchFiles search;
    bool showOptions = false;
    Arguments rest;
};

bool takeFlag(Arguments& arguments, const std::string& name) {
    const auto found = std::find(arguments.begin(), arguments.end(), name);
    if (found == arguments.end())
        return false;
    arguments.erase(found);
    return true;
}

/// --st-neural-art may stand without a value: then it means the default profile.
std::string takeProfile(Arguments& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool last = i + 1 == arguments.size();
        if (arguments[i] == "--st-neural-art" && (last || arguments[i + 1].rfind("-", 0) == 0)) {
            arguments.erase(arguments.begin() + std::ptrdiff_t(i));
            return {};
        }
    }
    return takeOption(arguments, "--st-neural-art");
}

FrontEnd frontEndOf(const Arguments& given) {
    FrontEnd front;
    front.rest = given;
    front.format = takeOption(front.rest, "--format", "text");
    front.search = takeSearchFiles(front.rest);
    front.model = takeOption(front.rest, "--model", takeOption(front.rest, "-m"));
    front.name = takeOption(front.rest, "--name", takeOption(front.rest, "-n", "network"));
    front.output = takeOption(front.rest, "--output", takeOption(front.rest, "-o", "st_ai_output"));
    takeOption(front.rest, "--workspace", takeOption(front.rest, "-w"));
    takeOption(front.rest, "--target");
    front.showOptions = takeFlag(front.rest, "--show-options");
    front.profile = takeProfile(front.rest);
    return front;
}

options::CompilerOptions withFrontEnd(options::CompilerOptions options, const FrontEnd& front) {
    options.onnxInput = front.model;
    options.cOutput = front.name + ".c";
    options.networkName = front.name;
    options.outDirPrefix = front.output + "/";
    return options::withGivenRefreshed(std::move(options));
}

int printProfiles(const options::ProfileFile& file) {
    std::printf("profiles of %s:\n", file.path.c_str());
    for (const options::Profile& profile : file.profiles)
        std::printf("  %-36s %s\n", profile.name.c_str(), profile.optionText.c_str());
    return Done;
}

} // namespace

int runGenerate(const Arguments& given) {
    if (wantsHelp(given)) {
        std::fputs("usage: poolwright-cli generate -m MODEL --st-neural-art [PROFILE[@FILE]] [--name NAME] [--output FOLDER]\n"
                   "       [--show-options] [--format text|json] [compiler options]\n"
                   "\"--st-neural-art help\" lists the built-in profiles, \"poolwright-cli options\" the compiler options.\n",
                   stdout);
        std::fputs(searchFilesHelp, stdout);
        return Done;
    }
    const FrontEnd front = frontEndOf(given);
    const Result<options::ProfileSelection> selection = options::parseSelection(front.profile);
    if (!selection)
        return failWith(selection.error());
    const Result<options::ProfileFile> file = profileFile(*selection);
    if (!file)
        return failWith(file.error());
    if (selection->help)
        return printProfiles(*file);
    const Result<options::ResolvedProfile> profile = options::resolveProfile(*file, selection->name, front.rest);
    if (!profile)
        return failWith(profile.error());
    printDiagnostics(profile->diagnostics);
    if (front.showOptions) {
        std::fputs(options::resolvedText(*profile).c_str(), stdout);
        return hasErrors(profile->diagnostics) ? BadInput : Done;
    }
    if (hasErrors(profile->diagnostics))
        return BadInput;
    if (front.model.empty())
        return failWith({makeError("PW6013", "the model is missing", {{}, 0, 0, "generate"}, "give it with -m MODEL")});
    if (driver::isTranslated(front.model))
        printDiagnostics({makeWarning("PW6017", "the vendor's front end wrote this file and would preprocess it twice",
                                      {front.model, 0, 0, {}},
                                      "it is compiled as it is, with its _Q.json; the vendor's generate wants the "
                                      "model as trained")});
    return compileAndWrite(withFrontEnd(profile->options, front), front.format, front.search);
}

} // namespace poolwright::cli
