// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/panel.h"
#include "optionseditor/optionsmodel.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QSortFilterProxyModel;
class QTableView;

namespace poolwright::widgets {

/// Editor over the option table, and the command line that gives the same compile.
class OptionsPanel : public Panel {
    Q_OBJECT
public:
    explicit OptionsPanel(Selection* selection, QWidget* parent = nullptr);

    void setOptions(const options::CompilerOptions& options);
    /// Names of profiles that can be chosen; the chosen one is applied by whoever listens to profileChosen().
    void setProfiles(const QStringList& names);
    OptionsModel& model() const { return *m_model; }
    QString commandLine() const;

    QStringList exportFormats() const override { return {"txt", "csv"}; }
    QString exportTo(const QString& path) const override;

signals:
    void optionsEdited(const poolwright::options::CompilerOptions& options);
    void profileChosen(const QString& name);

protected:
    void reportChanged() override {}
    void selectionChanged() override {}
    void showEvent(QShowEvent* event) override;

private:
    void showCommandLine();
    void applyFilter();

    OptionsModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QTableView* m_view;
    QLineEdit* m_filter;
    QCheckBox* m_onlyChanged;
    QComboBox* m_profile;
    QPlainTextEdit* m_commandLine;
    bool m_sized = false;
};

} // namespace poolwright::widgets
