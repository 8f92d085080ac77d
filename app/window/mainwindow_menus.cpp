// SPDX-License-Identifier: Apache-2.0
// Menus, tool bar and status bar of the main window.
#include "window/mainwindow.h"

#include <QActionGroup>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QProgressBar>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>

namespace poolwright::app {

using Id = CommandId;

void MainWindow::buildMenus() {
    const auto fill = [this](QMenu* menu, std::initializer_list<std::optional<Id>> ids) {
        menu->setToolTipsVisible(true);
        for (const auto& id : ids)
            if (id)
                menu->addAction(m_commands[*id]);
            else
                menu->addSeparator();
    };
    const auto line = std::nullopt;
    auto* file = menuBar()->addMenu(tr("&File"));
    fill(file, {Id::OpenModel, Id::OpenPools, Id::OpenArtefacts});
    m_recentMenu = file->addMenu(tr("Recent files"));
    fill(file, {line, Id::SavePools, Id::SavePoolsAs, line, Id::WriteArtefacts, Id::ExportPanel, line, Id::Quit});
    fill(menuBar()->addMenu(tr("&Edit")), {Id::Undo, Id::Redo, line, Id::Find, Id::ClearSelection});
    auto* pools = menuBar()->addMenu(tr("&Pools"));
    pools->setToolTipsVisible(true);
    fill(pools, {Id::TogglePool, Id::OpenHole, Id::CloseHole, Id::MergeWithNext});
    fill(menuBar()->addMenu(tr("&Compile")), {Id::Compile, Id::Stop, line, Id::SearchOptions});
    auto* view = menuBar()->addMenu(tr("&View"));
    fill(view, {Id::PreviousEpoch, Id::NextEpoch, Id::GoToPeak, line, Id::ZoomIn, Id::ZoomOut, Id::ZoomToFit, line});
    auto* docks = view->addMenu(tr("&Panels"));
    for (const auto& entry : m_panels.all())
        docks->addAction(entry.dock->toggleViewAction());
    auto* themes = view->addMenu(tr("&Theme"));
    fill(themes, {Id::ThemeSystem, Id::ThemeLight, Id::ThemeDark});
    auto* group = new QActionGroup(this);
    for (const Id id : {Id::ThemeSystem, Id::ThemeLight, Id::ThemeDark}) {
        m_commands[id]->setCheckable(true);
        group->addAction(m_commands[id]);
    }
    fill(view, {line, Id::ResetLayout});
    fill(menuBar()->addMenu(tr("&Help")), {Id::Help, Id::Shortcuts, line, Id::About});
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
}

void MainWindow::buildToolBar() {
    m_toolBar = addToolBar(tr("Main tool bar"));
    m_toolBar->setObjectName("mainToolBar");
    m_toolBar->setMovable(false);
    m_toolBar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    const std::pair<Id, QString> buttons[] = {{Id::OpenModel, tr("Open model")},
                                              {Id::OpenPools, tr("Open pools")},
                                              {Id::SavePools, tr("Save")},
                                              {Id::Undo, tr("Undo")},
                                              {Id::Redo, tr("Redo")},
                                              {Id::Compile, tr("Compile")},
                                              {Id::Stop, tr("Stop")}};
    for (const auto& [id, words] : buttons) {
        if (id == Id::Undo || id == Id::Compile)
            m_toolBar->addSeparator();
        m_commands[id]->setIconText(words);
        m_toolBar->addAction(m_commands[id]);
    }
    auto* spring = new QWidget;
    spring->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_toolBar->addWidget(spring);
    auto* label = new QLabel(tr("snap"));
    label->setForegroundRole(QPalette::PlaceholderText);
    m_toolBar->addWidget(label);
    auto* snap = new QComboBox;
    snap->setObjectName("snap");
    for (const auto& [words, bytes] : std::initializer_list<std::pair<const char*, int>>{
             {"8 B", 8}, {"64 B", 64}, {"1 KiB", 1024}, {"4 KiB", 4096}, {"16 KiB", 16384}, {"64 KiB", 65536}})
        snap->addItem(QString::fromLatin1(words), bytes);
    snap->setCurrentIndex(2);
    snap->setToolTip(tr("Grid that a dragged pool edge sticks to; Alt while dragging switches it off"));
    label->setBuddy(snap);
    connect(snap, &QComboBox::currentIndexChanged, this,
            [this, snap] { m_panels.map->setSnap(snap->currentData().toLongLong()); });
    m_toolBar->addWidget(snap);
    addToolBarBreak();
    auto* stripBar = addToolBar(tr("Verdict"));
    stripBar->setObjectName("verdictBar");
    stripBar->setMovable(false);
    stripBar->setContentsMargins(0, 0, 0, 0);
    m_strip = new widgets::VerdictStrip;
    stripBar->addWidget(m_strip);
    for (QToolBar* bar : {m_toolBar, stripBar})
        bar->toggleViewAction()->setVisible(false);
}

void MainWindow::buildStatusBar() {
    m_hover = new QLabel;
    m_stage = new QLabel;
    m_progress = new QProgressBar;
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(fontMetrics().averageCharWidth() * 24);
    m_progress->setFixedHeight(fontMetrics().height() / 2);
    m_progress->hide();
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_hover, 1);
    statusBar()->addPermanentWidget(m_stage);
    statusBar()->addPermanentWidget(m_progress);
}

static constexpr int recentCount = 8;

void MainWindow::addRecent(const QString& path) {
    QSettings settings;
    QStringList recent = settings.value("recent").toStringList();
    const QString whole = QFileInfo(path).absoluteFilePath();
    recent.removeAll(whole);
    recent.prepend(whole);
    settings.setValue("recent", recent.mid(0, recentCount));
}

void MainWindow::fillRecentMenu() {
    m_recentMenu->clear();
    for (const QString& path : QSettings().value("recent").toStringList()) {
        QAction* action = m_recentMenu->addAction(QFileInfo(path).fileName());
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { openFiles({path}); });
    }
    if (m_recentMenu->isEmpty())
        m_recentMenu->addAction(tr("None yet"))->setEnabled(false);
}

} // namespace poolwright::app
