// SPDX-License-Identifier: Apache-2.0
#include "timeline/timelinepanel.h"

#include "common/format.h"
#include "common/palette.h"
#include "common/selection.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace poolwright::widgets {

using namespace timeline;

Timeline::Timeline(Selection* selection, QWidget* parent)
    : PaintedPanel(selection, parent) {
    setObjectName("timeline");
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(320, 160);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("Left and Right step through the epochs; P goes to the peak."));
}

void Timeline::invalidate() {
    m_laidOutFor = {};
    m_base = {};
    update();
}

void Timeline::reportChanged() {
    m_index = Index(report());
    invalidate();
}

const Geometry& Timeline::geometryNow() const {
    if (m_laidOutFor != size()) {
        m_geometry = layOut(m_index, size(), fontMetrics().height(), m_view);
        m_laidOutFor = size();
    }
    return m_geometry;
}

void Timeline::paintContent(QPainter& painter, QSize size) const {
    if (!report() || report()->epochs.empty())
        return paintEmptyState(
            painter, QRect({}, size), this, tr("Nothing has been placed yet"),
            tr("After a compile every buffer is a rectangle here: epochs to the right, addresses upwards."));
    geometryNow();
    paintBase(painter);
    paintChosen(painter);
    paintMarkers(painter);
}

void Timeline::paintBase(QPainter& painter) const {
    paintMap(painter);
    paintLive(painter);
    paintBars(painter);
    paintLegend(painter);
}

void Timeline::paintEvent(QPaintEvent* event) {
    if (!report() || report()->epochs.empty())
        return PaintedPanel::paintEvent(event);
    if (m_base.isNull() || m_base.size() != size() * devicePixelRatioF()) {
        geometryNow();
        m_base = QPixmap(size() * devicePixelRatioF());
        m_base.setDevicePixelRatio(devicePixelRatioF());
        m_base.fill(paletteOf(this).panel);
        QPainter base(&m_base);
        base.setFont(font());
        paintBase(base);
    }
    QPainter painter(this);
    painter.setFont(font());
    painter.drawPixmap(0, 0, m_base);
    paintChosen(painter);
    paintMarkers(painter);
}

void Timeline::changeEvent(QEvent* event) {
    PaintedPanel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange)
        invalidate();
}

void Timeline::paintChosen(QPainter& painter) const {
    const int chosen = selection()->buffer();
    if (chosen < 0 || chosen >= int(report()->buffers.size()) || !report()->buffers[std::size_t(chosen)].placed())
        return;
    const QRectF rect = m_geometry.rectOf(report()->buffers[std::size_t(chosen)]);
    painter.setPen(QPen(paletteOf(this).text, 2));
    painter.setBrush(Qt::NoBrush);
    if (!rect.isNull() && !report()->buffers[std::size_t(chosen)].isWeights())
        painter.drawRect(rect);
}

static void frame(QPainter& painter, const Palette& colours, const QRectF& rect, const QString& name,
                  double labelWidth) {
    painter.setPen(colours.border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5));
    painter.setPen(colours.dim);
    painter.drawText(QRectF(6, rect.top(), labelWidth, rect.height()), Qt::AlignLeft | Qt::AlignTop, name);
}

void Timeline::paintMap(QPainter& painter) const {
    const Palette& colours = paletteOf(this);
    const Geometry& g = m_geometry;
    painter.setPen(colours.dim);
    for (const Band& band : g.bands) {
        painter.fillRect(QRectF(g.map.left(), band.top, g.map.width(), band.height),
                         mixed(colours.grid, colours.panel, 0.5));
        painter.setPen(colours.dim);
        painter.drawText(QRectF(6, band.top, g.map.left() - 12, band.height), Qt::AlignRight | Qt::AlignBottom,
                         QStringLiteral("0x") + QString::number(band.range.start.value, 16).toUpper());
    }
    for (const Box& box : g.boxes) {
        const auto& buffer = report()->buffers[std::size_t(box.buffer)];
        const bool external = report()->pools[std::size_t(buffer.pool)].external;
        const QColor base = external ? colours.external : bufferColour(colours, buffer.kind);
        const QColor fill = mixed(base, colours.panel, 0.5 + 0.12 * (box.buffer % 4));
        painter.fillRect(box.rect, fill);
        if (box.rect.width() > 60 && box.rect.height() > painter.fontMetrics().height()) {
            painter.setPen(textOn(fill));
            painter.drawText(
                box.rect.adjusted(4, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter,
                painter.fontMetrics().elidedText(text(buffer.name), Qt::ElideRight, int(box.rect.width()) - 8));
        }
    }
}

void Timeline::paintLive(QPainter& painter) const {
    const Palette& colours = paletteOf(this);
    const Geometry& g = m_geometry;
    frame(painter, colours, g.live, tr("live"), g.map.left() - 8);
    const auto& live = m_index.liveBytes();
    const double most =
        double(live.empty() ? 1 : std::max<std::int64_t>(1, *std::max_element(live.begin(), live.end())));
    QPainterPath path(QPointF(g.live.left(), g.live.bottom()));
    const int columns = int(g.live.width());
    for (int x = 0; x <= columns; ++x) { // one sample a pixel: the largest of the epochs in it
        const int from = g.epochAt(g.live.left() + x), to = std::max(from, g.epochAt(g.live.left() + x + 1) - 1);
        std::int64_t bytes = 0;
        for (int e = from; e <= to && e < int(live.size()); ++e)
            bytes = std::max(bytes, live[std::size_t(e)]);
        path.lineTo(g.live.left() + x, g.live.bottom() - double(bytes) / most * (g.live.height() - 2));
    }
    path.lineTo(g.live.right(), g.live.bottom());
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(colours.activation, colours.panel, 0.55));
    painter.drawPath(path);
}

void Timeline::paintBars(QPainter& painter) const {
    const Palette& colours = paletteOf(this);
    const Geometry& g = m_geometry;
    frame(painter, colours, g.bars, tr("time"), g.map.left() - 8);
    const double scale = m_index.longestEpoch() > 0 ? (g.bars.height() - 2) / m_index.longestEpoch() : 0;
    const int first = int(g.epochs.first), last = std::min(m_index.epochCount() - 1, int(std::ceil(g.epochs.last)));
    const double width = g.bars.width() / g.epochs.span();
    for (int e = first; e <= last;) {
        EpochTime time = m_index.times()[std::size_t(e)];
        const double x = g.xOf(e);
        int next = e + 1;
        for (; next <= last && g.xOf(next) < x + 1; ++next) // several in one pixel: the longest stands for them
            if (m_index.times()[std::size_t(next)].total() > time.total())
                time = m_index.times()[std::size_t(next)];
        double y = g.bars.bottom();
        const double barLeft = std::max(x, g.bars.left()),
                     barRight = std::min(x + std::max(1.0, width * 0.85), g.bars.right());
        const std::pair<double, QColor> parts[] = {
            {time.compute, colours.compute}, {time.memory, colours.memory}, {time.software, colours.software}};
        for (const auto& [ms, colour] : parts) {
            const double height = ms > 0 ? std::max(1.0, ms * scale) : 0; // short ones stay visible
            painter.fillRect(QRectF(barLeft, y - height, std::max(0.0, barRight - barLeft), height), colour);
            y -= height;
        }
        e = next;
    }
    painter.setPen(colours.dim);
    painter.drawText(QRectF(6, g.bars.top() + painter.fontMetrics().height(), g.map.left() - 14, g.bars.height()),
                     Qt::AlignLeft | Qt::AlignTop, milliseconds(m_index.longestEpoch()));
}

void Timeline::paintMarkers(QPainter& painter) const {
    const Palette& colours = paletteOf(this);
    const Geometry& g = m_geometry;
    const auto mark = [&](int epoch, const QColor& colour, Qt::PenStyle style, const QString& name, bool nameLeft) {
        if (epoch < g.epochs.first || epoch >= g.epochs.last)
            return;
        const double x = g.xOf(epoch + 0.5);
        painter.setPen(QPen(colour, 1.5, style));
        painter.drawLine(QPointF(x, g.map.top() - 3), QPointF(x, g.bars.bottom()));
        const double width = painter.fontMetrics().horizontalAdvance(name) + 8;
        double left = nameLeft ? x - width : x + 2;
        left = std::clamp(left, g.map.left(), g.map.right() - width);
        painter.drawText(QRectF(left, 2, width, g.map.top() - 4), Qt::AlignCenter, name);
    };
    const int peak = report()->totals.peakEpoch, epoch = selection()->epoch();
    mark(peak, colours.bad, Qt::DashLine, epoch == peak ? tr("epoch %1 (peak)").arg(peak) : tr("peak %1").arg(peak),
         epoch > peak);
    if (epoch >= 0 && epoch != peak)
        mark(epoch, colours.text, Qt::SolidLine, tr("epoch %1").arg(epoch), epoch <= peak);
}

void Timeline::paintLegend(QPainter& painter) const {
    const Palette& colours = paletteOf(this);
    const QRectF& bars = m_geometry.bars;
    const double line = painter.fontMetrics().height();
    double x = bars.left();
    const double y = bars.bottom() + 5;
    const std::pair<QString, QColor> entries[] = {
        {tr("compute"), colours.compute}, {tr("memory"), colours.memory}, {tr("software"), colours.software}};
    for (const auto& [name, colour] : entries) {
        painter.fillRect(QRectF(x, y + line / 2 - 4, 8, 8), colour);
        painter.setPen(colours.dim);
        const double width = painter.fontMetrics().horizontalAdvance(name);
        painter.drawText(QRectF(x + 13, y, width + 2, line), Qt::AlignVCenter, name);
        x += width + 32;
    }
    const QString range = tr("epochs %1 to %2").arg(int(m_geometry.epochs.first)).arg(int(m_geometry.epochs.last) - 1);
    painter.drawText(QRectF(x, y, bars.right() - x, line), Qt::AlignRight | Qt::AlignVCenter, range);
}

void Timeline::mousePressEvent(QMouseEvent* event) {
    m_lastPoint = event->position();
    m_panning = event->button() == Qt::MiddleButton;
    if (event->button() != Qt::LeftButton || !report() || report()->epochs.empty())
        return;
    const Geometry& g = geometryNow();
    selection()->setEpoch(g.epochAt(event->position().x()));
    if (const int box = g.boxAt(event->position()); box >= 0) {
        const int buffer = g.boxes[std::size_t(box)].buffer;
        selection()->setBuffer(buffer);
        selection()->setPool(text(report()->pools[std::size_t(report()->buffers[std::size_t(buffer)].pool)].name));
    }
}

void Timeline::mouseMoveEvent(QMouseEvent* event) {
    if (m_panning) {
        m_view.panBy((m_lastPoint.x() - event->position().x()) / geometryNow().map.width() * m_view.span());
        m_lastPoint = event->position();
        return invalidate();
    }
    if (event->buttons() & Qt::LeftButton && report() && !report()->epochs.empty())
        selection()->setEpoch(geometryNow().epochAt(event->position().x()));
    emit hovered(describe(event->position()).replace('\n', " · "));
}

void Timeline::mouseReleaseEvent(QMouseEvent*) {
    m_panning = false;
}

void Timeline::mouseDoubleClickEvent(QMouseEvent*) {
    zoomToFit();
}

void Timeline::wheelEvent(QWheelEvent* event) {
    const Geometry& g = geometryNow();
    const double turns = event->angleDelta().y() / 120.0;
    if (event->modifiers() & Qt::ShiftModifier)
        m_view.panBy(-turns * m_view.span() / 10);
    else
        m_view.zoomAt(m_view.toValue(event->position().x(), g.map.left(), g.map.width()), std::pow(1.25, turns));
    invalidate();
    event->accept();
}

void Timeline::stepEpoch(int by) {
    if (report() && !report()->epochs.empty()) {
        const int now = selection()->epoch() >= 0 ? selection()->epoch() : report()->totals.peakEpoch;
        selection()->setEpoch(std::clamp(now + by, 0, int(report()->epochs.size()) - 1));
    }
}

void Timeline::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return stepEpoch(event->modifiers() & Qt::ShiftModifier ? -10 : -1);
    case Qt::Key_Right:
        return stepEpoch(event->modifiers() & Qt::ShiftModifier ? 10 : 1);
    case Qt::Key_P:
        return goToPeak();
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

void Timeline::zoomToFit() {
    m_view.fit();
    invalidate();
}

void Timeline::zoomBy(double factor) {
    const double middle = selection()->epoch() >= 0 ? selection()->epoch() + 0.5 : (m_view.first + m_view.last) / 2;
    m_view.zoomAt(middle, factor);
    invalidate();
}

void Timeline::goToPeak() {
    if (report())
        selection()->setEpoch(report()->totals.peakEpoch);
}

QString Timeline::describe(QPointF point) const {
    const Geometry& g = geometryNow();
    if (!report() || report()->epochs.empty() || point.x() < g.map.left() || point.x() > g.map.right())
        return {};
    const int e = g.epochAt(point.x());
    if (const int box = g.map.contains(point) ? g.boxAt(point) : -1; box >= 0) {
        const auto& buffer = report()->buffers[std::size_t(g.boxes[std::size_t(box)].buffer)];
        return tr("%1 (%2)\n%3\n%4\nalive in epochs %5 to %6")
            .arg(text(buffer.name), text(buffer.kind), rangeText({buffer.address, buffer.size}), longBytes(buffer.size))
            .arg(buffer.live.first)
            .arg(buffer.live.last);
    }
    const auto& epoch = report()->epochs[std::size_t(e)];
    const EpochTime& time = m_index.times()[std::size_t(e)];
    QString words = tr("epoch %1 (%2): %3, %4 alive")
                        .arg(e)
                        .arg(text(epoch.kind), milliseconds(time.total()),
                             longBytes(ByteCount(m_index.liveBytes()[std::size_t(e)])));
    if (!epoch.reason.empty())
        words += '\n' + text(epoch.reason);
    return words;
}

bool Timeline::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return PaintedPanel::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString words = describe(help->pos());
    if (words.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), words, this);
    return true;
}

} // namespace poolwright::widgets
