// SPDX-License-Identifier: Apache-2.0
#include "addressmap/addressmap.h"

#include "addressmap/painter.h"
#include "common/format.h"
#include "common/selection.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace poolwright::widgets {

using namespace addressmap;

AddressMap::AddressMap(Selection* selection, QWidget* parent)
    : PaintedPanel(selection, parent) {
    setObjectName("addressMap");
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(320, 170);
    setAccessibleName(tr("Address map"));
    setAccessibleDescription(tr("Up and Down choose a pool edge, Left and Right move it or step through the epochs."));
}

void AddressMap::setBanks(std::vector<Bank> banks) {
    m_content.banks = std::move(banks);
    invalidate();
}

void AddressMap::setPools(const std::vector<mpool::Pool>& pools) {
    m_content.pools = pools;
    if (m_tool.isActive() && m_tool.edge().pool.index >= int(pools.size()))
        m_tool.end();
    invalidate();
}

void AddressMap::invalidate() {
    m_laidOutFor = {};
    update();
}

const Geometry& AddressMap::geometryNow() const {
    if (m_laidOutFor != size()) {
        m_geometry = layOut(m_content, size(), fontMetrics().height(), m_view);
        m_laidOutFor = size();
    }
    return m_geometry;
}

void AddressMap::reportChanged() {
    m_content.report = report();
    invalidate();
}

void AddressMap::selectionChanged() {
    if (m_content.epoch != selection()->epoch()) {
        m_content.epoch = selection()->epoch();
        invalidate();
    }
    update();
}

void AddressMap::paintContent(QPainter& painter, QSize size) const {
    const Geometry& geometry = geometryNow();
    if (geometry.strips.empty())
        return paintEmptyState(painter, QRect({}, size), this, tr("No memory to show"),
                               tr("Open a memory-pool file (.mpool): its pools appear here on one axis of addresses."));
    Highlight highlight{selection()->buffer(), selection()->pool(), m_hoveredEdge, m_focusedEdge, &m_tool};
    paintMap(painter, paletteOf(this), m_content, geometry, highlight);
}

void AddressMap::selectItem(int index) {
    if (index < 0)
        return;
    const Item& item = geometryNow().items[std::size_t(index)];
    const auto at = std::size_t(item.index);
    if (item.lane == Lane::Buffer) {
        selection()->setBuffer(item.index);
        selection()->setPool(text(report()->pools[std::size_t(report()->buffers[at].pool)].name));
    } else if (item.lane == Lane::Virtual || (item.lane == Lane::Pool && m_content.pools.empty())) {
        selection()->setPool(text(report()->pools[at].name));
    } else if (item.lane == Lane::Pool) {
        selection()->setPool(text(m_content.pools[at].name));
    }
}

void AddressMap::mousePressEvent(QMouseEvent* event) {
    m_lastPoint = event->position();
    if (event->button() == Qt::MiddleButton) {
        m_panning = true;
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    const int edge = geometryNow().edgeAt(event->position());
    if (edge >= 0) {
        m_focusedEdge = edge;
        m_tool.begin(m_geometry.edges[std::size_t(edge)]);
        selection()->setPool(text(m_content.pools[std::size_t(m_tool.edge().pool.index)].name));
    } else {
        m_focusedEdge = -1;
        selectItem(m_geometry.itemAt(event->position()));
    }
    update();
}

void AddressMap::mouseMoveEvent(QMouseEvent* event) {
    if (m_panning) {
        m_view.panBy((m_lastPoint.x() - event->position().x()) * geometryNow().strips.front().bytesPerPixel());
        m_lastPoint = event->position();
        return invalidate();
    }
    if (!m_tool.isActive())
        return hoverAt(event->position());
    const Strip& strip = geometryNow().strips[std::size_t(m_tool.edge().strip)];
    const auto reach = std::int64_t(strip.bytesPerPixel() * 5);
    const bool free = event->modifiers() & Qt::AltModifier;
    const Address wanted = snapped(strip.addressAt(event->position().x()), free ? 1 : m_snap,
                                   free ? std::vector<Address>() : magnetsFor(m_content, m_tool.edge()), reach);
    if (m_tool.moveTo(wanted)) {
        emit edgeDragged(m_tool.edge().pool, m_tool.edge().isEnd, wanted);
        update();
    }
}

void AddressMap::mouseReleaseEvent(QMouseEvent*) {
    m_panning = false;
    if (!m_tool.isActive())
        return;
    const Edge edge = m_tool.edge();
    const Address now = m_tool.now();
    const bool moved = m_tool.hasMoved();
    m_tool.end();
    if (moved)
        emit edgeDropped(edge.pool, edge.isEnd, now);
    else
        emit dragCancelled();
    update();
}

void AddressMap::mouseDoubleClickEvent(QMouseEvent* event) {
    const int index = geometryNow().itemAt(event->position());
    if (index < 0 || m_geometry.items[std::size_t(index)].strip != 0)
        return zoomToFit();
    const Item& item = m_geometry.items[std::size_t(index)];
    const double start = double(item.range.start.value - m_geometry.strips.front().range.start.value);
    const double margin = double(item.range.size.value) * 0.08;
    m_view.show(start - margin, start + double(item.range.size.value) + margin);
    invalidate();
}

void AddressMap::wheelEvent(QWheelEvent* event) {
    if (geometryNow().strips.empty())
        return;
    const Strip& strip = m_geometry.strips.front();
    const double turns = event->angleDelta().y() / 120.0;
    if (event->modifiers() & Qt::ShiftModifier)
        m_view.panBy(-turns * m_view.span() / 10);
    else
        m_view.zoomAt(m_view.toValue(event->position().x(), strip.area.left(), strip.area.width()),
                      std::pow(1.25, turns));
    invalidate();
    event->accept();
}

void AddressMap::zoomToFit() {
    m_view.fit();
    invalidate();
}

void AddressMap::zoomBy(double factor) {
    m_view.zoomAt((m_view.first + m_view.last) / 2, factor);
    invalidate();
}

void AddressMap::stepEpoch(int by) {
    if (!report() || report()->epochs.empty())
        return;
    const int last = int(report()->epochs.size()) - 1;
    selection()->setEpoch(std::clamp(shownEpoch(m_content) + by, 0, last));
}

void AddressMap::cancelDrag() {
    if (m_tool.isActive()) {
        m_tool.end();
        emit dragCancelled();
    }
    m_focusedEdge = -1;
    update();
}

void AddressMap::stepEdge(int by) {
    const int count = int(geometryNow().edges.size());
    if (count == 0)
        return;
    m_focusedEdge = m_focusedEdge < 0 ? (by > 0 ? 0 : count - 1) : (m_focusedEdge + by + count) % count;
    const Edge& edge = m_geometry.edges[std::size_t(m_focusedEdge)];
    const QString pool = text(m_content.pools[std::size_t(edge.pool.index)].name);
    selection()->setPool(pool);
    emit hovered(
        tr("%1: %2 at %3. Left and Right move it by %4.")
            .arg(pool, edge.isEnd ? tr("end") : tr("start"), text(edge.address), shortBytes(ByteCount(m_snap))));
    update();
}

void AddressMap::nudgeEdge(int steps) {
    const Edge edge = geometryNow().edges[std::size_t(m_focusedEdge)];
    const Address wanted = edge.address + ByteCount(m_snap * steps);
    emit edgeDragged(edge.pool, edge.isEnd, wanted);
    emit edgeDropped(edge.pool, edge.isEnd, wanted);
}

void AddressMap::keyPressEvent(QKeyEvent* event) {
    const int direction = event->key() == Qt::Key_Left ? -1 : 1;
    switch (event->key()) {
    case Qt::Key_Escape:
        return cancelDrag();
    case Qt::Key_Up:
        return stepEdge(-1);
    case Qt::Key_Down:
        return stepEdge(1);
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (m_focusedEdge < 0 || m_focusedEdge >= int(geometryNow().edges.size()))
            return stepEpoch(direction);
        return nudgeEdge(event->modifiers() & Qt::ShiftModifier ? direction * 16 : direction);
    case Qt::Key_Plus:
        return zoomBy(1.5);
    case Qt::Key_Minus:
        return zoomBy(1 / 1.5);
    case Qt::Key_0:
        return zoomToFit();
    default:
        PaintedPanel::keyPressEvent(event);
    }
}

void AddressMap::hoverAt(QPointF point) {
    const int edge = geometryNow().edgeAt(point);
    if (edge != m_hoveredEdge) {
        m_hoveredEdge = edge;
        setCursor(edge >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
        update();
    }
    const int item = m_geometry.itemAt(point);
    emit hovered(item >= 0 ? describe(m_geometry.items[std::size_t(item)]).section('\n', 0, 1).replace('\n', " · ")
                           : QString());
}

void AddressMap::leaveEvent(QEvent*) {
    m_hoveredEdge = -1;
    emit hovered({});
    update();
}

QString AddressMap::describe(const Item& item) const {
    const auto at = std::size_t(item.index);
    QString name;
    if (item.lane == Lane::Bank)
        name = tr("Bank %1").arg(m_content.banks[at].name);
    else if (item.lane == Lane::Pool)
        name = tr("Pool %1").arg(text(m_content.pools.empty() ? report()->pools[at].name : m_content.pools[at].name));
    else if (item.lane == Lane::Virtual)
        name = tr("Group %1").arg(text(report()->pools[at].name));
    else if (item.count > 1)
        name = tr("%1 buffers").arg(item.count);
    else
        name = tr("Buffer %1").arg(text(report()->buffers[at].name));
    if (!item.enabled)
        return name + '\n' + tr("Switched off: its size is 0");
    QString words = name + '\n' + rangeText(item.range) + "\n" + longBytes(item.range.size);
    if (item.lane == Lane::Buffer && item.count == 1) {
        const auto& buffer = report()->buffers[at];
        words += '\n' +
                 tr("%1, alive in epochs %2 to %3").arg(text(buffer.kind)).arg(buffer.live.first).arg(buffer.live.last);
    }
    return words;
}

bool AddressMap::showTip(QPoint point, QPoint global) {
    const int item = geometryNow().itemAt(point);
    if (item < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(global, describe(m_geometry.items[std::size_t(item)]), this);
    return true;
}

bool AddressMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        return showTip(help->pos(), help->globalPos());
    }
    return PaintedPanel::event(event);
}

} // namespace poolwright::widgets
