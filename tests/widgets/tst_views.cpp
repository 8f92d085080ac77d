// SPDX-License-Identifier: Apache-2.0
#include "app/fake_compiler.h"

#include "common/format.h"
#include "common/selection.h"
#include "common/verdictstrip.h"
#include "epochgraph/layout.h"
#include "poolinspector/sourceview.h"
#include "problems/problemspanel.h"
#include "recap/recaptext.h"
#include "runs/history.h"
#include "support/shared.h"
#include "tables/columns.h"
#include "tables/tableview.h"
#include "timeline/geometry.h"

#include <QAbstractItemModelTester>
#include <QTableView>

using namespace poolwright;
using namespace poolwright::test;
using namespace poolwright::widgets;

namespace {

mpool::PoolFile pools(std::int64_t npuBytes) {
    mpool::PoolFile file;
    mpool::Pool ram, flash;
    ram.name = "npuRAM";
    ram.offset.bytes = 0x34200000;
    ram.size.bytes = npuBytes;
    flash.name = "flash";
    flash.offset.bytes = 0x70000000;
    flash.size.bytes = 1 << 20;
    flash.properties.rights = mpool::Rights::ReadOnly;
    file.pools = {ram, flash};
    return file;
}

} // namespace

class TestViews : public QObject {
    Q_OBJECT

private slots:
    void formats() {
        QCOMPARE(grouped(1835008), QString("1,835,008"));
        QCOMPARE(shortBytes(ByteCount(458752)), QString("448 KiB"));
        QCOMPARE(shortBytes(ByteCount(1835008)), QString("1.75 MiB"));
        QCOMPARE(shortBytes(ByteCount(37)), QString("37 B"));
        QCOMPARE(longBytes(ByteCount(458752)), QString("458,752 B (448 KiB)"));
        QCOMPARE(rangeText({Address(0x34200000), ByteCount(0x70000)}), QString("0x34200000 – 0x3426FFFF"));
        QCOMPARE(signedBytes(ByteCount(-153600)), QString("−153,600 B"));
        QCOMPARE(signedBytes(ByteCount(0)), QString("±0"));
        QCOMPARE(milliseconds(28.44), QString("28.4 ms"));
    }

    void readsBytes_data() {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<qint64>("bytes"); // -1: refused
        QTest::newRow("plain") << "458752" << qint64(458752);
        QTest::newRow("grouped, with unit") << "458,752 B" << qint64(458752);
        QTest::newRow("KiB") << "448 KiB" << qint64(458752);
        QTest::newRow("k") << "448k" << qint64(458752);
        QTest::newRow("broken number of MiB") << "1.75 MiB" << qint64(1835008);
        QTest::newRow("hexadecimal") << "0x34200000" << qint64(0x34200000);
        QTest::newRow("zero") << "0" << qint64(0);
        QTest::newRow("half a byte") << "0.5" << qint64(-1);
        QTest::newRow("negative") << "-4" << qint64(-1);
        QTest::newRow("words") << "many" << qint64(-1);
        QTest::newRow("unknown unit") << "4 kg" << qint64(-1);
        QTest::newRow("nothing") << "" << qint64(-1);
        QTest::newRow("too large") << "99999999999999 GiB" << qint64(-1);
    }
    void readsBytes() {
        QFETCH(QString, entry);
        QFETCH(qint64, bytes);
        QCOMPARE(parseBytes(entry).value_or(-1), bytes);
    }

    void verdictNamesEveryFigure() {
        const auto before = plannedChain(pools(600000)), after = plannedChain(pools(150000));
        QVERIFY(before->fits && !after->fits);
        const auto figures = figuresOf(*after, before.get());
        QCOMPARE(figures.size(), std::size_t(6));
        QCOMPARE(figures[0].value, QString("DOES NOT FIT"));
        QVERIFY(figures[0].tip.contains("act_"));
        QCOMPARE(figuresOf(*before, nullptr)[0].value, QString("FITS"));
        QVERIFY(figuresOf(*before, nullptr)[1].difference.isEmpty());
        QCOMPARE(figures[5].difference, QString("±0"));
    }

    void models() {
        const auto report = plannedChain(pools(600000));
        for (const auto make : {tables::epochs, tables::buffers, tables::traffic, tables::initialisers}) {
            TableModel model;
            QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
            tables::Table table = make(report);
            model.reset(int(table.rows.size()), table.columns);
            QCOMPARE(model.rowCount(), int(table.rows.size()));
            for (int row = 0; row < model.rowCount(); ++row)
                for (int column = 0; column < model.columnCount(); ++column)
                    model.index(row, column).data();
            model.reset(0, {});
        }
        ProblemsModel problems;
        QAbstractItemModelTester tester(&problems, QAbstractItemModelTester::FailureReportingMode::QtTest);
        problems.reset({makeWarning("PW1", "w"), makeError("PW2", "e", {"f", 3, 4, {}}, "hint")});
        QCOMPARE(problems.index(0).data(ProblemsModel::CodeRole).toString(), QString("PW2")); // errors first
        QCOMPARE(problems.index(0).data(ProblemsModel::PlaceRole).toString(), QString("f:3:4"));
    }

    void numbersSortAsNumbers() {
        const auto report = plannedChain(pools(600000));
        TableView view("");
        tables::Table table = tables::epochs(report);
        view.reset(int(table.rows.size()), table.columns);
        view.view().sortByColumn(4, Qt::DescendingOrder);
        double last = 1e18;
        for (int row = 0; row < view.shownModel().rowCount(); ++row) {
            const double now = view.shownModel().index(row, 4).data(sortRole).toDouble();
            QVERIFY(now <= last);
            last = now;
        }
        QCOMPARE(view.shownModel().index(0, 4).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight,
                 int(Qt::AlignRight));
    }

    void timelineBoxesLieWhereTheBuffersAre() {
        const auto report = plannedChain(pools(600000));
        const timeline::Index index(report);
        ViewRange view;
        const auto g = timeline::layOut(index, {900, 500}, 16, view);
        QCOMPARE(g.boxes.size(), std::size_t(40)); // constants are not drawn
        for (const auto& box : g.boxes) {
            const auto& buffer = report->buffers[std::size_t(box.buffer)];
            QVERIFY(std::abs(box.rect.left() - g.xOf(buffer.live.first)) < 0.01);
            QVERIFY(std::abs(box.rect.right() - g.xOf(buffer.live.last + 1)) < 0.01);
            QCOMPARE(g.boxAt(box.rect.center()) >= 0, true);
        }
        for (std::size_t a = 0; a < g.boxes.size(); ++a) // a legal placement: no two rectangles share an area
            for (std::size_t b = a + 1; b < g.boxes.size(); ++b) {
                const QRectF both = g.boxes[a].rect & g.boxes[b].rect;
                QVERIFY(both.width() < 0.01 || both.height() < 0.01);
            }
        QCOMPARE(g.epochAt(g.xOf(7.5)), 7);
    }

    void fiftyThousandBuffersAreMergedByPixel() {
        auto report = std::make_shared<report::Report>();
        report->pools.resize(1);
        report->epochs.resize(10000);
        for (int i = 0; i < 50000; ++i) { // five at a time, side by side
            report::Buffer buffer;
            buffer.name = "b";
            buffer.kind = "activation";
            buffer.pool = 0;
            buffer.address = Address(0x34200000u + unsigned(i % 5) * 1000);
            buffer.size = ByteCount(1000);
            buffer.live = {i / 5, i / 5};
            report->buffers.push_back(buffer);
        }
        const timeline::Index index(report);
        ViewRange view;
        auto g = timeline::layOut(index, {1600, 900}, 16, view);
        int buffers = 0;
        for (const auto& box : g.boxes)
            buffers += box.count;
        QCOMPARE(buffers, 50000);
        QVERIFY2(int(g.boxes.size()) <= 5 * 1600, qPrintable(QString::number(g.boxes.size())));
        view.show(100, 200); // zoomed in they are apart
        g = timeline::layOut(index, {1600, 900}, 16, view);
        QVERIFY(int(g.boxes.size()) >= 500);
        for (const auto& box : g.boxes)
            QVERIFY(box.count == 1 || box.rect.width() < 3);
    }

    void liveBytesMatchTheReport() {
        const auto report = plannedChain(pools(600000));
        const timeline::Index index(report);
        for (int e = 0; e < int(report->epochs.size()); ++e)
            QCOMPARE(index.liveBytes()[std::size_t(e)], report::liveActivations(*report, e).value);
    }

    void softwareTimeIsItsOwnColour() {
        report::Epoch epoch;
        epoch.kind = "SW";
        epoch.calibratedMs = 2;
        QCOMPARE(timeline::timeOf({}, epoch).software, 2.0);
        epoch.kind = "HW";
        epoch.vendorCycles = 1000;
        epoch.computeCycles = 250;
        QCOMPARE(timeline::timeOf({}, epoch).compute, 0.5);
        QCOMPARE(timeline::timeOf({}, epoch).memory, 1.5);
    }

    void skipsGetLanesOfTheirOwn() {
        const auto report = plannedChain(pools(600000));
        const auto layout = epochgraph::layOut(*report);
        QCOMPARE(layout.nodes.size(), std::size_t(40));
        QVERIFY(!layout.skips.empty());
        for (const auto& a : layout.skips)
            for (const auto& b : layout.skips)
                QVERIFY(&a == &b || a.lane != b.lane || a.toRow <= b.fromRow || b.toRow <= a.fromRow);
    }

    void findsOperatorsEpochsAndOriginals() {
        const auto report = plannedChain(pools(600000));
        const auto layout = epochgraph::layOut(*report);
        QCOMPARE(epochgraph::find(*report, layout, "conv_12"), std::vector<int>{11});
        QCOMPARE(epochgraph::find(*report, layout, "12"), std::vector<int>{11});
        QCOMPARE(epochgraph::find(*report, layout, "/model/conv40"), std::vector<int>{39});
        QVERIFY(epochgraph::find(*report, layout, "nowhere").empty());
    }

    void recapTellsWhy() {
        const auto lines = recap::linesOf(*plannedChain(pools(600000)));
        QCOMPARE(lines.size(), std::size_t(40));
        QCOMPARE(lines[6].mapping, QString("SW"));
        QCOMPARE(lines[6].why, QString("the operator has no hardware mapping"));
        QVERIFY(recap::asText(lines).contains("Conv_7"));
        QCOMPARE(recap::asText(lines).count('\n'), 41);
    }

    void comparisonNamesWhatMoved() {
        const auto a = plannedChain(pools(600000)), b = plannedChain(pools(150000));
        QVERIFY(runs::compare(*a, *a).empty());
        const auto lines = runs::compare(*a, *b);
        QCOMPARE(lines.front().what, QString("fits"));
        QCOMPARE(lines.front().before, QString("yes"));
        QVERIFY(std::any_of(lines.begin(), lines.end(),
                            [](const auto& line) { return line.what.startsWith("buffer act_"); }));
    }

    void historyKeepsPinnedRuns() {
        runs::History history;
        const auto report = plannedChain(pools(600000));
        history.add("first", report, {});
        history.setPinned(0, true);
        for (int i = 0; i < 2 * runs::History::keep; ++i)
            history.add("other", report, {});
        QCOMPARE(int(history.all().size()), runs::History::keep + 1);
        QCOMPARE(history.all().front().title, QString("first"));
    }

    void sourceObjectsAreFoundByBraces() {
        const QString source = "{\n \"a\": [\n  { \"name\": \"x}\",\n    \"p\": { } },\n  { \"name\": \"y\" }\n ]\n}";
        QCOMPARE(linesOfObject(source, 3), 2);
        QCOMPARE(linesOfObject(source, 5), 1);
        QCOMPARE(linesOfObject(source, 1), 7);
    }
};

QTEST_MAIN(TestViews)
#include "tst_views.moc"
