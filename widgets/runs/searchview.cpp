// SPDX-License-Identifier: Apache-2.0
#include "runs/searchview.h"

#include "common/format.h"
#include "tables/tableview.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>

namespace poolwright::widgets {

namespace {

std::vector<Column> columnsOf(const std::shared_ptr<const report::SearchTable>& table) {
    using Row = report::SearchRow;
    const auto column = [&](const QString& title, const QString& tip, std::function<QVariant(const Row&)> value) {
        Column c{title, tip, [table, value](int row) { return value(table->rows[std::size_t(row)]); }, {}, {}, false};
        c.cellTip = [table](int row) { return text(table->rows[std::size_t(row)].note); };
        return c;
    };
    const auto figure = [&](const QString& title, const QString& tip, std::function<QVariant(const Row&)> value) {
        Column c = column(title, tip, [value](const Row& r) { return r.placed ? value(r) : QVariant(); });
        return c;
    };
    const auto bytes = [](ByteCount count) { return QVariant(qlonglong(count.value)); };
    return {column(SearchView::tr("row"), SearchView::tr("Number in the order of the search"),
                   [](const Row& r) { return r.number; }),
            figure(SearchView::tr("fits"), SearchView::tr("Whether every buffer found a place"),
                   [](const Row& r) { return r.fits ? SearchView::tr("yes") : SearchView::tr("no"); }),
            figure(SearchView::tr("ms"), SearchView::tr("Calibrated estimate"),
                   [](const Row& r) { return r.milliseconds; }),
            column(SearchView::tr("options"), SearchView::tr("The options that are varied"),
                   [](const Row& r) { return text(r.label); }),
            figure(SearchView::tr("vendor cycles"), SearchView::tr("By the vendor's formula"),
                   [](const Row& r) { return qlonglong(r.vendorCycles); }),
            figure(SearchView::tr("external B"), SearchView::tr("Activation bytes outside the chip"),
                   [bytes](const Row& r) { return bytes(r.spilled); }),
            figure(SearchView::tr("peak B"), SearchView::tr("Largest sum of live activations"),
                   [bytes](const Row& r) { return bytes(r.peak); }),
            figure(SearchView::tr("no place B"), SearchView::tr("Bytes of buffers without a place"),
                   [bytes](const Row& r) { return bytes(r.unplaced); }),
            figure(SearchView::tr("HW"), SearchView::tr("Hardware epochs"), [](const Row& r) { return r.hw; }),
            figure(SearchView::tr("hybrid"), SearchView::tr("Hybrid epochs"), [](const Row& r) { return r.hybrid; }),
            figure(SearchView::tr("SW"), SearchView::tr("Software epochs"), [](const Row& r) { return r.sw; }),
            column(SearchView::tr("state"), SearchView::tr("Placed, or why not"),
                   [](const Row& r) { return text(r.state); }),
            column(SearchView::tr("pools"), SearchView::tr("Bytes used of each pool"),
                   [](const Row& r) { return text(r.pools); }),
            column(SearchView::tr("reason"), SearchView::tr("Why it was not placed, or why buffers have no place"),
                   [](const Row& r) { return text(r.note); })};
}

} // namespace

SearchView::SearchView(QWidget* parent)
    : QWidget(parent)
    , m_view(
          new TableView(tr("Search options tries every combination of schedulers, levels, conv splits and pools that "
                           "the options leave open, and shows a row for each.")))
    , m_progress(new QProgressBar)
    , m_message(new QLabel)
    , m_start(new QPushButton(tr("Search options")))
    , m_stop(new QPushButton(tr("Stop search")))
    , m_use(new QPushButton(tr("Use these options"))) {
    setObjectName("search");
    m_start->setToolTip(tr("Tries the combinations of options that are left open, in the background"));
    m_stop->setToolTip(tr("Ends the search without a result"));
    m_use->setToolTip(tr("Sets the options of the chosen row and compiles; one step to undo"));
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(fontMetrics().height() / 2);
    m_progress->setMaximumWidth(fontMetrics().averageCharWidth() * 30);
    m_message->setTextFormat(Qt::PlainText);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(8, 4, 8, 6);
    foot->setSpacing(6);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_start, m_stop, m_use, m_progress})
        foot->addWidget(widget);
    foot->addWidget(m_message, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_view, 1);
    layout->addLayout(foot);
    connect(m_start, &QPushButton::clicked, this, &SearchView::searchWanted);
    connect(m_stop, &QPushButton::clicked, this, &SearchView::stopWanted);
    connect(m_use, &QPushButton::clicked, this, &SearchView::useChosen);
    connect(m_view, &TableView::rowChosen, this, [this](int row) {
        m_chosen = row;
        updateButtons();
    });
    updateButtons();
}

void SearchView::setTable(const report::SearchTable& table) {
    m_table = table;
    m_chosen = -1;
    m_view->reset(int(table.rows.size()), columnsOf(std::make_shared<const report::SearchTable>(table)));
    if (!table.rows.empty() && table.rows.front().placed)
        chooseRow(0);
    updateButtons();
}

void SearchView::chooseRow(int row) {
    m_chosen = row;
    m_view->showRow(row);
    updateButtons();
}

void SearchView::useChosen() {
    const report::SearchRow& row = m_table.rows[std::size_t(m_chosen)];
    emit optionsWanted(text(row.commandLine), text(row.label));
}

void SearchView::setRunning(bool running) {
    m_running = running;
    m_progress->setRange(0, 0);
    if (running)
        m_message->setText(tr("reading the model"));
    updateButtons();
}

void SearchView::setProgress(int done, int total, double bestMs) {
    m_progress->setRange(0, total);
    m_progress->setValue(done);
    const QString best = bestMs > 0 ? tr("best so far %1").arg(milliseconds(bestMs)) : tr("nothing fits so far");
    m_message->setText(tr("%1 of %2, %3").arg(done).arg(total).arg(best));
}

void SearchView::setMessage(const QString& message) {
    m_message->setText(message);
}

void SearchView::setSearchable(bool searchable) {
    m_searchable = searchable;
    updateButtons();
}

void SearchView::updateButtons() {
    m_start->setEnabled(m_searchable && !m_running);
    m_stop->setEnabled(m_running);
    m_progress->setVisible(m_running);
    m_use->setEnabled(!m_running && m_chosen >= 0 && m_chosen < int(m_table.rows.size()));
}

} // namespace poolwright::widgets
