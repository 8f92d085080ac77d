// SPDX-License-Identifier: Apache-2.0
#include "window/helpviewer.h"

#include "window/commands.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QHBoxLayout>
#include <QListWidget>
#include <QSplitter>
#include <QTextBrowser>

namespace poolwright::app {

HelpViewer::HelpViewer(const QString& folder, QWidget* parent)
    : QDialog(parent)
    , m_pages(new QListWidget)
    , m_text(new QTextBrowser) {
    setWindowTitle(tr("Help"));
    resize(fontMetrics().averageCharWidth() * 130, fontMetrics().height() * 40);
    m_text->setOpenExternalLinks(true);
    m_text->setSearchPaths({folder});
    m_text->document()->setDocumentMargin(18);
    m_pages->setAccessibleName(tr("Help pages"));
    auto* split = new QSplitter;
    split->addWidget(m_pages);
    split->addWidget(m_text);
    split->setStretchFactor(1, 1);
    split->setSizes({fontMetrics().averageCharWidth() * 28, 700});
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(split);
    connect(m_pages, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item)
            m_text->setMarkdown(item->data(Qt::UserRole).toString());
    });
    fill(folder);
}

static QString titleOf(const QString& markdown, const QString& fallback) {
    const QString first = markdown.section('\n', 0, 0);
    return first.startsWith("# ") ? first.mid(2).trimmed() : fallback;
}

void HelpViewer::fill(const QString& folder) {
    const QDir dir(folder);
    if (!folder.isEmpty())
        for (const QString& name : dir.entryList({"*.md"}, QDir::Files, QDir::Name)) {
            QFile file(dir.filePath(name));
            if (!file.open(QIODevice::ReadOnly))
                continue;
            const QString markdown = QString::fromUtf8(file.readAll());
            auto* item = new QListWidgetItem(titleOf(markdown, name), m_pages);
            item->setData(Qt::UserRole, markdown);
        }
    auto* shortcuts = new QListWidgetItem(tr("Keyboard shortcuts"), m_pages);
    shortcuts->setData(Qt::UserRole, shortcutsAsMarkdown());
    m_pages->setCurrentRow(0);
}

int HelpViewer::pageCount() const {
    return m_pages->count();
}

void HelpViewer::showMarkdown(const QString& title, const QString& markdown) {
    for (int row = 0; row < m_pages->count(); ++row)
        if (m_pages->item(row)->text() == title)
            return m_pages->setCurrentRow(row);
    m_text->setMarkdown(markdown);
}

QString shortcutsAsMarkdown() {
    const auto words = [](const char* source) { return QCoreApplication::translate("HelpViewer", source); };
    QString page = "# " + HelpViewer::tr("Keyboard shortcuts") + "\n\n| " + HelpViewer::tr("keys") + " | " +
                   HelpViewer::tr("command") + " | |\n|---|---|---|\n";
    for (const CommandInfo& info : allCommands()) {
        const QString keys = QKeySequence(QString::fromLatin1(info.keys)).toString(QKeySequence::NativeText);
        if (!keys.isEmpty())
            page += "| " + keys + " | " +
                    QCoreApplication::translate("Commands", info.text).remove('&').remove(QChar(0x2026)) + " | " +
                    QCoreApplication::translate("Commands", info.tip) + " |\n";
    }
    const std::pair<const char*, const char*> inPanels[] = {
        {QT_TRANSLATE_NOOP("HelpViewer", "Address map: Up, Down"),
         QT_TRANSLATE_NOOP("HelpViewer", "choose a pool edge")},
        {QT_TRANSLATE_NOOP("HelpViewer", "Address map: Left, Right"),
         QT_TRANSLATE_NOOP("HelpViewer",
                           "move the edge by the snap (with Shift 16 times); without an edge: previous, next epoch")},
        {QT_TRANSLATE_NOOP("HelpViewer", "Address map: Alt while dragging"),
         QT_TRANSLATE_NOOP("HelpViewer", "no snapping")},
        {QT_TRANSLATE_NOOP("HelpViewer", "Timeline: Left, Right"),
         QT_TRANSLATE_NOOP("HelpViewer", "previous, next epoch")},
        {QT_TRANSLATE_NOOP("HelpViewer", "Epoch graph: Left, Right"),
         QT_TRANSLATE_NOOP("HelpViewer", "go to the producer, to the consumer")},
        {QT_TRANSLATE_NOOP("HelpViewer", "Map, timeline, graph: + − 0"),
         QT_TRANSLATE_NOOP("HelpViewer", "zoom in, out, to fit")}};
    for (const auto& [keys, what] : inPanels)
        page += "| " + words(keys) + " | " + words(what) + " | |\n";
    return page;
}

} // namespace poolwright::app
