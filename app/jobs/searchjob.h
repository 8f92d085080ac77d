// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jobs/compiler_port.h"

#include <QObject>
#include <QThreadPool>

namespace poolwright::app {

/// A search over options off the GUI thread. One at a time: a new one stops the one before.
class SearchJob : public QObject {
    Q_OBJECT
public:
    explicit SearchJob(std::shared_ptr<CompilerPort> compiler, QObject* parent = nullptr);
    ~SearchJob() override;

    void start(const CompileInput& input);
    void cancel();
    bool isRunning() const { return m_running; }

signals:
    void runningChanged(bool running);
    void progressed(int done, int total, double bestMs);
    void finished(const poolwright::report::SearchTable& table);
    void failed(const poolwright::Diagnostics& diagnostics);
    void cancelled();

private:
    void done(int generation, const Result<report::SearchTable>& table, bool stopped);

    std::shared_ptr<CompilerPort> m_compiler;
    QThreadPool m_pool;
    CancelFlag m_cancel;
    int m_generation = 0;
    bool m_running = false;
};

} // namespace poolwright::app
