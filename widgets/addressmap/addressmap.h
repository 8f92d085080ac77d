// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "addressmap/edgetool.h"
#include "common/panel.h"

namespace poolwright::widgets {

/// Banks, pools, virtual groups and the buffers of one epoch on one axis of addresses. Pool edges can be dragged with
/// the mouse or moved with the arrow keys; the panel only reports that, it changes nothing by itself.
class AddressMap : public PaintedPanel {
    Q_OBJECT
public:
    explicit AddressMap(Selection* selection, QWidget* parent = nullptr);

    void setBanks(std::vector<addressmap::Bank> banks);
    /// The pool file being edited; none: the report's pools are shown and nothing can be dragged.
    void setPools(const std::vector<mpool::Pool>& pools);
    /// Bytes a dragged edge snaps to.
    void setSnap(std::int64_t bytes) { m_snap = bytes; }
    std::int64_t snap() const { return m_snap; }

    /// Laid out for the present size; for tests and hit tests.
    const addressmap::Geometry& geometryNow() const;

public slots:
    void zoomToFit();
    void zoomBy(double factor);
    void stepEpoch(int by);

signals:
    void edgeDragged(poolwright::PoolId pool, bool isEnd, poolwright::Address address);
    void edgeDropped(poolwright::PoolId pool, bool isEnd, poolwright::Address address);
    void dragCancelled();
    /// What the pointer is over, for the status bar.
    void hovered(const QString& words);

protected:
    void paintContent(QPainter& painter, QSize size) const override;
    void reportChanged() override;
    void selectionChanged() override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void invalidate();
    void selectItem(int item);
    void hoverAt(QPointF point);
    void cancelDrag();
    void stepEdge(int by);
    void nudgeEdge(int steps);
    bool showTip(QPoint point, QPoint global);
    QString describe(const addressmap::Item& item) const;

    addressmap::Content m_content;
    mutable addressmap::Geometry m_geometry;
    mutable QSize m_laidOutFor;
    mutable ViewRange m_view;
    addressmap::EdgeTool m_tool;
    std::int64_t m_snap = 1024;
    int m_hoveredEdge = -1, m_focusedEdge = -1;
    bool m_panning = false;
    QPointF m_lastPoint;
};

} // namespace poolwright::widgets

Q_DECLARE_METATYPE(poolwright::PoolId)
Q_DECLARE_METATYPE(poolwright::Address)
