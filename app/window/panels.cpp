// SPDX-License-Identifier: Apache-2.0
#include "window/panels.h"

#include <QApplication>
#include <QCoreApplication>

namespace poolwright::app {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Panels)
};
} // namespace

Panels::Panels(QMainWindow& window)
    : map(new widgets::AddressMap(&selection))
    , inspector(new widgets::PoolInspector(&selection))
    , source(new widgets::SourceView(&selection))
    , timeline(new widgets::Timeline(&selection))
    , graph(new widgets::EpochGraphPanel(&selection))
    , tables(new widgets::TablesPanel(&selection))
    , recap(new widgets::RecapPanel(&selection))
    , problems(new widgets::ProblemsPanel(&selection))
    , runs(new widgets::RunsPanel(&selection))
    , options(new widgets::OptionsPanel(&selection)) {
    add(window, inspector, Words::tr("Pool"));
    add(window, map, Words::tr("Address map"));
    add(window, timeline, Words::tr("Timeline"));
    add(window, graph, Words::tr("Epoch graph"));
    add(window, problems, Words::tr("Problems"));
    add(window, source, Words::tr("Pool file"));
    add(window, runs, Words::tr("Runs"));
    add(window, options, Words::tr("Options"));
    add(window, tables, Words::tr("Tables"));
    add(window, recap, Words::tr("Mapping recap"));
    arrange(window);
}

void Panels::add(QMainWindow& window, widgets::Panel* panel, const QString& title) {
    auto* dock = new QDockWidget(title, &window);
    dock->setObjectName(panel->objectName() + "Dock");
    dock->setWidget(panel);
    m_all.push_back({panel, dock});
}

QDockWidget* Panels::dockOf(const widgets::Panel* panel) const {
    for (const Entry& entry : m_all)
        if (entry.panel == panel)
            return entry.dock;
    return nullptr;
}

void Panels::arrange(QMainWindow& window) {
    for (const Entry& entry : m_all) {
        entry.dock->setFloating(false);
        window.removeDockWidget(entry.dock);
    }
    window.addDockWidget(Qt::TopDockWidgetArea, dockOf(inspector));
    window.splitDockWidget(dockOf(inspector), dockOf(map), Qt::Horizontal);
    window.splitDockWidget(dockOf(map), dockOf(graph), Qt::Horizontal);
    window.splitDockWidget(dockOf(map), dockOf(timeline), Qt::Vertical);
    window.addDockWidget(Qt::BottomDockWidgetArea, dockOf(problems));
    window.splitDockWidget(dockOf(problems), dockOf(tables), Qt::Horizontal);
    window.tabifyDockWidget(dockOf(problems), dockOf(source));
    window.tabifyDockWidget(dockOf(problems), dockOf(runs));
    window.tabifyDockWidget(dockOf(problems), dockOf(options));
    window.tabifyDockWidget(dockOf(tables), dockOf(recap));
    for (const Entry& entry : m_all)
        entry.dock->show();
    dockOf(problems)->raise();
    dockOf(tables)->raise();
    const int unit = window.fontMetrics().averageCharWidth();
    window.resizeDocks({dockOf(inspector), dockOf(map), dockOf(graph)}, {unit * 40, unit * 120, unit * 50},
                       Qt::Horizontal);
    window.resizeDocks({dockOf(problems), dockOf(tables)}, {unit * 95, unit * 115}, Qt::Horizontal);
    window.resizeDocks({dockOf(map), dockOf(timeline)}, {290, 270}, Qt::Vertical);
    window.resizeDocks({dockOf(inspector), dockOf(problems)}, {600, 250}, Qt::Vertical);
    updateTitleBars(window);
}

void Panels::updateTitleBars(QMainWindow& window) {
    for (const Entry& entry : m_all) {
        const bool tabbed = !entry.dock->isFloating() && !window.tabifiedDockWidgets(entry.dock).isEmpty();
        if (tabbed == (entry.dock->titleBarWidget() != nullptr))
            continue;
        QWidget* old = entry.dock->titleBarWidget();
        entry.dock->setTitleBarWidget(tabbed ? new QWidget : nullptr);
        delete old;
    }
}

void Panels::setReport(const report::ReportPtr& report) {
    if (report && selection.buffer() >= int(report->buffers.size()))
        selection.setBuffer(-1);
    if (report && selection.epoch() >= int(report->epochs.size()))
        selection.setEpoch(-1);
    for (const Entry& entry : m_all)
        entry.panel->setReport(report);
}

widgets::Panel* Panels::focused() const {
    for (const Entry& entry : m_all)
        if (entry.panel->isAncestorOf(QApplication::focusWidget()) || entry.panel == QApplication::focusWidget())
            return entry.panel;
    return map;
}

void Panels::raise(const widgets::Panel* panel) {
    dockOf(panel)->show();
    dockOf(panel)->raise();
}

} // namespace poolwright::app
