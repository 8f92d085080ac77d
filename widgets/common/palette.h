// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QString>

class QApplication;
class QWidget;

namespace poolwright::widgets {

/// Colours by meaning. The hues are those of Okabe and Ito, which stay apart for colour-blind eyes; meaning is never
/// carried by hue alone (texts, hatches and positions repeat it).
struct Palette {
    bool dark = false;
    QColor window, panel, border, grid;       ///< surfaces and lines
    QColor text, dim, link;                   ///< writing
    QColor accent, selection;                 ///< what is chosen; selection is a pale fill
    QColor good, warn, bad;                   ///< verdicts, readable as text on `panel`
    QColor compute, memory, software;         ///< time of an epoch
    QColor constant, activation, scratch, io; ///< kinds of buffers
    QColor slow, fast, external;              ///< pools
};

const Palette& lightPalette();
const Palette& darkPalette();
/// The palette that matches the window colour of a widget's QPalette.
const Palette& paletteOf(const QWidget* widget);

/// Fill of a buffer of that kind ("constant", "activation", ...).
QColor bufferColour(const Palette& palette, const std::string& kind);
/// Fill for an epoch's kind ("HW", "SW", "hybrid", "EC", "none").
QColor epochColour(const Palette& palette, const std::string& kind);
/// `over` laid with the given share on `under`: opaque tints, so that exports need no transparency.
QColor mixed(const QColor& over, const QColor& under, double share);
/// Black or white, whichever reads better on the fill.
QColor textOn(const QColor& fill);

enum class Theme { System, Light, Dark };
/// Fusion style, our palette and style sheet for the whole application.
void applyTheme(QApplication& application, Theme theme);

} // namespace poolwright::widgets
