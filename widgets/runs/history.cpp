// SPDX-License-Identifier: Apache-2.0
#include "runs/history.h"

#include "common/figures.h"
#include "common/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace poolwright::widgets::runs {

using report::Report;

void History::add(const QString& title, const report::ReportPtr& report, QTime at) {
    m_runs.push_back({m_next++, title, at, report, false});
    const auto loose = std::count_if(m_runs.begin(), m_runs.end(), [](const Run& run) { return !run.pinned; });
    if (loose > keep)
        m_runs.erase(std::find_if(m_runs.begin(), m_runs.end(), [](const Run& run) { return !run.pinned; }));
}

namespace {

class Comparison {
    Q_DECLARE_TR_FUNCTIONS(Runs)
public:
    std::vector<Difference> of(const Report& before, const Report& after);

private:
    void add(const QString& what, const QString& before, const QString& after) {
        if (before != after)
            m_lines.push_back({what, before, after});
    }
    void totals(const Report& a, const Report& b);
    void pools(const Report& a, const Report& b);
    void buffers(const Report& a, const Report& b);
    void epochs(const Report& a, const Report& b);

    std::vector<Difference> m_lines;
};

void Comparison::totals(const Report& a, const Report& b) {
    const auto yesNo = [](bool fits) { return fits ? tr("yes") : tr("no"); };
    add(tr("fits"), yesNo(a.fits), yesNo(b.fits));
    add(tr("time"), milliseconds(networkMilliseconds(a)), milliseconds(networkMilliseconds(b)));
    add(tr("cycles (vendor's formula)"), grouped(a.totals.vendorCycles), grouped(b.totals.vendorCycles));
    add(tr("external activations"), text(a.totals.externalActivations), text(b.totals.externalActivations));
    add(tr("live peak"), text(a.totals.peakLive), text(b.totals.peakLive));
    add(tr("weights"), text(a.totals.weights), text(b.totals.weights));
    const auto epochText = [](const Report& r) {
        return tr("%1 HW, %2 hybrid, %3 SW").arg(r.totals.hw).arg(r.totals.hybrid).arg(r.totals.sw);
    };
    add(tr("epochs"), epochText(a), epochText(b));
    add(tr("options"), text(a.provenance.options), text(b.provenance.options));
}

void Comparison::pools(const Report& a, const Report& b) {
    const auto place = [](const Report& r, const std::string& name) {
        for (const auto& pool : r.pools)
            if (pool.name == name)
                return rangeText({pool.address, pool.size}) + ", " + tr("%1 used").arg(text(pool.used));
        return QStringLiteral("—");
    };
    for (const auto& pool : a.pools)
        add(tr("pool %1").arg(text(pool.name)), place(a, pool.name), place(b, pool.name));
    for (const auto& pool : b.pools)
        if (place(a, pool.name) == QStringLiteral("—"))
            add(tr("pool %1").arg(text(pool.name)), QStringLiteral("—"), place(b, pool.name));
}

static QString bufferPlace(const Report& report, const report::Buffer& buffer) {
    if (!buffer.placed())
        return QStringLiteral("—");
    return text(report.pools[std::size_t(buffer.pool)].name) + "  " + text(buffer.address) + "  " + text(buffer.size);
}

void Comparison::buffers(const Report& a, const Report& b) {
    std::unordered_map<std::string, const report::Buffer*> before;
    for (const auto& buffer : a.buffers)
        before.emplace(buffer.name, &buffer);
    for (const auto& buffer : b.buffers) {
        const auto at = before.find(buffer.name);
        add(tr("buffer %1").arg(text(buffer.name)), at == before.end() ? QString() : bufferPlace(a, *at->second),
            bufferPlace(b, buffer));
    }
}

void Comparison::epochs(const Report& a, const Report& b) {
    if (a.epochs.size() != b.epochs.size())
        return; // numbers do not mean the same any more
    for (std::size_t i = 0; i < a.epochs.size(); ++i) {
        const auto words = [i](const Report& r) {
            return text(r.epochs[i].kind) + "  " + milliseconds(epochMilliseconds(r, r.epochs[i]));
        };
        add(tr("epoch %1").arg(i), words(a), words(b));
    }
}

std::vector<Difference> Comparison::of(const Report& before, const Report& after) {
    totals(before, after);
    pools(before, after);
    epochs(before, after);
    buffers(before, after);
    return std::move(m_lines);
}

} // namespace

std::vector<Difference> compare(const Report& before, const Report& after) {
    return Comparison().of(before, after);
}

} // namespace poolwright::widgets::runs
