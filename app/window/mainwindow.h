// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "document/document.h"
#include "jobs/planner.h"
#include "jobs/searchjob.h"
#include "window/commands.h"
#include "window/panels.h"

#include <QMainWindow>

class QLabel;
class QMenu;
class QProgressBar;
class QStackedWidget;
class QToolBar;

namespace poolwright::app {

class EmptyPage;

/// The one window: joins document, planner and panels. Holds no algorithm.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(std::shared_ptr<CompilerPort> compiler, std::vector<widgets::addressmap::Bank> banks,
               QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Models, pool files and artefacts in any order; compiles when a model and pools are there.
    void openFiles(const QStringList& paths);

    Document& document() { return m_document; }
    Planner& planner() { return m_planner; }
    SearchJob& search() { return m_search; }
    Panels& panels() { return m_panels; }
    const Commands& commands() const { return m_commands; }
    bool showsEmptyPage() const;

public slots:
    void compile();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildMenus();
    void buildToolBar();
    void buildStatusBar();
    void connectCommands();
    void connectDocument();
    void connectPlanner();
    void connectPanels();
    void connectSearch();

    void openFile(const QString& path);
    void openDialog(const QString& title, const QString& filter);
    void offerRecovery();
    bool save(bool asOther);
    bool mayDiscard();
    void writeArtefacts();
    void exportPanel();
    void setTheme(int theme);
    void showHelp(bool shortcuts);
    void showAbout();
    void loadProfiles();
    void applyProfile(const QString& name);
    void searchOptions();
    /// All options of a row, as one step to undo; compiles when something was compiled before.
    void useSearched(const QString& commandLine, const QString& label);

    void poolsChanged(bool preview);
    void reportChanged();
    void showPlan(const Plan& plan);
    void goTo(const SourceLocation& where);
    void zoom(double factor);
    void editSelectedPool(CommandId command);
    /// What opening or closing a hole behind the selected pool would do to virtual pools, in the commands' tips: said before it is done.
    void tellHoleConsequences();
    void updateActions();
    void updateCentre();
    void addRecent(const QString& path);
    void fillRecentMenu();

    Document m_document;
    Planner m_planner;
    SearchJob m_search;
    Commands m_commands;
    EmptyPage* m_empty = nullptr;
    Panels m_panels;
    QToolBar* m_toolBar = nullptr;
    widgets::VerdictStrip* m_strip = nullptr;
    QMenu* m_recentMenu = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel *m_stage = nullptr, *m_hover = nullptr;
};

} // namespace poolwright::app
