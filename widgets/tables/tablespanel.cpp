// SPDX-License-Identifier: Apache-2.0
#include "tables/tablespanel.h"

#include "common/exporter.h"
#include "common/format.h"
#include "common/selection.h"
#include "tables/tableview.h"

#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace poolwright::widgets {

TablesPanel::TablesPanel(Selection* selection, QWidget* parent)
    : Panel(selection, parent)
    , m_widget(new QTabWidget) {
    setObjectName("tables");
    m_widget->setDocumentMode(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_widget);
    const QString first = tr("Compile a model or open artefacts: the rows appear here.");
    addTab(0, tr("Epochs"), first, tables::epochs, Chooses::Epoch);
    addTab(1, tr("Buffers"), first, tables::buffers, Chooses::Buffer);
    addTab(2, tr("Traffic"), tr("No traffic per pool is known for this network."), tables::traffic, Chooses::Epoch);
    addTab(3, tr("Initialisers"), tr("This network has no constants."), tables::initialisers, Chooses::Buffer);
    connect(m_widget, &QTabWidget::currentChanged, this, &TablesPanel::refreshCurrent);
}

void TablesPanel::addTab(int index, const QString& title, const QString& empty, Maker make, Chooses chooses) {
    Tab& tab = m_tabs[index];
    tab.view = new TableView(empty);
    tab.make = make;
    tab.chooses = chooses;
    m_widget->addTab(tab.view, title);
    connect(tab.view, &TableView::rowChosen, this, [this, index](int row) { choose(m_tabs[index], row); });
}

void TablesPanel::choose(const Tab& tab, int row) {
    if (row < 0 || row >= int(tab.rows.size()))
        return;
    const int index = tab.rows[std::size_t(row)];
    if (tab.chooses == Chooses::Epoch)
        return selection()->setEpoch(index);
    selection()->setBuffer(index);
    const auto& buffer = report()->buffers[std::size_t(index)];
    if (buffer.placed())
        selection()->setPool(text(report()->pools[std::size_t(buffer.pool)].name));
}

void TablesPanel::reportChanged() {
    for (Tab& tab : m_tabs)
        tab.stale = true;
    refreshCurrent();
}

void TablesPanel::showEvent(QShowEvent* event) {
    Panel::showEvent(event);
    refreshCurrent();
}

/// Tables that nobody sees are filled when they come into sight: live re-planning must not pay for them.
void TablesPanel::refreshCurrent() {
    Tab& tab = m_tabs[m_widget->currentIndex()];
    if (tab.stale && isVisible()) {
        tab.stale = false;
        tables::Table table = report() ? tab.make(report()) : tables::Table();
        tab.rows = table.rows;
        tab.view->setSummed(table.summed);
        tab.view->reset(int(table.rows.size()), std::move(table.columns));
    }
    selectionChanged();
}

void TablesPanel::selectionChanged() {
    const Tab& tab = m_tabs[m_widget->currentIndex()];
    const int wanted = tab.chooses == Chooses::Epoch ? selection()->epoch() : selection()->buffer();
    const auto at = std::find(tab.rows.begin(), tab.rows.end(), wanted);
    if (at != tab.rows.end() && !tab.stale)
        tab.view->showRow(int(at - tab.rows.begin()));
}

void TablesPanel::showTab(int index) {
    m_widget->setCurrentIndex(index);
}

void TablesPanel::focusFilter() {
    m_tabs[m_widget->currentIndex()].view->focusFilter();
}

QString TablesPanel::exportTo(const QString& path) const {
    return exportText(path, modelAsText(m_tabs[m_widget->currentIndex()].view->shownModel(), ','));
}

} // namespace poolwright::widgets
