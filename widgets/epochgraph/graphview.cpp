// SPDX-License-Identifier: Apache-2.0
#include "epochgraph/graphview.h"

#include "common/figures.h"
#include "common/format.h"
#include "common/palette.h"
#include "common/panel.h"
#include "common/selection.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace poolwright::widgets {

using namespace epochgraph;

GraphView::GraphView(Selection* selection, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_selection(selection) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Epoch graph"));
    setAccessibleDescription(tr("Up and Down step through the epochs, Left goes to the producer of the first input, "
                                "Right to the consumer of the output."));
    connect(selection, &Selection::changed, this, [this] {
        showEpoch(m_selection->epoch());
        viewport()->update();
    });
}

static std::int64_t externalTraffic(const report::Report& report, const report::Epoch& epoch) {
    std::int64_t bytes = 0;
    for (const auto& part : epoch.traffic)
        if (part.pool >= 0 && report.pools[std::size_t(part.pool)].external)
            bytes += part.readBytes + part.writeBytes;
    return bytes;
}

void GraphView::setReport(const report::ReportPtr& report) {
    m_report = report;
    m_layout = report ? layOut(*report) : Layout();
    m_matches.clear();
    m_longest = m_mostExternal = 0;
    for (std::size_t i = 0; report && i < report->epochs.size(); ++i) {
        m_longest = std::max(m_longest, epochMilliseconds(*report, report->epochs[i]));
        m_mostExternal = std::max(m_mostExternal, double(externalTraffic(*report, report->epochs[i])));
    }
    updateScrollBar();
    viewport()->update();
}

void GraphView::setMatches(std::vector<int> rows) {
    m_matches = std::move(rows);
    viewport()->update();
}

void GraphView::setColourBy(ColourBy colourBy) {
    m_colourBy = colourBy;
    viewport()->update();
}

double GraphView::rowHeight() const {
    return std::max(3.0, (fontMetrics().height() * 2 + 22) * m_zoom);
}

double GraphView::boxLeft() const {
    return 14 + m_layout.lanes * std::min(9.0, 70.0 / std::max(1, m_layout.lanes));
}

QRectF GraphView::boxOf(int row, double width) const {
    const double height = rowHeight(), gap = height > 24 ? 10 : height > 8 ? 2 : 1;
    return {boxLeft(), row * height + gap / 2 + 4, std::max(40.0, width - boxLeft() - 12), height - gap};
}

int GraphView::rowAt(QPoint point) const {
    const int row = int(std::floor((point.y() + verticalScrollBar()->value() - 4) / rowHeight()));
    return row >= 0 && row < int(m_layout.nodes.size()) ? row : -1;
}

void GraphView::updateScrollBar() {
    const double content = double(m_layout.nodes.size()) * rowHeight() + 8;
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(int(rowHeight()));
    verticalScrollBar()->setRange(0, std::max(0, int(content) - viewport()->height()));
}

void GraphView::resizeEvent(QResizeEvent*) {
    updateScrollBar();
}

void GraphView::showEpoch(int epoch) {
    if (epoch < 0 || epoch >= int(m_layout.rowOfEpoch.size()) || m_layout.rowOfEpoch[std::size_t(epoch)] < 0)
        return;
    const double top = m_layout.rowOfEpoch[std::size_t(epoch)] * rowHeight(), height = viewport()->height();
    const double now = verticalScrollBar()->value();
    if (top < now || top + rowHeight() > now + height)
        verticalScrollBar()->setValue(int(top - (height - rowHeight()) / 2));
}

QColor GraphView::fillOf(const report::Epoch& epoch, const Palette& colours) const {
    if (m_colourBy == ColourBy::Kind)
        return mixed(epochColour(colours, epoch.kind), colours.panel, 0.14);
    const bool byTime = m_colourBy == ColourBy::Time;
    const double value = byTime ? epochMilliseconds(*m_report, epoch) : double(externalTraffic(*m_report, epoch));
    const double most = byTime ? m_longest : m_mostExternal;
    return mixed(colours.software, colours.panel, most > 0 ? 0.04 + 0.6 * std::sqrt(value / most) : 0.04);
}

void GraphView::paintRow(QPainter& painter, int row, double width) const {
    const Palette& colours = paletteOf(this);
    const Node& node = m_layout.nodes[std::size_t(row)];
    const auto& epoch = m_report->epochs[std::size_t(node.epoch)];
    const QRectF box = boxOf(row, width);
    const bool chosen = node.epoch == m_selection->epoch();
    const bool matches = std::binary_search(m_matches.begin(), m_matches.end(), row);
    const QColor tint = epochColour(colours, epoch.kind);
    const double line = fontMetrics().height();
    const bool detailed = box.height() >= 2 * line + 6;
    if (detailed && row > 0) {
        painter.setPen(QPen(colours.dim, 1));
        painter.drawLine(QPointF(box.center().x(), box.top() - 10), QPointF(box.center().x(), box.top()));
    }
    painter.setPen(chosen    ? QPen(colours.text, 2)
                   : matches ? QPen(colours.accent, 2)
                             : QPen(mixed(tint, colours.panel, 0.4), 1));
    painter.setBrush(box.height() < 8 ? mixed(tint, colours.panel, 0.6) : fillOf(epoch, colours));
    painter.drawRoundedRect(box, box.height() > 12 ? 5 : 1, box.height() > 12 ? 5 : 1);
    if (box.height() < line)
        return;
    const QRectF inner = box.adjusted(10, 0, -10, 0);
    const double time = epochMilliseconds(*m_report, epoch);
    const QString right = milliseconds(time);
    const double rightWidth = time > 0 ? fontMetrics().horizontalAdvance(right) + 8 : 0;
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const QRectF top = detailed ? QRectF(inner.left(), inner.center().y() - line, inner.width(), line) : inner;
    painter.setFont(bold);
    painter.setPen(colours.text);
    const QString title = epoch.kind == "HW" ? node.title : node.title + " · " + text(epoch.kind);
    painter.drawText(top, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(title, Qt::ElideRight, int(top.width() - rightWidth)));
    painter.setFont(font());
    painter.setPen(colours.dim);
    if (rightWidth > 0)
        painter.drawText(top, Qt::AlignRight | Qt::AlignVCenter, right);
    if (!detailed)
        return;
    const QRectF bottom(inner.left(), inner.center().y(), inner.width(), line);
    const QString words = epoch.reason.empty() ? node.subtitle : node.subtitle + " — " + text(epoch.reason);
    painter.setPen(epoch.kind == "SW" ? colours.bad : colours.text);
    painter.drawText(bottom, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(words, Qt::ElideRight, int(bottom.width())));
}

void GraphView::paintSkips(QPainter& painter, int first, int last) const {
    const Palette& colours = paletteOf(this);
    const double height = rowHeight(), left = boxLeft();
    const double laneWidth = std::min(9.0, 70.0 / std::max(1, m_layout.lanes));
    painter.setBrush(Qt::NoBrush);
    for (const Skip& skip : m_layout.skips) {
        if (skip.fromRow > last)
            break;
        if (skip.toRow < first)
            continue;
        const double y0 = (skip.fromRow + 0.5) * height + 4, y1 = (skip.toRow + 0.5) * height + 4;
        const double x = left - 6 - (skip.lane + 0.5) * laneWidth;
        const double bend = std::min(12.0, (y1 - y0) / 2);
        const int a = m_layout.nodes[std::size_t(skip.fromRow)].epoch,
                  b = m_layout.nodes[std::size_t(skip.toRow)].epoch;
        const bool strong =
            skip.buffer == m_selection->buffer() || a == m_selection->epoch() || b == m_selection->epoch();
        painter.setPen(QPen(strong ? colours.accent : mixed(colours.memory, colours.panel, 0.55), strong ? 2 : 1));
        QPainterPath path(QPointF(left, y0));
        path.quadTo(x, y0, x, y0 + bend);
        path.lineTo(x, y1 - bend);
        path.quadTo(x, y1, left, y1);
        painter.drawPath(path);
    }
}

void GraphView::paintAll(QPainter& painter, QSize size) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const double height = rowHeight(), scrolled = verticalScrollBar()->value();
    const int first = std::max(0, int(scrolled / height) - 1);
    const int last = std::min(int(m_layout.nodes.size()) - 1, int((scrolled + size.height()) / height) + 1);
    painter.translate(0, -scrolled);
    paintSkips(painter, first, last);
    for (int row = first; row <= last; ++row)
        paintRow(painter, row, size.width());
    painter.translate(0, scrolled);
}

void GraphView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.setFont(font());
    painter.fillRect(viewport()->rect(), paletteOf(this).panel);
    if (m_layout.nodes.empty())
        return paintEmptyState(painter, viewport()->rect(), this, tr("No epochs yet"),
                               tr("After a compile the epochs stand here in the order in which they run."));
    paintAll(painter, viewport()->size());
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    const int row = rowAt(event->pos());
    if (event->button() == Qt::LeftButton && row >= 0)
        m_selection->setEpoch(m_layout.nodes[std::size_t(row)].epoch);
}

void GraphView::zoomBy(double factor) {
    const double middle = (verticalScrollBar()->value() + viewport()->height() / 2.0) / rowHeight();
    m_zoom = std::clamp(m_zoom * factor, 0.05, 1.6);
    updateScrollBar();
    verticalScrollBar()->setValue(int(middle * rowHeight() - viewport()->height() / 2.0));
    viewport()->update();
}

void GraphView::zoomToFit() {
    const double wanted = (viewport()->height() - 8.0) / double(std::max<std::size_t>(1, m_layout.nodes.size()));
    m_zoom = std::clamp(wanted / (fontMetrics().height() * 2 + 22), 0.05, 1.0);
    updateScrollBar();
    viewport()->update();
}

void GraphView::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ControlModifier)
        zoomBy(std::pow(1.2, event->angleDelta().y() / 120.0));
    else
        QAbstractScrollArea::wheelEvent(event);
}

void GraphView::step(int by) {
    const int epoch = m_selection->epoch();
    const bool known =
        epoch >= 0 && epoch < int(m_layout.rowOfEpoch.size()) && m_layout.rowOfEpoch[std::size_t(epoch)] >= 0;
    const int row = known ? m_layout.rowOfEpoch[std::size_t(epoch)] + by : 0;
    if (!m_layout.nodes.empty())
        m_selection->setEpoch(m_layout.nodes[std::size_t(std::clamp(row, 0, int(m_layout.nodes.size()) - 1))].epoch);
}

/// To the epoch at the other end of the first flow into (producer) or out of the chosen epoch.
void GraphView::follow(bool producer) {
    if (!m_report)
        return;
    for (const auto& edge : m_report->edges) {
        const int here = producer ? edge.to : edge.from, there = producer ? edge.from : edge.to;
        if (here == m_selection->epoch() && there >= 0 && there < int(m_layout.rowOfEpoch.size()) &&
            m_layout.rowOfEpoch[std::size_t(there)] >= 0) {
            m_selection->setBuffer(edge.buffer);
            return m_selection->setEpoch(there);
        }
    }
}

void GraphView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
        return step(-1);
    case Qt::Key_Down:
        return step(1);
    case Qt::Key_PageUp:
        return step(-10);
    case Qt::Key_PageDown:
        return step(10);
    case Qt::Key_Left:
        return follow(true);
    case Qt::Key_Right:
        return follow(false);
    case Qt::Key_Plus:
        return zoomBy(1.25);
    case Qt::Key_Minus:
        return zoomBy(0.8);
    case Qt::Key_0:
        return zoomToFit();
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

QString GraphView::describe(int row) const {
    const auto& epoch = m_report->epochs[std::size_t(m_layout.nodes[std::size_t(row)].epoch)];
    QString words = tr("epoch %1 (%2)").arg(epoch.ordinal).arg(text(epoch.kind));
    words += '\n' + m_layout.nodes[std::size_t(row)].subtitle;
    words += '\n' + tr("%1, %2 cycles by the vendor's formula")
                        .arg(milliseconds(epochMilliseconds(*m_report, epoch)), grouped(epoch.vendorCycles));
    if (!epoch.boundBy.empty())
        words += '\n' + tr("bound by %1").arg(text(epoch.boundBy));
    if (!epoch.reason.empty())
        words += '\n' + text(epoch.reason);
    return words;
}

bool GraphView::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const int row = rowAt(help->pos()); row >= 0)
        QToolTip::showText(help->globalPos(), describe(row), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace poolwright::widgets
