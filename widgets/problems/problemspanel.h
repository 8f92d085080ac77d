// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/panel.h"

#include <QAbstractListModel>

class QLabel;
class QListView;

namespace poolwright::widgets {

/// Diagnostics, worst first, each with its hint.
class ProblemsModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { SeverityRole = Qt::UserRole + 1, CodeRole, HintRole, PlaceRole };
    using QAbstractListModel::QAbstractListModel;

    void reset(Diagnostics diagnostics);
    const Diagnostic& at(int row) const { return m_diagnostics[std::size_t(row)]; }
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    Diagnostics m_diagnostics;
};

/// Everything that is wrong or worth knowing: of the document, of the last compile and of the plan.
class ProblemsPanel : public Panel {
    Q_OBJECT
public:
    explicit ProblemsPanel(Selection* selection, QWidget* parent = nullptr);

    /// Findings that do not come from the report: files that could not be read, a compile that failed.
    void setDocumentProblems(const Diagnostics& diagnostics);

    QStringList exportFormats() const override { return {"csv", "txt"}; }
    QString exportTo(const QString& path) const override;
    const ProblemsModel& model() const { return *m_model; }
    int count() const { return m_model->rowCount(); }

signals:
    /// The user wants to see the place.
    void placeWanted(const poolwright::SourceLocation& where);
    void countChanged(int count);

protected:
    void reportChanged() override { refresh(); }
    void selectionChanged() override {}

private:
    void refresh();

    Diagnostics m_document;
    ProblemsModel* m_model;
    QListView* m_view;
    QLabel* m_empty;
};

} // namespace poolwright::widgets
