// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace poolwright::test {

std::filesystem::path sharedFolder() {
    std::filesystem::path folder;
    if (const char* given = std::getenv("POOLWRIGHT_SHARED"))
        folder = given;
    else
        folder = std::filesystem::path(POOLWRIGHT_SOURCE_DIR).parent_path() / "shared";
    std::error_code ignored;
    return std::filesystem::is_directory(folder / "models", ignored) ? folder : std::filesystem::path();
}

std::string readFile(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

QString describe(const Diagnostics& diagnostics) {
    QString text;
    for (const Diagnostic& diagnostic : diagnostics)
        text += QString::fromStdString(toText(diagnostic)) + QLatin1Char('\n');
    return text;
}

} // namespace poolwright::test
