// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/report.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace poolwright::widgets {

/// One figure of the strip: what it is, how it differs from the saved state, and whether that is better.
struct Figure {
    enum class Mood { Neutral, Good, Bad };
    QString value;
    QString difference; ///< empty when there is nothing to compare with
    QString tip;
    Mood mood = Mood::Neutral, differenceMood = Mood::Neutral;
};

/// The figures of a report against a baseline (may be null): verdict, time, spill, internal peak, epochs, weights.
std::vector<Figure> figuresOf(const report::Report& report, const report::Report* baseline);

/// The strip that always says whether the network fits.
class VerdictStrip : public QWidget {
    Q_OBJECT
public:
    explicit VerdictStrip(QWidget* parent = nullptr);

    void setReport(const report::ReportPtr& report, const report::ReportPtr& baseline);
    /// Small remark at the right: "re-planned in 9 ms".
    void setRemark(const QString& remark);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Chip {
        QRect rect;
        int figure = 0;
    };
    std::vector<Chip> chips(int width) const;
    int heightFor(int width) const;
    void resizeEvent(QResizeEvent* event) override;

    std::vector<Figure> m_figures;
    QString m_remark;
};

} // namespace poolwright::widgets
