// SPDX-License-Identifier: Apache-2.0
#include "support/shared.h" // first: moc of Qt 6.4 cannot read <compare> before <string>

#include "fuzz/campaign.h"

using namespace poolwright::fuzz;

/// Whatever a damaged file holds: no crash, no hang, and an error that says why it is refused. A small share of what
/// poolwright-fuzz does by hand under the sanitizers.
class TstFuzz : public QObject {
    Q_OBJECT

private slots:
    void mutants_data() {
        QTest::addColumn<bool>("models");
        QTest::addColumn<unsigned>("count");
        QTest::newRow("models") << true << 1000U;
        QTest::newRow("texts") << false << 800U;
    }

    void mutants() {
        QFETCH(bool, models);
        QFETCH(unsigned, count);
        Plan plan;
        plan.models = models;
        plan.texts = !models;
        plan.count = count;
        const auto tallies = runCampaign(plan, [](const std::string& label, const std::string& fault) {
            qWarning("mutant %s: %s", label.c_str(), fault.c_str());
        });
        for (const auto& [kind, tally] : tallies) {
            QVERIFY2(tally.faults == 0, kindName(kind));
            // Neither all nor none: else the mutants say nothing.
            QVERIFY2(tally.refused > 0 && tally.refused < tally.mutants, kindName(kind));
        }
    }
};

QTEST_APPLESS_MAIN(TstFuzz)
#include "tst_fuzz.moc"
