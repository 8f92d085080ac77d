// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "options/table.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace poolwright::cli {

int runOptions(const Arguments& arguments) {
    std::string format = "text";
    CLI::App app("Every compiler option.", "poolwright-cli options");
    app.add_option("--format", format, "text, md or json")->check(CLI::IsMember({"text", "md", "json"}));
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    const std::string table =
        format == "json" ? options::tableAsJson() : format == "md" ? options::tableAsMarkdown() : options::tableAsText();
    std::fputs(table.c_str(), stdout);
    return Done;
}

} // namespace poolwright::cli
