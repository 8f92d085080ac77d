// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/panel.h"
#include "timeline/geometry.h"

#include <QPixmap>

namespace poolwright::widgets {

/// Buffers as rectangles over epochs and addresses, the peak marked; below it live bytes and the time of each epoch.
class Timeline : public PaintedPanel {
    Q_OBJECT
public:
    explicit Timeline(Selection* selection, QWidget* parent = nullptr);

    const timeline::Geometry& geometryNow() const;

public slots:
    void zoomToFit();
    void zoomBy(double factor);
    void goToPeak();

signals:
    void hovered(const QString& words);

protected:
    void paintContent(QPainter& painter, QSize size) const override;
    void reportChanged() override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void invalidate();
    void stepEpoch(int by);
    void paintBase(QPainter& painter) const;
    void paintChosen(QPainter& painter) const;
    void paintMap(QPainter& painter) const;
    void paintLive(QPainter& painter) const;
    void paintBars(QPainter& painter) const;
    void paintMarkers(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    QString describe(QPointF point) const;

    timeline::Index m_index;
    mutable timeline::Geometry m_geometry;
    mutable QSize m_laidOutFor;
    mutable ViewRange m_view;
    bool m_panning = false;
    QPointF m_lastPoint;
    /// Everything that does not depend on the selection, so that stepping through epochs does not paint 50,000 buffers
    /// again.
    QPixmap m_base;
};

} // namespace poolwright::widgets
