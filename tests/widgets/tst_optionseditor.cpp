// SPDX-License-Identifier: Apache-2.0
#include "common/selection.h"
#include "optionseditor/optionspanel.h"
#include "support/shared.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace poolwright;
using namespace poolwright::widgets;

namespace {

int rowOf(const OptionsModel& model, const QString& name) {
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row, OptionsModel::NameColumn).data().toString() == "--" + name)
            return row;
    return -1;
}

QModelIndex valueOf(const OptionsModel& model, const QString& name) {
    return model.index(rowOf(model, name), OptionsModel::ValueColumn);
}

} // namespace

class TestOptions : public QObject {
    Q_OBJECT

private slots:
    void modelIsSound() {
        OptionsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(model.rowCount() > 40);
        for (int row = 0; row < model.rowCount(); ++row)
            QVERIFY(!model.isChanged(row));
    }

    void flagIsTicked() {
        OptionsPanel panel(&m_selection);
        QSignalSpy edited(&panel, &OptionsPanel::optionsEdited);
        QVERIFY(panel.model().setData(valueOf(panel.model(), "native-float"), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(edited.count(), 1);
        QVERIFY(panel.model().options().nativeFloat);
        QVERIFY(panel.commandLine().contains("--native-float"));
        QVERIFY(panel.model().isChanged(rowOf(panel.model(), "native-float")));
        panel.model().setData(valueOf(panel.model(), "native-float"), Qt::Unchecked, Qt::CheckStateRole);
        QVERIFY(!panel.commandLine().contains("--native-float"));
    }

    void numberStaysInItsRange() {
        OptionsModel model;
        QSignalSpy edited(&model, &OptionsModel::edited);
        QVERIFY(!model.setData(valueOf(model, "optimization"), 99));
        QVERIFY(!model.setData(valueOf(model, "optimization"), "many"));
        QCOMPARE(edited.count(), 0);
        QVERIFY(model.setData(valueOf(model, "optimization"), 3));
        QCOMPARE(model.options().optimization, 3);
        QCOMPARE(edited.count(), 1);
    }

    void settingFromOutsideIsNoEdit() {
        OptionsPanel panel(&m_selection);
        QSignalSpy edited(&panel, &OptionsPanel::optionsEdited);
        options::CompilerOptions options;
        options.networkName = "Seg";
        panel.setOptions(options);
        QCOMPARE(edited.count(), 0);
        QVERIFY(panel.commandLine().contains("Seg"));
    }

private:
    Selection m_selection;
};

QTEST_MAIN(TestOptions)
#include "tst_optionseditor.moc"
