// SPDX-License-Identifier: Apache-2.0
#include "app/fake_compiler.h"

#include "jobs/planner.h"
#include "support/shared.h"

#include <QSignalSpy>

using namespace poolwright;
using namespace poolwright::test;

class TestPlanner : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_compiler = std::make_shared<FakeCompiler>();
        m_planner = std::make_unique<app::Planner>(m_compiler);
    }
    void cleanup() { m_planner.reset(); }

    void compilesOffTheThreadWithProgress() {
        QSignalSpy planned(m_planner.get(), &app::Planner::planned),
            progress(m_planner.get(), &app::Planner::progressed);
        m_planner->compile(input("a.onnx", "one"));
        QVERIFY(m_planner->isCompiling());
        QTRY_COMPARE(planned.count(), 1);
        QCOMPARE(progress.count(), 1);
        const auto plan = planned[0][0].value<app::Plan>();
        QVERIFY(plan.compiled);
        QCOMPARE(plan.poolText, std::string("one"));
        QVERIFY(!m_planner->isBusy());
    }

    void newerCompileCancelsTheOlderAndDropsItsResult() {
        QSignalSpy planned(m_planner.get(), &app::Planner::planned);
        m_compiler->prepareMilliseconds = 2000;
        m_planner->compile(input("a.onnx", "old"));
        QTRY_COMPARE(m_compiler->prepares.load(), 1);
        m_compiler->prepareMilliseconds = 0;
        m_planner->compile(input("a.onnx", "new"));
        QTRY_COMPARE(planned.count(), 1);
        QCOMPARE(planned[0][0].value<app::Plan>().poolText, std::string("new"));
        QTRY_COMPARE(m_compiler->sawCancel.load(), 1);
        QTest::qWait(50);
        QCOMPARE(planned.count(), 1);
    }

    void cancelIsHonoured() {
        QSignalSpy planned(m_planner.get(), &app::Planner::planned),
            cancelled(m_planner.get(), &app::Planner::cancelled);
        QSignalSpy failed(m_planner.get(), &app::Planner::failed);
        m_compiler->prepareMilliseconds = 20000;
        m_planner->compile(input("a.onnx", ""));
        QTRY_COMPARE(m_compiler->prepares.load(), 1);
        m_planner->cancel();
        QTRY_COMPARE(cancelled.count(), 1);
        QCOMPARE(planned.count(), 0);
        QCOMPARE(failed.count(), 0);
        QVERIFY(!m_planner->isBusy());
    }

    void ofPlansAskedForDuringAPlanOnlyTheLastRuns() {
        compiled();
        QSignalSpy planned(m_planner.get(), &app::Planner::planned);
        const int before = m_compiler->quickPlans;
        m_compiler->planMilliseconds = 100;
        for (const char* text : {"1", "2", "3", "4", "5"})
            m_planner->replan(file(text), app::Effort::Quick);
        QTRY_COMPARE(planned.count(), 2);
        QCOMPARE(m_compiler->quickPlans.load(), before + 2);
        QCOMPARE(planned[1][0].value<app::Plan>().poolText, std::string("5"));
    }

    void editsInQuickSuccessionArePlannedOnce() {
        compiled();
        QSignalSpy planned(m_planner.get(), &app::Planner::planned);
        const int before = m_compiler->fullPlans;
        for (int i = 0; i < 5; ++i)
            m_planner->replanSoon(file(std::to_string(i)));
        QTRY_COMPARE(planned.count(), 1);
        QTest::qWait(2 * app::Planner::pauseMilliseconds);
        QCOMPARE(m_compiler->fullPlans.load(), before + 1);
        QCOMPARE(planned[0][0].value<app::Plan>().poolText, std::string("4"));
    }

    void planOfAForgottenModelIsDropped() {
        compiled();
        QSignalSpy planned(m_planner.get(), &app::Planner::planned);
        m_compiler->planMilliseconds = 100;
        m_planner->replan(file("x"), app::Effort::Full);
        m_planner->reset();
        QTest::qWait(250);
        QCOMPARE(planned.count(), 0);
        QVERIFY(!m_planner->isBusy());
    }

    void failureIsReported() {
        QSignalSpy failed(m_planner.get(), &app::Planner::failed);
        m_planner->compile(input("broken.onnx", ""));
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].value<Diagnostics>().at(0).code, std::string("PW2001"));
        QVERIFY(!m_planner->isPrepared());
    }

    void destroyedWhileWorking() {
        m_compiler->prepareMilliseconds = 20000;
        m_planner->compile(input("a.onnx", ""));
        QTRY_COMPARE(m_compiler->prepares.load(), 1);
        m_planner.reset(); // waits for the worker, which sees the cancel
        QCOMPARE(m_compiler->sawCancel.load(), 1);
    }

private:
    static mpool::PoolFile file(const std::string& text) {
        mpool::PoolFile pools;
        pools.text = text;
        return pools;
    }
    static app::CompileInput input(const std::string& model, const std::string& text) {
        return {model, {}, file(text)};
    }
    void compiled() {
        QSignalSpy planned(m_planner.get(), &app::Planner::planned);
        m_planner->compile(input("a.onnx", "first"));
        QTRY_COMPARE(planned.count(), 1);
    }

    std::shared_ptr<FakeCompiler> m_compiler;
    std::unique_ptr<app::Planner> m_planner;
};

QTEST_GUILESS_MAIN(TestPlanner)
#include "tst_planner.moc"
