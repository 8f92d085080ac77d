// SPDX-License-Identifier: Apache-2.0
#include "epochgraph/layout.h"

#include "common/format.h"

#include <QStringList>

#include <algorithm>

namespace poolwright::widgets::epochgraph {

static QString subtitleOf(const report::Epoch& epoch) {
    QStringList names;
    for (const auto& op : epoch.operators)
        names << text(op.name.empty() ? op.kind : op.name);
    names.removeDuplicates();
    return names.isEmpty() ? text(epoch.name) : names.join(" · ");
}

static void addNodes(const report::Report& report, Layout& layout) {
    layout.rowOfEpoch.assign(report.epochs.size(), -1);
    for (const auto& epoch : report.epochs) {
        if (!epoch.runs() || epoch.ordinal < 0 || epoch.ordinal >= int(report.epochs.size()))
            continue;
        layout.rowOfEpoch[std::size_t(epoch.ordinal)] = int(layout.nodes.size());
        layout.nodes.push_back({epoch.ordinal, QStringLiteral("epoch %1").arg(epoch.ordinal), subtitleOf(epoch)});
    }
}

static int rowOf(const Layout& layout, int epoch) {
    return epoch >= 0 && epoch < int(layout.rowOfEpoch.size()) ? layout.rowOfEpoch[std::size_t(epoch)] : -1;
}

/// Greedy: the first lane that is free again. With all lanes taken the last one is shared.
static void assignLanes(Layout& layout) {
    int freeFrom[maxLanes];
    std::fill(freeFrom, freeFrom + maxLanes, -1);
    for (Skip& skip : layout.skips) {
        int lane = 0;
        while (lane < maxLanes - 1 && freeFrom[lane] > skip.fromRow)
            ++lane;
        skip.lane = lane;
        freeFrom[lane] = std::max(freeFrom[lane], skip.toRow);
        layout.lanes = std::max(layout.lanes, lane + 1);
    }
}

Layout layOut(const report::Report& report) {
    Layout layout;
    addNodes(report, layout);
    for (const auto& edge : report.edges) {
        const int from = rowOf(layout, edge.from), to = rowOf(layout, edge.to);
        if (from >= 0 && to > from + 1)
            layout.skips.push_back({from, to, 0, edge.buffer});
    }
    std::sort(layout.skips.begin(), layout.skips.end(), [](const Skip& a, const Skip& b) {
        return std::tuple(a.fromRow, a.toRow, a.buffer) < std::tuple(b.fromRow, b.toRow, b.buffer);
    });
    const auto sameEnds = [](const Skip& a, const Skip& b) { return a.fromRow == b.fromRow && a.toRow == b.toRow; };
    layout.skips.erase(std::unique(layout.skips.begin(), layout.skips.end(), sameEnds), layout.skips.end());
    assignLanes(layout);
    return layout;
}

static bool mentions(const report::Report& report, const report::Epoch& epoch, const QString& wanted) {
    const auto has = [&](const std::string& name) { return text(name).contains(wanted, Qt::CaseInsensitive); };
    for (const auto& op : epoch.operators) {
        if (has(op.name) || has(op.kind) || std::any_of(op.originalNames.begin(), op.originalNames.end(), has))
            return true;
    }
    for (const auto* list : {&epoch.reads, &epoch.writes})
        for (const int buffer : *list)
            if (buffer >= 0 && buffer < int(report.buffers.size()) && has(report.buffers[std::size_t(buffer)].name))
                return true;
    return has(epoch.name);
}

std::vector<int> find(const report::Report& report, const Layout& layout, const QString& wanted) {
    std::vector<int> rows;
    if (wanted.isEmpty())
        return rows;
    bool isNumber = false;
    const int number = wanted.toInt(&isNumber);
    for (int row = 0; row < int(layout.nodes.size()); ++row) {
        const int epoch = layout.nodes[std::size_t(row)].epoch;
        if ((isNumber && epoch == number) || (!isNumber && mentions(report, report.epochs[std::size_t(epoch)], wanted)))
            rows.push_back(row);
    }
    return rows;
}

} // namespace poolwright::widgets::epochgraph
