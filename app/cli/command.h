// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace poolwright::cli {

/// What a script may rely on (design: exit codes).
enum ExitCode {
    Done = 0,
    Found = 1,       ///< a gate or a check found something
    BadInput = 2,    ///< bad usage or bad input
    DoesNotFit = 3,
    InputOutput = 4,
    Internal = 5,
    Interrupted = 130
};

using Arguments = std::vector<std::string>; ///< what follows the command's name

struct Command {
    const char* name;
    const char* usage;
    const char* summary;
    int (*run)(const Arguments& arguments);
};

int runCompile(const Arguments& arguments);
int runGenerate(const Arguments& arguments);
int runFit(const Arguments& arguments);
int runPlace(const Arguments& arguments);
int runMpool(const Arguments& arguments);
int runReport(const Arguments& arguments);
int runDiff(const Arguments& arguments);
int runEmulate(const Arguments& arguments);
int runLint(const Arguments& arguments);
int runOptions(const Arguments& arguments);
int runModels(const Arguments& arguments);
int runTranslate(const Arguments& arguments);
int runOperators(const Arguments& arguments);

/// Parses with CLI11; an exit code when the command ends here (help asked for, or bad usage: 2).
std::optional<int> parseArguments(CLI::App& app, const Arguments& arguments);

/// Set by Ctrl+C; every long job gets it.
CancelFlag& interruptFlag();

/// To stderr, one diagnostic a paragraph.
void printDiagnostics(const Diagnostics& diagnostics);

/// Prints the diagnostics of a failure and answers the exit code they stand for: 130 when interrupted, 4 for files that cannot be read or
/// written (PW6001, PW6002), 5 for internal ones (PW9...), else 2.
int failWith(const Diagnostics& diagnostics);

/// Whole file, or a PW6001 error.
Result<std::string> readFile(const std::string& path);
/// Written under a temporary name, then renamed; or a PW6002 error.
Result<bool> writeFile(const std::string& path, const std::string& content);

} // namespace poolwright::cli
