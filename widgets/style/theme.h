// SPDX-License-Identifier: GPL-3.0-or-later Two palettes on top of Fusion, the named colors that
// views draw with, fonts and number formatting.
#pragma once
#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

class QApplication;
class QIcon;
class QWidget;

namespace mooring {

enum class ThemeKind { Light, Dark };

// Colors of the chrome and of marks. Data takes its color from color maps.
struct ThemeColors {
    ThemeKind kind;
    QColor window; // chrome
    QColor canvas; // behind data
    QColor raised; // controls that stand out from the chrome
    QColor chosen; // the chosen segment, row or tab
    QColor text;
    QColor mutedText;
    QColor grid; // grid lines inside data
    QColor border; // lines between parts
    QColor accent; // the tuned model, the run, the focus
    QColor accentText;
    QColor base; // the frozen base model, wherever both are drawn
    QColor change; // live changes and their marks
    QColor warning;
    QColor error;
    QColor good;
    QColor noData; // under the hatch
    QColor hatch;
    QColor card; // read-outs beside the pointer
    QColor cardText;
    QColor cardMuted;
    QColor cross; // outline of the cell under the pointer
};

const ThemeColors& themeColors(ThemeKind kind);
const ThemeColors& themeColors(const QWidget& widget); // of the palette in force
QPalette themePalette(ThemeKind kind);
ThemeKind themeOf(const QPalette& palette); // by the lightness of the window

// Sets Fusion, the palette and the style's details. May be called again to change the theme.
void applyTheme(QApplication& application, ThemeKind kind);

// Okabe-Ito first, then hues of equal lightness. Color alone never carries meaning: write the
// number (communityLabel, from 1) beside it.
QColor communityColor(int community);
QString communityLabel(int community);
QColor textOn(const QColor& background); // black or white, whichever reads better
QColor runColor(int index); // the same run has the same color in every view

// The application font with tabular figures, or else the first installed family that has them. In
// pixels, so that screens, SVG and PDF agree.
QFont numberFont(const QFont& base);
QFont smallFont(const QFont& base);
QFont strongFont(const QFont& base);

// Three significant digits by default; a true minus sign, "-" for NaN, no exponent between 1e-4 and
// 1e6. `plus` writes the sign of positive values too.
QString formatNumber(double value, int digits = 3, bool plus = false);
QString formatExact(double value); // shortest text that reads back as the same double
QString formatCount(qint64 value); // grouped by the locale

// An SVG line icon (drawn with currentColor) in the palette's text color.
QIcon tintedIcon(const QString& path, const QPalette& palette);

} // namespace mooring
