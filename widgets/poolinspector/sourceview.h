// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/panel.h"

#include <functional>

class QPlainTextEdit;

namespace poolwright::widgets {

/// The text of the pool file, read only and kept in step; the selected pool's lines are tinted.
class SourceView : public Panel {
    Q_OBJECT
public:
    explicit SourceView(Selection* selection, QWidget* parent = nullptr);

    /// `lineOf` answers the first line of a pool's object, 0 when it has none.
    void setSource(const QString& source, std::function<int(const QString& pool)> lineOf);
    void goTo(int line, int column);
    QString source() const;

    QStringList exportFormats() const override { return {"txt"}; }
    QString exportTo(const QString& path) const override;

protected:
    void reportChanged() override {}
    void selectionChanged() override { highlight(true); }
    void changeEvent(QEvent* event) override;

private:
    void highlight(bool scroll);

    QPlainTextEdit* m_text;
    std::function<int(const QString&)> m_lineOf;
};

/// The object that begins on the line: number of its lines, by counting braces outside strings.
int linesOfObject(const QString& source, int firstLine);

} // namespace poolwright::widgets
