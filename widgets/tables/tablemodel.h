// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractTableModel>

#include <functional>
#include <vector>

namespace poolwright::widgets {

/// One column of a table over the report. Cells are computed when they are seen.
struct Column {
    QString title;
    QString tip;
    std::function<QVariant(int row)> value;    ///< sorted by this; numbers right-aligned
    std::function<QString(int row)> text = {}; ///< shown; empty: the value (numbers in groups of three)
    std::function<QString(int row)> cellTip = {};
    bool heat = false; ///< paint a bar for the share of the column's largest value
};

/// Role of the share (0 to 1) for heat columns.
inline constexpr int heatRole = Qt::UserRole + 1;
/// Role of the value to sort by.
inline constexpr int sortRole = Qt::UserRole + 2;

/// Rows of one kind of thing, columns described by functions.
class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void reset(int rows, std::vector<Column> columns);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    double heatOf(const Column& column, int row, int columnIndex) const;

    int m_rows = 0;
    std::vector<Column> m_columns;
    std::vector<double> m_largest; ///< per column, for heat
};

} // namespace poolwright::widgets
