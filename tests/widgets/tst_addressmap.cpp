// SPDX-License-Identifier: Apache-2.0
#include "addressmap/edgetool.h"
#include "addressmap/geometry.h"
#include "support/shared.h"

using namespace poolwright;
using namespace poolwright::widgets;
using namespace poolwright::widgets::addressmap;

namespace {

mpool::Pool pool(const char* name, std::uint64_t start, std::int64_t size) {
    mpool::Pool p;
    p.name = name;
    p.offset.bytes = std::int64_t(start);
    p.size.bytes = size;
    return p;
}

/// Two touching internal pools of 0x1000 and 0x3000 bytes, one switched off, and flash far away.
Content sample() {
    Content content;
    content.banks = {{"A", {Address(0x34000000), ByteCount(0x4000)}},
                     {"F", {Address(0x70000000), ByteCount(0x100000)}, true}};
    content.pools = {pool("low", 0x34000000, 0x1000), pool("high", 0x34001000, 0x3000), pool("off", 0x34000000, 0),
                     pool("flash", 0x70000000, 0x10000)};
    return content;
}

Geometry laidOut(const Content& content, QSizeF size = {1000, 400}) {
    ViewRange view;
    return layOut(content, size, 16, view);
}

const Item* find(const Geometry& g, Lane lane, int index) {
    for (const Item& item : g.items)
        if (item.lane == lane && item.index == index)
            return &item;
    return nullptr;
}

} // namespace

class TestAddressMap : public QObject {
    Q_OBJECT

private slots:
    void stripsAreFarApartRegions() {
        const auto strips = findStrips(sample());
        QCOMPARE(strips.size(), std::size_t(2));
        QVERIFY(strips[0].isMain);
        QCOMPARE(strips[0].range.start, Address(0x34000000));
        QCOMPARE(strips[0].range.size, ByteCount(0x4000));
        QCOMPARE(strips[1].range.start, Address(0x70000000));
        QCOMPARE(strips[1].title, QString("flash"));
    }

    void pixelsAndAddresses_data() {
        QTest::addColumn<double>("share"); // of the main strip's width
        QTest::addColumn<quint64>("address");
        QTest::newRow("start") << 0.0 << quint64(0x34000000);
        QTest::newRow("quarter") << 0.25 << quint64(0x34001000);
        QTest::newRow("half") << 0.5 << quint64(0x34002000);
        QTest::newRow("end") << 1.0 << quint64(0x34004000);
        QTest::newRow("left of everything") << -0.5 << quint64(0x34000000);
        QTest::newRow("right of everything") << 1.5 << quint64(0x34004000);
    }
    void pixelsAndAddresses() {
        QFETCH(double, share);
        QFETCH(quint64, address);
        const Geometry g = laidOut(sample());
        const Strip& strip = g.strips.front();
        const double x = strip.area.left() + share * strip.area.width();
        QCOMPARE(strip.addressAt(x), Address(address));
        if (share >= 0 && share <= 1)
            QVERIFY(std::abs(strip.xOf(Address(address)) - x) < 0.01);
    }

    void poolsAreProportional() {
        const Geometry g = laidOut(sample());
        const Item *low = find(g, Lane::Pool, 0), *high = find(g, Lane::Pool, 1);
        QVERIFY(low && high);
        QVERIFY(std::abs(low->rect.width() * 3 - high->rect.width()) < 0.01);
        QVERIFY(std::abs(low->rect.right() - high->rect.left()) < 0.01);
    }

    void switchedOffPoolInUsedRoomIsNotDrawn() { QVERIFY(!find(laidOut(sample()), Lane::Pool, 2)); }

    void switchedOffPoolShowsItsFreeRoom() {
        Content content = sample();
        content.pools[0].size.bytes = 0;
        const Item* item = find(laidOut(content), Lane::Pool, 0);
        QVERIFY(item);
        QVERIFY(!item->enabled);
        QCOMPARE(item->range.size, ByteCount(0x1000)); // up to the next pool in use
    }

    void sharedEdgeBelongsToTheSideOfThePointer() {
        const Geometry g = laidOut(sample());
        const double x = g.strips[0].xOf(Address(0x34001000)), y = find(g, Lane::Pool, 0)->rect.center().y();
        const int left = g.edgeAt({x - 2, y}), right = g.edgeAt({x + 2, y});
        QCOMPARE(g.edges[std::size_t(left)].pool, PoolId(0));
        QVERIFY(g.edges[std::size_t(left)].isEnd);
        QCOMPARE(g.edges[std::size_t(right)].pool, PoolId(1));
        QVERIFY(!g.edges[std::size_t(right)].isEnd);
        QCOMPARE(g.edgeAt({x + 40, y}), -1);
    }

    void overlapIsAConflict() {
        Content content = sample();
        QVERIFY(laidOut(content).conflicts.empty());
        content.pools[0].size.bytes = 0x1800;
        const Geometry g = laidOut(content);
        QCOMPARE(g.conflicts.size(), std::size_t(1));
        QCOMPARE(g.conflicts[0].range, (AddressRange{Address(0x34001000), ByteCount(0x800)}));
    }

    void tinyBuffersAreMerged() {
        auto report = std::make_shared<report::Report>();
        report->pools.resize(1);
        report->pools[0].address = Address(0x34000000);
        report->epochs.resize(3);
        for (int i = 0; i < 4096; ++i) {
            report::Buffer buffer;
            buffer.pool = 0;
            buffer.address = Address(0x34000000u + unsigned(i) * 4);
            buffer.size = ByteCount(4);
            buffer.live = {0, 2};
            report->buffers.push_back(buffer);
        }
        Content content = sample();
        content.report = report;
        content.epoch = 1;
        const Geometry g = laidOut(content);
        int boxes = 0, buffers = 0;
        for (const Item& item : g.items)
            if (item.lane == Lane::Buffer) {
                ++boxes;
                buffers += item.count;
            }
        QCOMPARE(buffers, 4096);
        QVERIFY2(boxes <= 1000, qPrintable(QString::number(boxes)));
    }

    void absurdPoolsAreLeftOut() {
        Content content = sample();
        content.pools.push_back(pool("ec params pool", 0, 9223372036854775776ll));
        QCOMPARE(findStrips(content).size(), std::size_t(2));
    }

    void nothingToShow() { QVERIFY(laidOut({}).strips.empty()); }

    void snapping_data() {
        QTest::addColumn<quint64>("address");
        QTest::addColumn<int>("grid");
        QTest::addColumn<quint64>("expected");
        QTest::newRow("down to the grid") << quint64(0x1010) << 0x100 << quint64(0x1000);
        QTest::newRow("up to the grid") << quint64(0x10C0) << 0x100 << quint64(0x1100);
        QTest::newRow("a magnet wins within reach") << quint64(0x2005) << 0x1000 << quint64(0x2009);
        QTest::newRow("no grid") << quint64(0x1011) << 1 << quint64(0x1011);
    }
    void snapping() {
        QFETCH(quint64, address);
        QFETCH(int, grid);
        QFETCH(quint64, expected);
        QCOMPARE(snapped(Address(address), grid, {Address(0x2009)}, 8), Address(expected));
    }

    void toolKnowsWhetherItMoved() {
        EdgeTool tool;
        QVERIFY(!tool.moveTo(Address(5)));
        tool.begin({PoolId(0), false, Address(0x1000), 0, {}});
        QVERIFY(tool.isActive() && !tool.hasMoved());
        QVERIFY(tool.moveTo(Address(0x1100)));
        QVERIFY(!tool.moveTo(Address(0x1100)));
        QVERIFY(tool.hasMoved());
        tool.moveTo(Address(0x1000));
        QVERIFY(!tool.hasMoved());
        tool.end();
        QVERIFY(!tool.isActive());
    }

    void zoomKeepsTheValueUnderThePointer() {
        ViewRange view;
        view.narrowest = 10;
        view.setLimits(0, 1000);
        const double before = view.toPixel(300, 0, 500);
        view.zoomAt(300, 4);
        QVERIFY(std::abs(view.toPixel(300, 0, 500) - before) < 1e-9);
        view.zoomAt(300, 1e9);
        QCOMPARE(view.span(), 10.0);
        view.zoomAt(300, 1e-9);
        QVERIFY(view.isFit());
        view.panBy(50);
        QVERIFY(view.isFit());
    }
};

QTEST_APPLESS_MAIN(TestAddressMap)
#include "tst_addressmap.moc"
