// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <QWidget>

namespace poolwright::widgets {

class Selection;

/// A dockable view of the report. Holds the shared pointer, never a copy.
class Panel : public QWidget {
    Q_OBJECT
public:
    explicit Panel(Selection* selection, QWidget* parent = nullptr);

    void setReport(const report::ReportPtr& report);
    const report::ReportPtr& report() const { return m_report; }
    Selection* selection() const { return m_selection; }

    /// File endings that exportTo() understands, best first.
    virtual QStringList exportFormats() const = 0;
    /// Writes the view; an empty answer means success, otherwise it says what went wrong.
    virtual QString exportTo(const QString& path) const = 0;

protected:
    virtual void reportChanged() = 0;
    virtual void selectionChanged() = 0;

private:
    Selection* m_selection;
    report::ReportPtr m_report;
};

/// A panel painted by hand. Pictures are drawn by the same function as the screen.
class PaintedPanel : public Panel {
    Q_OBJECT
public:
    using Panel::Panel;

    QStringList exportFormats() const override { return {"svg", "png"}; }
    QString exportTo(const QString& path) const override;

protected:
    /// Paints everything into `size`; the painter's font is set.
    virtual void paintContent(QPainter& painter, QSize size) const = 0;
    void paintEvent(QPaintEvent* event) override;
    void reportChanged() override { update(); }
    void selectionChanged() override { update(); }
};

/// Centred title and advice for a view that has nothing to show.
void paintEmptyState(QPainter& painter, QRect area, const QWidget* widget, const QString& title, const QString& advice);

} // namespace poolwright::widgets
