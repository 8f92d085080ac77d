// SPDX-License-Identifier: Apache-2.0
#include "poolinspector/sourceview.h"

#include "common/exporter.h"
#include "common/palette.h"
#include "common/selection.h"

#include <QEvent>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>

namespace poolwright::widgets {

SourceView::SourceView(Selection* selection, QWidget* parent)
    : Panel(selection, parent)
    , m_text(new QPlainTextEdit) {
    setObjectName("source");
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setTabStopDistance(m_text->fontMetrics().horizontalAdvance(' ') * 2);
    m_text->setPlaceholderText(tr("The text of the memory-pool file appears here."));
    m_text->setAccessibleName(tr("Text of the memory-pool file"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text);
}

void SourceView::setSource(const QString& source, std::function<int(const QString&)> lineOf) {
    m_lineOf = std::move(lineOf);
    if (source != m_text->toPlainText()) {
        const int scrolled = m_text->verticalScrollBar()->value();
        m_text->setPlainText(source);
        m_text->verticalScrollBar()->setValue(scrolled);
    }
    highlight(false);
}

QString SourceView::source() const {
    return m_text->toPlainText();
}

void SourceView::goTo(int line, int column) {
    const QTextBlock block = m_text->document()->findBlockByNumber(std::max(0, line - 1));
    if (!block.isValid())
        return;
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::Right, QTextCursor::MoveAnchor, std::clamp(column - 1, 0, block.length() - 1));
    m_text->setTextCursor(cursor);
    m_text->centerCursor();
    m_text->setFocus();
}

int linesOfObject(const QString& source, int firstLine) {
    const QStringList lines = source.split('\n');
    int depth = 0;
    bool opened = false, inString = false;
    for (int i = firstLine - 1; i >= 0 && i < lines.size(); ++i) {
        const QString& line = lines[i];
        for (int c = 0; c < line.size(); ++c) {
            if (line[c] == '"' && (c == 0 || line[c - 1] != '\\'))
                inString = !inString;
            if (inString)
                continue;
            depth += (line[c] == '{') - (line[c] == '}');
            opened = opened || line[c] == '{';
            if (opened && depth <= 0)
                return i - (firstLine - 1) + 1;
        }
    }
    return 1;
}

void SourceView::highlight(bool scroll) {
    const int line = m_lineOf ? m_lineOf(selection()->pool()) : 0;
    if (line <= 0)
        return m_text->setExtraSelections({});
    QTextEdit::ExtraSelection tint;
    tint.format.setBackground(paletteOf(this).selection);
    tint.format.setProperty(QTextFormat::FullWidthSelection, true);
    QList<QTextEdit::ExtraSelection> all;
    QTextBlock block = m_text->document()->findBlockByNumber(line - 1);
    for (int i = linesOfObject(m_text->toPlainText(), line); i > 0 && block.isValid(); --i, block = block.next()) {
        tint.cursor = QTextCursor(block);
        all << tint;
    }
    m_text->setExtraSelections(all);
    if (scroll && !all.isEmpty()) {
        m_text->setTextCursor(all.first().cursor);
        m_text->centerCursor();
    }
}

void SourceView::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        highlight(false);
}

QString SourceView::exportTo(const QString& path) const {
    return exportText(path, source());
}

} // namespace poolwright::widgets
