// SPDX-License-Identifier: Apache-2.0
#include "app/fake_compiler.h"

#include "options/parse.h"
#include "options/table.h"
#include "runs/searchview.h"
#include "support/shared.h"
#include "tables/tableview.h"
#include "window/mainwindow.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QFile>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace poolwright;
using namespace poolwright::test;

namespace {

/// Two rows at once, or one that waits until it is stopped.
class SearchingCompiler : public FakeCompiler {
public:
    std::atomic<bool> waits{false};
    std::atomic<bool> inGuiThread{false};

    Result<report::SearchTable> search(const app::CompileInput& input, const app::SearchProgress& progress,
                                       const CancelFlag& cancel) override {
        inGuiThread = QThread::currentThread() == qApp->thread();
        progress(1, 2, 0);
        while (waits && !cancel.isCancelled())
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (cancel.isCancelled())
            return fail(makeError("PW6005", "cancelled"));
        progress(2, 2, 3.5);
        report::SearchTable table;
        for (const bool alternate : {true, false}) {
            options::CompilerOptions options = input.options;
            options.altSched = alternate;
            report::SearchRow row;
            row.number = alternate ? 2 : 1;
            row.label = alternate ? "--Oalt-sched" : "(none)";
            row.commandLine = options::toCommandLine(options::withGivenRefreshed(options));
            row.state = "placed";
            row.placed = row.fits = true;
            row.milliseconds = alternate ? 3.5 : 4;
            table.rows.push_back(row);
        }
        return table;
    }
};

} // namespace

/// From the button to rows, to options that can be undone.
class TestSearchView : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("PoolwrightTest");
        QCoreApplication::setApplicationName("tst_search_view");
    }

    void init() {
        QSettings().clear();
        m_dir = std::make_unique<QTemporaryDir>();
        m_compiler = std::make_shared<SearchingCompiler>();
        m_window = std::make_unique<app::MainWindow>(m_compiler, std::vector<widgets::addressmap::Bank>());
        m_window->show();
        write("pools.mpool", poolText());
        write("net.onnx", "not read by the fake");
        m_window->openFiles({m_dir->filePath("net.onnx"), m_dir->filePath("pools.mpool")});
        QTRY_VERIFY(m_window->document().report());
    }

    void cleanup() {
        m_window.reset();
        m_dir.reset();
    }

    void rowsAppearAndTheBestIsUsed() {
        button("Search options")->click();
        QTRY_COMPARE(view().table().rows.size(), std::size_t(2));
        QVERIFY(!m_compiler->inGuiThread);
        QCOMPARE(view().view().shownModel().rowCount(), 2);
        const options::CompilerOptions before = m_window->document().options();
        QVERIFY(!before.altSched);
        QVERIFY(button("Use these options")->isEnabled());
        button("Use these options")->click();
        QVERIFY(m_window->document().options().altSched);
        QCOMPARE(m_window->document().undoStack().count(), 1);
        QVERIFY(!m_window->document().isModified()); // the pool file is as it was
        m_window->commands()[app::CommandId::Undo]->trigger();
        QVERIFY(m_window->document().options() == before);
        m_window->commands()[app::CommandId::Redo]->trigger();
        QVERIFY(m_window->document().options().altSched);
    }

    void stopLeavesNoRows() {
        m_compiler->waits = true;
        m_window->commands()[app::CommandId::SearchOptions]->trigger();
        QTRY_VERIFY(m_window->search().isRunning());
        QVERIFY(!button("Search options")->isEnabled());
        QVERIFY(button("Stop search")->isEnabled());
        button("Stop search")->click();
        QTRY_VERIFY(!m_window->search().isRunning());
        QVERIFY(view().table().rows.empty());
        QVERIFY(button("Search options")->isEnabled());
        QVERIFY(!button("Use these options")->isEnabled());
    }

private:
    widgets::SearchView& view() { return m_window->panels().runs->search(); }
    QPushButton* button(const char* words) {
        for (QPushButton* button : view().findChildren<QPushButton*>())
            if (button->text() == QLatin1String(words))
                return button;
        return nullptr;
    }
    void write(const QString& name, const QString& text) {
        QFile file(m_dir->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::shared_ptr<SearchingCompiler> m_compiler;
    std::unique_ptr<app::MainWindow> m_window;
};

QTEST_MAIN(TestSearchView)
#include "tst_search_view.moc"
