// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/panel.h"
#include "report/search.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace poolwright::widgets {

class TableView;

/// The search over options: starts it, shows how far it is, and its rows.
class SearchView : public QWidget {
    Q_OBJECT
public:
    explicit SearchView(QWidget* parent = nullptr);

    void setTable(const report::SearchTable& table);
    const report::SearchTable& table() const { return m_table; }
    /// The best row is chosen after setTable().
    void chooseRow(int row);
    void setRunning(bool running);
    void setProgress(int done, int total, double bestMs);
    void setMessage(const QString& message);
    void setSearchable(bool searchable);
    TableView& view() const { return *m_view; }

signals:
    void searchWanted();
    void stopWanted();
    /// All options of the chosen row, as a command line.
    void optionsWanted(const QString& commandLine, const QString& label);

private:
    void useChosen();
    void updateButtons();

    report::SearchTable m_table;
    TableView* m_view;
    QProgressBar* m_progress;
    QLabel* m_message;
    QPushButton *m_start, *m_stop, *m_use;
    int m_chosen = -1;
    bool m_running = false, m_searchable = false;
};

} // namespace poolwright::widgets
