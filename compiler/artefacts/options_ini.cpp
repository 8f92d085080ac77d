// SPDX-License-Identifier: Apache-2.0
#include "artefacts/options_ini.h"

#include "artefacts/lines.h"

namespace poolwright::artefacts {

using namespace report;

namespace {

std::string unquoted(std::string_view value) {
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
        value = value.substr(1, value.size() - 2);
    return std::string(value);
}

std::string fileName(const std::string& path) {
    const std::size_t slash = path.find_last_of("/\\");
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

void readComment(std::string_view line, Provenance& provenance) {
    const std::string mark = "Version atonn.";
    if (const std::size_t at = line.find(mark); at != std::string_view::npos) {
        provenance.tool = "ST Edge AI Core";
        provenance.version = std::string(trimmed(line.substr(at + mark.size())));
    } else if (const std::size_t own = line.find("Version poolwright."); own != std::string_view::npos) {
        provenance.tool = "poolwright";
        provenance.version = std::string(trimmed(line.substr(own + mark.size() + 5)));
    }
}

void readOption(const std::string& key, const std::string& value, Provenance& provenance) {
    if (value == "false")
        return;
    provenance.options += (provenance.options.empty() ? "--" : " --") + key + (value == "true" ? "" : " " + value);
    if (key == "network-name")
        provenance.network = value;
    else if (key == "onnx-input" || key == "json-quant-file")
        provenance.inputs.push_back(fileName(value));
}

} // namespace

Result<Report> readOptionsIni(const std::string& text, const std::string& path) {
    Report report;
    report.provenance.sources = {"options"};
    int number = 0;
    for (const std::string& line : linesOf(text)) {
        ++number;
        const std::string_view content = trimmed(line);
        if (content.empty())
            continue;
        if (content.front() == '#') {
            readComment(content, report.provenance);
            continue;
        }
        const std::size_t equals = content.find('=');
        if (equals == std::string_view::npos || equals == 0)
            return fail(makeError("PW5018", "the line is not key=value", {path, number, 1, {}}));
        readOption(std::string(trimmed(content.substr(0, equals))), unquoted(trimmed(content.substr(equals + 1))),
                   report.provenance);
    }
    return report;
}

} // namespace poolwright::artefacts
