// SPDX-License-Identifier: Apache-2.0
#include "recap/recaptext.h"

#include "common/format.h"

#include <QStringList>

#include <algorithm>

namespace poolwright::widgets::recap {

static QString unitsOf(const report::Epoch& epoch, const report::Operator& op) {
    QStringList units;
    for (const auto& use : epoch.units)
        if (use.node == op.name || use.node.empty())
            units << text(use.unit);
    units.removeDuplicates();
    return units.isEmpty() && epoch.kind == "SW" ? QStringLiteral("CPU") : units.join(", ");
}

static QString originalsOf(const report::Operator& op) {
    QStringList names;
    for (const auto& name : op.originalNames)
        names << text(name);
    return names.join(", ");
}

std::vector<Line> linesOf(const report::Report& report) {
    std::vector<Line> lines;
    for (const auto& epoch : report.epochs) {
        if (!epoch.runs())
            continue;
        for (const auto& op : epoch.operators)
            lines.push_back({epoch.ordinal, text(op.name), text(op.kind), originalsOf(op), text(epoch.kind),
                             unitsOf(epoch, op), text(epoch.reason)});
    }
    return lines;
}

QString asText(const std::vector<Line>& lines) {
    qsizetype name = 8, kind = 4, units = 5;
    for (const Line& line : lines) {
        name = std::clamp(line.name.size(), name, qsizetype(48));
        kind = std::clamp(line.kind.size(), kind, qsizetype(24));
        units = std::clamp(line.units.size(), units, qsizetype(40));
    }
    const auto row = [&](const QString& epoch, const Line& line) {
        return epoch.rightJustified(5) + "  " + line.mapping.leftJustified(6) + "  " + line.kind.leftJustified(kind) +
               "  " + line.name.leftJustified(name) + "  " + line.units.leftJustified(units) + "  " + line.why;
    };
    QString result;
    const auto add = [&result](QString text) {
        while (text.endsWith(' '))
            text.chop(1);
        result += text + '\n';
    };
    add(row("epoch", {0, "operator", "kind", {}, "map", "units", "why"}));
    for (const Line& line : lines)
        add(row(QString::number(line.epoch), line));
    return result;
}

} // namespace poolwright::widgets::recap
