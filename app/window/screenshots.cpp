// SPDX-License-Identifier: Apache-2.0
#include "window/screenshots.h"

#include "window/mainwindow.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QPixmap>

#include <cstdio>

namespace poolwright::app {

static bool waitForReport(MainWindow& window) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 300000 && (window.planner().isBusy() || !window.document().report())) {
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 50);
        if (!window.planner().isBusy() && !window.document().report() && hasErrors(window.document().problems()))
            return false;
    }
    return window.document().report() != nullptr;
}

static void settle() {
    for (int i = 0; i < 10; ++i)
        QApplication::processEvents();
}

static bool save(QWidget& widget, const QDir& folder, const QString& name) {
    settle();
    const QString path = folder.filePath(name + ".png");
    if (widget.grab().save(path))
        return true;
    std::fprintf(stderr, "poolwright: cannot write %s\n", qPrintable(path));
    return false;
}

/// Picks what shows most: the peak epoch and its largest buffer.
static void selectSomething(MainWindow& window) {
    const report::Report& report = *window.document().report();
    const int peak = report.totals.peakEpoch;
    int largest = -1;
    for (int i = 0; i < int(report.buffers.size()); ++i) {
        const auto& buffer = report.buffers[std::size_t(i)];
        if (!buffer.isWeights() && buffer.placed() && buffer.live.contains(peak) &&
            (largest < 0 || report.buffers[std::size_t(largest)].size < buffer.size))
            largest = i;
    }
    auto& selection = window.panels().selection;
    selection.setEpoch(peak);
    if (largest < 0)
        return;
    selection.setBuffer(largest);
    const auto& buffer = report.buffers[std::size_t(largest)];
    const auto& pool = report.pools[std::size_t(buffer.pool)];
    QString name = QString::fromStdString(pool.name);
    for (const int member : pool.members) // of a group: the member that can be edited
        if (const auto& part = report.pools[std::size_t(member)];
            AddressRange{part.address, part.size}.contains(buffer.address))
            name = QString::fromStdString(part.name);
    selection.setPool(name);
}

/// The Runs panel with the rows of a search.
static bool searchOptions(MainWindow& window) {
    window.commands()[CommandId::SearchOptions]->trigger();
    QElapsedTimer timer;
    timer.start();
    while (window.search().isRunning() && timer.elapsed() < 300000)
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 50);
    return !window.search().isRunning();
}

int saveScreenshots(MainWindow& window, const QString& path, const QString& suffix) {
    QDir folder(path);
    if (!folder.mkpath(".")) {
        std::fprintf(stderr, "poolwright: cannot make the folder %s\n", qPrintable(path));
        return 4;
    }
    window.resize(1600, 1000);
    window.show();
    if (!waitForReport(window)) {
        for (const Diagnostic& diagnostic : window.document().problems())
            std::fprintf(stderr, "%s\n", toText(diagnostic).c_str());
        if (window.document().problems().empty())
            std::fputs("poolwright: the files could not be opened; a model and a memory-pool file are needed\n", stderr);
        return 2;
    }
    window.panels().arrange(window);
    window.panels().map->setFocus();
    settle();
    selectSomething(window);
    bool ok = save(window, folder, "window" + suffix);
    for (const auto& entry : window.panels().all()) {
        window.panels().raise(entry.panel);
        ok = save(*entry.panel, folder, entry.panel->objectName() + suffix) && ok;
    }
    return searchOptions(window) && save(*window.panels().runs, folder, "search" + suffix) && ok ? 0 : 4;
}

} // namespace poolwright::app
