// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tables/tablemodel.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace poolwright::widgets {

/// A table with a filter line above and a summary of the chosen rows below: sort by header, Ctrl+C copies as TSV.
class TableView : public QWidget {
    Q_OBJECT
public:
    explicit TableView(const QString& emptyText, QWidget* parent = nullptr);

    void reset(int rows, std::vector<Column> columns);
    /// Makes the row current without emitting rowChosen().
    void showRow(int sourceRow);
    /// Columns whose sums are shown for the chosen rows.
    void setSummed(std::vector<int> columns) { m_summed = std::move(columns); }

    QAbstractItemModel& shownModel() const;
    QTableView& view() const { return *m_view; }

public slots:
    void copySelection();
    void focusFilter();

signals:
    void rowChosen(int sourceRow);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void updateSummary();
    void adjustColumns();

    TableModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QTableView* m_view;
    QLineEdit* m_filter;
    QLabel* m_summary;
    QLabel* m_empty;
    std::vector<int> m_summed;
    bool m_quiet = false, m_sized = false;
};

} // namespace poolwright::widgets
