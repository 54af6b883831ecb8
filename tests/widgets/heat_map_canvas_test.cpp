// SPDX-License-Identifier: GPL-3.0-or-later
// The map on a screen: mouse, keys, and OpenGL against QPainter. Takes the display it finds.
#include "widgets/base/open_gl.h"
#include "widgets/heatmap/heat_map_canvas.h"
#include <QApplication>
#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

using namespace mooring;

namespace {

HeatMapPtr mapOf(int rows, int columns) {
    auto map = std::make_shared<HeatMapData>();
    map->rows = rows;
    map->columns = columns;
    map->rowTitle = "layer";
    for (int row = 0; row < rows; ++row)
        map->rowLabels.append(QString::number(row + 1));
    for (int i = 0; i < rows * columns; ++i)
        map->values.push_back(i % 97 == 5 ? std::nan("") : (i * 37 % 101) / 100.0);
    return map;
}

void prepare(HeatMapCanvas& canvas, int rows, int columns) {
    canvas.setReadOut([](int row, int column) {
        ReadOut readOut;
        readOut.title = QString("%1/%2").arg(row).arg(column);
        return readOut;
    });
    canvas.setData(mapOf(rows, columns));
    canvas.setRange({0, 1}, {});
    canvas.resize(900, 500);
    canvas.show();
    QVERIFY(QTest::qWaitForWindowExposed(&canvas));
}

void wheel(HeatMapCanvas& canvas, const QPointF& at, int turn) {
    QWheelEvent event(at, canvas.mapToGlobal(at), {}, {0, turn}, Qt::NoButton, Qt::NoModifier,
        Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &event);
}

} // namespace

class HeatMapCanvasTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePointerNamesTheCellUnderItAfterZoom();
    void arrowsMoveTheCellAndEnterActivatesIt();
    void arrowsFollowTheCellWhenZoomed();
    void homeResetsTheZoom();
    void aDragPansAndSelectsNothing();
    void aClickActivatesItsCellAndBesideTheMapItsRow();
    void keysAskForFitAndLock();
    void spaceIsLeftToTheWindow();
    void withoutOpenGlThePainterDraws();
    void openGlAndPainterDrawTheSamePixels_data();
    void openGlAndPainterDrawTheSamePixels();
};

void HeatMapCanvasTest::thePointerNamesTheCellUnderItAfterZoom() {
    HeatMapCanvas canvas(nullptr, HeatMapCanvas::Drawing::Painter);
    prepare(canvas, 60, 512);
    const QPoint at = canvas.scene().cellRect({24, 250}).center().toPoint();
    QSignalSpy spy(&canvas, &HeatMapCanvas::pointerMoved);
    QTest::mouseMove(&canvas, at);
    const auto before = canvas.scene().cellAt(at);
    QVERIFY(before);
    for (int i = 0; i < 8; ++i)
        wheel(canvas, at, 120);
    QVERIFY(canvas.scene().zoomed());
    QCOMPARE(canvas.pointer(), before);
    QCOMPARE(spy.last()[0].toString(), QString("%1/%2").arg(before->row).arg(before->column));
    QVERIFY(canvas.scene().cellRect(*before).contains(at));
}

void HeatMapCanvasTest::arrowsMoveTheCellAndEnterActivatesIt() {
    HeatMapCanvas canvas(nullptr, HeatMapCanvas::Drawing::Painter);
    prepare(canvas, 4, 10);
    QSignalSpy spy(&canvas, &HeatMapCanvas::cellActivated);
    QTest::keyClick(&canvas, Qt::Key_Right); // enters at the first cell
    QCOMPARE(canvas.pointer(), std::optional(HeatMapCell{0, 0}));
    QTest::keyClick(&canvas, Qt::Key_Right);
    QTest::keyClick(&canvas, Qt::Key_Down);
    QTest::keyClick(&canvas, Qt::Key_Down);
    QTest::keyClick(&canvas, Qt::Key_Up);
    QCOMPARE(canvas.pointer(), std::optional(HeatMapCell{1, 1}));
    QCOMPARE(canvas.accessibleDescription(), QString("1/1"));
    QTest::keyClick(&canvas, Qt::Key_Return);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toInt(), 1);
    QCOMPARE(spy[0][1].toInt(), 1);
    for (int i = 0; i < 20; ++i)
        QTest::keyClick(&canvas, Qt::Key_Left);
    QCOMPARE(canvas.pointer(), std::optional(HeatMapCell{1, 0}));
}

void HeatMapCanvasTest::arrowsFollowTheCellWhenZoomed() {
    HeatMapCanvas canvas(nullptr, HeatMapCanvas::Drawing::Painter);
    prepare(canvas, 60, 512);
    canvas.setPointer(HeatMapCell{0, 0});
    for (int i = 0; i < 10; ++i)
        QTest::keyClick(&canvas, Qt::Key_Plus);
    for (int i = 0; i < 30; ++i)
        QTest::keyClick(&canvas, Qt::Key_Right, Qt::ControlModifier); // ten at a time
    QCOMPARE(canvas.pointer(), std::optional(HeatMapCell{0, 300}));
    QVERIFY(canvas.scene().mapRect().contains(canvas.scene().cellRect({0, 300}).center()));
}

void HeatMapCanvasTest::homeResetsTheZoom() {
    HeatMapCanvas canvas(nullptr, HeatMapCanvas::Drawing::Painter);
    prepare(canvas, 60, 512);
    wheel(canvas, {400, 200}, 480);
    QVERIFY(canvas.scene().zoomed());
    QTest::keyClick(&canvas, Qt::Key_Home);
    QVERIFY(!canvas.scene().zoomed());
}

void HeatMapCanvasTest::aDragPansAndSelectsNothing() {
    HeatMapCanvas canvas(nullptr, HeatMapCanvas::Drawing::Painter);
    prepare(canvas, 60, 512);
    wheel(canvas, {400, 200}, 960);
    QSignalSpy spy(&canvas, &HeatMapCanvas::cellActivated);
    const auto cell = canvas.scene().cellAt({400, 200});
    QVERIFY(cell);
    QTest::mousePress(&canvas, Qt::LeftButton, {}, {400, 200});
    QTest::mouseMove(&canvas, {450, 230});
    QTest::mouseMove(&canvas, {460, 240});
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, {460, 240});
    QCOMPARE(spy.count(), 0);
    QCOMPARE(canvas.scene().cellAt({460, 240}), cell);
}

void HeatMapCanvasTest::aClickActivatesItsCellAndBesideTheMapItsRow() {
    HeatMapCanvas canvas(nullptr, HeatMapCanvas::Drawing::Painter);
    prepare(canvas, 4, 10);
    QSignalSpy cells(&canvas, &HeatMapCanvas::cellActivated);
    QSignalSpy rows(&canvas, &HeatMapCanvas::rowActivated);
    const QPoint centre = canvas.scene().cellRect({2, 7}).center().toPoint();
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, centre);
    QCOMPARE(cells.count(), 1);
    QCOMPARE(cells[0][1].toInt(), 7);
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, {4, centre.y()});
    QCOMPARE(rows.count(), 1);
    QCOMPARE(rows[0][0].toInt(), 2);
}

void HeatMapCanvasTest::keysAskForFitAndLock() {
    HeatMapCanvas canvas(nullptr, HeatMapCanvas::Drawing::Painter);
    prepare(canvas, 4, 10);
    QSignalSpy fit(&canvas, &HeatMapCanvas::fitRequested);
    QSignalSpy lock(&canvas, &HeatMapCanvas::lockRequested);
    QTest::keyClick(&canvas, Qt::Key_F);
    QTest::keyClick(&canvas, Qt::Key_L);
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.scene().legendRect().center().toPoint());
    QCOMPARE(fit.count(), 1);
    QCOMPARE(lock.count(), 2);
}

void HeatMapCanvasTest::spaceIsLeftToTheWindow() {
    HeatMapCanvas canvas(nullptr, HeatMapCanvas::Drawing::Painter);
    QKeyEvent event(QEvent::KeyPress, Qt::Key_Space, Qt::NoModifier);
    QApplication::sendEvent(&canvas, &event);
    QVERIFY(!event.isAccepted());
}

void HeatMapCanvasTest::withoutOpenGlThePainterDraws() {
    HeatMapCanvas canvas(nullptr, HeatMapCanvas::Drawing::Painter);
    prepare(canvas, 4, 10);
    QVERIFY(!canvas.usesOpenGl());
    const QImage image = canvas.grab().toImage();
    const QPoint centre = canvas.scene().cellRect({1, 2}).center().toPoint();
    const double value = 12 * 37 % 101 / 100.0;
    QCOMPARE(image.pixel(centre * image.devicePixelRatio()),
        canvas.scene().table()[static_cast<int>(value * 256)]);
}

void HeatMapCanvasTest::openGlAndPainterDrawTheSamePixels_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("turn");
    QTest::newRow("large cells with gaps") << 3 << 64 << 0;
    QTest::newRow("60 layers of 512 experts") << 60 << 512 << 0;
    QTest::newRow("zoomed") << 60 << 512 << 700;
    QTest::newRow("more columns than pixels") << 12 << 9000 << 0;
}

void HeatMapCanvasTest::openGlAndPainterDrawTheSamePixels() {
    if (!openGlAvailable())
        QSKIP("no OpenGL 3 context comes up here, so there is nothing to compare");
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(int, turn);
    HeatMapCanvas painted(nullptr, HeatMapCanvas::Drawing::Painter);
    HeatMapCanvas drawn(nullptr, HeatMapCanvas::Drawing::OpenGl);
    QVERIFY(drawn.usesOpenGl());
    for (HeatMapCanvas* canvas : {&painted, &drawn}) {
        prepare(*canvas, rows, columns);
        if (turn)
            wheel(*canvas, {500, 180}, turn);
        canvas->setPointer({});
    }
    const QImage first = painted.grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QImage second = drawn.grab().toImage().convertToFormat(QImage::Format_RGB32);
    QVERIFY(drawn.usesOpenGl());
    QCOMPARE(first.size(), second.size());
    const QRect area = painted.scene().mapRect().toRect();
    int different = 0;
    for (int y = area.top(); y < area.bottom(); ++y)
        for (int x = area.left(); x < area.right(); ++x) {
            const QRgb a = first.pixel(x, y);
            const QRgb b = second.pixel(x, y);
            different += std::abs(qRed(a) - qRed(b)) > 6 || std::abs(qGreen(a) - qGreen(b)) > 6
                || std::abs(qBlue(a) - qBlue(b)) > 6;
        }
    // Hatch lines are smoothed differently; every other pixel agrees but for rounding at an edge.
    QVERIFY2(different < area.width() * area.height() / 50,
        qPrintable(
            QString("%1 of %2 pixels differ").arg(different).arg(area.width() * area.height())));
}

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    applyTheme(application, ThemeKind::Dark);
    HeatMapCanvasTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "heat_map_canvas_test.moc"
