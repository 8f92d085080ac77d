// SPDX-License-Identifier: Apache-2.0
#include "runs/runspanel.h"

#include "common/exporter.h"
#include "common/figures.h"
#include "common/format.h"
#include "runs/searchview.h"
#include "tables/tableview.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>

#include <set>

namespace poolwright::widgets {

RunsPanel::RunsPanel(Selection* selection, QWidget* parent)
    : Panel(selection, parent)
    , m_tabs(new QTabWidget)
    , m_list(new TableView(tr("Every compile and every committed edit of the pools is kept here, to compare.")))
    , m_differences(new TableView(tr("Select two runs and press Compare.")))
    , m_search(new SearchView)
    , m_show(new QPushButton(tr("Show")))
    , m_pin(new QPushButton(tr("Pin")))
    , m_compare(new QPushButton(tr("Compare"))) {
    setObjectName("runs");
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_list, tr("History"));
    m_tabs->addTab(m_differences, tr("Differences"));
    m_tabs->addTab(m_search, tr("Search"));
    m_show->setToolTip(tr("Shows the selected run in all panels"));
    m_pin->setToolTip(
        tr("Keeps the selected run: others are dropped when there are more than %1").arg(runs::History::keep));
    m_compare->setToolTip(tr("Compares the two selected runs, or the selected one with the latest"));
    auto* buttons = new QWidget;
    auto* foot = new QHBoxLayout(buttons);
    foot->setContentsMargins(8, 4, 8, 6);
    for (QPushButton* button : {m_show, m_pin, m_compare})
        foot->addWidget(button);
    foot->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_tabs, 1);
    layout->addWidget(buttons);
    connect(m_tabs, &QTabWidget::currentChanged, this,
            [this, buttons] { buttons->setVisible(m_tabs->currentWidget() != m_search); });
    connect(m_list->view().selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPanel::updateButtons);
    connect(m_show, &QPushButton::clicked, this,
            [this] { emit runChosen(m_history.all()[std::size_t(chosen().front())].report); });
    connect(m_pin, &QPushButton::clicked, this, [this] {
        const int run = chosen().front();
        m_history.setPinned(run, !m_history.all()[std::size_t(run)].pinned);
        refresh();
    });
    connect(m_compare, &QPushButton::clicked, this, [this] {
        const auto rows = chosen();
        compare(rows.front(), rows.size() > 1 ? rows.back() : int(m_history.all().size()) - 1);
    });
    updateButtons();
}

void RunsPanel::addRun(const QString& title, const report::ReportPtr& report) {
    m_history.add(title, report, QTime::currentTime());
    refresh();
}

void RunsPanel::refresh() {
    const auto all = std::make_shared<std::vector<runs::Run>>(m_history.all());
    const auto column = [&](const QString& title, const QString& tip, std::function<QVariant(const runs::Run&)> value,
                            std::function<QString(const runs::Run&)> words = {}) {
        Column c{title, tip, [all, value](int row) { return value((*all)[std::size_t(row)]); }, {}, {}, false};
        if (words)
            c.text = [all, words](int row) { return words((*all)[std::size_t(row)]); };
        return c;
    };
    using runs::Run;
    m_list->reset(
        int(all->size()),
        {column(
             tr("run"), tr("Number in this session; ★ marks pinned runs"), [](const Run& r) { return r.number; },
             [](const Run& r) { return (r.pinned ? QStringLiteral("★ ") : QString()) + QString::number(r.number); }),
         column(tr("time"), tr("When it was made"), [](const Run& r) { return r.at.toString("HH:mm:ss"); }),
         column(tr("what"), tr("Compile or edit"), [](const Run& r) { return r.title; }),
         column(tr("fits"), tr("Whether every buffer found a place"),
                [](const Run& r) { return r.report->fits ? tr("yes") : tr("no"); }),
         column(tr("ms"), tr("Calibrated estimate"), [](const Run& r) { return networkMilliseconds(*r.report); }),
         column(tr("external B"), tr("Activation bytes outside the chip"),
                [](const Run& r) { return qlonglong(r.report->totals.externalActivations.value); }),
         column(tr("peak B"), tr("Largest sum of live activations"),
                [](const Run& r) { return qlonglong(r.report->totals.peakLive.value); }),
         column(tr("epochs"), tr("Executed ones"), [](const Run& r) { return r.report->totals.epochs; }),
         column(tr("options"), tr("Resolved command line"),
                [](const Run& r) { return text(r.report->provenance.options); })});
    updateButtons();
}

std::vector<int> RunsPanel::chosen() const {
    std::set<int> rows;
    for (const QModelIndex& index : m_list->view().selectionModel()->selectedIndexes())
        rows.insert(index.sibling(index.row(), 0).data(sortRole).toInt());
    std::vector<int> runs;
    for (int i = 0; i < int(m_history.all().size()); ++i)
        if (rows.count(m_history.all()[std::size_t(i)].number))
            runs.push_back(i);
    return runs;
}

void RunsPanel::updateButtons() {
    const auto rows = chosen();
    m_show->setEnabled(rows.size() == 1);
    m_pin->setEnabled(rows.size() == 1);
    m_compare->setEnabled(!rows.empty() && m_history.all().size() > 1);
}

void RunsPanel::compare(int first, int second) {
    const auto& all = m_history.all();
    const auto lines = std::make_shared<std::vector<runs::Difference>>(
        runs::compare(*all[std::size_t(first)].report, *all[std::size_t(second)].report));
    const auto column = [&](const QString& title, QString runs::Difference::*part) {
        const auto get = [lines, part](int row) { return (*lines)[std::size_t(row)].*part; };
        return Column{title, {}, [get](int row) { return QVariant(get(row)); }, {}, get, false};
    };
    m_differences->reset(int(lines->size()),
                         {column(tr("what"), &runs::Difference::what),
                          column(tr("run %1").arg(all[std::size_t(first)].number), &runs::Difference::before),
                          column(tr("run %1").arg(all[std::size_t(second)].number), &runs::Difference::after)});
    m_tabs->setCurrentWidget(m_differences);
}

void RunsPanel::showSearch() {
    m_tabs->setCurrentWidget(m_search);
}

QString RunsPanel::exportTo(const QString& path) const {
    const auto* table = m_tabs->currentWidget() == m_search ? &m_search->view()
                                                            : static_cast<const TableView*>(m_tabs->currentWidget());
    return exportText(path, modelAsText(table->shownModel(), ','));
}

} // namespace poolwright::widgets
