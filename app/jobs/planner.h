// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jobs/compiler_port.h"

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>

#include <optional>

namespace poolwright::app {

/// A report and how it came to be.
struct Plan {
    report::ReportPtr report;
    Effort effort = Effort::Full;
    bool compiled = false; ///< the front end ran too
    double milliseconds = 0;
    std::string poolText; ///< text of the pool file that it was planned with
};

/// Runs the compiler off the GUI thread. Only the newest request counts: answers to older ones are dropped, a running
/// compile is cancelled by a newer one, and of plans asked for during a plan only the last is run.
class Planner : public QObject {
    Q_OBJECT
public:
    explicit Planner(std::shared_ptr<CompilerPort> compiler, QObject* parent = nullptr);
    ~Planner() override;

    void compile(const CompileInput& input);
    /// Now; does nothing before the first successful compile.
    void replan(const mpool::PoolFile& pools, Effort effort);
    /// With full effort after a short pause in which no other edit came.
    void replanSoon(const mpool::PoolFile& pools);
    void cancel();
    /// Forgets the prepared network: another model was opened.
    void reset();
    void writeArtefacts(const mpool::PoolFile& pools, const QString& folder);
    void openArtefacts(const QString& path);

    bool isPrepared() const { return m_prepared != nullptr; }
    bool isBusy() const { return m_compiling || m_planning; }
    bool isCompiling() const { return m_compiling; }

    static constexpr int pauseMilliseconds = 120;

signals:
    void progressed(const QString& stage, double fraction);
    void planned(const poolwright::app::Plan& plan);
    void artefactsOpened(const poolwright::report::ReportPtr& report, const QString& path);
    void artefactsWritten(const QString& folder, const QStringList& files);
    void failed(const poolwright::Diagnostics& diagnostics);
    void cancelled();
    void busyChanged(bool busy);

private:
    struct Request {
        mpool::PoolFile pools;
        Effort effort = Effort::Full;
    };
    void startPlan(const Request& request);
    void startNext();
    void planDone(int generation, const Plan& plan, const Diagnostics& errors);
    void compileDone(int generation, const PreparedHandle& prepared, const Plan& plan, const Diagnostics& errors,
                     bool stopped);
    template <typename Work> void run(Work work);

    std::shared_ptr<CompilerPort> m_compiler;
    QThreadPool m_pool;
    QTimer m_pause;
    PreparedHandle m_prepared;
    std::optional<Request> m_next; ///< waits for the running plan, or for the pause
    CancelFlag m_compileCancel, m_planCancel;
    int m_generation = 0; ///< of compiles; a plan belongs to the compile it was made from
    bool m_compiling = false, m_planning = false;
};

} // namespace poolwright::app
