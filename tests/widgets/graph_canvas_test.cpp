// SPDX-License-Identifier: GPL-3.0-or-later
// The graphs on a screen: mouse, and OpenGL against QPainter. Takes the display it finds.
#include "widgets/base/open_gl.h"
#include "widgets/graph/graph_canvas.h"
#include <QApplication>
#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

using namespace mooring;

namespace {

GraphPtr ringOfNodes(int nodes) {
    auto graph = std::make_shared<GraphData>();
    graph->nodes = nodes;
    graph->sides.resize(2);
    for (int node = 0; node < nodes; ++node) {
        graph->baseCommunity.push_back(node % 5);
        graph->tunedCommunity.push_back(node % 7 == 0 ? (node + 1) % 5 : node % 5);
        for (GraphSide& side : graph->sides) {
            side.use.push_back((1.0 + node % 4) / (2.5 * nodes));
            side.edges.push_back({std::min(node, (node + 3) % nodes),
                std::max(node, (node + 3) % nodes), 0.01 * (1 + node % 6)});
        }
    }
    graph->largestWeight = 0.06;
    graph->largestUse = 4 / (2.5 * nodes);
    return graph;
}

std::vector<QPointF> circle(int nodes) {
    std::vector<QPointF> positions;
    for (int node = 0; node < nodes; ++node)
        positions.emplace_back(std::sin(node * 6.2832 / nodes), std::cos(node * 6.2832 / nodes));
    return positions;
}

void prepare(GraphCanvas& canvas) {
    canvas.setReadOut([](int side, int node) {
        ReadOut readOut;
        readOut.title = QString("%1/%2").arg(side).arg(node);
        return readOut;
    });
    canvas.setData(ringOfNodes(24));
    canvas.setPositions(circle(24), false);
    canvas.resize(900, 500);
    canvas.show();
    QVERIFY(QTest::qWaitForWindowExposed(&canvas));
}

} // namespace

class GraphCanvasTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePointerNamesTheNodeOfItsSide();
    void dragsCarryNodesAndTheGroundPansBothSides();
    void theWheelZoomsAboutThePointer();
    void aDoubleClickPins();
    void openGlAndPainterDrawTheSame();
};

void GraphCanvasTest::thePointerNamesTheNodeOfItsSide() {
    GraphCanvas canvas(nullptr, GraphCanvas::Drawing::Painter);
    prepare(canvas);
    QSignalSpy spy(&canvas, &GraphCanvas::pointerMoved);
    const QPoint at = canvas.scene().place(1, 6).toPoint();
    QMouseEvent move(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton, {}, {});
    QApplication::sendEvent(&canvas, &move);
    QCOMPARE(canvas.hovered(), 6);
    QCOMPARE(spy.last()[0].toString(), QString("1/6"));
}

void GraphCanvasTest::dragsCarryNodesAndTheGroundPansBothSides() {
    GraphCanvas canvas(nullptr, GraphCanvas::Drawing::Painter);
    prepare(canvas);
    QSignalSpy dragged(&canvas, &GraphCanvas::nodeDragged);
    QSignalSpy dropped(&canvas, &GraphCanvas::nodeDropped);
    QSignalSpy activated(&canvas, &GraphCanvas::nodeActivated);
    const auto drag = [&](const QPoint& from, const QPoint& to) {
        QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
        QMouseEvent move(
            QEvent::MouseMove, to, canvas.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&canvas, &move);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
    };
    const QPoint from = canvas.scene().place(1, 6).toPoint();
    const QPoint to = from + QPoint(-40, 25);
    drag(from, to);
    QCOMPARE(dragged.size(), 1);
    QCOMPARE(dragged[0][0].toInt(), 6);
    const QPointF wanted = canvas.scene().unplace(1, to);
    QVERIFY((dragged[0][1].toPointF() - wanted).manhattanLength() < 1e-9);
    QCOMPARE(dropped.size(), 1);
    const QPointF left = canvas.scene().place(0, 2);
    const QPointF right = canvas.scene().place(1, 2);
    const QPoint ground = canvas.scene().sideRect(0).center().toPoint();
    drag(ground, ground + QPoint(30, 12));
    QCOMPARE(dragged.size(), 1);
    QVERIFY((canvas.scene().place(0, 2) - left - QPointF(30, 12)).manhattanLength() < 1e-6);
    QVERIFY((canvas.scene().place(1, 2) - right - QPointF(30, 12)).manhattanLength() < 1e-6);
    QCOMPARE(activated.size(), 0); // neither was a click
    canvas.resetCamera();
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.scene().place(0, 2).toPoint());
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated[0][0].toInt(), 2);
}

void GraphCanvasTest::theWheelZoomsAboutThePointer() {
    GraphCanvas canvas(nullptr, GraphCanvas::Drawing::Painter);
    prepare(canvas);
    const QPointF at = canvas.scene().place(0, 5);
    QWheelEvent event(at, canvas.mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
        Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &event);
    QVERIFY((canvas.scene().place(0, 5) - at).manhattanLength() < 1e-6);
    QVERIFY(!canvas.scene().atHome());
    canvas.setPositions(circle(24), true); // a turned camera stays
    QVERIFY((canvas.scene().place(0, 5) - at).manhattanLength() < 1e-6);
    QTest::keyClick(&canvas, Qt::Key_Home);
    QVERIFY(canvas.scene().atHome());
}

void GraphCanvasTest::aDoubleClickPins() {
    GraphCanvas canvas(nullptr, GraphCanvas::Drawing::Painter);
    prepare(canvas);
    QSignalSpy pinned(&canvas, &GraphCanvas::pinToggled);
    QTest::mouseDClick(&canvas, Qt::LeftButton, {}, canvas.scene().place(0, 11).toPoint());
    QCOMPARE(pinned.size(), 1);
    QCOMPARE(pinned[0][0].toInt(), 11);
}

void GraphCanvasTest::openGlAndPainterDrawTheSame() {
    if (!openGlAvailable())
        QSKIP("no OpenGL 3 context comes up here, so there is nothing to compare");
    GraphCanvas painted(nullptr, GraphCanvas::Drawing::Painter);
    GraphCanvas drawn(nullptr, GraphCanvas::Drawing::OpenGl);
    QVERIFY(drawn.usesOpenGl());
    for (GraphCanvas* canvas : {&painted, &drawn})
        prepare(*canvas);
    QTest::qWait(100); // the surface's first frame
    const QImage first = painted.grab().toImage().convertToFormat(QImage::Format_RGB32);
    const QImage second = drawn.grab().toImage().convertToFormat(QImage::Format_RGB32);
    QVERIFY(drawn.usesOpenGl());
    QCOMPARE(first.size(), second.size());
    int different = 0;
    for (int y = 0; y < first.height(); ++y)
        for (int x = 0; x < first.width(); ++x) {
            const QRgb a = first.pixel(x, y);
            const QRgb b = second.pixel(x, y);
            different += std::abs(qRed(a) - qRed(b)) > 40 || std::abs(qGreen(a) - qGreen(b)) > 40
                || std::abs(qBlue(a) - qBlue(b)) > 40;
        }
    // Edges are smoothed in their own way by each; nothing else differs.
    QVERIFY2(different < first.width() * first.height() / 500,
        qPrintable(QString("%1 pixels differ").arg(different)));
    // Beside the number in the node.
    const int beside = static_cast<int>(painted.scene().radius(0, 1) * 0.75);
    QCOMPARE(second.pixelColor(painted.scene().place(0, 1).toPoint() - QPoint(beside, 0)),
        communityColor(1));
}

QTEST_MAIN(GraphCanvasTest)
#include "graph_canvas_test.moc"
