// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/viewrange.h"
#include "report/report.h"

#include <QRectF>

#include <vector>

/// Epochs x addresses and the time of each epoch as plain values.
namespace poolwright::widgets::timeline {

/// One stretch of addresses drawn without a gap; empty address space between stretches takes no room on the screen.
struct Band {
    AddressRange range;
    double top = 0, height = 0;
};

/// A buffer's rectangle, or the outline of several that are too small to tell apart.
struct Box {
    int buffer = -1;
    int count = 1;
    QRectF rect;
};

/// Share of an epoch's time by what it waits for, in milliseconds.
struct EpochTime {
    double compute = 0, memory = 0, software = 0;
    double total() const { return compute + memory + software; }
};

/// Buffers that are drawn, sorted once per report by address; laying out for a zoom only walks them.
class Index {
public:
    explicit Index(const report::ReportPtr& report = {});

    const report::ReportPtr& report() const { return m_report; }
    const std::vector<int>& byAddress() const { return m_byAddress; }
    const std::vector<AddressRange>& stretches() const { return m_stretches; }
    const std::vector<EpochTime>& times() const { return m_times; }
    const std::vector<std::int64_t>& liveBytes() const { return m_liveBytes; }
    double longestEpoch() const { return m_longest; }
    int epochCount() const { return int(m_times.size()); }

private:
    void collectBuffers();
    void collectTimes();
    void collectLiveBytes();

    report::ReportPtr m_report;
    std::vector<int> m_byAddress;
    std::vector<AddressRange> m_stretches;
    std::vector<EpochTime> m_times;
    std::vector<std::int64_t> m_liveBytes;
    double m_longest = 0;
};

EpochTime timeOf(const report::Report& report, const report::Epoch& epoch);

struct Geometry {
    QRectF map, live, bars; ///< addresses, live bytes, time
    std::vector<Band> bands;
    std::vector<Box> boxes;
    ViewRange epochs; ///< the x axis; epoch n covers n to n + 1

    double xOf(double epoch) const { return epochs.toPixel(epoch, map.left(), map.width()); }
    int epochAt(double x) const;
    int boxAt(QPointF point) const;
    /// Where a buffer lies, also one that is merged into a box with others; null when it is out of sight.
    QRectF rectOf(const report::Buffer& buffer) const;
};

Geometry layOut(const Index& index, QSizeF size, double lineHeight, ViewRange& epochs);

} // namespace poolwright::widgets::timeline
