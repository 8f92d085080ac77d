// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <string>
#include <vector>

/// For each node of the user's model what lint said of it before compiling and where it runs afterwards.
namespace poolwright::report {

struct ModelNode {
    std::string name, kind; ///< as import named them
    bool operator==(const ModelNode&) const = default;
};

struct NodeOutcome {
    ModelNode node;
    std::vector<int> epochs;          ///< that carry it out, whole or in part
    std::string where;                ///< "HW", "hybrid", "SW", "EC"; the least of its epochs counts; "none": no epoch
    std::vector<std::string> reasons; ///< why not hardware, one sentence each; why no epoch
    Diagnostics lint;                 ///< findings that name the node
    bool operator==(const NodeOutcome&) const = default;
};

/// One entry a node, in the order given. A node is found in an epoch by its name or as one of the original names that
/// the epoch's operators stand for. `lint` may hold other diagnostics too; those that name no node of the list are
/// left out.
std::vector<NodeOutcome> nodeOutcomes(const Report& report, const std::vector<ModelNode>& nodes,
                                      const Diagnostics& lint);

/// The operators that the epochs name, in execution order: what there is to tell without the model.
std::vector<ModelNode> nodesOfEpochs(const Report& report);

/// One paragraph a node.
std::string nodesText(const Report& report, const std::vector<NodeOutcome>& outcomes);
/// `schema_version` 1: keys may be added, none renamed.
std::string nodesJson(const Report& report, const std::vector<NodeOutcome>& outcomes);

} // namespace poolwright::report
