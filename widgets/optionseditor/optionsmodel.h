// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options/table.h"

#include <QAbstractTableModel>

namespace poolwright::widgets {

/// The option table with the values of one compile; values are edited in place.
class OptionsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum ColumnId { NameColumn, ValueColumn, DefaultColumn, CategoryColumn, WhatColumn, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setOptions(const options::CompilerOptions& options);
    const options::CompilerOptions& options() const { return m_options; }
    bool isChanged(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

signals:
    /// A value was changed by the user; `given` is up to date.
    void edited(const poolwright::options::CompilerOptions& options);

private:
    QVariant valueData(const options::OptionSpec& spec, int role) const;

    options::CompilerOptions m_options;
};

} // namespace poolwright::widgets
