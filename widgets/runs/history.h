// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <QDateTime>
#include <QString>

#include <vector>

namespace poolwright::widgets::runs {

/// One result that is worth keeping: a compile, a committed edit, or opened artefacts.
struct Run {
    int number = 0;
    QString title;
    QTime at;
    report::ReportPtr report;
    bool pinned = false;
};

/// The last runs; pinned ones are never dropped.
class History {
public:
    static constexpr int keep = 40;

    void add(const QString& title, const report::ReportPtr& report, QTime at);
    void setPinned(int index, bool pinned) { m_runs[std::size_t(index)].pinned = pinned; }
    const std::vector<Run>& all() const { return m_runs; }

private:
    std::vector<Run> m_runs;
    int m_next = 1;
};

/// One line of a comparison.
struct Difference {
    QString what, before, after;
};

/// Totals first, then buffers that moved or appeared and epochs whose kind or time changed.
std::vector<Difference> compare(const report::Report& before, const report::Report& after);

} // namespace poolwright::widgets::runs
