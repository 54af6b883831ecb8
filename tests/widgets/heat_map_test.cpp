// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry and cells of heat maps, drawn by QPainter into pictures.
#include "widgets/heatmap/heat_map.h"
#include <QImage>
#include <QPainter>
#include <QTest>
#include <cmath>

using namespace mooring;

namespace {

std::shared_ptr<HeatMapData> mapOf(int rows, int columns) {
    auto map = std::make_shared<HeatMapData>();
    map->rows = rows;
    map->columns = columns;
    map->rowTitle = "layer";
    for (int row = 0; row < rows; ++row)
        map->rowLabels.append(QString::number(row + 1));
    for (int i = 0; i < rows * columns; ++i)
        map->values.push_back((i * 37 % 101) / 100.0);
    return map;
}

HeatMapScene sceneOf(HeatMapPtr map, const QSize& size = {900, 500}) {
    HeatMapScene scene;
    scene.setColors(themeColors(ThemeKind::Dark));
    scene.setData(std::move(map));
    scene.setRange({0, 1}, {});
    scene.layout(QRectF(QPointF(), size), QFont());
    return scene;
}

QImage pictureOf(const HeatMapScene& scene, const QSize& size = {900, 500}, int scale = 1) {
    QImage image(size * scale, QImage::Format_RGB32);
    image.fill(scene.colors().canvas);
    QPainter painter(&image);
    painter.scale(scale, scale);
    scene.paintCells(painter);
    return image;
}

} // namespace

class HeatMapTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyCellIsFoundAtItsCentre();
    void theCellUnderThePointerStaysThereWhenZoomed();
    void zoomedCellsAreFoundExactly();
    void panningStopsAtTheEdges();
    void homeShowsEverythingAgain();
    void aCellOutOfSightIsRevealed();
    void everyCellHasTheColourOfItsValue();
    void neighboursMeetWithoutSeams();
    void noDataIsHatchedAndZeroIsTheLowEnd();
    void zeroOfADifferenceIsGrey();
    void columnsThatShareAPixelShowTheirMean();
    void communityBarsAndNumbersAreDrawn();
    void aRangeStaysUntilItIsFitted();
    void aLockedRangeHoldsForOtherRuns();
};

void HeatMapTest::everyCellIsFoundAtItsCentre() {
    const HeatMapScene scene = sceneOf(mapOf(60, 512));
    for (int row = 0; row < 60; ++row)
        for (int column = 0; column < 512; ++column) {
            const HeatMapCell cell{row, column};
            QCOMPARE(scene.cellAt(scene.cellRect(cell).center()), std::optional(cell));
        }
    QVERIFY(!scene.cellAt(scene.mapRect().topLeft() - QPointF(1, 0)));
    QVERIFY(!scene.cellAt(scene.mapRect().bottomRight() + QPointF(0, 1)));
}

void HeatMapTest::theCellUnderThePointerStaysThereWhenZoomed() {
    HeatMapScene scene = sceneOf(mapOf(60, 512));
    const QPointF pointer(533.3, 217.9);
    const auto before = scene.cellAt(pointer);
    for (int i = 0; i < 12; ++i) {
        scene.zoom(pointer, 1.3, 1.3);
        QCOMPARE(scene.cellAt(pointer), before);
    }
    for (int i = 0; i < 12; ++i)
        scene.zoom(pointer, 1 / 1.3, 1 / 1.3);
    QVERIFY(!scene.zoomed());
    QCOMPARE(scene.cellAt(pointer), before);
}

void HeatMapTest::zoomedCellsAreFoundExactly() {
    HeatMapScene scene = sceneOf(mapOf(60, 512));
    scene.zoom(scene.mapRect().center(), 7.7, 3.1);
    int found = 0;
    for (int row = 0; row < 60; ++row)
        for (int column = 0; column < 512; ++column) {
            const QPointF centre = scene.cellRect({row, column}).center();
            if (!scene.mapRect().contains(centre))
                continue;
            ++found;
            QCOMPARE(scene.cellAt(centre), std::optional(HeatMapCell{row, column}));
        }
    QVERIFY(found > 500);
}

void HeatMapTest::panningStopsAtTheEdges() {
    HeatMapScene scene = sceneOf(mapOf(60, 512));
    scene.zoom(scene.mapRect().center(), 4, 4);
    scene.pan({1e6, 1e6});
    QCOMPARE(scene.cellAt(scene.mapRect().topLeft()), std::optional(HeatMapCell{0, 0}));
    scene.pan({-1e6, -1e6});
    QCOMPARE(scene.cellAt(scene.mapRect().bottomRight() - QPointF(0.5, 0.5)),
        std::optional(HeatMapCell{59, 511}));
}

void HeatMapTest::homeShowsEverythingAgain() {
    HeatMapScene scene = sceneOf(mapOf(60, 512));
    const QRectF last = scene.cellRect({59, 511});
    scene.zoom({400, 300}, 5, 5);
    scene.pan({37, 12});
    scene.resetZoom();
    QCOMPARE(scene.cellRect({59, 511}), last);
}

void HeatMapTest::aCellOutOfSightIsRevealed() {
    HeatMapScene scene = sceneOf(mapOf(60, 512));
    scene.zoom(scene.mapRect().topLeft(), 16, 8);
    QVERIFY(!scene.mapRect().contains(scene.cellRect({59, 300}).center()));
    scene.reveal({59, 300});
    QVERIFY(scene.mapRect().contains(scene.cellRect({59, 300}).center()));
}

void HeatMapTest::everyCellHasTheColourOfItsValue() {
    const auto map = mapOf(20, 64);
    HeatMapScene scene = sceneOf(map);
    for (const double zoom : {1.0, 2.3}) {
        scene.zoom({300, 200}, zoom, zoom);
        const QImage image = pictureOf(scene);
        for (int row = 0; row < 20; ++row)
            for (int column = 0; column < 64; ++column) {
                const QPoint centre = scene.cellRect({row, column}).center().toPoint();
                if (!scene.mapRect().adjusted(1, 1, -1, -1).contains(centre))
                    continue;
                const double value = (row * 64 + column) * 37 % 101 / 100.0;
                QCOMPARE(image.pixel(centre),
                    colorTable(ColorMapId::Viridis,
                        ThemeKind::Dark)[std::min(255, static_cast<int>(value * 256))]);
            }
    }
}

void HeatMapTest::neighboursMeetWithoutSeams() {
    auto map = mapOf(40, 300);
    std::fill(map->values.begin(), map->values.end(), 1.0);
    const HeatMapScene scene = sceneOf(map);
    QVERIFY(!scene.geometry().gaps);
    const QImage image = pictureOf(scene, {900, 500}, 2);
    const QRect area = QRectF(scene.mapRect().topLeft() * 2, scene.mapRect().size() * 2).toRect();
    const int y = static_cast<int>((scene.cellRect({7, 0}).center().y()) * 2);
    for (int x = area.left(); x <= area.right(); ++x)
        QCOMPARE(image.pixel(x, y), qRgb(0xfd, 0xe7, 0x25));
}

void HeatMapTest::noDataIsHatchedAndZeroIsTheLowEnd() {
    auto map = mapOf(2, 2);
    map->values = {0, std::nan(""), 1, std::nan("")};
    const HeatMapScene scene = sceneOf(map);
    const QImage image = pictureOf(scene);
    QCOMPARE(image.pixel(scene.cellRect({0, 0}).center().toPoint()), qRgb(0x44, 0x01, 0x54));
    const QRect gap = scene.cellRect({0, 1}).toRect().adjusted(2, 2, -2, -2);
    QSet<QRgb> found;
    for (int y = gap.top(); y <= gap.bottom(); ++y)
        for (int x = gap.left(); x <= gap.right(); ++x)
            found.insert(image.pixel(x, y));
    QCOMPARE(found, (QSet<QRgb>{scene.colors().noData.rgb(), scene.colors().hatch.rgb()}));
}

void HeatMapTest::zeroOfADifferenceIsGrey() {
    auto map = mapOf(1, 3);
    map->diverging = true;
    map->map = ColorMapId::Difference;
    map->values = {-0.01, 0, 0.02};
    HeatMapScene scene = sceneOf(map);
    scene.setRange(robustRange(map->values, true), {});
    const QImage image = pictureOf(scene);
    const auto at = [&](int column) {
        return image.pixelColor(scene.cellRect({0, column}).center().toPoint());
    };
    QCOMPARE(at(1).saturation(), 0);
    QVERIFY(at(0).blue() > at(0).red());
    QVERIFY(at(2).red() > at(2).blue());
}

void HeatMapTest::columnsThatShareAPixelShowTheirMean() {
    auto map = mapOf(1, 20000);
    for (int i = 0; i < 20000; ++i)
        map->values[i] = i % 2; // every pixel holds as many zeros as ones, or nearly
    const HeatMapScene scene = sceneOf(map);
    QVERIFY(scene.columnsPerPixel(1) >= 20);
    const QImage image = pictureOf(scene);
    const int y = static_cast<int>(scene.cellRect({0, 0}).center().y());
    for (int x = int(scene.mapRect().left()); x < int(scene.mapRect().right()) - 1; ++x) {
        const QRgb pixel = image.pixel(x, y);
        QVERIFY(std::abs(qGreen(pixel) - 0x91) < 12);
    }
}

void HeatMapTest::communityBarsAndNumbersAreDrawn() {
    auto map = mapOf(2, 8);
    map->groups = {{{0, 3, 0, "1"}, {4, 7, 1, "2"}}, {{0, 5, 2, "3"}, {6, 7, 0, "1"}}};
    const HeatMapScene scene = sceneOf(map);
    QImage image(900, 500, QImage::Format_RGB32);
    image.fill(scene.colors().canvas);
    QPainter painter(&image);
    scene.paintCells(painter);
    scene.paintOverlay(painter, {});
    painter.end();
    const auto below = [&](int row, int column) {
        const QRectF cell = scene.cellRect({row, column});
        return image.pixelColor(QPointF(cell.left() + 4, cell.bottom() + 5).toPoint());
    };
    QCOMPARE(below(0, 1), communityColor(0));
    QCOMPARE(below(0, 5), communityColor(1));
    QCOMPARE(below(1, 1), communityColor(2));
    QCOMPARE(below(1, 7), communityColor(0));
}

void HeatMapTest::aRangeStaysUntilItIsFitted() {
    RangeKeeper keeper;
    const std::vector<double> nothing{std::nan("")};
    const std::vector<double> small{1, 1, 1};
    const std::vector<double> large{8, 8, 8};
    keeper.range("share", "run", nothing, false); // fixes nothing
    QCOMPARE(keeper.range("share", "run", small, false), (ColorRange{0, 1}));
    QCOMPARE(keeper.range("share", "run", large, false), (ColorRange{0, 1}));
    QCOMPARE(keeper.range("share", "other", large, false), (ColorRange{0, 8}));
    keeper.fit("share", "run", large, false, true);
    QCOMPARE(keeper.range("share", "run", small, false), (ColorRange{0, 8}));
}

void HeatMapTest::aLockedRangeHoldsForOtherRuns() {
    RangeKeeper keeper;
    const std::vector<double> small{1, 1, 1};
    const std::vector<double> large{8, 8, 8};
    keeper.range("share", "run", small, false);
    keeper.setLocked(true);
    QCOMPARE(keeper.range("share", "other", large, false), (ColorRange{0, 1}));
    keeper.fit("share", "other", large, false, true);
    QCOMPARE(keeper.range("share", "other", large, false), (ColorRange{0, 1}));
}

QTEST_MAIN(HeatMapTest)
#include "heat_map_test.moc"
