// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace poolwright::app {

/// What the window shows before anything is open: what to do, recent files, and the bundled examples.
class EmptyPage : public QWidget {
    Q_OBJECT
public:
    EmptyPage(const QStringList& recent, QWidget* parent = nullptr);

signals:
    void openModelWanted();
    void openPoolsWanted();
    void openArtefactsWanted();
    void filesWanted(const QStringList& paths);
};

/// Example models that are shipped, each with the pool file that fits the board.
struct Example {
    QString title;
    QStringList paths;
};
QList<Example> shippedExamples();

} // namespace poolwright::app
