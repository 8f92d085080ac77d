// SPDX-License-Identifier: Apache-2.0
#include "addressmap/geometry.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace poolwright::widgets::addressmap {

static constexpr std::int64_t farApart = 16 * 1024 * 1024;
static constexpr std::uint64_t firstExternal = 0x60000000;
static constexpr double gripReach = 4;

double Strip::xOf(Address address) const {
    const double offset = double(address.value) - double(range.start.value);
    return view.toPixel(offset, area.left(), area.width());
}

Address Strip::addressAt(double x) const {
    const double offset = view.toValue(x, area.left(), area.width());
    return range.start + ByteCount(std::int64_t(std::llround(std::clamp(offset, 0.0, double(range.size.value)))));
}

int Geometry::itemAt(QPointF point) const {
    for (int i = int(items.size()) - 1; i >= 0; --i)
        if (items[std::size_t(i)].rect.contains(point))
            return i;
    return -1;
}

int Geometry::edgeAt(QPointF point) const {
    int best = -1;
    for (int i = 0; i < int(edges.size()); ++i) {
        const Edge& edge = edges[std::size_t(i)];
        if (!edge.grip.contains(point))
            continue;
        const bool onOwnSide = edge.isEnd == (point.x() < edge.grip.center().x());
        if (best < 0 || onOwnSide)
            best = i;
    }
    return best;
}

int shownEpoch(const Content& content) {
    if (!content.report)
        return -1;
    const int epochs = int(content.report->epochs.size());
    return content.epoch >= 0 && content.epoch < epochs ? content.epoch : content.report->totals.peakEpoch;
}

static bool isAbsolute(const mpool::Pool& pool) {
    return pool.mode == mpool::UseMode::Absolute;
}

/// Pools of an absurd size (the vendor's 2^63 - 32 parameter pool) or without an address have no place on the axis.
static bool hasPlace(const AddressRange& range) {
    return range.size.value >= 0 && range.size.value <= (std::int64_t(1) << 32) &&
           range.start.value < (std::uint64_t(1) << 33);
}

static std::vector<AddressRange> allRanges(const Content& content) {
    std::vector<AddressRange> ranges;
    for (const Bank& bank : content.banks)
        ranges.push_back(bank.range);
    for (const mpool::Pool& pool : content.pools)
        if (isAbsolute(pool) && hasPlace(pool.range()))
            ranges.push_back(pool.range());
    if (content.report && content.pools.empty())
        for (const auto& pool : content.report->pools)
            if (!pool.isVirtual && !pool.relative && hasPlace({pool.address, pool.size}) && pool.size.value > 0)
                ranges.push_back({pool.address, pool.size});
    std::sort(ranges.begin(), ranges.end());
    return ranges;
}

static int enabledPoolsIn(const Content& content, const AddressRange& range) {
    int count = 0;
    for (const auto& pool : content.pools)
        count += pool.isEnabled() && range.contains(pool.range());
    if (content.report && content.pools.empty())
        for (const auto& pool : content.report->pools)
            count += !pool.isVirtual && range.contains(pool.address);
    return count;
}

static QString stripTitle(const Content& content, const AddressRange& range) {
    QString title;
    const auto add = [&title](const QString& name) { title += (title.isEmpty() ? "" : " · ") + name; };
    for (const auto& pool : content.pools)
        if (isAbsolute(pool) && range.contains(pool.range().start))
            add(QString::fromStdString(pool.name));
    if (content.pools.empty() && content.report)
        for (const auto& pool : content.report->pools)
            if (!pool.isVirtual && !pool.relative && range.contains(pool.address))
                add(QString::fromStdString(pool.name));
    for (const Bank& bank : content.banks)
        if (title.isEmpty() && range.contains(bank.range))
            add(bank.name);
    return title;
}

std::vector<Strip> findStrips(const Content& content) {
    std::vector<Strip> strips;
    for (const AddressRange& range : allRanges(content)) {
        const bool joins = !strips.empty() && (range.start.value < strips.back().range.end().value + farApart) &&
                           (range.start.value < firstExternal) == (strips.back().range.start.value < firstExternal);
        if (!joins) {
            strips.emplace_back().range = range;
        } else if (range.end() > strips.back().range.end()) {
            strips.back().range.size = range.end() - strips.back().range.start;
        }
    }
    std::stable_sort(strips.begin(), strips.end(), [&](const Strip& a, const Strip& b) {
        const auto rank = [&](const Strip& s) {
            return std::pair(s.range.start.value >= firstExternal, -enabledPoolsIn(content, s.range));
        };
        return rank(a) < rank(b);
    });
    std::erase_if(strips,
                  [&](const Strip& s) { return &s != &strips.front() && stripTitle(content, s.range).isEmpty(); });
    for (Strip& strip : strips)
        strip.title = stripTitle(content, strip.range);
    if (!strips.empty())
        strips.front().isMain = true;
    return strips;
}

namespace {

/// Fills a Geometry step by step; lives for one call of layOut().
class Layouter {
public:
    Layouter(const Content& content, Geometry& geometry)
        : m_content(content)
        , m_g(geometry) {}

    void placeStrips(QSizeF size, double lineHeight, ViewRange& mainView);
    void addBanks();
    void addPools();
    void addReportPools();
    void addVirtualPools();
    void addBuffers();
    void addConflicts();

private:
    int stripOf(Address address) const;
    QRectF rectFor(int strip, Lane lane, const AddressRange& range) const;
    void addItem(Lane lane, int index, const AddressRange& range, bool enabled = true);
    void addEdges(PoolId pool, const AddressRange& range);
    void addMerged(int buffer, const AddressRange& range, std::vector<int>& lastOfStrip);
    AddressRange ghostOf(const mpool::Pool& pool) const;

    const Content& m_content;
    Geometry& m_g;
};

void Layouter::placeStrips(QSizeF size, double lineHeight, ViewRange& mainView) {
    m_g.strips = findStrips(m_content);
    if (m_g.strips.empty())
        return;
    m_g.labelWidth = lineHeight * 5.2;
    const double left = m_g.labelWidth + 4, width = std::max(40.0, size.width() - left - 14);
    const double barHeight = lineHeight + 8, barGap = 6;
    const double bars = double(m_g.strips.size() - 1) * (barHeight + barGap);
    m_g.axisTop = 6;
    const double lanesTop = m_g.axisTop + lineHeight + 8;
    const double free = size.height() - lanesTop - bars - 10;
    m_g.laneHeight = std::clamp(free / 4 - 6, lineHeight + 2, lineHeight * 3);
    const double share[4] = {0.75, 1.15, 0.75, 1.35}; // of the mean height: banks and groups are thin, buffers tall
    double y = lanesTop;
    for (int lane = 0; lane < 4; ++lane) {
        m_g.laneTop[lane] = y;
        y += m_g.laneHeight * share[lane] + 6;
    }
    Strip& main = m_g.strips.front();
    mainView.narrowest = 256;
    mainView.setLimits(0, double(main.range.size.value));
    main.view = mainView;
    main.area = QRectF(left, lanesTop, width, y - lanesTop - 6);
    y += 4;
    for (std::size_t i = 1; i < m_g.strips.size(); ++i, y += barHeight + barGap) {
        Strip& strip = m_g.strips[i];
        strip.area = QRectF(left, y, width, barHeight);
        strip.view.setLimits(0, double(strip.range.size.value));
        strip.view.fit();
    }
}

int Layouter::stripOf(Address address) const {
    for (int i = 0; i < int(m_g.strips.size()); ++i) {
        const AddressRange& range = m_g.strips[std::size_t(i)].range;
        if (range.start <= address && address <= range.end())
            return i;
    }
    return -1;
}

QRectF Layouter::rectFor(int stripIndex, Lane lane, const AddressRange& range) const {
    const Strip& strip = m_g.strips[std::size_t(stripIndex)];
    const double x0 = std::max(strip.xOf(range.start), strip.area.left());
    const double x1 = std::min(strip.xOf(range.end()), strip.area.right());
    if (x1 < strip.area.left() || x0 > strip.area.right())
        return {};
    if (!strip.isMain) {
        const double inset = lane == Lane::Buffer ? 3 : 0;
        return {x0, strip.area.top() + inset, x1 - x0, strip.area.height() - 2 * inset};
    }
    const int i = int(lane);
    const double bottom = i < 3 ? m_g.laneTop[i + 1] - 6 : strip.area.bottom();
    return {x0, m_g.laneTop[i], x1 - x0, bottom - m_g.laneTop[i]};
}

void Layouter::addItem(Lane lane, int index, const AddressRange& range, bool enabled) {
    const int strip = stripOf(range.start);
    if (strip < 0)
        return;
    const QRectF rect = rectFor(strip, lane, range);
    if (!rect.isNull())
        m_g.items.push_back({lane, strip, index, 1, range, rect, enabled});
}

void Layouter::addBanks() {
    for (int i = 0; i < int(m_content.banks.size()); ++i) {
        const AddressRange& range = m_content.banks[std::size_t(i)].range;
        if (stripOf(range.start) == 0)
            addItem(Lane::Bank, i, range);
    }
}

/// A switched-off pool has no length: show the room from its offset to the end of its bank or to the next pool in use.
AddressRange Layouter::ghostOf(const mpool::Pool& pool) const {
    const Address start = pool.range().start;
    Address end = start;
    for (const Bank& bank : m_content.banks)
        if (bank.range.contains(start))
            end = bank.range.end();
    for (const auto& other : m_content.pools) {
        const AddressRange range = other.range();
        if (other.isEnabled() && range.contains(start))
            return {start, ByteCount(0)};
        if (range.start > start && range.start < end)
            end = range.start;
    }
    return {start, end - start};
}

void Layouter::addEdges(PoolId pool, const AddressRange& range) {
    const int stripIndex = stripOf(range.start);
    if (stripIndex < 0)
        return;
    const Strip& strip = m_g.strips[std::size_t(stripIndex)];
    const QRectF lane = rectFor(stripIndex, Lane::Pool, range);
    for (const bool isEnd : {false, true}) {
        const Address address = isEnd ? range.end() : range.start;
        const double x = strip.xOf(address);
        if (!lane.isNull() && x >= strip.area.left() - 1 && x <= strip.area.right() + 1)
            m_g.edges.push_back({pool, isEnd, address, stripIndex,
                                 QRectF(x - gripReach, lane.top() - 2, 2 * gripReach, lane.height() + 4)});
    }
}

void Layouter::addPools() {
    for (int i = 0; i < int(m_content.pools.size()); ++i) {
        const mpool::Pool& pool = m_content.pools[std::size_t(i)];
        if (!isAbsolute(pool) || !hasPlace(pool.range()))
            continue;
        if (pool.isEnabled()) {
            addItem(Lane::Pool, i, pool.range());
            addEdges(PoolId(i), pool.range());
        } else if (const AddressRange ghost = ghostOf(pool); stripOf(ghost.start) == 0 && !ghost.empty()) {
            addItem(Lane::Pool, i, ghost, false);
        }
    }
}

void Layouter::addReportPools() {
    for (int i = 0; i < int(m_content.report->pools.size()); ++i) {
        const auto& pool = m_content.report->pools[std::size_t(i)];
        if (!pool.isVirtual && !pool.relative && hasPlace({pool.address, pool.size}) && pool.size.value > 0)
            addItem(Lane::Pool, i, {pool.address, pool.size});
    }
}

void Layouter::addVirtualPools() {
    for (int i = 0; i < int(m_content.report->pools.size()); ++i) {
        const auto& pool = m_content.report->pools[std::size_t(i)];
        if (pool.isVirtual && stripOf(pool.address) == 0)
            addItem(Lane::Virtual, i, {pool.address, pool.size});
    }
}

void Layouter::addMerged(int buffer, const AddressRange& range, std::vector<int>& lastOfStrip) {
    const int strip = stripOf(range.start);
    if (strip < 0)
        return;
    const QRectF rect = rectFor(strip, Lane::Buffer, range);
    if (rect.isNull())
        return;
    int& last = lastOfStrip[std::size_t(strip)];
    if (last >= 0 && rect.width() < 1 && m_g.items[std::size_t(last)].rect.right() > rect.left() - 1) {
        Item& previous = m_g.items[std::size_t(last)];
        previous.rect.setRight(std::max(previous.rect.right(), rect.right()));
        previous.range.size = std::max(previous.range.end(), range.end()) - previous.range.start;
        ++previous.count;
        return;
    }
    last = int(m_g.items.size());
    m_g.items.push_back({Lane::Buffer, strip, buffer, 1, range, rect, true});
    m_g.items.back().rect.setWidth(std::max(1.0, rect.width()));
}

void Layouter::addBuffers() {
    const auto& buffers = m_content.report->buffers;
    const int epoch = shownEpoch(m_content);
    std::vector<int> order;
    for (int i = 0; i < int(buffers.size()); ++i) {
        const auto& buffer = buffers[std::size_t(i)];
        const bool shown = buffer.isWeights() || buffer.live.contains(epoch);
        const int pool = buffer.pool;
        if (shown && pool >= 0 && !m_content.report->pools[std::size_t(pool)].relative && buffer.aliasOf < 0)
            order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        return std::pair(buffers[std::size_t(a)].address, a) < std::pair(buffers[std::size_t(b)].address, b);
    });
    std::vector<int> lastOfStrip(m_g.strips.size(), -1);
    for (const int i : order)
        addMerged(i, {buffers[std::size_t(i)].address, buffers[std::size_t(i)].size}, lastOfStrip);
}

void Layouter::addConflicts() {
    std::vector<AddressRange> ranges;
    for (const auto& pool : m_content.pools)
        if (pool.isEnabled() && isAbsolute(pool) && hasPlace(pool.range()))
            ranges.push_back(pool.range());
    std::sort(ranges.begin(), ranges.end());
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        const AddressRange& before = ranges[i - 1];
        if (!before.overlaps(ranges[i]))
            continue;
        const AddressRange both{ranges[i].start, std::min(before.end(), ranges[i].end()) - ranges[i].start};
        const int strip = stripOf(both.start);
        if (strip >= 0)
            m_g.conflicts.push_back({strip, both, rectFor(strip, Lane::Pool, both)});
    }
}

} // namespace

Geometry layOut(const Content& content, QSizeF size, double lineHeight, ViewRange& mainView) {
    Geometry geometry;
    Layouter layouter(content, geometry);
    layouter.placeStrips(size, lineHeight, mainView);
    if (geometry.strips.empty())
        return geometry;
    layouter.addBanks();
    if (!content.pools.empty())
        layouter.addPools();
    else if (content.report)
        layouter.addReportPools();
    if (content.report) {
        layouter.addVirtualPools();
        layouter.addBuffers();
    }
    layouter.addConflicts();
    return geometry;
}

Address snapped(Address address, std::int64_t grid, const std::vector<Address>& magnets, std::int64_t reach) {
    const std::int64_t value = std::int64_t(address.value);
    const std::int64_t step = std::max<std::int64_t>(1, grid);
    Address best(std::uint64_t((value + step / 2) / step * step));
    std::int64_t nearest = reach + 1;
    for (const Address magnet : magnets) {
        const std::int64_t distance = std::llabs(std::int64_t(magnet.value) - value);
        if (distance < nearest) {
            nearest = distance;
            best = magnet;
        }
    }
    return best;
}

} // namespace poolwright::widgets::addressmap
