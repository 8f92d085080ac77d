// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

class QListWidget;
class QTextBrowser;

namespace poolwright::app {

/// Shows the Markdown pages of resources/help, titles at the left.
class HelpViewer : public QDialog {
    Q_OBJECT
public:
    explicit HelpViewer(const QString& folder, QWidget* parent = nullptr);
    /// Shows a page that is no file, such as the list of shortcuts.
    void showMarkdown(const QString& title, const QString& markdown);
    int pageCount() const;

private:
    void fill(const QString& folder);

    QListWidget* m_pages;
    QTextBrowser* m_text;
};

/// The shortcuts page, made from the list of commands.
QString shortcutsAsMarkdown();

} // namespace poolwright::app
