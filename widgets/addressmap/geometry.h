// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/handle.h"
#include "common/viewrange.h"
#include "mpool/pool.h"
#include "report/report.h"

#include <QRectF>
#include <QString>

#include <vector>

/// Where everything of the address map lies, as plain values: no widget, no painter.
namespace poolwright::widgets::addressmap {

/// A physical memory of the device.
struct Bank {
    QString name;
    AddressRange range;
    bool external = false;
};

/// What the map shows. Pools come from the file when there is one (then their edges can be dragged), else from the
/// report.
struct Content {
    std::vector<Bank> banks;
    std::vector<mpool::Pool> pools;
    report::ReportPtr report;
    int epoch = -1; ///< whose buffers are shown; -1: those of the peak
};

enum class Lane { Bank, Pool, Virtual, Buffer };

/// A stretch of addresses drawn as one line of boxes: the chip's own memory (all lanes, zoomable) or one far-apart
/// region (one bar).
struct Strip {
    AddressRange range;
    QString title;
    bool isMain = false;
    QRectF area;
    ViewRange view; ///< in bytes from range.start
    double xOf(Address address) const;
    Address addressAt(double x) const;
    double bytesPerPixel() const { return area.width() > 0 ? view.span() / area.width() : 1; }
};

struct Item {
    Lane lane = Lane::Pool;
    int strip = 0;
    int index = -1; ///< bank, Content::pools, report pool (Virtual; Pool without a file) or report buffer
    int count = 1;  ///< buffers merged into one box because they are narrower than a pixel
    AddressRange range;
    QRectF rect;
    bool enabled = true;
};

/// A pool's border that can be dragged.
struct Edge {
    PoolId pool;
    bool isEnd = false;
    Address address;
    int strip = 0;
    QRectF grip;
    bool sameAs(const Edge& other) const { return pool == other.pool && isEnd == other.isEnd; }
};

/// Two stretches of addresses claimed twice by enabled pools.
struct Conflict {
    int strip = 0;
    AddressRange range;
    QRectF rect;
};

struct Geometry {
    double labelWidth = 0;
    std::vector<Strip> strips; ///< main strip first
    std::vector<Item> items;
    std::vector<Edge> edges;
    std::vector<Conflict> conflicts;
    double laneTop[4] = {0, 0, 0, 0}, laneHeight = 0;
    double axisTop = 0;

    /// Topmost item under the point, -1 for none.
    int itemAt(QPointF point) const;
    /// Edge within reach of the point, -1 for none; with two at one place the one whose pool lies under the point.
    int edgeAt(QPointF point) const;
};

/// Groups banks and pools into stretches separated by more than 16 MiB; the one with most enabled internal pools is the
/// main one.
std::vector<Strip> findStrips(const Content& content);

/// Lays everything out for that size. `lineHeight` is the font's; `mainView` the zoom of the main strip (its limits are
/// set here).
Geometry layOut(const Content& content, QSizeF size, double lineHeight, ViewRange& mainView);

/// The epoch whose buffers are shown.
int shownEpoch(const Content& content);

/// `address` on the grid, or on the nearest of `magnets` when one is within `reach` bytes.
Address snapped(Address address, std::int64_t grid, const std::vector<Address>& magnets, std::int64_t reach);

} // namespace poolwright::widgets::addressmap
