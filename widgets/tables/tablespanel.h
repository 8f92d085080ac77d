// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/panel.h"
#include "tables/columns.h"

class QTabWidget;

namespace poolwright::widgets {

class TableView;

/// Epochs, buffers, traffic (csv) and initialisers as tables in tabs.
class TablesPanel : public Panel {
    Q_OBJECT
public:
    explicit TablesPanel(Selection* selection, QWidget* parent = nullptr);

    QStringList exportFormats() const override { return {"csv"}; }
    QString exportTo(const QString& path) const override;

    TableView& tab(int index) const { return *m_tabs[index].view; }
    void showTab(int index);

public slots:
    void focusFilter();

protected:
    void reportChanged() override;
    void selectionChanged() override;
    void showEvent(QShowEvent* event) override;

private:
    using Maker = tables::Table (*)(const report::ReportPtr&);
    enum class Chooses { Epoch, Buffer };
    struct Tab {
        TableView* view = nullptr;
        Maker make = nullptr;
        Chooses chooses = Chooses::Epoch;
        std::vector<int> rows;
        bool stale = true;
    };
    void addTab(int index, const QString& title, const QString& empty, Maker make, Chooses chooses);
    void refreshCurrent();
    void choose(const Tab& tab, int row);

    QTabWidget* m_widget;
    Tab m_tabs[4];
};

} // namespace poolwright::widgets
