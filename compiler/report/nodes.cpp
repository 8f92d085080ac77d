// SPDX-License-Identifier: Apache-2.0
#include "report/nodes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace poolwright::report {

namespace {

using Json = nlohmann::ordered_json;

/// Epochs by the names of nodes that they carry out.
std::multimap<std::string, int> epochsByNode(const Report& report) {
    std::multimap<std::string, int> epochs;
    for (std::size_t i = 0; i < report.epochs.size(); ++i) {
        if (!report.epochs[i].runs())
            continue;
        std::set<std::string> names;
        for (const Operator& op : report.epochs[i].operators) {
            names.insert(op.name);
            names.insert(op.originalNames.begin(), op.originalNames.end());
        }
        for (const std::string& name : names)
            epochs.emplace(name, int(i));
    }
    return epochs;
}

/// How far from hardware an epoch is.
int distance(const std::string& kind) {
    return kind == "SW" ? 2 : kind == "hybrid" ? 1 : 0;
}

void takeEpoch(NodeOutcome& outcome, const Epoch& epoch) {
    outcome.epochs.push_back(epoch.ordinal);
    if (outcome.where.empty() || distance(epoch.kind) > distance(outcome.where))
        outcome.where = epoch.kind;
    const bool known = std::find(outcome.reasons.begin(), outcome.reasons.end(), epoch.reason) != outcome.reasons.end();
    if (!epoch.reason.empty() && !known)
        outcome.reasons.push_back(epoch.reason);
}

std::string whereText(const Report& report, const NodeOutcome& outcome) {
    if (outcome.epochs.empty())
        return "no epoch";
    std::string text;
    for (int epoch : outcome.epochs)
        text += (text.empty() ? "epoch " : ", ") + std::to_string(epoch) + " " + report.epochs[std::size_t(epoch)].kind;
    return text;
}

Json lintJson(const Diagnostics& lint) {
    Json list = Json::array();
    for (const Diagnostic& diagnostic : lint)
        list.push_back({{"code", diagnostic.code},
                        {"severity", severityName(diagnostic.severity)},
                        {"message", diagnostic.message},
                        {"hint", diagnostic.hint}});
    return list;
}

} // namespace

std::vector<ModelNode> nodesOfEpochs(const Report& report) {
    std::vector<ModelNode> nodes;
    std::set<std::string> seen;
    for (const Epoch& epoch : report.epochs)
        for (const Operator& op : epoch.operators)
            if (epoch.runs() && seen.insert(op.name).second)
                nodes.push_back({op.name, op.kind});
    return nodes;
}

std::vector<NodeOutcome> nodeOutcomes(const Report& report, const std::vector<ModelNode>& nodes,
                                      const Diagnostics& lint) {
    const std::multimap<std::string, int> epochs = epochsByNode(report);
    std::vector<NodeOutcome> outcomes;
    for (const ModelNode& node : nodes) {
        NodeOutcome outcome{node, {}, "", {}, {}};
        const auto [first, last] = epochs.equal_range(node.name);
        for (auto it = first; it != last; ++it)
            takeEpoch(outcome, report.epochs[std::size_t(it->second)]);
        if (outcome.epochs.empty()) {
            outcome.where = "none";
            outcome.reasons.push_back("no epoch of its own: a view of memory, or part of what its neighbours compute");
        }
        for (const Diagnostic& diagnostic : lint)
            if (!node.name.empty() && diagnostic.where.object == node.name)
                outcome.lint.push_back(diagnostic);
        outcomes.push_back(std::move(outcome));
    }
    return outcomes;
}

std::string nodesText(const Report& report, const std::vector<NodeOutcome>& outcomes) {
    std::string text;
    for (const NodeOutcome& outcome : outcomes) {
        text += outcome.node.name + " (" + outcome.node.kind + "): " + whereText(report, outcome) + "\n";
        for (const std::string& reason : outcome.reasons)
            text += "  why: " + reason + "\n";
        for (const Diagnostic& diagnostic : outcome.lint)
            text += "  before compiling, " + std::string(severityName(diagnostic.severity)) + ": " +
                    diagnostic.message + " [" + diagnostic.code + "]\n    " + diagnostic.hint + "\n";
    }
    return text;
}

std::string nodesJson(const Report& report, const std::vector<NodeOutcome>& outcomes) {
    Json list = Json::array();
    for (const NodeOutcome& outcome : outcomes) {
        Json epochs = Json::array();
        for (int epoch : outcome.epochs)
            epochs.push_back({{"epoch", epoch}, {"kind", report.epochs[std::size_t(epoch)].kind}});
        list.push_back({{"name", outcome.node.name},
                        {"operator", outcome.node.kind},
                        {"where", outcome.where},
                        {"epochs", epochs},
                        {"reasons", outcome.reasons},
                        {"lint", lintJson(outcome.lint)}});
    }
    return Json{{"schema_version", 1}, {"nodes", list}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace poolwright::report
