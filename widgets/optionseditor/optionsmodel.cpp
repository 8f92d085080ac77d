// SPDX-License-Identifier: Apache-2.0
#include "optionseditor/optionsmodel.h"

#include <QFont>
#include <QStringList>

#include <algorithm>

namespace poolwright::widgets {

using options::CompilerOptions;
using options::OptionSpec;

static QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), qsizetype(utf8.size()));
}

static bool isFlag(const OptionSpec& spec) {
    return std::holds_alternative<bool CompilerOptions::*>(spec.field);
}

/// The value in the type in which it is edited.
static QVariant editValue(const OptionSpec& spec, const CompilerOptions& options) {
    if (const auto* flag = std::get_if<bool CompilerOptions::*>(&spec.field))
        return options.**flag;
    if (const auto* number = std::get_if<int CompilerOptions::*>(&spec.field))
        return options.**number;
    return text(valueText(spec, options));
}

/// False when the value does not fit the option.
static bool store(const OptionSpec& spec, CompilerOptions& options, const QVariant& value) {
    if (const auto* flag = std::get_if<bool CompilerOptions::*>(&spec.field)) {
        options.** flag = value.toBool();
    } else if (const auto* number = std::get_if<int CompilerOptions::*>(&spec.field)) {
        bool ok = false;
        const int wanted = value.toInt(&ok);
        if (!ok || wanted < spec.minimum || wanted > spec.maximum)
            return false;
        options.** number = wanted;
    } else if (const auto* word = std::get_if<std::string CompilerOptions::*>(&spec.field)) {
        options.** word = value.toString().trimmed().toStdString();
    } else {
        std::vector<std::string> list;
        for (const QString& part : value.toString().split(',', Qt::SkipEmptyParts))
            list.push_back(part.trimmed().toStdString());
        options.*std::get<std::vector<std::string> CompilerOptions::*>(spec.field) = list;
    }
    return true;
}

void OptionsModel::setOptions(const CompilerOptions& options) {
    if (options == m_options)
        return;
    m_options = options;
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

bool OptionsModel::isChanged(int row) const {
    const OptionSpec& spec = options::optionTable()[std::size_t(row)];
    return valueText(spec, m_options) != defaultText(spec);
}

int OptionsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(options::optionTable().size());
}

int OptionsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

static QString namesOf(const OptionSpec& spec) {
    QStringList names;
    for (const auto spelling : spec.spellings)
        names << text(spelling);
    return names.join(", ");
}

static QString tipOf(const OptionSpec& spec) {
    QString tip = namesOf(spec);
    if (!spec.argument.empty())
        tip += ' ' + text(spec.argument);
    tip += '\n' + text(spec.sentence);
    if (spec.maximum > spec.minimum)
        tip += '\n' + OptionsModel::tr("from %1 to %2").arg(spec.minimum).arg(spec.maximum);
    return spec.advice.empty() ? tip : tip + '\n' + text(spec.advice);
}

QVariant OptionsModel::valueData(const OptionSpec& spec, int role) const {
    if (isFlag(spec))
        return role == Qt::CheckStateRole ? QVariant(editValue(spec, m_options).toBool() ? Qt::Checked : Qt::Unchecked)
                                          : QVariant();
    if (role == Qt::EditRole)
        return editValue(spec, m_options);
    return role == Qt::DisplayRole ? QVariant(text(valueText(spec, m_options))) : QVariant();
}

QVariant OptionsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const OptionSpec& spec = options::optionTable()[std::size_t(index.row())];
    if (role == Qt::ToolTipRole)
        return tipOf(spec);
    if (role == Qt::FontRole && isChanged(index.row()) && index.column() <= ValueColumn) {
        QFont bold;
        bold.setWeight(QFont::DemiBold);
        return bold;
    }
    if (index.column() == ValueColumn)
        return valueData(spec, role);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case NameColumn:
        return "--" + text(spec.name);
    case DefaultColumn:
        return isFlag(spec) ? tr("off") : text(defaultText(spec));
    case CategoryColumn:
        return text(spec.category);
    default:
        return text(spec.sentence);
    }
}

QVariant OptionsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    const QString titles[ColumnCount] = {tr("option"), tr("value"), tr("default"), tr("category"), tr("what it does")};
    return role == Qt::DisplayRole && section >= 0 && section < ColumnCount ? QVariant(titles[section]) : QVariant();
}

Qt::ItemFlags OptionsModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == ValueColumn)
        flags |=
            isFlag(options::optionTable()[std::size_t(index.row())]) ? Qt::ItemIsUserCheckable : Qt::ItemIsEditable;
    return flags;
}

bool OptionsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.column() != ValueColumn || (role != Qt::EditRole && role != Qt::CheckStateRole))
        return false;
    CompilerOptions wanted = m_options;
    const QVariant stored = role == Qt::CheckStateRole ? QVariant(value.toInt() == Qt::Checked) : value;
    if (!store(options::optionTable()[std::size_t(index.row())], wanted, stored))
        return false;
    wanted = options::withGivenRefreshed(std::move(wanted));
    if (wanted == m_options)
        return true;
    m_options = std::move(wanted);
    emit dataChanged(this->index(index.row(), 0), this->index(index.row(), ColumnCount - 1));
    emit edited(m_options);
    return true;
}

} // namespace poolwright::widgets
