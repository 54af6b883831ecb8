// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/color_map.h"
#include "widgets/style/ok_color.h"
#include <QImage>
#include <QPainter>
#include <QTest>
#include <cmath>

using namespace mooring;

class ColorMapTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void viridisHasItsPublishedEndsAndCentre();
    void cividisHasItsPublishedEndsAndCentre();
    void theCentreOfADifferenceIsGreyInBothThemes();
    void bothEndsOfADifferenceAreEquallyStrong();
    void lightnessRisesAllAlongTheMagnitudeMaps();
    void zeroOfADifferenceIsTheCentreEntry();
    void valuesBeyondTheRangeTakeItsEnds();
    void aRobustDifferenceIsSymmetricAndIgnoresOutliersAndGaps();
    void aRobustMagnitudeStartsAtZero();
    void noValuesGiveADrawableRange();
    void theHatchLeavesTheGroundAndHasLines();
};

void ColorMapTest::viridisHasItsPublishedEndsAndCentre() {
    const ColorTable& table = colorTable(ColorMapId::Viridis, ThemeKind::Dark);
    QCOMPARE(table.front(), qRgb(0x44, 0x01, 0x54));
    QCOMPARE(table[128], qRgb(0x21, 0x91, 0x8c));
    QCOMPARE(table.back(), qRgb(0xfd, 0xe7, 0x25));
}

void ColorMapTest::cividisHasItsPublishedEndsAndCentre() {
    const ColorTable& table = colorTable(ColorMapId::Cividis, ThemeKind::Light);
    QCOMPARE(table.front(), qRgb(0x00, 0x22, 0x4e));
    QCOMPARE(table[128], qRgb(0x7d, 0x7c, 0x78));
    QCOMPARE(table.back(), qRgb(0xfe, 0xe8, 0x38));
}

void ColorMapTest::theCentreOfADifferenceIsGreyInBothThemes() {
    for (const auto theme : {ThemeKind::Dark, ThemeKind::Light}) {
        const QRgb centre = colorTable(ColorMapId::Difference, theme)[128];
        QCOMPARE(qRed(centre), qGreen(centre));
        QCOMPARE(qGreen(centre), qBlue(centre));
    }
}

void ColorMapTest::bothEndsOfADifferenceAreEquallyStrong() {
    for (const auto theme : {ThemeKind::Dark, ThemeKind::Light}) {
        const ColorTable& table = colorTable(ColorMapId::Difference, theme);
        QVERIFY(std::abs(okLightness(table.front()) - okLightness(table.back())) < 0.02);
        QVERIFY2(qBlue(table.front()) > qRed(table.front()), "less than the base is blue");
        QVERIFY2(qRed(table.back()) > qBlue(table.back()), "more than the base is orange");
    }
}

void ColorMapTest::lightnessRisesAllAlongTheMagnitudeMaps() {
    for (const auto id : {ColorMapId::Viridis, ColorMapId::Cividis}) {
        const ColorTable& table = colorTable(id, ThemeKind::Dark);
        for (int i = 8; i < 256; i += 8)
            QVERIFY(okLightness(table[i]) > okLightness(table[i - 8]));
    }
}

void ColorMapTest::zeroOfADifferenceIsTheCentreEntry() {
    const ColorRange range{-0.02, 0.02};
    QCOMPARE(range.index(0), 128);
    QCOMPARE(range.position(0.01), 0.75);
}

void ColorMapTest::valuesBeyondTheRangeTakeItsEnds() {
    const ColorRange range{0, 0.5};
    QCOMPARE(range.index(-1), 0);
    QCOMPARE(range.index(0), 0);
    QCOMPARE(range.index(0.5), 255);
    QCOMPARE(range.index(7), 255);
}

void ColorMapTest::aRobustDifferenceIsSymmetricAndIgnoresOutliersAndGaps() {
    // 101 sizes 0.00, 0.01 .. 1.00: the 98th percentile of the sizes is 0.98.
    std::vector<double> values;
    for (int i = 0; i <= 100; ++i)
        values.push_back((i % 2 ? -1 : 1) * i / 100.0);
    values.push_back(std::nan(""));
    const ColorRange range = robustRange(values, true);
    QCOMPARE(range.high, 0.98);
    QCOMPARE(range.low, -0.98);
}

void ColorMapTest::aRobustMagnitudeStartsAtZero() {
    std::vector<double> values;
    for (int i = 100; i <= 200; ++i)
        values.push_back(i);
    const ColorRange range = robustRange(values, false);
    QCOMPARE(range.low, 0.0);
    QCOMPARE(range.high, 199.0);
    QCOMPARE(tightRange(values).low, 102.0);
    QCOMPARE(tightRange(values).high, 198.0);
}

void ColorMapTest::noValuesGiveADrawableRange() {
    const std::vector<double> none{std::nan("")};
    QCOMPARE(robustRange(none, false), (ColorRange{0, 1}));
    QCOMPARE(robustRange(none, true), (ColorRange{-1, 1}));
    const std::vector<double> zeros{0, 0, 0};
    QVERIFY(robustRange(zeros, true).high > 0);
    QCOMPARE(robustRange(zeros, true).index(0), 128);
}

void ColorMapTest::theHatchLeavesTheGroundAndHasLines() {
    const ThemeColors& colors = themeColors(ThemeKind::Dark);
    QImage image(24, 24, QImage::Format_RGB32);
    image.fill(Qt::red);
    QPainter painter(&image);
    paintHatch(painter, QRectF(0, 0, 24, 24), colors);
    painter.end();
    int ground = 0;
    int lines = 0;
    for (int y = 0; y < 24; ++y)
        for (int x = 0; x < 24; ++x) {
            ground += image.pixel(x, y) == colors.noData.rgb();
            lines += image.pixel(x, y) == colors.hatch.rgb();
        }
    QVERIFY(ground > 24 * 24 / 2);
    QVERIFY(lines >= 24 * 3);
}

QTEST_MAIN(ColorMapTest)
#include "color_map_test.moc"
