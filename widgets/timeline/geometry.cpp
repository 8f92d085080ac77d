// SPDX-License-Identifier: Apache-2.0
#include "timeline/geometry.h"

#include "common/figures.h"

#include <algorithm>
#include <cmath>

namespace poolwright::widgets::timeline {

Index::Index(const report::ReportPtr& report)
    : m_report(report) {
    if (!report)
        return;
    collectBuffers();
    collectTimes();
    collectLiveBytes();
}

/// Constants live from the first epoch to the last: they would paint the whole width and tell nothing.
static bool isDrawn(const report::Report& report, const report::Buffer& buffer) {
    return !buffer.isWeights() && buffer.placed() && buffer.aliasOf < 0 && buffer.size.value > 0 &&
           !report.pools[std::size_t(buffer.pool)].relative;
}

void Index::collectBuffers() {
    const auto& buffers = m_report->buffers;
    for (int i = 0; i < int(buffers.size()); ++i)
        if (isDrawn(*m_report, buffers[std::size_t(i)]))
            m_byAddress.push_back(i);
    std::sort(m_byAddress.begin(), m_byAddress.end(), [&](int a, int b) {
        const auto &x = buffers[std::size_t(a)], &y = buffers[std::size_t(b)];
        return std::tuple(x.address, x.live, a) < std::tuple(y.address, y.live, b);
    });
    constexpr std::int64_t gap = 128 * 1024;
    for (const int i : m_byAddress) {
        const AddressRange range{buffers[std::size_t(i)].address, buffers[std::size_t(i)].size};
        if (m_stretches.empty() || range.start.value > m_stretches.back().end().value + gap)
            m_stretches.push_back(range);
        else if (range.end() > m_stretches.back().end())
            m_stretches.back().size = range.end() - m_stretches.back().start;
    }
}

EpochTime timeOf(const report::Report& report, const report::Epoch& epoch) {
    EpochTime time;
    const double total = epochMilliseconds(report, epoch);
    if (epoch.kind == "SW") {
        time.software = total;
        return time;
    }
    const double share = epoch.vendorCycles > 0 ? double(epoch.computeCycles) / double(epoch.vendorCycles) : 1;
    time.compute = total * std::clamp(share, 0.0, 1.0);
    time.memory = total - time.compute;
    return time;
}

void Index::collectTimes() {
    for (const auto& epoch : m_report->epochs) {
        m_times.push_back(timeOf(*m_report, epoch));
        m_longest = std::max(m_longest, m_times.back().total());
    }
}

void Index::collectLiveBytes() {
    m_liveBytes.assign(m_report->epochs.size() + 1, 0);
    const int last = int(m_report->epochs.size()) - 1;
    for (const auto& buffer : m_report->buffers) {
        if (buffer.isWeights() || buffer.aliasOf >= 0 || buffer.live.first > last || last < 0)
            continue;
        m_liveBytes[std::size_t(std::clamp(buffer.live.first, 0, last))] += buffer.size.value;
        m_liveBytes[std::size_t(std::clamp(buffer.live.last, 0, last)) + 1] -= buffer.size.value;
    }
    for (std::size_t i = 1; i < m_liveBytes.size(); ++i)
        m_liveBytes[i] += m_liveBytes[i - 1];
    m_liveBytes.pop_back();
}

int Geometry::epochAt(double x) const {
    const double value = epochs.toValue(x, map.left(), map.width());
    return std::clamp(int(std::floor(value)), int(epochs.low), std::max(int(epochs.low), int(epochs.high) - 1));
}

int Geometry::boxAt(QPointF point) const {
    for (int i = int(boxes.size()) - 1; i >= 0; --i)
        if (boxes[std::size_t(i)].rect.contains(point))
            return i;
    return -1;
}

/// Half of the height is shared equally, half by size: a small busy memory stays readable beside a large one.
static void placeBands(const Index& index, Geometry& g) {
    const auto& stretches = index.stretches();
    if (stretches.empty())
        return;
    const double gap = 8, count = double(stretches.size());
    const double free = std::max(10.0 * count, g.map.height() - gap * (count - 1));
    const double least = free / (2 * count);
    std::int64_t total = 0;
    for (const AddressRange& range : stretches)
        total += range.size.value;
    const double shared = free - least * count;
    double y = g.map.bottom();
    for (const AddressRange& range : stretches) { // low addresses below
        const double height = least + shared * double(range.size.value) / double(std::max<std::int64_t>(1, total));
        g.bands.push_back({range, y - height, height});
        y -= height + gap;
    }
}

QRectF Geometry::rectOf(const report::Buffer& buffer) const {
    const auto holds = [&](const Band& band) { return band.range.contains(buffer.address); };
    const auto band = std::find_if(bands.begin(), bands.end(), holds);
    if (band == bands.end() || buffer.live.last + 1 < epochs.first || buffer.live.first > epochs.last)
        return {};
    const double scale = band->height / double(band->range.size.value);
    const double bottom = band->top + band->height - double((buffer.address - band->range.start).value) * scale;
    const double left = std::max(map.left(), xOf(buffer.live.first));
    const double right = std::min(map.right(), xOf(buffer.live.last + 1));
    const double height = std::max(0.5, double(buffer.size.value) * scale);
    return {left, bottom - height, std::max(0.5, right - left), height};
}

namespace {

/// Boxes narrower than a pixel join the box below them in the same pixel column when they touch it: what could not be
/// told apart is painted once. Relies on boxes coming by ascending address, which is upwards.
class ColumnMerger {
public:
    explicit ColumnMerger(Geometry& g)
        : m_g(g)
        , m_last(std::size_t(g.map.width()) + 2, -1) {}

    void add(int buffer, const QRectF& rect) {
        if (rect.width() >= 1.5) {
            m_g.boxes.push_back({buffer, 1, rect});
            return;
        }
        int& last = m_last[std::size_t(std::clamp(rect.left() - m_g.map.left(), 0.0, m_g.map.width()))];
        if (last >= 0 && rect.bottom() >= m_g.boxes[std::size_t(last)].rect.top() - 0.5) {
            Box& box = m_g.boxes[std::size_t(last)];
            box.rect = box.rect.united(rect);
            ++box.count;
            return;
        }
        last = int(m_g.boxes.size());
        m_g.boxes.push_back({buffer, 1, rect});
    }

private:
    Geometry& m_g;
    std::vector<int> m_last; ///< newest narrow box of each pixel column
};

} // namespace

static void placeBoxes(const Index& index, Geometry& g) {
    ColumnMerger merger(g);
    for (const int i : index.byAddress())
        if (const QRectF rect = g.rectOf(index.report()->buffers[std::size_t(i)]); !rect.isNull())
            merger.add(i, rect);
}

Geometry layOut(const Index& index, QSizeF size, double lineHeight, ViewRange& epochs) {
    Geometry g;
    const double left = lineHeight * 6.2, right = size.width() - 12, top = lineHeight + 8;
    const double axis = lineHeight + 4;
    const double body = std::max(60.0, size.height() - top - axis - 16);
    g.map = QRectF(left, top, std::max(40.0, right - left), body * 0.62);
    g.live = QRectF(left, g.map.bottom() + 8, g.map.width(), body * 0.13);
    g.bars = QRectF(left, g.live.bottom() + 8, g.map.width(), body * 0.25);
    epochs.narrowest = 4;
    epochs.setLimits(0, std::max(1, index.epochCount()));
    g.epochs = epochs;
    if (index.report()) {
        placeBands(index, g);
        placeBoxes(index, g);
    }
    return g;
}

} // namespace poolwright::widgets::timeline
