// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/panel.h"
#include "recap/recaptext.h"
#include "tables/tableview.h"

class QPlainTextEdit;
class QStackedWidget;
class QToolButton;

namespace poolwright::widgets {

/// Operator -> epoch, units, HW or SW, and why: as a table or as text.
class RecapPanel : public Panel {
    Q_OBJECT
public:
    explicit RecapPanel(Selection* selection, QWidget* parent = nullptr);

    QStringList exportFormats() const override { return {"txt", "csv"}; }
    QString exportTo(const QString& path) const override;

protected:
    void reportChanged() override;
    void selectionChanged() override;
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    std::vector<Column> columns() const;

    std::vector<recap::Line> m_lines;
    TableView* m_table;
    QPlainTextEdit* m_text;
    QStackedWidget* m_stack;
    QToolButton* m_asText;
    bool m_stale = true;
};

} // namespace poolwright::widgets
