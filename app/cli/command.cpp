// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include "driver/files.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace poolwright::cli {

CancelFlag& interruptFlag() {
    static CancelFlag flag;
    return flag;
}

std::optional<int> parseArguments(CLI::App& app, const Arguments& arguments) {
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        // CLI11 has codes of its own above 100; scripts are promised 2 for bad usage.
        return app.exit(error) == 0 ? Done : BadInput;
    }
}

void printDiagnostics(const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics)
        std::fprintf(stderr, "%s\n", toText(diagnostic).c_str());
}

/// Codes of files that could not be read or written, by room: driver, artefacts, .npy.
static bool isFileTrouble(const std::string& code) {
    for (const char* trouble : {"PW6001", "PW6002", "PW5003", "PW2212", "PW2213"})
        if (code == trouble)
            return true;
    return false;
}

static int exitCodeOf(const Diagnostics& diagnostics) {
    if (interruptFlag().isCancelled())
        return Interrupted;
    for (const Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity != Severity::Error)
            continue;
        if (isFileTrouble(diagnostic.code))
            return InputOutput;
        if (diagnostic.code.rfind("PW9", 0) == 0)
            return Internal;
    }
    return BadInput;
}

int failWith(const Diagnostics& diagnostics) {
    printDiagnostics(diagnostics);
    return exitCodeOf(diagnostics);
}

Result<std::string> readFile(const std::string& path) {
    return driver::readFile(path);
}

Result<bool> writeFile(const std::string& path, const std::string& content) {
    return driver::writeFile(path, content);
}

} // namespace poolwright::cli
