// SPDX-License-Identifier: Apache-2.0
#include "optionseditor/optionspanel.h"

#include "common/exporter.h"
#include "common/format.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

namespace poolwright::widgets {

namespace {

/// Text filter over all columns, and optionally only what differs from the defaults.
class OptionFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    bool onlyChanged = false;
    void refresh() { invalidateFilter(); }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const auto* model = static_cast<const OptionsModel*>(sourceModel());
        return (!onlyChanged || model->isChanged(row)) && QSortFilterProxyModel::filterAcceptsRow(row, parent);
    }
};

} // namespace

OptionsPanel::OptionsPanel(Selection* selection, QWidget* parent)
    : Panel(selection, parent)
    , m_model(new OptionsModel(this))
    , m_proxy(new OptionFilter(this))
    , m_view(new QTableView)
    , m_filter(new QLineEdit)
    , m_onlyChanged(new QCheckBox(tr("Only changed")))
    , m_profile(new QComboBox)
    , m_commandLine(new QPlainTextEdit) {
    setObjectName("options");
    m_proxy->setSourceModel(m_model);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(m_proxy);
    m_view->setShowGrid(false);
    m_view->setAlternatingRowColors(true);
    m_view->setWordWrap(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                            QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->setAccessibleName(tr("Compiler options"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * 32);
    m_onlyChanged->setToolTip(tr("Shows only options that differ from their defaults"));
    m_profile->setToolTip(tr("Takes the options of a built-in profile"));
    m_profile->setMinimumContentsLength(14);
    m_commandLine->setReadOnly(true);
    m_commandLine->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_commandLine->setMaximumHeight(fontMetrics().height() * 3 + 8);
    m_commandLine->setAccessibleName(tr("Resulting command line"));
    auto* copy = new QPushButton(tr("Copy command line"));
    copy->setToolTip(tr("Copies the command that compiles the same on a terminal"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 6, 8, 4);
    head->setSpacing(10);
    head->addWidget(m_filter, 1);
    head->addWidget(m_onlyChanged);
    head->addStretch();
    head->addWidget(m_profile);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(8, 4, 8, 6);
    foot->setSpacing(8);
    foot->addWidget(m_commandLine, 1);
    foot->addWidget(copy, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_view, 1);
    layout->addLayout(foot);
    connect(m_filter, &QLineEdit::textChanged, this, &OptionsPanel::applyFilter);
    connect(m_onlyChanged, &QCheckBox::toggled, this, &OptionsPanel::applyFilter);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(commandLine()); });
    connect(m_model, &OptionsModel::dataChanged, this, &OptionsPanel::showCommandLine);
    connect(m_model, &OptionsModel::edited, this, &OptionsPanel::optionsEdited);
    connect(m_profile, &QComboBox::activated, this, [this](int index) {
        if (index > 0)
            emit profileChosen(m_profile->itemText(index));
    });
    setProfiles({});
    showCommandLine();
}

void OptionsPanel::setProfiles(const QStringList& names) {
    m_profile->clear();
    m_profile->addItem(tr("Profile…"));
    m_profile->addItems(names);
    m_profile->setVisible(!names.isEmpty());
}

void OptionsPanel::setOptions(const options::CompilerOptions& options) {
    m_model->setOptions(options);
}

QString OptionsPanel::commandLine() const {
    return "poolwright-cli compile " + text(options::toCommandLine(m_model->options()));
}

void OptionsPanel::showCommandLine() {
    m_commandLine->setPlainText(commandLine());
}

void OptionsPanel::applyFilter() {
    auto* filter = static_cast<OptionFilter*>(m_proxy);
    filter->onlyChanged = m_onlyChanged->isChecked();
    filter->setFilterFixedString(m_filter->text());
    filter->refresh();
}

void OptionsPanel::showEvent(QShowEvent* event) {
    Panel::showEvent(event);
    if (!std::exchange(m_sized, true)) {
        const int unit = fontMetrics().averageCharWidth();
        const int widths[] = {32, 22, 12, 16};
        for (int column = 0; column < 4; ++column)
            m_view->setColumnWidth(column, widths[column] * unit);
    }
}

QString OptionsPanel::exportTo(const QString& path) const {
    const bool csv = path.endsWith(".csv", Qt::CaseInsensitive);
    return exportText(path, csv ? modelAsText(*m_proxy, ',') : commandLine() + '\n');
}

} // namespace poolwright::widgets
