// SPDX-License-Identifier: Apache-2.0
#include "window/mainwindow.h"

#include "common/format.h"
#include "common/palette.h"
#include "epochgraph/graphview.h"
#include "options/table.h"
#include "runs/searchview.h"
#include "window/emptypage.h"
#include "window/helpviewer.h"
#include "window/resourcefolder.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>

namespace poolwright::app {

using Id = CommandId;

static options::CompilerOptions firstOptions() {
    options::CompilerOptions options;
    options.optimization = 3;
    options.enableVirtualMemPools = true;
    options.cacheMaintenance = true;
    options.cacheOpt = true;
    options.nativeFloat = true;
    options.mvei = true;
    options.mappingRecap = true;
    return options::withGivenRefreshed(std::move(options));
}

MainWindow::MainWindow(std::shared_ptr<CompilerPort> compiler, std::vector<widgets::addressmap::Bank> banks,
                       QWidget* parent)
    : QMainWindow(parent)
    , m_planner(compiler)
    , m_search(std::move(compiler))
    , m_commands(this)
    , m_panels(*this) {
    setObjectName("mainWindow");
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    m_empty = new EmptyPage(QSettings().value("recent").toStringList());
    setCentralWidget(m_empty);
    std::vector<mpool::BankRange> ranges;
    for (const auto& bank : banks)
        ranges.push_back({bank.name.toStdString(), bank.range});
    m_document.setBanks(std::move(ranges));
    m_panels.map->setBanks(std::move(banks));
    buildMenus();
    buildToolBar();
    buildStatusBar();
    connectCommands();
    connectDocument();
    connectPlanner();
    connectPanels();
    connectSearch();
    resize(1600, 1000);
    restoreGeometry(QSettings().value("window/geometry").toByteArray());
    restoreState(QSettings().value("window/state").toByteArray());
    setWindowTitle(QStringLiteral("Poolwright[*]"));
    m_document.setOptions(firstOptions());
    loadProfiles();
    updateCentre();
    updateActions();
}

MainWindow::~MainWindow() {
    // Members and panels may still speak while they are destroyed; by then this is no MainWindow any more.
    m_planner.disconnect(this);
    m_search.disconnect(this);
    m_document.disconnect(this);
    for (QObject* child : findChildren<QObject*>())
        child->disconnect(this);
}

bool MainWindow::showsEmptyPage() const {
    return m_document.modelPath().isEmpty() && !m_document.hasPools() && !m_document.report();
}

/// The docks make way for the start page as long as nothing is open.
void MainWindow::updateCentre() {
    const bool empty = showsEmptyPage();
    if (m_empty->isVisibleTo(this) == empty && m_panels.all().front().dock->isVisibleTo(this) != empty)
        return;
    m_empty->setVisible(empty);
    m_strip->parentWidget()->setVisible(!empty);
    const QByteArray state = QSettings().value("window/state").toByteArray();
    for (const auto& entry : m_panels.all())
        entry.dock->setVisible(!empty);
    if (!empty && (state.isEmpty() || !restoreState(state)))
        m_panels.arrange(*this);
    if (!empty)
        m_panels.map->setFocus();
}

void MainWindow::connectCommands() {
    const auto on = [this](Id id, auto slot) { connect(m_commands[id], &QAction::triggered, this, slot); };
    on(Id::OpenModel, [this] { openDialog(tr("Open a model"), tr("Models (*.onnx);;All files (*)")); });
    on(Id::OpenPools, [this] { openDialog(tr("Open memory pools"), tr("Memory pools (*.mpool);;All files (*)")); });
    on(Id::OpenArtefacts, [this] {
        openDialog(tr("Open artefacts"), tr("Artefacts (*.json *.json.gz *.csv *.txt *.dot);;All files (*)"));
    });
    on(Id::SavePools, [this] { save(false); });
    on(Id::SavePoolsAs, [this] { save(true); });
    on(Id::WriteArtefacts, [this] { writeArtefacts(); });
    on(Id::ExportPanel, [this] { exportPanel(); });
    on(Id::Quit, [this] { close(); });
    on(Id::Undo, [this] { m_document.undoStack().undo(); });
    on(Id::Redo, [this] { m_document.undoStack().redo(); });
    on(Id::Find, [this] {
        if (m_panels.focused() == m_panels.tables)
            return m_panels.tables->focusFilter();
        m_panels.raise(m_panels.graph);
        m_panels.graph->focusSearch();
    });
    on(Id::Compile, [this] { compile(); });
    on(Id::Stop, [this] { m_planner.cancel(); });
    for (const Id id : {Id::TogglePool, Id::CloseHole, Id::OpenHole, Id::MergeWithNext})
        on(id, [this, id] { editSelectedPool(id); });
    on(Id::NextEpoch, [this] { m_panels.map->stepEpoch(1); });
    on(Id::PreviousEpoch, [this] { m_panels.map->stepEpoch(-1); });
    on(Id::GoToPeak, [this] { m_panels.timeline->goToPeak(); });
    on(Id::ZoomIn, [this] { zoom(1.5); });
    on(Id::ZoomOut, [this] { zoom(1 / 1.5); });
    on(Id::ZoomToFit, [this] { zoom(0); });
    on(Id::ClearSelection, [this] { m_panels.selection.clear(); });
    on(Id::ThemeSystem, [this] { setTheme(0); });
    on(Id::ThemeLight, [this] { setTheme(1); });
    on(Id::ThemeDark, [this] { setTheme(2); });
    on(Id::ResetLayout, [this] { m_panels.arrange(*this); });
    on(Id::Help, [this] { showHelp(false); });
    on(Id::Shortcuts, [this] { showHelp(true); });
    on(Id::About, [this] { showAbout(); });
    const int theme = QSettings().value("theme", 0).toInt();
    m_commands[theme == 1 ? Id::ThemeLight : theme == 2 ? Id::ThemeDark : Id::ThemeSystem]->setChecked(true);
}

void MainWindow::connectDocument() {
    connect(&m_document, &Document::poolsChanged, this, &MainWindow::poolsChanged);
    connect(&m_document, &Document::reportChanged, this, &MainWindow::reportChanged);
    connect(&m_document, &Document::problemsChanged, this,
            [this] { m_panels.problems->setDocumentProblems(m_document.problems()); });
    connect(&m_document, &Document::modelChanged, this, [this] {
        m_planner.reset();
        updateCentre();
        updateActions();
    });
    connect(&m_document, &Document::titleChanged, this, [this] {
        const QString title = m_document.title();
        setWindowTitle(title.isEmpty() ? QStringLiteral("Poolwright[*]") : title + QStringLiteral(" — Poolwright"));
        setWindowModified(m_document.isModified());
        updateActions();
    });
    connect(&m_document, &Document::optionsChanged, this, [this] {
        m_panels.options->setOptions(m_document.options());
        if (m_planner.isPrepared() || m_planner.isCompiling())
            compile();
    });
    connect(&m_document, &Document::editRefused, this,
            [this](const QString& why) { statusBar()->showMessage(why, 6000); });
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::updateActions);
}

void MainWindow::connectPlanner() {
    connect(&m_planner, &Planner::planned, this, &MainWindow::showPlan);
    connect(&m_planner, &Planner::failed, this, [this](const Diagnostics& diagnostics) {
        m_document.setCompileProblems(diagnostics);
        m_panels.raise(m_panels.problems);
        m_stage->setText(tr("failed"));
    });
    connect(&m_planner, &Planner::cancelled, this, [this] { m_stage->setText(tr("stopped")); });
    connect(&m_planner, &Planner::progressed, this, [this](const QString& stage, double fraction) {
        m_stage->setText(stage);
        m_progress->setValue(int(fraction * 1000));
    });
    connect(&m_planner, &Planner::busyChanged, this, [this] {
        m_progress->setVisible(m_planner.isCompiling());
        if (m_planner.isCompiling())
            m_progress->setValue(0);
        updateActions();
    });
    connect(&m_planner, &Planner::artefactsOpened, this, [this](const report::ReportPtr& report, const QString& path) {
        m_document.openReport(report, path);
        m_panels.runs->addRun(QFileInfo(path).fileName(), report);
        addRecent(path);
    });
    connect(&m_planner, &Planner::artefactsWritten, this, [this](const QString& folder, const QStringList& files) {
        statusBar()->showMessage(tr("%n file(s) written to %1", nullptr, int(files.size())).arg(folder), 8000);
    });
}

void MainWindow::connectPanels() {
    using widgets::AddressMap;
    connect(m_panels.map, &AddressMap::edgeDragged, &m_document, &Document::previewEdge);
    connect(m_panels.map, &AddressMap::edgeDropped, &m_document, &Document::commitEdge);
    connect(m_panels.map, &AddressMap::dragCancelled, &m_document, &Document::cancelPreview);
    connect(m_panels.map, &AddressMap::hovered, m_hover, &QLabel::setText);
    connect(m_panels.timeline, &widgets::Timeline::hovered, m_hover, &QLabel::setText);
    connect(m_panels.inspector, &widgets::PoolInspector::poolEdited, &m_document, &Document::commitPool);
    connect(m_panels.problems, &widgets::ProblemsPanel::placeWanted, this, &MainWindow::goTo);
    connect(m_panels.problems, &widgets::ProblemsPanel::countChanged, this, [this](int count) {
        m_panels.dockOf(m_panels.problems)->setWindowTitle(count ? tr("Problems (%1)").arg(count) : tr("Problems"));
    });
    for (const auto& entry : m_panels.all())
        for (const auto signal : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged})
            connect(
                entry.dock, signal, this, [this] { m_panels.updateTitleBars(*this); }, Qt::QueuedConnection);
    connect(m_panels.runs, &widgets::RunsPanel::runChosen, this, [this](const report::ReportPtr& report) {
        m_panels.setReport(report);
        m_strip->setReport(report, m_document.baseline());
        m_strip->setRemark(tr("an earlier run"));
    });
    connect(m_panels.options, &widgets::OptionsPanel::optionsEdited, &m_document, &Document::setOptions);
    connect(m_panels.options, &widgets::OptionsPanel::profileChosen, this, &MainWindow::applyProfile);
    connect(&m_panels.selection, &widgets::Selection::changed, this, &MainWindow::updateActions);
    connect(m_empty, &EmptyPage::openModelWanted, m_commands[Id::OpenModel], &QAction::trigger);
    connect(m_empty, &EmptyPage::openPoolsWanted, m_commands[Id::OpenPools], &QAction::trigger);
    connect(m_empty, &EmptyPage::openArtefactsWanted, m_commands[Id::OpenArtefacts], &QAction::trigger);
    connect(m_empty, &EmptyPage::filesWanted, this, &MainWindow::openFiles);
}

void MainWindow::openFiles(const QStringList& paths) {
    const bool hadModel = !m_document.modelPath().isEmpty();
    for (const QString& path : paths)
        openFile(path);
    const bool opensModel = !hadModel || !m_planner.isPrepared();
    if (opensModel && !m_document.modelPath().isEmpty() && m_document.hasPools())
        compile();
}

void MainWindow::openFile(const QString& path) {
    if (path.endsWith(".mpool", Qt::CaseInsensitive)) {
        if (!mayDiscard())
            return;
        if (m_document.openPools(path)) {
            addRecent(path);
            offerRecovery();
        }
    } else if (path.endsWith(".onnx", Qt::CaseInsensitive)) {
        if (m_document.setModel(path))
            addRecent(path);
    } else if (mayDiscard()) {
        m_planner.openArtefacts(path);
    }
    if (!m_document.problems().empty() && !m_document.report())
        m_panels.raise(m_panels.problems);
    updateCentre();
    updateActions();
}

void MainWindow::openDialog(const QString& title, const QString& filter) {
    const QString folder = QSettings().value("lastFolder").toString();
    const QStringList paths = QFileDialog::getOpenFileNames(this, title, folder, filter);
    if (paths.isEmpty())
        return;
    QSettings().setValue("lastFolder", QFileInfo(paths.front()).absolutePath());
    openFiles(paths);
}

void MainWindow::offerRecovery() {
    const auto text =
        m_document.autosave().find(m_document.poolPath(), QString::fromStdString(m_document.pools().text));
    if (!text)
        return;
    const auto answer =
        QMessageBox::question(this, tr("Unsaved edits found"),
                              tr("An earlier session ended with edits of %1 that were not saved. Take them up again?")
                                  .arg(QFileInfo(m_document.poolPath()).fileName()));
    if (answer == QMessageBox::Yes)
        m_document.recover(*text);
    else
        m_document.autosave().remove(m_document.poolPath());
}

bool MainWindow::save(bool asOther) {
    QString path;
    if (asOther || m_document.poolPath().isEmpty()) {
        path = QFileDialog::getSaveFileName(this, tr("Save memory pools"), m_document.poolPath(),
                                            tr("Memory pools (*.mpool)"));
        if (path.isEmpty())
            return false;
    }
    const bool saved = m_document.savePools(path);
    if (saved)
        statusBar()->showMessage(tr("Saved %1").arg(m_document.poolPath()), 4000);
    return saved;
}

bool MainWindow::mayDiscard() {
    if (!m_document.isModified())
        return true;
    const auto answer = QMessageBox::warning(this, tr("Unsaved edits"), tr("The memory pools have unsaved edits."),
                                             QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    if (answer == QMessageBox::Discard)
        m_document.autosave().remove(m_document.poolPath());
    return answer == QMessageBox::Save ? save(false) : answer == QMessageBox::Discard;
}

void MainWindow::writeArtefacts() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Write artefacts into"));
    if (!folder.isEmpty())
        m_planner.writeArtefacts(m_document.pools(), folder);
}

void MainWindow::exportPanel() {
    const widgets::Panel* panel = m_panels.focused();
    QStringList filters;
    for (const QString& ending : panel->exportFormats())
        filters << ending.toUpper() + " (*." + ending + ')';
    QString chosen;
    QString path = QFileDialog::getSaveFileName(this, tr("Export panel"), {}, filters.join(";;"), &chosen);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += '.' + chosen.section(' ', 0, 0).toLower();
    const QString error = panel->exportTo(path);
    statusBar()->showMessage(error.isEmpty() ? tr("Exported to %1").arg(path) : error, 6000);
}

void MainWindow::setTheme(int theme) {
    QSettings().setValue("theme", theme);
    widgets::applyTheme(*qApp, widgets::Theme(theme));
}

void MainWindow::showHelp(bool shortcuts) {
    HelpViewer viewer(resourceFolder("help"), this);
    if (shortcuts)
        viewer.showMarkdown(HelpViewer::tr("Keyboard shortcuts"), shortcutsAsMarkdown());
    viewer.exec();
}

void MainWindow::showAbout() {
    QMessageBox::about(this, tr("About Poolwright"),
                       tr("<h3>Poolwright %1</h3><p>Workbench and compiler for Neural-ART class NPUs.</p>"
                          "<p>Apache License 2.0. Built with Qt %2.</p>")
                           .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion())));
}

void MainWindow::compile() {
    if (m_document.modelPath().isEmpty() || !m_document.hasPools())
        return;
    m_document.setCompileProblems({});
    m_stage->setText(tr("compiling"));
    m_planner.compile({m_document.modelPath().toStdString(), m_document.options(), m_document.pools()});
}

void MainWindow::poolsChanged(bool preview) {
    if (m_document.hasPools()) {
        const mpool::PoolFile& file = m_document.pools();
        m_panels.map->setPools(file.pools);
        if (preview)
            return m_planner.replan(file, Effort::Quick);
        m_panels.inspector->setPools(file.pools);
        m_panels.source->setSource(QString::fromStdString(file.text), [this](const QString& name) {
            const auto id = m_document.hasPools() ? m_document.pools().find(name.toStdString()) : std::nullopt;
            return id ? m_document.pools()[*id].where.line : 0;
        });
        m_panels.problems->setDocumentProblems(m_document.problems());
        if (m_planner.isPrepared() || m_planner.isCompiling())
            m_planner.replanSoon(file);
    } else {
        m_panels.map->setPools({});
        m_panels.inspector->setPools({});
        m_panels.source->setSource({}, {});
    }
    updateCentre();
    updateActions();
}

void MainWindow::showPlan(const Plan& plan) {
    if (plan.compiled)
        m_document.setCompileProblems({});
    m_document.setReport(plan.report, plan.poolText);
    const QString time = widgets::milliseconds(plan.milliseconds);
    m_strip->setRemark(plan.compiled                  ? tr("compiled in %1").arg(time)
                       : plan.effort == Effort::Quick ? tr("re-planned in %1 while dragging").arg(time)
                                                      : tr("re-planned in %1").arg(time));
    m_stage->clear();
    if (plan.effort == Effort::Full) {
        const QString edit = m_document.undoStack().undoText();
        m_panels.runs->addRun(plan.compiled ? tr("Compile") : edit.isEmpty() ? tr("Re-plan") : edit, plan.report);
    }
}

void MainWindow::reportChanged() {
    m_panels.setReport(m_document.report());
    m_strip->setReport(m_document.report(), m_document.baseline());
    updateCentre();
    updateActions();
}

void MainWindow::goTo(const SourceLocation& where) {
    if (where.line > 0 && QString::fromStdString(where.path) == m_document.poolPath()) {
        m_panels.raise(m_panels.source);
        return m_panels.source->goTo(where.line, where.column);
    }
    if (!m_document.report() || where.object.empty())
        return;
    const report::Report& report = *m_document.report();
    for (std::size_t i = 0; i < report.buffers.size(); ++i)
        if (report.buffers[i].name == where.object)
            return m_panels.selection.setBuffer(int(i));
    for (const auto& epoch : report.epochs)
        for (const auto& op : epoch.operators)
            if (op.name == where.object || epoch.name == where.object)
                return m_panels.selection.setEpoch(epoch.ordinal);
    for (const auto& pool : report.pools)
        if (pool.name == where.object)
            return m_panels.selection.setPool(QString::fromStdString(pool.name));
}

/// factor 0 shows everything.
void MainWindow::zoom(double factor) {
    const auto apply = [factor](auto& view) { factor > 0 ? view.zoomBy(factor) : view.zoomToFit(); };
    if (m_panels.focused() == m_panels.timeline)
        apply(*m_panels.timeline);
    else if (m_panels.focused() == m_panels.graph)
        apply(m_panels.graph->view());
    else
        apply(*m_panels.map);
}

void MainWindow::updateActions() {
    const bool pools = m_document.hasPools(), model = !m_document.modelPath().isEmpty();
    QUndoStack& undo = m_document.undoStack();
    const auto named = [](const QString& verb, const QString& edit) {
        return edit.isEmpty() ? verb : verb + ' ' + edit;
    };
    m_commands[Id::Undo]->setEnabled(undo.canUndo());
    m_commands[Id::Undo]->setText(named(tr("&Undo"), undo.undoText()));
    m_commands[Id::Undo]->setIconText(tr("Undo"));
    m_commands[Id::Redo]->setEnabled(undo.canRedo());
    m_commands[Id::Redo]->setText(named(tr("&Redo"), undo.redoText()));
    m_commands[Id::Redo]->setIconText(tr("Redo"));
    m_commands[Id::SavePools]->setEnabled(pools && m_document.isModified());
    m_commands[Id::SavePoolsAs]->setEnabled(pools);
    m_commands[Id::Compile]->setEnabled(pools && model);
    m_commands[Id::SearchOptions]->setEnabled(pools && model && !m_search.isRunning());
    m_panels.runs->search().setSearchable(pools && model);
    m_commands[Id::Stop]->setEnabled(m_planner.isCompiling());
    m_commands[Id::WriteArtefacts]->setEnabled(pools && m_planner.isPrepared());
    const bool report = m_document.report() != nullptr;
    for (const Id id : {Id::Find, Id::NextEpoch, Id::PreviousEpoch, Id::GoToPeak})
        m_commands[id]->setEnabled(report);
    const bool chosen = pools && m_document.pools().find(m_panels.selection.pool().toStdString());
    for (const Id id : {Id::TogglePool, Id::CloseHole, Id::OpenHole, Id::MergeWithNext})
        m_commands[id]->setEnabled(chosen);
    tellHoleConsequences();
    m_commands[Id::ExportPanel]->setEnabled(!showsEmptyPage());
    setWindowModified(m_document.isModified());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayDiscard())
        return event->ignore();
    QSettings settings;
    settings.setValue("window/geometry", saveGeometry());
    if (!showsEmptyPage())
        settings.setValue("window/state", saveState());
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    if (!paths.isEmpty())
        openFiles(paths);
}

} // namespace poolwright::app
