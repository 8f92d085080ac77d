// SPDX-License-Identifier: Apache-2.0
#include "addressmap/painter.h"

#include "common/format.h"

#include <QCoreApplication>
#include <QPainter>

#include <cmath>

namespace poolwright::widgets::addressmap {

namespace {

class MapPainter {
    Q_DECLARE_TR_FUNCTIONS(AddressMap)
public:
    MapPainter(QPainter& painter, const Palette& palette, const Content& content, const Geometry& g, const Highlight& h)
        : m_painter(painter)
        , m_p(palette)
        , m_content(content)
        , m_g(g)
        , m_h(h)
        , m_font(painter.font()) {}

    void paint();

private:
    void paintAxis();
    void paintLaneNames();
    void paintItem(const Item& item);
    void paintBank(const Item& item);
    void paintPool(const Item& item);
    void paintVirtual(const Item& item);
    void paintBuffer(const Item& item);
    void paintStripTexts();
    void paintConflicts();
    void paintEdges();
    void paintDrag();
    void label(const QRectF& rect, const QString& text, QColor colour, bool bold = false,
               Qt::Alignment align = Qt::AlignCenter);
    QColor poolColour(const Item& item) const;
    QString poolName(const Item& item) const;

    QPainter& m_painter;
    const Palette& m_p;
    const Content& m_content;
    const Geometry& m_g;
    const Highlight& m_h;
    QFont m_font;
};

void MapPainter::paint() {
    paintAxis();
    paintLaneNames();
    for (const Item& item : m_g.items)
        paintItem(item);
    paintStripTexts();
    paintConflicts();
    paintEdges();
    paintDrag();
}

/// Text that is cut with an ellipsis, or left out where not even three letters fit.
void MapPainter::label(const QRectF& rect, const QString& text, QColor colour, bool bold, Qt::Alignment align) {
    QFont font = m_font;
    if (bold)
        font.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    const QRectF inner = rect.adjusted(4, 0, -4, 0);
    const QString shown = metrics.elidedText(text, Qt::ElideRight, inner.width());
    if (shown.size() < std::min(text.size(), qsizetype(4)))
        return;
    m_painter.setFont(font);
    m_painter.setPen(colour);
    m_painter.drawText(inner, int(align | Qt::AlignVCenter | Qt::TextSingleLine), shown);
    m_painter.setFont(m_font);
}

/// Distance of the axis marks: a power of two that leaves room for "0x34000000".
static double tickStep(double bytesPerPixel, double labelWidth) {
    return std::exp2(std::ceil(std::log2(std::max(1.0, bytesPerPixel * labelWidth))));
}

void MapPainter::paintAxis() {
    const Strip& strip = m_g.strips.front();
    const double labelWidth = QFontMetricsF(m_font).horizontalAdvance("0x34000000") + 16;
    const double step = tickStep(strip.bytesPerPixel(), labelWidth);
    const double base = double(strip.range.start.value);
    const double height = QFontMetricsF(m_font).height();
    double free = -1e9; // right end of the last label: the first one may be pushed inwards
    for (double a = std::ceil((base + strip.view.first) / step) * step; a <= base + strip.view.last; a += step) {
        const double x = strip.xOf(Address(std::uint64_t(a)));
        m_painter.setPen(m_p.grid);
        m_painter.drawLine(QPointF(x, m_g.axisTop + height + 3), QPointF(x, strip.area.bottom()));
        const double left = std::clamp(x - labelWidth / 2, strip.area.left() - 8, strip.area.right() - labelWidth + 10);
        if (left < free)
            continue;
        free = left + labelWidth;
        m_painter.setPen(m_p.dim);
        m_painter.drawText(QRectF(left, m_g.axisTop, labelWidth, height), Qt::AlignCenter,
                           text(Address(std::uint64_t(a))));
    }
}

void MapPainter::paintLaneNames() {
    const QString names[4] = {tr("banks"), tr("pools"), tr("groups"), tr("buffers")};
    for (int lane = 0; lane < 4; ++lane) {
        const double bottom = lane < 3 ? m_g.laneTop[lane + 1] - 6 : m_g.strips.front().area.bottom();
        label(QRectF(6, m_g.laneTop[lane], m_g.labelWidth, bottom - m_g.laneTop[lane]), names[lane], m_p.dim, false,
              Qt::AlignLeft);
    }
    const double line = QFontMetricsF(m_font).height();
    const QRectF buffers(6, m_g.laneTop[3], m_g.labelWidth, m_g.strips.front().area.bottom() - m_g.laneTop[3]);
    if (m_content.report && buffers.height() > 3 * line)
        label(QRectF(6, buffers.center().y() + line / 2, m_g.labelWidth, line),
              tr("epoch %1").arg(shownEpoch(m_content)), m_p.text, false, Qt::AlignLeft);
    for (std::size_t i = 1; i < m_g.strips.size(); ++i) {
        const QRectF& area = m_g.strips[i].area;
        label(QRectF(6, area.top(), m_g.labelWidth, area.height()), m_g.strips[i].title, m_p.dim, false, Qt::AlignLeft);
        m_painter.setPen(m_p.border);
        m_painter.setBrush(m_p.panel);
        m_painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
}

void MapPainter::paintItem(const Item& item) {
    switch (item.lane) {
    case Lane::Bank:
        return paintBank(item);
    case Lane::Pool:
        return paintPool(item);
    case Lane::Virtual:
        return paintVirtual(item);
    case Lane::Buffer:
        return paintBuffer(item);
    }
}

void MapPainter::paintBank(const Item& item) {
    m_painter.setPen(m_p.border);
    m_painter.setBrush(m_p.window);
    m_painter.drawRect(item.rect.adjusted(0.5, 0.5, -0.5, -0.5));
    label(item.rect, m_content.banks[std::size_t(item.index)].name, m_p.dim);
}

QString MapPainter::poolName(const Item& item) const {
    const auto index = std::size_t(item.index);
    return text(m_content.pools.empty() ? m_content.report->pools[index].name : m_content.pools[index].name);
}

QColor MapPainter::poolColour(const Item& item) const {
    const auto index = std::size_t(item.index);
    const bool external = item.range.start.value >= 0x60000000;
    if (external)
        return m_p.external;
    const bool fast = m_content.pools.empty() ? m_content.report->pools[index].throughput == "HIGH"
                                              : m_content.pools[index].properties.throughput == mpool::Level::High;
    return fast ? m_p.fast : m_p.slow;
}

void MapPainter::paintPool(const Item& item) {
    const QString name = poolName(item);
    const bool chosen = name == m_h.pool;
    const QRectF rect = item.rect.adjusted(0.5, 0.5, -0.5, -0.5);
    if (!item.enabled) {
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(chosen ? m_p.accent : m_p.border, chosen ? 2 : 1, Qt::DashLine));
        m_painter.drawRoundedRect(rect, 3, 3);
        return label(item.rect, tr("%1 (off)").arg(name), m_p.dim);
    }
    const QColor fill = item.strip == 0 ? poolColour(item) : mixed(poolColour(item), m_p.panel, 0.18);
    m_painter.setPen(chosen ? QPen(m_p.text, 2) : QPen(m_p.panel, 1));
    m_painter.setBrush(fill);
    m_painter.drawRoundedRect(rect, 3, 3);
    if (item.strip == 0)
        label(item.rect, name, textOn(fill), true);
}

void MapPainter::paintVirtual(const Item& item) {
    const auto& pool = m_content.report->pools[std::size_t(item.index)];
    const QColor colour = pool.throughput == "HIGH" ? m_p.fast : m_p.slow;
    m_painter.fillRect(QRectF(item.rect.left() + 1, item.rect.top(), item.rect.width() - 2, 3), colour);
    const QString traits = tr("group of %1 · %2 / %3 · ×%4")
                               .arg(pool.members.size())
                               .arg(text(pool.throughput), text(pool.latency))
                               .arg(pool.freqRatio);
    label(item.rect.adjusted(0, 3, 0, 0), traits, text(pool.name) == m_h.pool ? m_p.text : m_p.dim);
}

void MapPainter::paintBuffer(const Item& item) {
    const auto& buffer = m_content.report->buffers[std::size_t(item.index)];
    const QColor base = bufferColour(m_p, buffer.kind);
    // Neighbours get two tints in turn, so that a seam is seen without a line.
    const QColor fill = mixed(base, m_p.panel, item.index % 2 ? 0.75 : 0.6);
    const bool chosen = item.index == m_h.buffer;
    m_painter.setBrush(fill);
    m_painter.setPen(chosen ? QPen(m_p.text, 2) : item.rect.width() > 4 ? QPen(m_p.panel, 1) : QPen(Qt::NoPen));
    m_painter.drawRect(item.rect.width() > 4 ? item.rect.adjusted(0.5, 0.5, -0.5, -0.5) : item.rect);
    if (item.strip == 0 && item.count == 1)
        label(item.rect, text(buffer.name), textOn(fill));
}

void MapPainter::paintStripTexts() {
    for (std::size_t i = 1; i < m_g.strips.size(); ++i) {
        const Strip& strip = m_g.strips[i];
        ByteCount used, size;
        if (m_content.report)
            for (const auto& pool : m_content.report->pools)
                if (!pool.isVirtual && strip.range.contains(pool.address)) {
                    used += pool.used;
                    size += pool.size;
                }
        const QString summary =
            used.value == 0 ? tr("empty") : tr("%1 of %2 used").arg(shortBytes(used), shortBytes(size));
        const QString place = text(strip.range.start) + " · " + shortBytes(strip.range.size);
        const QFontMetricsF metrics(m_font);
        // A pill behind the texts keeps them readable over boxes.
        const double wide = metrics.horizontalAdvance(place) + 12;
        const QRectF right(strip.area.right() - wide - 3, strip.area.top() + 3, wide, strip.area.height() - 6);
        const QRectF left = QRectF(right).translated(-metrics.horizontalAdvance(summary) - 20, 0);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_p.panel);
        m_painter.drawRoundedRect(QRectF(left.left(), right.top(), right.right() - left.left(), right.height()), 3, 3);
        label(right, place, m_p.dim, false, Qt::AlignRight);
        label(QRectF(left.left(), left.top(), right.left() - left.left(), left.height()), summary, m_p.text, false,
              Qt::AlignLeft);
    }
}

void MapPainter::paintConflicts() {
    for (const Conflict& conflict : m_g.conflicts) {
        m_painter.setPen(QPen(m_p.bad, 2));
        m_painter.setBrush(QBrush(m_p.bad, Qt::BDiagPattern));
        m_painter.drawRect(conflict.rect);
    }
}

void MapPainter::paintEdges() {
    for (int i = 0; i < int(m_g.edges.size()); ++i) {
        if (i != m_h.hoveredEdge && i != m_h.focusedEdge)
            continue;
        const QRectF& grip = m_g.edges[std::size_t(i)].grip;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(i == m_h.focusedEdge ? m_p.accent : m_p.text);
        m_painter.drawRoundedRect(QRectF(grip.center().x() - 2, grip.top(), 4, grip.height()), 2, 2);
    }
}

void MapPainter::paintDrag() {
    if (!m_h.drag || !m_h.drag->isActive())
        return;
    const Edge& edge = m_h.drag->edge();
    const Strip& strip = m_g.strips[std::size_t(edge.strip)];
    const double x = strip.xOf(m_h.drag->now());
    m_painter.setPen(QPen(m_p.text, 2));
    m_painter.drawLine(QPointF(x, edge.grip.top() - 4), QPointF(x, edge.grip.bottom() + 4));
    const auto& pool = m_content.pools[std::size_t(edge.pool.index)];
    const ByteCount moved = m_h.drag->now() - edge.address;
    const QString words =
        tr("%1 %2: %3 (%4)")
            .arg(text(pool.name), edge.isEnd ? tr("end") : tr("start"), text(m_h.drag->now()), signedBytes(moved));
    const QFontMetricsF metrics(m_font);
    const double width = metrics.horizontalAdvance(words) + 16, height = metrics.height() + 6;
    const double left = std::clamp(x - width / 2, strip.area.left(), strip.area.right() - width);
    const QRectF bubble(left, edge.grip.top() - height - 4, width, height);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_p.text);
    m_painter.drawRoundedRect(bubble, 4, 4);
    m_painter.setPen(m_p.panel);
    m_painter.drawText(bubble, Qt::AlignCenter, words);
}

} // namespace

void paintMap(QPainter& painter, const Palette& palette, const Content& content, const Geometry& geometry,
              const Highlight& highlight) {
    painter.setRenderHint(QPainter::Antialiasing);
    MapPainter(painter, palette, content, geometry, highlight).paint();
}

} // namespace poolwright::widgets::addressmap
