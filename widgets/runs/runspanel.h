// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/panel.h"
#include "runs/history.h"

class QPushButton;
class QTabWidget;

namespace poolwright::widgets {

class SearchView;
class TableView;

/// History of results: look at one again, pin it, compare two.
class RunsPanel : public Panel {
    Q_OBJECT
public:
    explicit RunsPanel(Selection* selection, QWidget* parent = nullptr);

    void addRun(const QString& title, const report::ReportPtr& report);
    const runs::History& history() const { return m_history; }
    /// Shows how run `second` differs from run `first`; indices into the history.
    void compare(int first, int second);

    /// The search over options, a tab of its own.
    SearchView& search() const { return *m_search; }
    void showSearch();

    QStringList exportFormats() const override { return {"csv"}; }
    QString exportTo(const QString& path) const override;

signals:
    /// The user wants to see this result in all panels.
    void runChosen(const poolwright::report::ReportPtr& report);

protected:
    void reportChanged() override {}
    void selectionChanged() override {}

private:
    void refresh();
    std::vector<int> chosen() const;
    void updateButtons();

    runs::History m_history;
    QTabWidget* m_tabs;
    TableView *m_list, *m_differences;
    SearchView* m_search;
    QPushButton *m_show, *m_pin, *m_compare;
};

} // namespace poolwright::widgets
