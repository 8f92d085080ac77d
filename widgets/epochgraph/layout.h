// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <QString>

#include <vector>

/// Epochs one below the other in schedule order; flows that skip epochs become arcs at the left. Linear in epochs and
/// edges.
namespace poolwright::widgets::epochgraph {

struct Node {
    int epoch = -1;
    QString title, subtitle;
};

/// A flow over more than one step: an arc on its own lane, so that arcs that overlap in time do not overlap on the
/// screen.
struct Skip {
    int fromRow = 0, toRow = 0, lane = 0, buffer = -1;
};

struct Layout {
    std::vector<Node> nodes;     ///< rows
    std::vector<int> rowOfEpoch; ///< -1 for epochs that do not run
    std::vector<Skip> skips;     ///< ascending by fromRow
    int lanes = 0;               ///< used by skips, at most maxLanes
};

inline constexpr int maxLanes = 10;

Layout layOut(const report::Report& report);

/// Rows whose epoch, operator or buffer names contain the text, any case.
std::vector<int> find(const report::Report& report, const Layout& layout, const QString& text);

} // namespace poolwright::widgets::epochgraph
