// SPDX-License-Identifier: Apache-2.0
#include "jobs/planner.h"

#include <QElapsedTimer>

namespace poolwright::app {

Planner::Planner(std::shared_ptr<CompilerPort> compiler, QObject* parent)
    : QObject(parent)
    , m_compiler(std::move(compiler)) {
    m_pool.setMaxThreadCount(2); // a compile, and a plan beside one that is being cancelled
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMilliseconds);
    connect(&m_pause, &QTimer::timeout, this, &Planner::startNext);
}

Planner::~Planner() {
    m_compileCancel.cancel();
    m_planCancel.cancel();
    m_pool.waitForDone(); // workers post to this object
}

template <typename Work> void Planner::run(Work work) {
    m_pool.start(std::move(work));
}

static double elapsedMilliseconds(const QElapsedTimer& timer) {
    return double(timer.nsecsElapsed()) / 1e6;
}

void Planner::compile(const CompileInput& input) {
    m_compileCancel.cancel();
    m_planCancel.cancel();
    m_compileCancel = CancelFlag();
    m_next.reset();
    m_pause.stop();
    m_compiling = true;
    const int generation = ++m_generation;
    emit busyChanged(true);
    run([this, input, generation, cancel = m_compileCancel, compiler = m_compiler] {
        QElapsedTimer timer;
        timer.start();
        const auto progress = [this, generation](const std::string& stage, double fraction) {
            QMetaObject::invokeMethod(this, [this, generation, stage, fraction] {
                if (generation == m_generation)
                    emit progressed(QString::fromStdString(stage), fraction);
            });
        };
        PreparedHandle handle;
        Plan plan{nullptr, Effort::Full, true, 0, input.pools.text};
        Diagnostics errors;
        auto prepared = compiler->prepare(input, progress, cancel);
        if (prepared && !cancel.isCancelled()) {
            handle = *prepared;
            auto report = compiler->plan(handle, input.pools, Effort::Full, cancel);
            if (report)
                plan.report = *report;
            else
                errors = report.error();
        } else if (!prepared) {
            errors = prepared.error();
        }
        plan.milliseconds = elapsedMilliseconds(timer);
        const bool stopped = cancel.isCancelled();
        QMetaObject::invokeMethod(this, [=, this] { compileDone(generation, handle, plan, errors, stopped); });
    });
}

void Planner::compileDone(int generation, const PreparedHandle& prepared, const Plan& plan, const Diagnostics& errors,
                          bool stopped) {
    if (generation != m_generation)
        return; // a newer compile is on its way
    m_compiling = false;
    emit busyChanged(isBusy());
    if (stopped)
        emit cancelled();
    else if (!errors.empty())
        emit failed(errors);
    if (!stopped && prepared) {
        m_prepared = prepared;
        if (plan.report)
            emit planned(plan);
    }
    startNext();
}

void Planner::startNext() {
    if (m_next && !m_planning && !m_compiling && !m_pause.isActive())
        startPlan(*std::exchange(m_next, std::nullopt));
}

void Planner::replan(const mpool::PoolFile& pools, Effort effort) {
    m_pause.stop();
    if (m_planning || m_compiling)
        m_next = Request{pools, effort};
    else if (m_prepared)
        startPlan({pools, effort});
}

void Planner::replanSoon(const mpool::PoolFile& pools) {
    m_next = Request{pools, Effort::Full};
    m_pause.start();
}

void Planner::startPlan(const Request& request) {
    if (!m_prepared)
        return;
    m_planning = true;
    m_planCancel = CancelFlag();
    emit busyChanged(true);
    run([this, request, generation = m_generation, prepared = m_prepared, cancel = m_planCancel,
         compiler = m_compiler] {
        QElapsedTimer timer;
        timer.start();
        Plan plan{nullptr, request.effort, false, 0, request.pools.text};
        Diagnostics errors;
        auto report = compiler->plan(prepared, request.pools, request.effort, cancel);
        if (report)
            plan.report = *report;
        else
            errors = report.error();
        plan.milliseconds = elapsedMilliseconds(timer);
        QMetaObject::invokeMethod(this, [=, this] { planDone(generation, plan, errors); });
    });
}

void Planner::planDone(int generation, const Plan& plan, const Diagnostics& errors) {
    m_planning = false;
    startNext();
    emit busyChanged(isBusy());
    if (generation != m_generation)
        return; // of a network that was compiled anew or closed
    if (plan.report)
        emit planned(plan);
    else
        emit failed(errors);
}

void Planner::cancel() {
    m_compileCancel.cancel();
    m_planCancel.cancel();
    m_next.reset();
    m_pause.stop();
}

void Planner::reset() {
    cancel();
    ++m_generation;
    m_prepared.reset();
    if (std::exchange(m_compiling, false))
        emit busyChanged(isBusy());
}

void Planner::writeArtefacts(const mpool::PoolFile& pools, const QString& folder) {
    if (!m_prepared)
        return;
    run([this, pools, folder, prepared = m_prepared, compiler = m_compiler] {
        auto written = compiler->write(prepared, pools, folder.toStdString());
        QMetaObject::invokeMethod(this, [this, folder, written] {
            if (!written)
                return emit failed(written.error());
            QStringList names;
            for (const auto& name : *written)
                names << QString::fromStdString(name);
            emit artefactsWritten(folder, names);
        });
    });
}

void Planner::openArtefacts(const QString& path) {
    reset();
    run([this, path, generation = m_generation, compiler = m_compiler] {
        auto report = compiler->openArtefacts(path.toStdString());
        QMetaObject::invokeMethod(this, [this, path, generation, report] {
            if (generation != m_generation)
                return;
            if (report)
                emit artefactsOpened(*report, path);
            else
                emit failed(report.error());
        });
    });
}

} // namespace poolwright::app
