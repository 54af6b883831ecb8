// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/theme.h"
#include "widgets/style/ok_color.h"
#include "widgets/style/style.h"
#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QIcon>
#include <QLocale>
#include <QPainter>
#include <QSvgRenderer>
#include <QWidget>
#include <array>
#include <cmath>

namespace mooring {
namespace {

ThemeColors darkColors() {
    return {
        .kind = ThemeKind::Dark,
        .window = QColor(0x22, 0x25, 0x2a),
        .canvas = QColor(0x1c, 0x1f, 0x23),
        .raised = QColor(0x2d, 0x31, 0x38),
        .chosen = QColor(0x3a, 0x4b, 0x5f),
        .text = QColor(0xdb, 0xde, 0xe4),
        .mutedText = QColor(0x97, 0x9e, 0xa9),
        .grid = QColor(0x33, 0x38, 0x40),
        .border = QColor(0x15, 0x17, 0x1a),
        .accent = QColor(0x5a, 0xa9, 0xe6),
        .accentText = QColor(0x0d, 0x12, 0x18),
        .base = QColor(0x9a, 0xa1, 0xac),
        .change = QColor(0xd9, 0xa9, 0x4e),
        .warning = QColor(0xe0, 0xa8, 0x3f),
        .error = QColor(0xe9, 0x77, 0x6a),
        .good = QColor(0x5f, 0xb8, 0x8b),
        .noData = QColor(0x22, 0x25, 0x2a),
        .hatch = QColor(0x4a, 0x50, 0x5a),
        .card = QColor(0x0f, 0x11, 0x13, 240),
        .cardText = QColor(0xf0, 0xf2, 0xf5),
        .cardMuted = QColor(0xa9, 0xb0, 0xba),
        .cross = QColor(0xff, 0xff, 0xff),
    };
}

ThemeColors lightColors() {
    return {
        .kind = ThemeKind::Light,
        .window = QColor(0xf3, 0xf4, 0xf6),
        .canvas = QColor(0xff, 0xff, 0xff),
        .raised = QColor(0xe6, 0xe9, 0xed),
        .chosen = QColor(0xc9, 0xdd, 0xf0),
        .text = QColor(0x1f, 0x23, 0x29),
        .mutedText = QColor(0x5c, 0x64, 0x70),
        .grid = QColor(0xdf, 0xe3, 0xe8),
        .border = QColor(0xd3, 0xd8, 0xde),
        .accent = QColor(0x1c, 0x6f, 0xb5),
        .accentText = QColor(0xff, 0xff, 0xff),
        .base = QColor(0x77, 0x7f, 0x8b),
        .change = QColor(0x9a, 0x6a, 0x0c),
        .warning = QColor(0x9a, 0x67, 0x00),
        .error = QColor(0xb9, 0x33, 0x26),
        .good = QColor(0x1f, 0x7a, 0x50),
        .noData = QColor(0xf6, 0xf7, 0xf9),
        .hatch = QColor(0xc2, 0xc9, 0xd2),
        .card = QColor(0x22, 0x26, 0x2c, 245),
        .cardText = QColor(0xf5, 0xf6, 0xf8),
        .cardMuted = QColor(0xb4, 0xbb, 0xc5),
        .cross = QColor(0x10, 0x13, 0x17),
    };
}

void setDisabled(QPalette& palette, const ThemeColors& c) {
    QColor faded = c.mutedText;
    faded.setAlpha(150);
    for (const auto role :
        {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, faded);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, c.raised);
}

bool hasEqualFigures(const QFont& font) {
    const QFontMetricsF metrics(font);
    const qreal width = metrics.horizontalAdvance(QLatin1Char('0'));
    for (char figure = '1'; figure <= '9'; ++figure)
        if (std::abs(metrics.horizontalAdvance(QLatin1Char(figure)) - width) > 0.01)
            return false;
    return true;
}

} // namespace

const ThemeColors& themeColors(ThemeKind kind) {
    static const ThemeColors dark = darkColors();
    static const ThemeColors light = lightColors();
    return kind == ThemeKind::Dark ? dark : light;
}

const ThemeColors& themeColors(const QWidget& widget) {
    return themeColors(themeOf(widget.palette()));
}

ThemeKind themeOf(const QPalette& palette) {
    return palette.color(QPalette::Window).lightnessF() < 0.5 ? ThemeKind::Dark : ThemeKind::Light;
}

QPalette themePalette(ThemeKind kind) {
    const ThemeColors& c = themeColors(kind);
    const bool dark = kind == ThemeKind::Dark;
    QPalette palette;
    palette.setColor(QPalette::Window, c.window);
    palette.setColor(QPalette::WindowText, c.text);
    palette.setColor(QPalette::Base, c.canvas);
    palette.setColor(QPalette::AlternateBase, dark ? c.window : QColor(0xf8, 0xf9, 0xfa));
    palette.setColor(QPalette::Text, c.text);
    palette.setColor(QPalette::PlaceholderText, c.mutedText);
    palette.setColor(QPalette::Button, c.raised);
    palette.setColor(QPalette::ButtonText, c.text);
    palette.setColor(QPalette::BrightText, c.error);
    palette.setColor(QPalette::Highlight, c.accent);
    palette.setColor(QPalette::HighlightedText, c.accentText);
    palette.setColor(QPalette::Link, c.accent);
    palette.setColor(QPalette::LinkVisited, c.accent);
    palette.setColor(QPalette::ToolTipBase, c.card);
    palette.setColor(QPalette::ToolTipText, c.cardText);
    palette.setColor(QPalette::Light, dark ? c.raised.lighter(120) : QColor(Qt::white));
    palette.setColor(QPalette::Midlight, dark ? c.raised.lighter(110) : c.raised);
    palette.setColor(QPalette::Mid, dark ? c.border.lighter(150) : c.border);
    palette.setColor(QPalette::Dark, dark ? c.border : c.border.darker(115));
    palette.setColor(QPalette::Shadow, dark ? QColor(Qt::black) : QColor(0x9a, 0xa2, 0xad));
    setDisabled(palette, c);
    return palette;
}

void applyTheme(QApplication& application, ThemeKind kind) {
    if (!qobject_cast<CalmStyle*>(QApplication::style()))
        QApplication::setStyle(new CalmStyle); // the application owns it
    application.setPalette(themePalette(kind));
}

QColor communityColor(int community) {
    static constexpr std::array<QRgb, 8> okabeIto
        = {0x56b4e9, 0xe69f00, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7, 0x999999};
    const int index = std::max(community, 0);
    if (index < static_cast<int>(okabeIto.size()))
        return QColor(okabeIto[index]);
    // The golden angle keeps neighbors in the list far apart in hue however many there are.
    const double hue = 137.508 * (index - static_cast<int>(okabeIto.size())) + 20;
    return QColor(fromOkLch(0.70, 0.115, hue));
}

QString communityLabel(int community) {
    return QString::number(community + 1);
}

QColor textOn(const QColor& background) {
    return okLightness(background.rgb()) > 0.62 ? QColor(0x10, 0x13, 0x17) : QColor(Qt::white);
}

QColor runColor(int index) {
    static constexpr std::array<QRgb, 6> first
        = {0x5aa9e6, 0xe69f3c, 0xb98be0, 0x4fb58f, 0xe0736a, 0xcbb64a};
    const int place = std::max(index, 0);
    if (place < static_cast<int>(first.size()))
        return QColor(first[place]);
    return QColor(fromOkLch(0.70, 0.12, 137.508 * place));
}

QFont numberFont(const QFont& base) {
    QFont font = base;
    font.setPixelSize(QFontInfo(base).pixelSize());
    if (hasEqualFigures(font))
        return font;
    for (const char* family : {"Noto Sans", "DejaVu Sans", "Liberation Sans", "Segoe UI"}) {
        font.setFamily(QLatin1String(family));
        if (QFontDatabase::hasFamily(QLatin1String(family)) && hasEqualFigures(font))
            return font;
    }
    font.setFamily(QFontDatabase::systemFont(QFontDatabase::FixedFont).family());
    return font;
}

QFont smallFont(const QFont& base) {
    QFont font = base;
    if (base.pointSizeF() > 0)
        font.setPointSizeF(std::max(7.0, base.pointSizeF() * 0.9));
    else
        font.setPixelSize(std::max(9, base.pixelSize() * 9 / 10));
    return font;
}

QFont strongFont(const QFont& base) {
    QFont font = base;
    font.setWeight(QFont::DemiBold);
    return font;
}

QString formatNumber(double value, int digits, bool plus) {
    if (std::isnan(value))
        return QStringLiteral("-");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("\u221e") : QStringLiteral("\u2212\u221e");
    QString text;
    const double size = std::abs(value);
    if (value == 0) {
        text = QStringLiteral("0");
    } else if (size < 1e-4 || size >= 1e6) {
        text = QString::number(size, 'e', digits - 1);
    } else {
        const int exponent = static_cast<int>(std::floor(std::log10(size)));
        text = QString::number(size, 'f', std::max(0, digits - 1 - exponent));
    }
    if (value < 0)
        return QStringLiteral("\u2212") + text;
    return plus && value > 0 ? QLatin1Char('+') + text : text;
}

QString formatExact(double value) {
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString formatCount(qint64 value) {
    return QLocale().toString(value);
}

QIcon tintedIcon(const QString& path, const QPalette& palette) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray source = file.readAll();
    QIcon icon;
    for (const auto mode : {QIcon::Normal, QIcon::Disabled}) {
        const auto group = mode == QIcon::Normal ? QPalette::Active : QPalette::Disabled;
        const QColor color = palette.color(group, QPalette::ButtonText);
        QByteArray tinted = source;
        tinted.replace("currentColor", color.name().toLatin1());
        QSvgRenderer renderer(tinted);
        for (const int size : {16, 24, 32, 48}) {
            QPixmap pixmap(size, size);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            painter.setOpacity(color.alphaF());
            renderer.render(&painter);
            painter.end();
            icon.addPixmap(pixmap, mode);
        }
    }
    return icon;
}

} // namespace mooring
