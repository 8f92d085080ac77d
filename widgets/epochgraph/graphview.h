// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/palette.h"
#include "epochgraph/layout.h"

#include <QAbstractScrollArea>

#include <optional>

namespace poolwright::widgets {

class Selection;

/// The painted column of epochs. Zoomed out, boxes become bars without text.
class GraphView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit GraphView(Selection* selection, QWidget* parent = nullptr);

    void setReport(const report::ReportPtr& report);
    void setMatches(std::vector<int> rows);
    const epochgraph::Layout& layoutNow() const { return m_layout; }
    void paintAll(QPainter& painter, QSize size) const;
    void showEpoch(int epoch);
    enum class ColourBy { Kind, Time, External };
    void setColourBy(ColourBy colourBy);

public slots:
    void zoomBy(double factor);
    void zoomToFit();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    double rowHeight() const;
    double boxLeft() const;
    QRectF boxOf(int row, double width) const;
    int rowAt(QPoint point) const;
    void updateScrollBar();
    void follow(bool producer);
    void step(int by);
    void paintRow(QPainter& painter, int row, double width) const;
    void paintSkips(QPainter& painter, int first, int last) const;
    QColor fillOf(const report::Epoch& epoch, const Palette& colours) const;
    QString describe(int row) const;

    Selection* m_selection;
    report::ReportPtr m_report;
    epochgraph::Layout m_layout;
    std::vector<int> m_matches;
    double m_zoom = 1, m_longest = 0, m_mostExternal = 0;
    ColourBy m_colourBy = ColourBy::Kind;
};

} // namespace poolwright::widgets
