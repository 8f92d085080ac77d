// SPDX-License-Identifier: Apache-2.0
#include "place/csv.h"

#include "cli/command.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace poolwright::cli {

int runPlace(const Arguments& arguments) {
    std::string path;
    std::int64_t capacity = 0;
    place::Options options;
    CLI::App app("Packs buffers of a CSV file (id,lower,upper,size) into one pool.", "poolwright-cli place");
    app.add_option("file", path, "CSV file")->required();
    app.add_option("--capacity", capacity, "bytes of the pool")->required()->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 53));
    app.add_option("--budget-ms", options.budgetMilliseconds, "time to search; 0: to the end")->check(CLI::NonNegativeNumber);
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    options.cancel = interruptFlag();
    const Result<std::string> text = readFile(path);
    if (!text)
        return failWith(text.error());
    const Result<std::vector<place::BufferSpec>> buffers = place::readCsv(*text, path);
    if (!buffers)
        return failWith(buffers.error());
    const place::SinglePoolResult result = place::packIntoOne(*buffers, capacity, options);
    if (interruptFlag().isCancelled())
        return Interrupted;
    if (result.offsets.empty() && !buffers->empty()) {
        printDiagnostics({makeError("PW3310", place::whyNot(*buffers, capacity, result), {path, 0, 0, {}})});
        return DoesNotFit;
    }
    std::fputs(place::writeCsv(*buffers, result.offsets).c_str(), stdout);
    return Done;
}

} // namespace poolwright::cli
