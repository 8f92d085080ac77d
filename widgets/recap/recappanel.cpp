// SPDX-License-Identifier: Apache-2.0
#include "recap/recappanel.h"

#include "common/exporter.h"
#include "common/selection.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace poolwright::widgets {

RecapPanel::RecapPanel(Selection* selection, QWidget* parent)
    : Panel(selection, parent)
    , m_table(new TableView(tr("Compile a model: every operator is listed here with the epoch it went to.")))
    , m_text(new QPlainTextEdit)
    , m_stack(new QStackedWidget)
    , m_asText(new QToolButton) {
    setObjectName("recap");
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_text);
    m_asText->setText(tr("Text"));
    m_asText->setCheckable(true);
    m_asText->setToolTip(tr("Shows the recap as plain text, to select and copy"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_stack, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(8, 4, 8, 4);
    foot->addWidget(m_asText);
    foot->addStretch();
    layout->addLayout(foot);
    connect(m_asText, &QToolButton::toggled, m_stack, [this](bool on) { m_stack->setCurrentIndex(on ? 1 : 0); });
    connect(m_table, &TableView::rowChosen, this,
            [this](int row) { this->selection()->setEpoch(m_lines[std::size_t(row)].epoch); });
}

std::vector<Column> RecapPanel::columns() const {
    const auto lines = std::make_shared<std::vector<recap::Line>>(m_lines);
    const auto column = [&](const QString& title, const QString& tip, QString recap::Line::*part) {
        const auto get = [lines, part](int row) { return (*lines)[std::size_t(row)].*part; };
        return Column{title, tip, [get](int row) { return QVariant(get(row)); }, {}, get, false};
    };
    Column epoch{tr("epoch"),
                 tr("Where the operator runs"),
                 [lines](int row) { return QVariant((*lines)[std::size_t(row)].epoch); },
                 {},
                 {},
                 false};
    return {epoch,
            column(tr("map"), tr("HW: on the NPU; hybrid: with the CPU's help; SW: on the CPU"), &recap::Line::mapping),
            column(tr("kind"), tr("Kind of operator"), &recap::Line::kind),
            column(tr("operator"), tr("Name after the passes"), &recap::Line::name),
            column(tr("units"), tr("Units that compute it"), &recap::Line::units),
            column(tr("why"), tr("Why it is not pure hardware"), &recap::Line::why),
            column(tr("in the model"), tr("Nodes of the model that it stands for"), &recap::Line::originals)};
}

void RecapPanel::reportChanged() {
    m_stale = true;
    refresh();
}

void RecapPanel::showEvent(QShowEvent* event) {
    Panel::showEvent(event);
    refresh();
}

void RecapPanel::refresh() {
    if (!m_stale || !isVisible())
        return;
    m_stale = false;
    m_lines = report() ? recap::linesOf(*report()) : std::vector<recap::Line>();
    m_table->reset(int(m_lines.size()), columns());
    m_text->setPlainText(m_lines.empty() ? QString() : recap::asText(m_lines));
    selectionChanged();
}

void RecapPanel::selectionChanged() {
    const auto at = std::find_if(m_lines.begin(), m_lines.end(),
                                 [this](const recap::Line& line) { return line.epoch == selection()->epoch(); });
    if (at != m_lines.end())
        m_table->showRow(int(at - m_lines.begin()));
}

QString RecapPanel::exportTo(const QString& path) const {
    if (path.endsWith(".csv", Qt::CaseInsensitive))
        return exportText(path, modelAsText(m_table->shownModel(), ','));
    return exportText(path, report() ? recap::asText(recap::linesOf(*report())) : QString());
}

} // namespace poolwright::widgets
