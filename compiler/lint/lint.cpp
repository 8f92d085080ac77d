// SPDX-License-Identifier: Apache-2.0
#include "lint/lint.h"

#include "lint/view.h"

#include <algorithm>

namespace poolwright::lint {

std::span<const Rule> rules() {
    static constexpr const char* documented = "2.1 (its operator table)";
    static constexpr const char* reported = "2.x (users' reports)";
    static constexpr Rule table[] = {
        {"conv-transpose", "PW2301", Severity::Note, "A ConvTranspose of one group.", documented,
         transposedConvolutions},
        {"conv-transpose-groups", "PW2302", Severity::Warning, "A ConvTranspose of several groups.", reported,
         groupedTransposedConvolutions},
        {"rank", "PW2303", Severity::Warning, "A tensor of more than four dimensions.", reported, highRanks},
        {"pad-empty-value", "PW2304", Severity::Note, "A Pad whose value is an empty input.", reported, emptyPadValues},
        {"conv-dilation", "PW2305", Severity::Note, "A Conv with dilations above 1.", documented, dilatedConvolutions},
        {"conv-stride", "PW2306", Severity::Warning, "A Conv whose stride is none of 1, 2, 4.", documented,
         unusualStrides},
        {"depthwise-stride", "PW2307", Severity::Warning, "A depthwise Conv with a stride above 1.", reported,
         stridedDepthwise},
        {"matmul-dynamic", "PW2308", Severity::Note, "A MatMul of two tensors computed at run time.", documented,
         dynamicProducts},
        {"softmax-last", "PW2309", Severity::Hint, "A Softmax over one vector at the end of the network.", documented,
         lastSoftmax},
        {"softmax-inner", "PW2310", Severity::Hint, "Any other Softmax.", documented, innerSoftmax},
        {"prelu-float-slope", "PW2311", Severity::Warning, "A PRelu of integers with a float slope.", documented,
         floatSlopes},
        {"concat-scales", "PW2312", Severity::Hint, "A Concat of tensors with different parameters.", documented,
         mixedConcats},
        {"resize-smooth", "PW2313", Severity::Warning, "A Resize that interpolates.", documented, smoothResizes},
        {"uint8-activation", "PW2314", Severity::Warning, "Activations quantised to unsigned bytes.", documented,
         unsignedActivations},
        {"gemm-computed-bias", "PW2315", Severity::Note, "A Gemm whose third input is computed at run time.", reported,
         computedGemmBias},
        {"already-preprocessed", "PW2316", Severity::Warning, "A file that the vendor's front end has written.",
         reported, preprocessedFiles},
    };
    return table;
}

bool isRule(const std::string& id) {
    return std::any_of(rules().begin(), rules().end(), [&](const Rule& rule) { return id == rule.id; });
}

static Diagnostic diagnosticOf(const Rule& rule, const Finding& finding, const std::string& fileName) {
    Diagnostic diagnostic = makeWarning(rule.code, finding.why, {fileName, 0, 0, finding.node},
                                        finding.advice + " (rule " + rule.id + ", vendor's tool " + rule.observedOn +
                                            "; help page op-lint)");
    diagnostic.severity = rule.severity;
    return diagnostic;
}

Result<std::set<std::string>> switchedOff(const std::vector<std::string>& ids) {
    for (const std::string& id : ids)
        if (!isRule(id))
            return fail(makeError("PW2300", "lint has no rule \"" + id + "\"", {{}, 0, 0, "--lint-off"},
                                  "poolwright-cli lint --rules lists them"));
    return std::set<std::string>(ids.begin(), ids.end());
}

/// Calls `take` with each rule that found something, and what it found.
template <typename Take>
static void applyRules(const Subject& subject, const std::set<std::string>& off, const Take& take) {
    const View view(subject);
    for (const Rule& rule : rules())
        if (off.count(rule.id) == 0)
            if (const std::vector<Finding> found = rule.find(view); !found.empty())
                take(rule, found);
}

Diagnostics check(const Subject& subject, const std::set<std::string>& off) {
    Diagnostics diagnostics;
    applyRules(subject, off, [&](const Rule& rule, const std::vector<Finding>& found) {
        for (const Finding& finding : found)
            diagnostics.push_back(diagnosticOf(rule, finding, subject.fileName));
    });
    return diagnostics;
}

Diagnostics summary(const Subject& subject, const std::set<std::string>& off) {
    Diagnostics diagnostics;
    applyRules(subject, off, [&](const Rule& rule, const std::vector<Finding>& found) {
        diagnostics.push_back(diagnosticOf(rule, found.front(), subject.fileName));
        if (found.size() > 1)
            diagnostics.back().message += " (and " + std::to_string(found.size() - 1) + " more such nodes)";
    });
    return diagnostics;
}

std::string rulesAsMarkdown() {
    std::string text = "# What the graph alone tells: the rules of lint\n\n"
                       "Made by `poolwright-cli lint --rules` from the table of rules. `poolwright-cli lint MODEL` and "
                       "every compile apply them before\nanything is compiled; `--lint-off RULE` switches one off.\n";
    for (const Rule& rule : rules())
        text += std::string("\n## ") + rule.id + "\n\n" + rule.summary + "\n\n" + severityName(rule.severity) +
                ", code " + rule.code + ", seen with the vendor's tool " + rule.observedOn + ".\n";
    return text;
}

} // namespace poolwright::lint
