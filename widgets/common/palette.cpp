// SPDX-License-Identifier: Apache-2.0
#include "common/palette.h"

#include <QApplication>
#include <QPalette>
#include <QStyleFactory>
#include <QWidget>

namespace poolwright::widgets {

static Palette makeLight() {
    Palette p;
    p.window = "#eef1f5";
    p.panel = "#ffffff";
    p.border = "#d5dbe3";
    p.grid = "#e9edf2";
    p.text = "#17202b";
    p.dim = "#5b6675";
    p.link = "#0067a3";
    p.accent = "#0072b2";
    p.selection = "#dceaf6";
    p.good = "#007a58";
    p.warn = "#9a6500";
    p.bad = "#b84a00";
    p.compute = "#009e73";
    p.memory = "#56b4e9";
    p.software = "#d55e00";
    p.constant = "#0072b2";
    p.activation = "#4fb895";
    p.scratch = "#cc79a7";
    p.io = "#e69f00";
    p.slow = "#56b4e9";
    p.fast = "#009e73";
    p.external = "#e69f00";
    return p;
}

static Palette makeDark() {
    Palette p = makeLight();
    p.dark = true;
    p.window = "#171b21";
    p.panel = "#1f242c";
    p.border = "#39424e";
    p.grid = "#2b323c";
    p.text = "#e6eaf0";
    p.dim = "#9ba7b6";
    p.link = "#7cc4f5";
    p.accent = "#56b4e9";
    p.selection = "#263f55";
    p.good = "#3fcfa3";
    p.warn = "#f0b63c";
    p.bad = "#ff8f4a";
    p.constant = "#2f8fd0";
    p.activation = "#2f9f7c";
    return p;
}

const Palette& lightPalette() {
    static const Palette palette = makeLight();
    return palette;
}

const Palette& darkPalette() {
    static const Palette palette = makeDark();
    return palette;
}

const Palette& paletteOf(const QWidget* widget) {
    const bool dark = widget->palette().color(QPalette::Window).lightness() < 128;
    return dark ? darkPalette() : lightPalette();
}

QColor bufferColour(const Palette& palette, const std::string& kind) {
    if (kind == "constant")
        return palette.constant;
    if (kind == "scratch")
        return palette.scratch;
    if (kind == "input" || kind == "output")
        return palette.io;
    return palette.activation;
}

QColor epochColour(const Palette& palette, const std::string& kind) {
    if (kind == "SW")
        return palette.software;
    if (kind == "hybrid")
        return palette.io;
    if (kind == "none")
        return palette.dim;
    return palette.compute;
}

QColor mixed(const QColor& over, const QColor& under, double share) {
    const auto mix = [share](int a, int b) { return int(a * share + b * (1 - share) + 0.5); };
    return {mix(over.red(), under.red()), mix(over.green(), under.green()), mix(over.blue(), under.blue())};
}

QColor textOn(const QColor& fill) {
    const double luminance = 0.299 * fill.red() + 0.587 * fill.green() + 0.114 * fill.blue();
    return luminance > 140 ? QColor("#10161d") : QColor("#ffffff");
}

static QPalette toQPalette(const Palette& p) {
    QPalette q;
    q.setColor(QPalette::Window, p.window);
    q.setColor(QPalette::WindowText, p.text);
    q.setColor(QPalette::Base, p.panel);
    q.setColor(QPalette::AlternateBase, mixed(p.grid, p.panel, 0.5));
    q.setColor(QPalette::Text, p.text);
    q.setColor(QPalette::PlaceholderText, p.dim);
    q.setColor(QPalette::Button, p.panel);
    q.setColor(QPalette::ButtonText, p.text);
    q.setColor(QPalette::BrightText, p.bad);
    q.setColor(QPalette::ToolTipBase, p.panel);
    q.setColor(QPalette::ToolTipText, p.text);
    q.setColor(QPalette::Highlight, p.selection);
    q.setColor(QPalette::HighlightedText, p.text);
    q.setColor(QPalette::Link, p.link);
    q.setColor(QPalette::Light, p.panel);
    q.setColor(QPalette::Midlight, p.grid);
    q.setColor(QPalette::Mid, p.border);
    q.setColor(QPalette::Dark, p.dim);
    q.setColor(QPalette::Shadow, p.border);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        q.setColor(QPalette::Disabled, role, mixed(p.dim, p.panel, 0.6));
    return q;
}

static QString styleSheet(const Palette& p) {
    QString sheet = QStringLiteral(
        "QMainWindow::separator { background: %window; width: 6px; height: 6px; }"
        "QDockWidget { font-weight: 600; }"
        "QDockWidget::title { background: %window; padding: 5px 4px; text-align: left; }"
        "QToolBar { background: %window; border: 0; border-bottom: 1px solid %border; spacing: 4px; padding: 4px 6px; }"
        "QToolBar QToolButton { padding: 4px 9px; border: 1px solid transparent; border-radius: 5px; }"
        "QToolBar QToolButton:hover, QToolBar QToolButton:focus { background: %panel; border-color: %border; }"
        "QToolBar QToolButton:pressed, QToolBar QToolButton:checked { background: %selection; }"
        "QToolBar QToolButton:disabled { color: %faded; }"
        "QTableView, QTreeView, QListView, QPlainTextEdit, QTextBrowser { border: 0; gridline-color: %grid; "
        "background: %panel; }"
        "QHeaderView::section { background: %panel; color: %dim; border: 0; border-bottom: 1px solid %border; padding: "
        "4px 4px; }"
        "QTabBar::tab { padding: 5px 11px; color: %dim; background: %window; border: 0; border-bottom: 2px solid "
        "transparent; }"
        "QTabBar::tab:selected { color: %text; border-bottom-color: %accent; background: %panel; }"
        "QTabBar::tab:hover { color: %text; } QTabBar::tab:focus { color: %accent; }"
        "QTabWidget::pane { border: 0; }"
        "QStatusBar { border-top: 1px solid %border; } QStatusBar::item { border: 0; }"
        "QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox { padding: 3px 6px; border: 1px solid %border; border-radius: "
        "4px;"
        " background: %panel; selection-background-color: %accent; selection-color: %panel; }"
        "QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus { border-color: %accent; }"
        "QLineEdit[invalid=\"true\"] { border-color: %bad; }"
        "QLineEdit:read-only { background: %window; }"
        "QComboBox::drop-down { border: 0; width: 18px; }"
        "QComboBox::down-arrow { image: none; border-left: 4px solid %panel; border-right: 4px solid %panel;"
        " border-top: 5px solid %dim; width: 0; height: 0; margin-right: 7px; }"
        "QPushButton { padding: 5px 12px; border: 1px solid %border; border-radius: 5px; background: %panel; }"
        "QPushButton:hover, QPushButton:focus { border-color: %accent; } QPushButton:pressed { background: %selection; "
        "}"
        "QPushButton:disabled { color: %faded; }"
        "QCheckBox::indicator, QTableView::indicator { width: 12px; height: 12px; border-radius: 3px;"
        " border: 1px solid %dim; background: %panel; }"
        "QCheckBox::indicator:checked, QTableView::indicator:checked { background: %accent; border-color: %accent; }"
        "QCheckBox::indicator:disabled { border-color: %border; } QCheckBox:focus { color: %accent; }"
        "QScrollBar:vertical { background: %panel; width: 11px; margin: 0; border: 0; }"
        "QScrollBar:horizontal { background: %panel; height: 11px; margin: 0; border: 0; }"
        "QScrollBar::handle { background: %border; border-radius: 3px; margin: 2px; }"
        "QScrollBar::handle:vertical { min-height: 28px; } QScrollBar::handle:horizontal { min-width: 28px; }"
        "QScrollBar::handle:hover { background: %dim; }"
        "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
        "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
        "QToolTip { background: %panel; color: %text; border: 1px solid %border; padding: 4px; }"
        "QMenu { background: %panel; border: 1px solid %border; padding: 4px 0; }"
        "QMenu::item { padding: 5px 26px 5px 22px; } QMenu::item:selected { background: %selection; }"
        "QMenu::item:disabled { color: %faded; } QMenu::separator { height: 1px; background: %border; margin: 4px 0; }"
        "QMenuBar { background: %window; } QMenuBar::item { padding: 4px 9px; }"
        "QMenuBar::item:selected { background: %selection; border-radius: 4px; }");
    const std::pair<const char*, QColor> colours[] = {
        {"%window", p.window},       {"%panel", p.panel},
        {"%border", p.border},       {"%grid", p.grid},
        {"%text", p.text},           {"%dim", p.dim},
        {"%accent", p.accent},       {"%bad", p.bad},
        {"%selection", p.selection}, {"%faded", mixed(p.dim, p.panel, 0.6)}};
    for (const auto& [name, colour] : colours)
        sheet.replace(QLatin1String(name), colour.name());
    return sheet;
}

void applyTheme(QApplication& application, Theme theme) {
    static const bool systemIsDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    const bool dark = theme == Theme::Dark || (theme == Theme::System && systemIsDark);
    const Palette& palette = dark ? darkPalette() : lightPalette();
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setPalette(toQPalette(palette));
    application.setStyleSheet(styleSheet(palette));
}

} // namespace poolwright::widgets
