// SPDX-License-Identifier: Apache-2.0
#include "common/verdictstrip.h"

#include "common/figures.h"
#include "common/format.h"
#include "common/palette.h"

#include <QHelpEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QToolTip>

namespace poolwright::widgets {

using report::Report;

static Figure::Mood lessIsBetter(double difference) {
    return difference == 0 ? Figure::Mood::Neutral : difference < 0 ? Figure::Mood::Good : Figure::Mood::Bad;
}

static Figure verdict(const Report& report) {
    if (report.fits)
        return {
            VerdictStrip::tr("FITS"), {}, VerdictStrip::tr("Every buffer has found a place."), Figure::Mood::Good, {}};
    QString tip = VerdictStrip::tr("%n buffer(s) found no place.", nullptr, int(report.unplaced.size()));
    if (report.shortfall.value > 0)
        tip += '\n' + VerdictStrip::tr("The worst epoch lacks %1.").arg(longBytes(report.shortfall));
    for (std::size_t i = 0; i < report.unplaced.size() && i < 5; ++i)
        tip += '\n' + text(report.unplaced[i].name) + ": " + text(report.unplaced[i].reason);
    return {VerdictStrip::tr("DOES NOT FIT"), {}, tip, Figure::Mood::Bad, {}};
}

static Figure timeFigure(const Report& report, const Report* baseline) {
    Figure figure;
    figure.value = milliseconds(networkMilliseconds(report));
    figure.tip =
        VerdictStrip::tr("Estimated time of one inference.\nCalibrated on boards: %1\nVendor's formula: %2 (%3 cycles)")
            .arg(milliseconds(report.totals.calibratedMs), milliseconds(report.totals.vendorMs),
                 grouped(report.totals.vendorCycles));
    if (baseline) {
        const double difference = networkMilliseconds(report) - networkMilliseconds(*baseline);
        figure.difference = signedMilliseconds(difference);
        figure.differenceMood = lessIsBetter(figure.difference == QStringLiteral("±0") ? 0 : difference);
    }
    return figure;
}

static Figure bytesFigure(const QString& label, ByteCount now, const Report* baseline, ByteCount before) {
    Figure figure;
    figure.value = label.arg(text(now));
    if (baseline) {
        figure.difference = signedBytes(now - before);
        figure.differenceMood = lessIsBetter(double(now.value - before.value));
    }
    return figure;
}

static Figure externalFigure(const Report& report, const Report* baseline) {
    const ByteCount now = report.totals.externalActivations;
    Figure figure = bytesFigure(VerdictStrip::tr("external activations %1"), now, baseline,
                                baseline ? baseline->totals.externalActivations : ByteCount());
    figure.mood = now.value == 0 ? Figure::Mood::Good : Figure::Mood::Neutral;
    figure.tip = VerdictStrip::tr("Activation bytes that lie outside the chip, where every access is slow: %1")
                     .arg(longBytes(now));
    return figure;
}

static ByteCount internalCapacity(const Report& report) {
    ByteCount sum;
    for (const auto& pool : report.pools)
        if (!pool.isVirtual && !pool.external && !pool.readOnly)
            sum += pool.size;
    return sum;
}

static Figure peakFigure(const Report& report, const Report* baseline) {
    const ByteCount capacity = internalCapacity(report);
    Figure figure = bytesFigure(VerdictStrip::tr("live peak %1"), report.totals.peakLive, baseline,
                                baseline ? baseline->totals.peakLive : ByteCount());
    figure.value += VerdictStrip::tr(" of %1").arg(text(capacity));
    figure.tip =
        VerdictStrip::tr(
            "Largest sum of activations alive at one epoch (epoch %1): %2\nInternal pools offer %3\nSum over buffers, "
            "whenever they live: %4")
            .arg(QString::number(report.totals.peakEpoch), longBytes(report.totals.peakLive), longBytes(capacity),
                 longBytes(report.totals.sumOverBuffers));
    return figure;
}

static Figure epochsFigure(const Report& report, const Report* baseline) {
    const auto& totals = report.totals;
    Figure figure;
    figure.value =
        VerdictStrip::tr("epochs %1 HW · %2 hybrid · %3 SW").arg(totals.hw).arg(totals.hybrid).arg(totals.sw);
    figure.tip =
        VerdictStrip::tr(
            "%1 epochs run: %2 on the NPU, %3 with help of the CPU, %4 on the CPU alone; %5 epoch-controller blobs")
            .arg(totals.epochs)
            .arg(totals.hw)
            .arg(totals.hybrid)
            .arg(totals.sw)
            .arg(totals.ecBlobs);
    if (baseline)
        figure.difference = signedCount(totals.epochs - baseline->totals.epochs);
    return figure;
}

std::vector<Figure> figuresOf(const Report& report, const Report* baseline) {
    Figure weights = bytesFigure(VerdictStrip::tr("weights %1"), report.totals.weights, baseline,
                                 baseline ? baseline->totals.weights : ByteCount());
    weights.tip = VerdictStrip::tr("Bytes of constants over all pools: %1").arg(longBytes(report.totals.weights));
    return {verdict(report),
            timeFigure(report, baseline),
            externalFigure(report, baseline),
            peakFigure(report, baseline),
            epochsFigure(report, baseline),
            weights};
}

VerdictStrip::VerdictStrip(QWidget* parent)
    : QWidget(parent) {
    setObjectName("verdictStrip");
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(heightFor(1600));
}

void VerdictStrip::setReport(const report::ReportPtr& report, const report::ReportPtr& baseline) {
    m_figures = report ? figuresOf(*report, baseline.get()) : std::vector<Figure>();
    QString spoken;
    for (const auto& figure : m_figures)
        spoken += figure.value + ' ' + figure.difference + "; ";
    setAccessibleName(spoken);
    setFixedHeight(heightFor(width()));
    update();
}

void VerdictStrip::setRemark(const QString& remark) {
    m_remark = remark;
    update();
}

QSize VerdictStrip::sizeHint() const {
    return {900, heightFor(900)};
}

std::vector<VerdictStrip::Chip> VerdictStrip::chips(int width) const {
    const QFontMetrics bold(QFont(font().family(), font().pointSize(), QFont::DemiBold));
    const QFontMetrics plain(font());
    const int height = bold.height() + 10, gap = 8;
    std::vector<Chip> result;
    QPoint at(10, 8);
    for (int i = 0; i < int(m_figures.size()); ++i) {
        const Figure& figure = m_figures[std::size_t(i)];
        int chipWidth = bold.horizontalAdvance(figure.value) + 28;
        if (!figure.difference.isEmpty())
            chipWidth += plain.horizontalAdvance(figure.difference) + 10;
        if (at.x() + chipWidth > width - 10 && at.x() > 10)
            at = {10, at.y() + height + 6};
        result.push_back({QRect(at, QSize(chipWidth, height)), i});
        at.rx() += chipWidth + gap;
    }
    return result;
}

int VerdictStrip::heightFor(int width) const {
    const auto all = chips(width);
    return all.empty() ? fontMetrics().height() + 26 : all.back().rect.bottom() + 9;
}

void VerdictStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    setFixedHeight(heightFor(width()));
}

static QColor moodColour(const Palette& colours, Figure::Mood mood, QColor neutral) {
    return mood == Figure::Mood::Good ? colours.good : mood == Figure::Mood::Bad ? colours.bad : neutral;
}

static void paintChip(QPainter& painter, const Palette& colours, QRect rect, const Figure& figure, const QFont& plain) {
    const QColor tint = moodColour(colours, figure.mood, colours.dim);
    painter.setPen(mixed(tint, colours.panel, 0.35));
    painter.setBrush(mixed(tint, colours.panel, figure.mood == Figure::Mood::Neutral ? 0.03 : 0.12));
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), rect.height() / 2.0, rect.height() / 2.0);
    QFont bold = plain;
    bold.setWeight(QFont::DemiBold);
    const QRect inner = rect.adjusted(14, 0, -14, 0);
    painter.setFont(bold);
    painter.setPen(moodColour(colours, figure.mood, colours.text));
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter, figure.value);
    painter.setFont(plain);
    painter.setPen(moodColour(colours, figure.differenceMood, colours.dim));
    painter.drawText(inner, Qt::AlignRight | Qt::AlignVCenter, figure.difference);
}

void VerdictStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Palette& colours = paletteOf(this);
    painter.fillRect(rect(), colours.window);
    const auto all = chips(width());
    for (const Chip& chip : all)
        paintChip(painter, colours, chip.rect, m_figures[std::size_t(chip.figure)], font());
    const int used = all.empty() ? 10 : all.back().rect.right() + 10;
    painter.setFont(font());
    painter.setPen(colours.dim);
    if (all.empty())
        painter.drawText(rect().adjusted(12, 0, -12, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         m_remark.isEmpty() ? tr("No result yet: open a model and a memory-pool file, then compile.")
                                            : m_remark);
    else if (fontMetrics().horizontalAdvance(m_remark) < width() - used - 12)
        painter.drawText(QRect(used, all.back().rect.top(), width() - used - 12, all.back().rect.height()),
                         Qt::AlignRight | Qt::AlignVCenter, m_remark);
}

bool VerdictStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (const Chip& chip : chips(width()))
        if (chip.rect.contains(help->pos())) {
            QToolTip::showText(help->globalPos(), m_figures[std::size_t(chip.figure)].tip, this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

} // namespace poolwright::widgets
