// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/selection.h"
#include "widgets/style/ok_color.h"
#include "widgets/style/theme.h"
#include <QFontMetricsF>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

using namespace mooring;

class ThemeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void communitiesStartWithOkabeIto();
    void furtherCommunitiesDifferAndAreEquallyLight();
    void textIsReadableOnBothThemes();
    void figuresHaveEqualWidth();
    void numbersHaveThreeSignificantDigitsAndATrueMinus();
    void exactNumbersReadBackAsTheSameValue();
    void aPaletteKnowsItsTheme();
    void theSelectionTellsItsChangeOnce();
};

void ThemeTest::communitiesStartWithOkabeIto() {
    QCOMPARE(communityColor(0), QColor(0x56, 0xb4, 0xe9));
    QCOMPARE(communityColor(1), QColor(0xe6, 0x9f, 0x00));
    QCOMPARE(communityColor(2), QColor(0x00, 0x9e, 0x73));
    QCOMPARE(communityLabel(0), QStringLiteral("1"));
}

void ThemeTest::furtherCommunitiesDifferAndAreEquallyLight() {
    QSet<QRgb> seen;
    for (int community = 0; community < 40; ++community) {
        const QRgb color = communityColor(community).rgb();
        QVERIFY(!seen.contains(color));
        seen.insert(color);
        if (community >= 8)
            QVERIFY(std::abs(okLightness(color) - 0.70) < 0.03);
    }
}

// WCAG 2: contrast of relative luminance, 4.5 for text, 3 for quiet text at least.
static double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& c) {
        const auto linear = [](double v) {
            return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
    };
    const double x = luminance(a) + 0.05;
    const double y = luminance(b) + 0.05;
    return std::max(x, y) / std::min(x, y);
}

void ThemeTest::textIsReadableOnBothThemes() {
    for (const auto kind : {ThemeKind::Dark, ThemeKind::Light}) {
        const ThemeColors& c = themeColors(kind);
        for (const QColor& back : {c.window, c.canvas, c.raised, c.chosen}) {
            QVERIFY(contrast(c.text, back) >= 4.5);
            QVERIFY(contrast(c.mutedText, back) >= 3);
        }
        for (const QColor& ink : {c.mutedText, c.accent, c.change, c.warning, c.error, c.good})
            QVERIFY(contrast(ink, c.canvas) >= 4.5);
        QVERIFY(contrast(c.accentText, c.accent) >= 4.5);
    }
}

void ThemeTest::figuresHaveEqualWidth() {
    const QFontMetricsF metrics(numberFont(QFont()));
    for (char figure = '1'; figure <= '9'; ++figure)
        QCOMPARE(metrics.horizontalAdvance(QLatin1Char(figure)),
            metrics.horizontalAdvance(QLatin1Char('0')));
}

void ThemeTest::numbersHaveThreeSignificantDigitsAndATrueMinus() {
    QCOMPARE(formatNumber(0), QStringLiteral("0"));
    QCOMPARE(formatNumber(0.14821), QStringLiteral("0.148"));
    QCOMPARE(formatNumber(12.345), QStringLiteral("12.3"));
    QCOMPARE(formatNumber(9876.4), QStringLiteral("9876"));
    QCOMPARE(formatNumber(-0.5, 3), QStringLiteral("\u22120.500"));
    QCOMPARE(formatNumber(1.69, 3, true), QStringLiteral("+1.69"));
    QCOMPARE(formatNumber(0.00001234), QStringLiteral("1.23e-05"));
    QCOMPARE(formatNumber(std::nan("")), QStringLiteral("-"));
}

void ThemeTest::exactNumbersReadBackAsTheSameValue() {
    for (const double value : {0.1, 1.0 / 3, 2.5e-17, 123456789.125, -7.0})
        QCOMPARE(formatExact(value).toDouble(), value);
    QCOMPARE(formatExact(0.1), QStringLiteral("0.1"));
}

void ThemeTest::aPaletteKnowsItsTheme() {
    QCOMPARE(themeOf(themePalette(ThemeKind::Dark)), ThemeKind::Dark);
    QCOMPARE(themeOf(themePalette(ThemeKind::Light)), ThemeKind::Light);
}

void ThemeTest::theSelectionTellsItsChangeOnce() {
    SelectionModel model;
    QSignalSpy spy(&model, &SelectionModel::changed);
    model.setExpert(2, 17);
    model.setExpert(2, 17);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].value<Selection>().expert, 17);
    QCOMPARE(spy[0][1].value<Selection>().expert, -1);
}

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
