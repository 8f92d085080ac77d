// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/panel.h"

class QComboBox;
class QLabel;
class QLineEdit;

namespace poolwright::widgets {

class GraphView;

/// The graph of epochs with search and a choice of colours.
class EpochGraphPanel : public Panel {
    Q_OBJECT
public:
    explicit EpochGraphPanel(Selection* selection, QWidget* parent = nullptr);

    QStringList exportFormats() const override { return {"svg", "png"}; }
    QString exportTo(const QString& path) const override;
    GraphView& view() const { return *m_view; }

public slots:
    void focusSearch();
    void findNext();

protected:
    void reportChanged() override;
    void selectionChanged() override {}

private:
    void search();

    QLineEdit* m_search;
    QLabel* m_found;
    QComboBox* m_colour;
    GraphView* m_view;
    std::vector<int> m_matches;
};

} // namespace poolwright::widgets
