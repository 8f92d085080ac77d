// SPDX-License-Identifier: Apache-2.0
// The search over options and what becomes of its rows.
#include "window/mainwindow.h"

#include "options/parse.h"
#include "runs/searchview.h"

#include <QStatusBar>

namespace poolwright::app {

void MainWindow::connectSearch() {
    widgets::SearchView& view = m_panels.runs->search();
    connect(m_commands[CommandId::SearchOptions], &QAction::triggered, this, &MainWindow::searchOptions);
    connect(&view, &widgets::SearchView::searchWanted, this, &MainWindow::searchOptions);
    connect(&view, &widgets::SearchView::stopWanted, &m_search, &SearchJob::cancel);
    connect(&view, &widgets::SearchView::optionsWanted, this, &MainWindow::useSearched);
    connect(&m_search, &SearchJob::runningChanged, this, [this, &view](bool running) {
        view.setRunning(running);
        updateActions();
    });
    connect(&m_search, &SearchJob::progressed, &view, &widgets::SearchView::setProgress);
    connect(&m_search, &SearchJob::cancelled, this, [&view] { view.setMessage(tr("stopped")); });
    connect(&m_search, &SearchJob::failed, this, [this, &view](const Diagnostics& diagnostics) {
        view.setMessage(tr("failed: see Problems"));
        m_document.setCompileProblems(diagnostics);
    });
    connect(&m_search, &SearchJob::finished, this, [&view](const report::SearchTable& table) {
        view.setTable(table);
        const bool fits = !table.rows.empty() && table.rows.front().fits;
        view.setMessage((fits ? tr("%1 combinations, the best one first")
                              : tr("%1 combinations, nothing fits: the closest one first"))
                            .arg(table.rows.size()));
    });
}

void MainWindow::searchOptions() {
    if (m_document.modelPath().isEmpty() || !m_document.hasPools() || m_search.isRunning())
        return;
    m_panels.raise(m_panels.runs);
    m_panels.runs->showSearch();
    m_search.start({m_document.modelPath().toStdString(), m_document.options(), m_document.pools()});
}

void MainWindow::useSearched(const QString& commandLine, const QString& label) {
    const auto words = options::splitOptionText(commandLine.toStdString());
    std::vector<std::string> tokens;
    for (const options::SplitToken& word : words ? *words : std::vector<options::SplitToken>())
        tokens.push_back(word.text);
    Diagnostics ignored;
    const auto parsed = options::parse(tokens, ignored);
    if (!parsed)
        return m_document.setCompileProblems(parsed.error());
    m_document.commitOptions(tr("Options %1").arg(label), *parsed);
    statusBar()->showMessage(tr("Options %1").arg(label), 4000);
}

} // namespace poolwright::app
