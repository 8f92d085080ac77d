// SPDX-License-Identifier: Apache-2.0
#include "tables/tableview.h"

#include "common/format.h"
#include "common/palette.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace poolwright::widgets {

namespace {

/// A thin bar along the bottom of heat cells; the number stays readable.
class HeatDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const double share = index.data(heatRole).toDouble();
        if (share <= 0)
            return;
        const Palette& colours = paletteOf(option.widget);
        const double width = (option.rect.width() - 8) * share;
        const QRectF bar(option.rect.right() - 3 - width, option.rect.bottom() - 3, width, 2);
        painter->fillRect(bar, share > 0.8 ? colours.software : colours.compute);
    }
};

} // namespace

TableView::TableView(const QString& emptyText, QWidget* parent)
    : QWidget(parent)
    , m_model(new TableModel(this))
    , m_proxy(new QSortFilterProxyModel(this))
    , m_view(new QTableView)
    , m_filter(new QLineEdit)
    , m_summary(new QLabel)
    , m_empty(new QLabel(emptyText)) {
    m_proxy->setSourceModel(m_model);
    m_proxy->setSortRole(sortRole);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(m_proxy);
    m_view->setItemDelegate(new HeatDelegate(m_view));
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(-1, Qt::AscendingOrder);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setShowGrid(false);
    m_view->setAlternatingRowColors(true);
    m_view->setWordWrap(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* copy = new QAction(tr("Copy rows"), m_view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    m_view->addAction(copy);
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setToolTip(tr("Shows only rows that contain this text"));
    m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * 40);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    auto* head = new QHBoxLayout;
    head->addWidget(m_filter);
    head->addWidget(m_summary, 1, Qt::AlignRight);
    head->setContentsMargins(8, 6, 8, 4);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_empty, 1);
    m_view->hide();
    m_view->installEventFilter(this);
    connect(copy, &QAction::triggered, this, &TableView::copySelection);
    connect(m_filter, &QLineEdit::textChanged, m_proxy, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_filter, &QLineEdit::textChanged, this, &TableView::updateSummary);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TableView::updateSummary);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (!m_quiet && now.isValid())
            emit rowChosen(m_proxy->mapToSource(now).row());
    });
}

void TableView::reset(int rows, std::vector<Column> columns) {
    m_quiet = true;
    m_model->reset(rows, std::move(columns));
    m_view->setVisible(rows > 0);
    m_empty->setVisible(rows == 0);
    m_filter->setEnabled(rows > 0);
    if (rows > 0 && !m_sized)
        adjustColumns();
    m_quiet = false;
    updateSummary();
}

/// Widths from the headers and a sample of the rows: measuring all 50,000 would stall.
void TableView::adjustColumns() {
    m_sized = true;
    const QFontMetrics metrics(m_view->font());
    for (int column = 0; column < m_model->columnCount(); ++column) {
        int width = metrics.horizontalAdvance(m_model->headerData(column, Qt::Horizontal).toString()) + 30;
        const int step = std::max(1, m_model->rowCount() / 1500);
        for (int row = 0; row < m_model->rowCount(); row += step)
            width = std::max(width, metrics.horizontalAdvance(m_model->index(row, column).data().toString()) + 20);
        m_view->setColumnWidth(column, std::min(width, metrics.averageCharWidth() * 44));
    }
}

void TableView::showRow(int sourceRow) {
    const QModelIndex index = m_proxy->mapFromSource(m_model->index(sourceRow, 0));
    if (!index.isValid() || index.row() == m_view->currentIndex().row())
        return;
    m_quiet = true;
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
    m_quiet = false;
}

QAbstractItemModel& TableView::shownModel() const {
    return *m_proxy;
}

static std::vector<int> chosenRows(const QTableView& view) {
    std::set<int> rows;
    for (const QItemSelectionRange& range : view.selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.insert(row);
    return {rows.begin(), rows.end()};
}

void TableView::copySelection() {
    QString text;
    const auto rows = chosenRows(*m_view);
    for (const int row : rows)
        for (int column = 0; column < m_proxy->columnCount(); ++column)
            text += m_proxy->index(row, column).data().toString() + (column + 1 < m_proxy->columnCount() ? '\t' : '\n');
    if (!text.isEmpty())
        QApplication::clipboard()->setText(text);
}

void TableView::focusFilter() {
    m_filter->setFocus();
    m_filter->selectAll();
}

void TableView::updateSummary() {
    const auto rows = chosenRows(*m_view);
    QStringList parts;
    if (m_proxy->rowCount() != m_model->rowCount())
        parts << tr("%1 of %2 rows").arg(m_proxy->rowCount()).arg(m_model->rowCount());
    else if (m_model->rowCount() > 0)
        parts << tr("%n row(s)", nullptr, m_model->rowCount());
    for (const int column : rows.size() > 1 ? m_summed : std::vector<int>()) {
        double sum = 0;
        for (const int row : rows)
            sum += m_proxy->index(row, column).data(sortRole).toDouble();
        const QString number = sum == std::int64_t(sum) ? grouped(std::int64_t(sum)) : QString::number(sum, 'f', 3);
        parts << "Σ " + m_model->headerData(column, Qt::Horizontal).toString() + ' ' + number;
    }
    m_summary->setText(parts.join("  ·  "));
}

bool TableView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        m_view->viewport()->update();
    return QWidget::eventFilter(watched, event);
}

} // namespace poolwright::widgets
