// SPDX-License-Identifier: Apache-2.0
#include "jobs/searchjob.h"

namespace poolwright::app {

SearchJob::SearchJob(std::shared_ptr<CompilerPort> compiler, QObject* parent)
    : QObject(parent)
    , m_compiler(std::move(compiler)) {
    m_pool.setMaxThreadCount(2); // a search beside one that is being cancelled
}

SearchJob::~SearchJob() {
    m_cancel.cancel();
    m_pool.waitForDone(); // workers post to this object
}

void SearchJob::start(const CompileInput& input) {
    m_cancel.cancel();
    m_cancel = CancelFlag();
    const int generation = ++m_generation;
    m_running = true;
    emit runningChanged(true);
    m_pool.start([this, input, generation, cancel = m_cancel, compiler = m_compiler] {
        const auto progress = [this, generation](int known, int total, double bestMs) {
            QMetaObject::invokeMethod(this, [=, this] {
                if (generation == m_generation && m_running)
                    emit progressed(known, total, bestMs);
            });
        };
        const Result<report::SearchTable> table = compiler->search(input, progress, cancel);
        const bool stopped = cancel.isCancelled();
        QMetaObject::invokeMethod(this, [=, this] { done(generation, table, stopped); });
    });
}

void SearchJob::done(int generation, const Result<report::SearchTable>& table, bool stopped) {
    if (generation != m_generation)
        return; // a newer search is on its way
    m_running = false;
    emit runningChanged(false);
    if (stopped)
        emit cancelled();
    else if (table)
        emit finished(*table);
    else
        emit failed(table.error());
}

void SearchJob::cancel() {
    m_cancel.cancel();
}

} // namespace poolwright::app
