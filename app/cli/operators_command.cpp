// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "import/importable.h"
#include "ir/kinds.h"
#include "lower/support.h"
#include "target/machine.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <map>
#include <sstream>

namespace poolwright::cli {

namespace {

using import::ImportableOperator;

/// Golden cases by domain and operator.
using CaseCounts = std::map<std::pair<std::string, std::string>, int>;

/// One line of the table. `where` and `limits` join what holds for the kinds that the operator may become.
struct Row {
    std::string domain, op, opsets, where, limits;
    int cases = 0;
};

std::string domainName(const std::string& domain) {
    return domain.empty() ? "ai.onnx" : domain;
}

/// Lines "domain,operator,cases" behind a header, as tests/golden/make_ops.py writes them.
Result<CaseCounts> readCounts(const std::string& path) {
    const Result<std::string> text = readFile(path);
    if (!text)
        return fail(text.error());
    CaseCounts counts;
    std::istringstream lines(*text);
    std::string line, domain, op, count;
    std::getline(lines, line);
    for (int number = 2; std::getline(lines, line); ++number) {
        std::istringstream cells(line);
        if (!std::getline(cells, domain, ',') || !std::getline(cells, op, ',') || !std::getline(cells, count) ||
            count.empty() || count.size() > 6 || count.find_first_not_of("0123456789") != std::string::npos)
            return fail(makeError("PW6021", "the line is not \"domain,operator,cases\"", {path, number, 1, {}}));
        counts[{domain, op}] = std::stoi(count);
    }
    return counts;
}

/// The first kind in full. Of the others: in full where the operator has their name (a MatMul may become a Gemm or stay
/// one), else a hint at their own line.
void describeKinds(Row& row, const ImportableOperator& op) {
    std::string others;
    if (op.isComposed) {
        row.where = "software";
        row.limits = "a chain whose results in between are not quantised:";
        for (std::size_t i = 0; i < op.kinds.size(); ++i)
            row.limits += (i ? ", " : " ") + std::string(ir::opKindName(op.kinds[i]));
        return;
    }
    for (std::size_t i = 0; i < op.kinds.size(); ++i) {
        const lower::Support support = lower::supportOf(op.kinds[i], target::builtinTarget().machine);
        const std::string name = ir::opKindName(op.kinds[i]), where = support.onUnits ? support.units : "software";
        if (i == 0) {
            row.where = where;
            row.limits = support.limits;
        } else if (name == op.opType) {
            row.where += "; " + where;
            row.limits += ", else in full generality: " + support.limits;
        } else {
            others += (others.empty() ? "or as " : ", ") + name;
        }
    }
    if (!others.empty())
        row.limits += (row.limits.empty() ? "" : "; ") + others;
}

Row rowOf(const ImportableOperator& op, const CaseCounts& counts) {
    Row row{
        .domain = op.domain, .op = op.opType, .opsets = {}, .where = "import", .limits = "constants, or static shapes"};
    row.opsets = op.domain.empty() ? std::to_string(op.firstOpset) + "-" + std::to_string(op.lastOpset) : "1";
    if (!op.kinds.empty())
        describeKinds(row, op);
    const auto count = counts.find({op.domain, op.opType});
    row.cases = count == counts.end() ? 0 : count->second;
    return row;
}

std::string testOf(const Row& row) {
    return row.cases == 0 ? "" : "tst_golden_ops, " + std::to_string(row.cases) + " cases";
}

void printMarkdown(const std::vector<Row>& rows) {
    std::puts("# Operators: what runs where\n\n"
              "Made by `poolwright-cli operators --format md` from the tables that the compiler itself goes by. An "
              "operator runs on\n"
              "**units** of the NPU when its integer form can be set up on them, else in **software** on the CPU: on "
              "integers where its\n"
              "tensors are quantised, on floats where they are not (`--native-float`). The mapping recap says which "
              "and, for software,\n"
              "why. What has no line here is refused at import with the node, the operator and its domain.\n\n"
              "A row says where its first form runs; \"or as\" names other operators as which it may go on.\n\n"
              "The units are those of the machine that is built in. Quantised operators compute on int8; a float "
              "tensor runs in\n"
              "software whatever its line says. The tests compare with ONNX Runtime: see `tests/golden`.");
    std::string domain = "none";
    for (const Row& row : rows) {
        if (row.domain != domain) {
            domain = row.domain;
            std::printf("\n## %s\n\n| operator | opsets | runs on | limits | test |\n|---|---|---|---|---|\n",
                        domainName(domain).c_str());
        }
        std::printf("| %s | %s | %s | %s | %s |\n", row.op.c_str(), row.opsets.c_str(), row.where.c_str(),
                    row.limits.c_str(), testOf(row).c_str());
    }
}

void printText(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        std::printf("%s %s, opsets %s: %s\n", domainName(row.domain).c_str(), row.op.c_str(), row.opsets.c_str(),
                    row.where.c_str());
        if (!row.limits.empty())
            std::printf("    %s\n", row.limits.c_str());
    }
}

void printJson(const std::vector<Row>& rows) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Row& row : rows)
        list.push_back({{"domain", domainName(row.domain)},
                        {"operator", row.op},
                        {"opsets", row.opsets},
                        {"runs_on", row.where},
                        {"limits", row.limits},
                        {"golden_cases", row.cases}});
    std::puts(list.dump(1).c_str());
}

} // namespace

int runOperators(const Arguments& arguments) {
    std::string format = "text", countFile;
    CLI::App app("Every operator that the compiler reads, and where it runs.", "poolwright-cli operators");
    app.add_option("--format", format, "text, md or json")->check(CLI::IsMember({"text", "md", "json"}));
    app.add_option("--cases", countFile, "golden cases by operator (tests/golden/ops/cases.csv)");
    if (const std::optional<int> code = parseArguments(app, arguments))
        return *code;
    const Result<CaseCounts> counts = countFile.empty() ? Result<CaseCounts>(CaseCounts{}) : readCounts(countFile);
    if (!counts)
        return failWith(counts.error());
    std::vector<Row> rows;
    for (const ImportableOperator& op : import::importableOperators())
        rows.push_back(rowOf(op, *counts));
    if (format == "json")
        printJson(rows);
    else if (format == "md")
        printMarkdown(rows);
    else
        printText(rows);
    return Done;
}

} // namespace poolwright::cli
