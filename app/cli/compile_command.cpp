// SPDX-License-Identifier: Apache-2.0
#include "cli/compile_command.h"

#include "cli/command.h"
#include "cli/search_files.h"
#include "emit/c_writer.h"
#include "emit/recap.h"
#include "mpool/read.h"
#include "options/ini.h"
#include "options/parse.h"
#include "options/table.h"
#include "report/json.h"

#include <algorithm>
#include <cstdio>

namespace poolwright::cli {

namespace {

void printPools(const report::Report& report) {
    for (const report::Pool& pool : report.pools) {
        if (pool.isVirtual || pool.size.value == 0)
            continue;
        std::printf("  %-12s %s  %16s of %16s  weights %14s  activations %14s\n", pool.name.c_str(), toText(pool.address).c_str(),
                    toText(pool.used).c_str(), toText(pool.size).c_str(), toText(pool.weights).c_str(), toText(pool.activations).c_str());
    }
}

const char* verdict(const report::Report& report) {
    if (!report::knowsPlacement(report))
        return "PLACEMENT UNKNOWN";
    return report.fits ? "FITS" : "DOES NOT FIT";
}

/// Only what the artefacts tell: the vendor's carry no calibrated estimate.
std::string estimateText(const report::Report& report) {
    char text[160];
    std::string result;
    if (report.totals.calibratedMs > 0) {
        std::snprintf(text, sizeof text, ", estimated %.3f ms on %s", report.totals.calibratedMs, report.provenance.board.c_str());
        result += text;
    }
    if (report.totals.vendorMs > 0) {
        std::snprintf(text, sizeof text, ", vendor formula %.3f ms", report.totals.vendorMs);
        result += text;
    }
    return result;
}

void printUnplaced(const report::Report& report) {
    for (const report::Unplaced& unplaced : report.unplaced)
        std::printf("  no place: %s (%s, %s): %s\n", unplaced.name.c_str(), unplaced.kind.c_str(), toText(unplaced.size).c_str(),
                    unplaced.reason.c_str());
}

} // namespace

void printSummary(const report::Report& report) {
    const report::Totals& totals = report.totals;
    std::printf("%s: %d epochs (%d HW, %d hybrid, %d SW)%s\n", verdict(report), totals.epochs, totals.hw, totals.hybrid, totals.sw,
                estimateText(report).c_str());
    printPools(report);
    printUnplaced(report);
    if (totals.peakEpoch < 0)
        return;
    if (!report.fits && report.shortfall.value > 0)
        std::printf("  shortfall of the activations: %s at epoch %d\n", toText(report.shortfall).c_str(), totals.peakEpoch);
    std::printf("  peak of live activations %s at epoch %d; external activations %s\n", toText(totals.peakLive).c_str(),
                totals.peakEpoch, toText(totals.externalActivations).c_str());
}

Result<mpool::PoolFile> readPoolFile(const std::string& path) {
    const Result<std::string> text = readFile(path);
    if (!text)
        return fail(text.error());
    std::vector<mpool::BankRange> banks;
    for (const target::Bank& bank : target::builtinTarget().banks)
        banks.push_back({bank.name, bank.range});
    return mpool::readPools(*text, path, banks);
}

Result<mpool::PoolFile> readUsablePoolFile(const std::string& path) {
    Result<mpool::PoolFile> pools = readPoolFile(path);
    if (pools && hasErrors(pools->findings))
        return fail(pools->findings);
    return pools;
}

bool wantsHelp(const Arguments& arguments) {
    return std::any_of(arguments.begin(), arguments.end(), [](const std::string& a) { return a == "--help" || a == "-h"; });
}

std::string takeOption(Arguments& arguments, const std::string& name, const std::string& fallback) {
    std::string value = fallback;
    for (std::size_t i = 0; i < arguments.size();) {
        if (arguments[i].rfind(name + "=", 0) == 0) {
            value = arguments[i].substr(name.size() + 1);
            arguments.erase(arguments.begin() + std::ptrdiff_t(i));
        } else if (arguments[i] == name && i + 1 < arguments.size()) {
            value = arguments[i + 1];
            arguments.erase(arguments.begin() + std::ptrdiff_t(i), arguments.begin() + std::ptrdiff_t(i) + 2);
        } else {
            ++i;
        }
    }
    return value;
}

namespace {

Diagnostics missingOption(const char* option, const char* what) {
    return {makeError("PW1020", std::string(what) + " is missing", {{}, 0, 0, option}, "give it with " + std::string(option))};
}

/// Machine description given by file: unit counts and powers replace those of the built-in target.
Result<target::Target> targetOf(const options::CompilerOptions& options) {
    const std::string& mdesc = options.loadMdesc;
    if (mdesc.empty() || mdesc == target::builtinTarget().machine.name)
        return target::builtinTarget();
    std::error_code ignored;
    std::string path = mdesc;
    if (!std::filesystem::exists(path, ignored) && std::filesystem::exists(path + ".mdesc", ignored))
        path += ".mdesc";
    Result<std::string> text = readFile(path);
    if (!text) {
        text.error().front().hint = "--target is the path of a .mdesc file, or the built-in machine \"" +
                                    target::builtinTarget().machine.name + "\"";
        return fail(text.error());
    }
    return target::withMachineDescription(target::builtinTarget(), *text, path);
}

} // namespace

Result<driver::Request> requestOf(const options::CompilerOptions& options) {
    if (options.onnxInput.empty())
        return fail(missingOption("--onnx-input", "the model"));
    if (options.loadMpool.empty())
        return fail(missingOption("--load-mpool", "the memory-pool file"));
    if (emit::identifier(options.networkName) != options.networkName)
        return fail(makeError("PW6014", "\"" + options.networkName + "\" is no C identifier", {{}, 0, 0, "--network-name"},
                              "letters, digits and underscores, not starting with a digit"));
    driver::Request request;
    request.model = options.onnxInput;
    request.quantisation = options.jsonQuantFile;
    request.options = options;
    Result<target::Target> target = targetOf(options);
    if (!target)
        return fail(target.error());
    request.target = std::move(*target);
    std::error_code ignored;
    std::string path = options.loadMpool;
    if (!std::filesystem::exists(path, ignored) && std::filesystem::exists(path + ".mpool", ignored))
        path += ".mpool";
    Result<mpool::PoolFile> pools = readUsablePoolFile(path);
    if (!pools)
        return fail(pools.error());
    request.pools = std::move(*pools);
    return request;
}

namespace {

struct Compiled {
    driver::Outcome outcome;
    std::string search; ///< the table of the search as JSON; empty without one
};

/// The winner of the search with its table printed, or the plain compile.
Result<Compiled> searchOrCompile(const driver::Request& request, const std::string& format, const SearchFiles& files) {
    if (!driver::asksForSearch(request.options)) {
        Result<driver::Outcome> outcome = driver::compile(request, {}, interruptFlag());
        return outcome ? Result<Compiled>(Compiled{std::move(*outcome), {}}) : fail(outcome.error());
    }
    Result<driver::SearchResult> found = driver::search(request, {}, interruptFlag());
    if (!found)
        return fail(found.error());
    if (format != "json")
        std::fputs(driver::searchAsText(*found, request.options.autoDebug).c_str(), stdout);
    if (Result<bool> done = writeSearch(*found, files); !done)
        return fail(done.error());
    std::string table = driver::searchAsJson(*found);
    return Compiled{std::move(found->best), std::move(table)};
}

/// The report with one more key.
std::string withSearch(std::string report, const std::string& search) {
    if (!search.empty())
        report = report.substr(0, report.find_last_of('}')) + ",\n\"search\": " + search + "}\n";
    return report;
}

} // namespace

int compileAndWrite(const options::CompilerOptions& options, const std::string& format, const SearchFiles& search) {
    const Result<driver::Request> request = requestOf(options);
    if (!request)
        return failWith(request.error());
    const Result<Compiled> compiled = searchOrCompile(*request, format, search);
    if (!compiled)
        return failWith(compiled.error());
    const driver::Outcome* outcome = &compiled->outcome;
    printDiagnostics(outcome->report->diagnostics);
    if (format == "json")
        std::fputs(withSearch(report::toJson(*outcome->report), compiled->search).c_str(), stdout);
    else
        printSummary(*outcome->report);
    if (outcome->prepared->options.mappingRecap && format != "json")
        std::fputs(emit::recapText(*outcome->report).c_str(), stdout);
    if (!outcome->report->fits)
        return DoesNotFit;
    const Result<std::vector<driver::WrittenFile>> files = driver::writeArtefacts(*outcome);
    if (!files)
        return failWith(files.error());
    if (format != "json")
        std::printf("wrote %zu files into %s\n", files->size(), options.outDirPrefix.empty() ? "." : options.outDirPrefix.c_str());
    return Done;
}

namespace {

/// Options of --load-options come first, so that those of the command line win.
Result<Arguments> withLoadedOptions(const Arguments& arguments) {
    Arguments rest = arguments;
    const std::string path = takeOption(rest, "--load-options");
    if (path.empty())
        return arguments;
    const Result<std::string> text = readFile(path);
    if (!text)
        return fail(text.error());
    const Result<std::vector<options::Token>> tokens = options::readIni(*text, path);
    if (!tokens)
        return fail(tokens.error());
    Arguments all;
    for (const options::Token& token : *tokens)
        all.push_back(token.text);
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

} // namespace

int runCompile(const Arguments& given) {
    if (wantsHelp(given)) {
        std::fputs(options::tableAsText().c_str(), stdout);
        std::fputs(searchFilesHelp, stdout);
        return Done;
    }
    Arguments arguments = given;
    const std::string format = takeOption(arguments, "--format", "text");
    const SearchFiles search = takeSearchFiles(arguments);
    const Result<Arguments> all = withLoadedOptions(arguments);
    if (!all)
        return failWith(all.error());
    Diagnostics warnings;
    const Result<options::CompilerOptions> options = options::parse(*all, warnings);
    printDiagnostics(warnings);
    if (!options)
        return failWith(options.error());
    return compileAndWrite(*options, format, search);
}

} // namespace poolwright::cli
