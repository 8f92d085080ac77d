// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string>
#include <vector>

namespace poolwright::artefacts {

struct DotNode {
    std::string name;
    std::vector<std::string> label; ///< lines
    int epoch = -1;                 ///< of the cluster `cluster_<epoch>` it lies in
};

struct DotEdge {
    int tail = -1, head = -1; ///< indices of nodes
    std::vector<std::string> label;
};

/// Nodes in order of creation, edges by tail. What libcgraph gives, copied.
struct DotGraph {
    std::vector<DotNode> nodes;
    std::vector<DotEdge> edges;
};

/// The one place that calls libcgraph, which is not safe to use from two threads: calls wait for one another.
Result<DotGraph> parseDot(const std::string& text, const std::string& path);

} // namespace poolwright::artefacts
