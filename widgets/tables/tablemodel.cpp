// SPDX-License-Identifier: Apache-2.0
#include "tables/tablemodel.h"

#include "common/format.h"

#include <algorithm>

namespace poolwright::widgets {

void TableModel::reset(int rows, std::vector<Column> columns) {
    beginResetModel();
    m_rows = rows;
    m_columns = std::move(columns);
    m_largest.assign(m_columns.size(), 0);
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        for (int row = 0; m_columns[c].heat && row < rows; ++row)
            m_largest[c] = std::max(m_largest[c], m_columns[c].value(row).toDouble());
    endResetModel();
}

int TableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int TableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_columns.size());
}

static bool isNumber(const QVariant& value) {
    const int type = value.typeId();
    return type == QMetaType::Int || type == QMetaType::LongLong || type == QMetaType::ULongLong ||
           type == QMetaType::Double;
}

static QString shown(const Column& column, int row) {
    if (column.text)
        return column.text(row);
    const QVariant value = column.value(row);
    if (value.typeId() == QMetaType::Double)
        return QString::number(value.toDouble(), 'f', 3);
    return isNumber(value) ? grouped(value.toLongLong()) : value.toString();
}

double TableModel::heatOf(const Column& column, int row, int columnIndex) const {
    const double largest = m_largest[std::size_t(columnIndex)];
    return column.heat && largest > 0 ? column.value(row).toDouble() / largest : 0;
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_rows)
        return {};
    const Column& column = m_columns[std::size_t(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return shown(column, index.row());
    case Qt::ToolTipRole:
        return column.cellTip ? column.cellTip(index.row()) : QString();
    case Qt::TextAlignmentRole:
        return int((isNumber(column.value(index.row())) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case sortRole:
        return column.value(index.row());
    case heatRole:
        return heatOf(column, index.row(), index.column());
    default:
        return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= int(m_columns.size()))
        return {};
    const Column& column = m_columns[std::size_t(section)];
    if (role == Qt::DisplayRole)
        return column.title;
    if (role == Qt::ToolTipRole)
        return column.tip;
    if (role == Qt::TextAlignmentRole)
        return int((m_rows > 0 && isNumber(column.value(0)) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

} // namespace poolwright::widgets
