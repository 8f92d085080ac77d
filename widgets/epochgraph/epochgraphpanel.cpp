// SPDX-License-Identifier: Apache-2.0
#include "epochgraph/epochgraphpanel.h"

#include "common/exporter.h"
#include "common/palette.h"
#include "common/selection.h"
#include "epochgraph/graphview.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace poolwright::widgets {

EpochGraphPanel::EpochGraphPanel(Selection* selection, QWidget* parent)
    : Panel(selection, parent)
    , m_search(new QLineEdit)
    , m_found(new QLabel)
    , m_colour(new QComboBox)
    , m_view(new GraphView(selection)) {
    setObjectName("epochGraph");
    m_search->setPlaceholderText(tr("Find epoch, operator or buffer"));
    m_search->setClearButtonEnabled(true);
    m_search->setToolTip(tr("Enter goes to the next match"));
    m_colour->addItem(tr("Colour: kind"), int(GraphView::ColourBy::Kind));
    m_colour->addItem(tr("Colour: time"), int(GraphView::ColourBy::Time));
    m_colour->addItem(tr("Colour: external bytes"), int(GraphView::ColourBy::External));
    m_colour->setToolTip(tr("What the fill of the boxes shows"));
    m_colour->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_colour->setMinimumContentsLength(12);
    m_found->setForegroundRole(QPalette::PlaceholderText);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 6, 8, 4);
    head->addWidget(m_search, 1);
    head->addWidget(m_found);
    head->addWidget(m_colour);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_view, 1);
    connect(m_search, &QLineEdit::textChanged, this, &EpochGraphPanel::search);
    connect(m_search, &QLineEdit::returnPressed, this, &EpochGraphPanel::findNext);
    connect(m_colour, &QComboBox::currentIndexChanged, m_view,
            [this] { m_view->setColourBy(GraphView::ColourBy(m_colour->currentData().toInt())); });
}

void EpochGraphPanel::reportChanged() {
    m_view->setReport(report());
    search();
}

void EpochGraphPanel::search() {
    m_matches =
        report() ? epochgraph::find(*report(), m_view->layoutNow(), m_search->text().trimmed()) : std::vector<int>();
    m_view->setMatches(m_matches);
    m_found->setText(m_search->text().isEmpty() ? QString() : tr("%n found", nullptr, int(m_matches.size())));
}

void EpochGraphPanel::findNext() {
    if (m_matches.empty())
        return;
    const auto& nodes = m_view->layoutNow().nodes;
    const auto after = std::find_if(m_matches.begin(), m_matches.end(),
                                    [&](int row) { return nodes[std::size_t(row)].epoch > selection()->epoch(); });
    selection()->setEpoch(nodes[std::size_t(after == m_matches.end() ? m_matches.front() : *after)].epoch);
}

void EpochGraphPanel::focusSearch() {
    m_search->setFocus();
    m_search->selectAll();
}

QString EpochGraphPanel::exportTo(const QString& path) const {
    return exportPicture(path, m_view->size(), paletteOf(this).panel, font(),
                         [this](QPainter& painter) { m_view->paintAll(painter, m_view->size()); });
}

} // namespace poolwright::widgets
