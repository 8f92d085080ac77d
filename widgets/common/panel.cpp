// SPDX-License-Identifier: Apache-2.0
#include "common/panel.h"

#include "common/exporter.h"
#include "common/palette.h"
#include "common/selection.h"

#include <QPaintEvent>
#include <QPainter>

namespace poolwright::widgets {

Panel::Panel(Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    connect(selection, &Selection::changed, this, [this] { selectionChanged(); });
}

void Panel::setReport(const report::ReportPtr& report) {
    m_report = report;
    reportChanged();
}

QString PaintedPanel::exportTo(const QString& path) const {
    return exportPicture(path, size(), paletteOf(this).panel, font(),
                         [this](QPainter& painter) { paintContent(painter, size()); });
}

void PaintedPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(font());
    painter.fillRect(rect(), paletteOf(this).panel);
    paintContent(painter, size());
}

void paintEmptyState(QPainter& painter, QRect area, const QWidget* widget, const QString& title,
                     const QString& advice) {
    const Palette& colours = paletteOf(widget);
    QFont bold = widget->font();
    bold.setWeight(QFont::DemiBold);
    const QRect inner = area.adjusted(24, 0, -24, 0);
    const int middle = area.center().y();
    painter.setFont(bold);
    painter.setPen(colours.text);
    painter.drawText(QRect(inner.left(), middle - 44, inner.width(), 36), Qt::AlignHCenter | Qt::AlignBottom, title);
    painter.setFont(widget->font());
    painter.setPen(colours.dim);
    painter.drawText(QRect(inner.left(), middle, inner.width(), area.bottom() - middle),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, advice);
}

} // namespace poolwright::widgets
