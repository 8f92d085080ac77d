// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include "driver/files.h"

#include <cstdio>

namespace poolwright::cli {

CancelFlag& interruptFlag() {
    static CancelFlag flag;
    return flag;
}

void printDiagnostics(const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics)
        std::fprintf(stderr, "%s\n", toText(diagnostic).c_str());
}

static int exitCodeOf(const Diagnostics& diagnostics) {
    if (interruptFlag().isCancelled())
        return Interrupted;
    for (const Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity != Severity::Error)
            continue;
        if (diagnostic.code == "PW6001" || diagnostic.code == "PW6002")
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
