// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "ir/graph.h"

#include <set>
#include <span>
#include <string>
#include <vector>

/// What a graph will meet in the vendor's compiler and in this one, told from the graph alone, before anything is
/// compiled.
namespace poolwright::lint {

/// What the rules look at: the graph as import made it (real operators between Quantize and Dequantize nodes, before
/// any pass), and the name of the file.
struct Subject {
    const ir::Graph& graph;
    std::string fileName;
};

class View;

/// One thing that a rule found. An empty node means the file as a whole.
struct Finding {
    std::string node;
    std::string why, advice; ///< one sentence each
};

struct Rule {
    const char* id;   ///< "softmax-last": for --lint-off, and the section of the help page op-lint.md
    const char* code; ///< of the diagnostic, "PW2309"
    Severity severity;
    const char* summary;    ///< when it fires, in one sentence
    const char* observedOn; ///< versions of the vendor's tool on which the behaviour was reported
    std::vector<Finding> (*find)(const View& view);
};

/// All rules, in the order of the help page.
std::span<const Rule> rules();
bool isRule(const std::string& id);
/// Rules to leave out, by their ids; PW2300 for a name that is no rule's.
Result<std::set<std::string>> switchedOff(const std::vector<std::string>& ids);

/// Findings of all rules that are not switched off, as diagnostics: the node as place, the reason as message, advice
/// and rule in the hint.
Diagnostics check(const Subject& subject, const std::set<std::string>& off = {});

/// The same with one diagnostic a rule, which names the first node and counts the rest: for the summary of a compile.
Diagnostics summary(const Subject& subject, const std::set<std::string>& off = {});

/// The table of rules as Markdown, one section a rule (resources/help/op-lint.md is this text).
std::string rulesAsMarkdown();

} // namespace poolwright::lint
