// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "addressmap/addressmap.h"
#include "common/selection.h"
#include "common/verdictstrip.h"
#include "epochgraph/epochgraphpanel.h"
#include "optionseditor/optionspanel.h"
#include "poolinspector/poolinspector.h"
#include "poolinspector/sourceview.h"
#include "problems/problemspanel.h"
#include "recap/recappanel.h"
#include "runs/runspanel.h"
#include "tables/tablespanel.h"
#include "timeline/timelinepanel.h"

#include <QDockWidget>
#include <QMainWindow>

#include <vector>

namespace poolwright::app {

/// All panels in their docks.
class Panels {
public:
    explicit Panels(QMainWindow& window);

    struct Entry {
        widgets::Panel* panel;
        QDockWidget* dock;
    };
    const std::vector<Entry>& all() const { return m_all; }

    void arrange(QMainWindow& window);
    /// A dock in a tab needs no title bar: the tab names it already.
    void updateTitleBars(QMainWindow& window);
    void setReport(const report::ReportPtr& report);
    /// The panel that has the focus, else the address map.
    widgets::Panel* focused() const;
    void raise(const widgets::Panel* panel);

    widgets::Selection selection;
    widgets::AddressMap* map;
    widgets::PoolInspector* inspector;
    widgets::SourceView* source;
    widgets::Timeline* timeline;
    widgets::EpochGraphPanel* graph;
    widgets::TablesPanel* tables;
    widgets::RecapPanel* recap;
    widgets::ProblemsPanel* problems;
    widgets::RunsPanel* runs;
    widgets::OptionsPanel* options;

    QDockWidget* dockOf(const widgets::Panel* panel) const;

private:
    void add(QMainWindow& window, widgets::Panel* panel, const QString& title);

    std::vector<Entry> m_all;
};

} // namespace poolwright::app
