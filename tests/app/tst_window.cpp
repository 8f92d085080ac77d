// SPDX-License-Identifier: Apache-2.0
#include "app/fake_compiler.h"

#include "epochgraph/graphview.h"
#include "mpool/read.h"
#include "support/shared.h"
#include "tables/tableview.h"
#include "window/mainwindow.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>

using namespace poolwright;
using namespace poolwright::test;
using widgets::addressmap::Edge;

namespace {

std::vector<widgets::addressmap::Bank> banks() {
    const auto bank = [](const char* name, std::uint64_t start, std::int64_t size, bool external = false) {
        return widgets::addressmap::Bank{name, {Address(start), ByteCount(size)}, external};
    };
    return {bank("AXISRAM2", 0x34100000, 0x100000), bank("AXISRAM3", 0x34200000, 0x70000),
            bank("AXISRAM4", 0x34270000, 0x70000),  bank("AXISRAM5", 0x342E0000, 0x70000),
            bank("AXISRAM6", 0x34350000, 0x70000),  bank("xSPI2", 0x70000000, 0x10000000, true)};
}

/// Number of stretches in which two texts of equal line count differ, line by line.
int changedLines(const std::string& a, const std::string& b) {
    const QStringList x = QString::fromStdString(a).split('\n'), y = QString::fromStdString(b).split('\n');
    int changed = x.size() == y.size() ? 0 : 1000;
    for (int i = 0; i < std::min(x.size(), y.size()); ++i)
        changed += x[i] != y[i];
    return changed;
}

} // namespace

class TestWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("PoolwrightTest");
        QCoreApplication::setApplicationName("tst_window");
    }

    void init() {
        QSettings().clear();
        m_dir = std::make_unique<QTemporaryDir>();
        write("pools.mpool", poolText());
        write("net.onnx", "not read by the fake");
        m_compiler = std::make_shared<FakeCompiler>();
        m_window = std::make_unique<app::MainWindow>(m_compiler, banks());
        m_window->show();
    }

    void cleanup() {
        m_window.reset();
        m_dir.reset();
    }

    void startsEmpty() {
        QVERIFY(m_window->showsEmptyPage());
        QVERIFY(m_window->findChild<QWidget*>("emptyPage")->isVisible());
        QVERIFY(!m_window->panels().map->isVisible());
    }

    void opensAndCompiles() {
        open();
        QVERIFY(!m_window->showsEmptyPage());
        QVERIFY(m_window->panels().map->isVisible());
        QVERIFY(m_window->document().report()->fits);
        QCOMPARE(m_window->document().baseline(), m_window->document().report());
        QCOMPARE(m_window->panels().runs->history().all().size(), std::size_t(1));
        QVERIFY(m_window->windowTitle().startsWith("net.onnx — pools.mpool"));
    }

    void dragChangesOnePlaceAndUndoRestores() {
        open();
        widgets::AddressMap* map = m_window->panels().map;
        const std::string before = m_window->document().pools().text;
        const int plans = m_compiler->fullPlans;
        QSignalSpy dragged(map, &widgets::AddressMap::edgeDragged), dropped(map, &widgets::AddressMap::edgeDropped);
        const QPoint from = edgePoint("npuRAM6", false);
        QTest::mousePress(map, Qt::LeftButton, {}, from);
        QTest::mouseMove(map, from + QPoint(30, 0));
        QTest::mouseMove(map, from + QPoint(60, 0));
        QCOMPARE(m_window->document().pools().text == before, false); // the preview
        QVERIFY(!m_window->document().isModified());
        QTRY_VERIFY(m_compiler->quickPlans > 0);
        QTest::mouseRelease(map, Qt::LeftButton, {}, from + QPoint(60, 0));
        QVERIFY(dragged.count() >= 1);
        QCOMPARE(dropped.count(), 1);
        QVERIFY(m_window->document().isModified());
        // Start and size of npuRAM6: two values, on its two lines and nowhere else.
        QCOMPARE(changedLines(before, m_window->document().pools().text), 2);
        QTRY_COMPARE(m_compiler->fullPlans.load(), plans + 1);
        QTRY_VERIFY(m_window->document().report() != m_window->document().baseline());
        m_window->commands()[app::CommandId::Undo]->trigger();
        QCOMPARE(m_window->document().pools().text, before);
        QVERIFY(!m_window->document().isModified());
        QTRY_COMPARE(m_compiler->fullPlans.load(), plans + 2);
    }

    void dragOfAnEndChangesTheSizeAlone() {
        open();
        const std::string before = m_window->document().pools().text;
        drag(edgePoint("npuRAM6", true), -40);
        QCOMPARE(changedLines(before, m_window->document().pools().text), 1);
    }

    void pushingIntoANeighbourMovesBothEdges() {
        open();
        drag(edgePoint("npuRAM3", true), 40);
        const auto& file = m_window->document().pools();
        QCOMPARE(file.pools[0].range().end(), file.pools[1].range().start);
        QVERIFY(file.pools[0].range().end() > Address(0x34270000));
    }

    /// An edited document clears its undo stack while it dies; whoever listened to that ran on a half-destroyed window.
    void aClosingWindowHearsNothing() {
        open();
        drag(edgePoint("npuRAM6", true), -40);
        QSignalSpy moved(&m_window->document().undoStack(), &QUndoStack::indexChanged);
        QSignalSpy titled(&m_window->document(), &app::Document::titleChanged);
        m_window.reset();
        QCOMPARE(moved.count(), 0);
        QCOMPARE(titled.count(), 0);
    }

    void escapeCancelsADrag() {
        open();
        widgets::AddressMap* map = m_window->panels().map;
        const std::string before = m_window->document().pools().text;
        QSignalSpy cancelled(map, &widgets::AddressMap::dragCancelled);
        const QPoint from = edgePoint("npuRAM6", false);
        QTest::mousePress(map, Qt::LeftButton, {}, from);
        QTest::mouseMove(map, from + QPoint(50, 0));
        QTest::keyClick(map, Qt::Key_Escape);
        QTest::mouseRelease(map, Qt::LeftButton, {}, from + QPoint(50, 0));
        QCOMPARE(cancelled.count(), 1);
        QCOMPARE(m_window->document().pools().text, before);
        QCOMPARE(m_window->document().undoStack().count(), 0);
    }

    void arrowKeysTakeTheSamePathAndMerge() {
        open();
        widgets::AddressMap* map = m_window->panels().map;
        map->setFocus();
        QSignalSpy dropped(map, &widgets::AddressMap::edgeDropped);
        QTest::keyClick(map, Qt::Key_Down); // start of the first pool
        QTest::keyClick(map, Qt::Key_Right);
        QTest::keyClick(map, Qt::Key_Right);
        QCOMPARE(dropped.count(), 2);
        QCOMPARE(m_window->document().pools().pools[0].range().start, Address(0x34200000 + 2048));
        QCOMPARE(m_window->document().undoStack().count(), 1);
        QCOMPARE(m_window->document().undoStack().undoText(), QString("Move start of npuRAM3"));
    }

    void selectionIsShared() {
        open();
        m_window->panels().graph->view().setFocus();
        m_window->panels().selection.setEpoch(5);
        QCOMPARE(m_window->panels().selection.epoch(), 5);
        QTest::keyClick(&m_window->panels().graph->view(), Qt::Key_Down);
        QCOMPARE(m_window->panels().selection.epoch(), 6);
        auto& table = m_window->panels().tables->tab(0);
        QCOMPARE(table.shownModel().index(table.view().currentIndex().row(), 0).data().toInt(), 6);
        table.view().selectRow(9);
        QCOMPARE(m_window->panels().selection.epoch(), table.shownModel().index(9, 0).data().toInt());
    }

    void brokenPoolFileKeepsTheLastGoodState() {
        open();
        const std::string before = m_window->document().pools().text;
        write("broken.mpool", "{ \"memory\": { \"mempools\": [ { \"name\": 7 } ");
        m_window->openFiles({m_dir->filePath("broken.mpool")});
        QCOMPARE(m_window->document().pools().text, before);
        QVERIFY(m_window->document().report() != nullptr);
        QVERIFY(m_window->panels().problems->count() > 0);
        QVERIFY(m_window->panels().problems->model().at(0).where.line > 0);
    }

    void brokenModelSaysWhy() {
        open();
        write("broken.onnx", "x");
        m_window->openFiles({m_dir->filePath("broken.onnx")});
        QTRY_VERIFY(m_window->panels().problems->count() > 0);
        QCOMPARE(m_window->panels().problems->model().at(0).code, std::string("PW2001"));
        QVERIFY(m_window->document().hasPools());
    }

    void absentFileSaysWhy() {
        open();
        m_window->openFiles({m_dir->filePath("absent.mpool")});
        QCOMPARE(m_window->panels().problems->model().at(0).code, std::string("PW6050"));
        QVERIFY(m_window->document().hasPools());
    }

    void savingMakesANewBaseline() {
        open();
        drag(edgePoint("npuRAM6", true), -40);
        QTRY_VERIFY(m_window->document().report() != m_window->document().baseline());
        m_window->commands()[app::CommandId::SavePools]->trigger();
        QCOMPARE(m_window->document().baseline(), m_window->document().report());
        QCOMPARE(readFile(m_dir->filePath("pools.mpool").toStdString()), m_window->document().pools().text);
        QVERIFY(!m_window->isWindowModified());
    }

    void inspectorEditsTheDocument() {
        open();
        m_window->panels().selection.setPool("npuRAM4");
        mpool::Pool wanted = m_window->document().pools().pools[1];
        wanted.properties.cacheable = true;
        emit m_window->panels().inspector->poolEdited(PoolId(1), wanted, "cacheable");
        QVERIFY(m_window->document().pools().pools[1].properties.cacheable);
        m_window->document().undoStack().undo();
        QVERIFY(!m_window->document().pools().pools[1].properties.cacheable);
    }

    void unsavedEditsSurviveAKill() {
        m_window->document().setAutosave(app::Autosave(m_dir->filePath("autosave")));
        open();
        drag(edgePoint("npuRAM6", true), -40);
        const QString edited = QString::fromStdString(m_window->document().pools().text);
        app::Document next; // what the next session sees
        next.setAutosave(app::Autosave(m_dir->filePath("autosave")));
        QVERIFY(next.openPools(m_dir->filePath("pools.mpool")));
        const auto found = next.autosave().find(next.poolPath(), QString::fromStdString(next.pools().text));
        QVERIFY(found.has_value());
        QCOMPARE(*found, edited);
        QVERIFY(next.recover(*found));
        QVERIFY(next.isModified());
        m_window->document().undoStack().undo();
        QVERIFY(!next.autosave().find(next.poolPath(), QString::fromStdString(poolText())));
    }

    void poolCommandsEditTheFile() {
        open();
        m_window->panels().selection.setPool("npuRAM3");
        QAction* openHole = m_window->commands()[app::CommandId::OpenHole];
        QVERIFY2(openHole->toolTip().contains('\n'), "the tip says what becomes of the virtual pools");
        openHole->trigger();
        QCOMPARE(m_window->document().pools().pools[0].range().end(), Address(0x3426FFFF));
        m_window->commands()[app::CommandId::CloseHole]->trigger();
        QCOMPARE(m_window->document().pools().pools[0].range().end(), Address(0x34270000));
        m_window->commands()[app::CommandId::TogglePool]->trigger();
        QVERIFY(!m_window->document().pools().pools[0].isEnabled());
    }

    void everyPanelExports() {
        open();
        for (const auto& entry : m_window->panels().all())
            for (const QString& format : entry.panel->exportFormats()) {
                m_window->panels().raise(entry.panel);
                const QString path = m_dir->filePath(entry.panel->objectName() + '.' + format);
                QCOMPARE(entry.panel->exportTo(path), QString());
                QVERIFY2(QFile(path).size() > 0 || entry.panel == m_window->panels().problems, qPrintable(path));
            }
        const QByteArray svg = QByteArray::fromStdString(readFile(m_dir->filePath("addressMap.svg").toStdString()));
        QVERIFY(svg.contains("npuRAM3"));
    }

    void everyCommandHasAnActionWithATip() {
        for (const auto& info : app::allCommands()) {
            QVERIFY2(!m_window->commands()[info.id]->toolTip().isEmpty(), info.text);
            for (const auto& other : app::allCommands())
                QVERIFY2(&info == &other || !*info.keys || QString(info.keys) != QString(other.keys), info.keys);
        }
    }

private:
    void write(const QString& name, const QByteArray& text) {
        QFile file(m_dir->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    void open() {
        m_window->openFiles({m_dir->filePath("net.onnx"), m_dir->filePath("pools.mpool")});
        QTRY_VERIFY(m_window->document().report() != nullptr);
        QTRY_VERIFY(!m_window->planner().isBusy());
    }

    QPoint edgePoint(const std::string& pool, bool isEnd) {
        const auto& geometry = m_window->panels().map->geometryNow();
        const PoolId id = *m_window->document().pools().find(pool);
        for (const Edge& edge : geometry.edges)
            if (edge.pool == id && edge.isEnd == isEnd) // on the pool's own side of its edge
                return (edge.grip.center() + QPointF(isEnd ? -2 : 2, 0)).toPoint();
        return {};
    }

    void drag(QPoint from, int by) {
        widgets::AddressMap* map = m_window->panels().map;
        QVERIFY(!from.isNull());
        QTest::mousePress(map, Qt::LeftButton, {}, from);
        QTest::mouseMove(map, from + QPoint(by, 0));
        QTest::mouseRelease(map, Qt::LeftButton, {}, from + QPoint(by, 0));
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::shared_ptr<FakeCompiler> m_compiler;
    std::unique_ptr<app::MainWindow> m_window;
};

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
