// SPDX-License-Identifier: GPL-3.0-or-later
// The force layout and the graph scene: values and geometry.
#include "tests/widgets/synthetic_training.h"
#include "widgets/graph/force_layout.h"
#include "widgets/graph/graph_scene.h"
#include <QTest>
#include <cmath>
#include <numbers>

using namespace mooring;
using namespace mooring::test;

namespace {

double distance(const QPointF& a, const QPointF& b) {
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

// Two triangles without an edge between them.
const std::vector<GraphEdge> kTriangles
    = {{0, 1, 0.2}, {0, 2, 0.2}, {1, 2, 0.2}, {3, 4, 0.2}, {3, 5, 0.2}, {4, 5, 0.2}};

int runToRest(ForceLayout& layout) {
    int steps = 0;
    while (!layout.atRest() && steps < 2000) {
        layout.step();
        ++steps;
    }
    return steps;
}

GraphPtr pairOfGraphs() {
    auto graph = std::make_shared<GraphData>();
    graph->nodes = 3;
    graph->baseCommunity = {0, 0, 1};
    graph->tunedCommunity = {0, 1, 1};
    graph->sides
        = {{"base", {0.5, 0.3, 0.2}, {{0, 1, 0.4}}}, {"tuned", {0.2, 0.3, 0.5}, {{1, 2, 0.4}}}};
    graph->largestWeight = 0.4;
    graph->largestUse = 0.5;
    return graph;
}

GraphScene sceneOf(const GraphPtr& graph) {
    GraphScene scene;
    scene.setData(graph);
    scene.setPositions({{-1, 0}, {0, 0.5}, {1, 0}});
    scene.layout(QRectF(0, 0, 800, 400), QFont());
    scene.fit();
    return scene;
}

} // namespace

class ForceLayoutTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void startsOnACircleInTheOrderOfCommunities();
    void theSameInputGivesTheSamePositionsToTheBit();
    void comesToRest();
    void linkedNodesEndNearerThanOthers();
    void pinnedNodesStay();
    void nodesOnOneSpotComeApart();
    void edgesOutsideAreIgnored();
    void otherEdgesKeepThePlaces();
    void bothSidesShareTheirPositions();
    void theCameraIsOneForBothSides();
    void aPointFindsItsNodeAndBack();
    void onlyMovedNodesHaveARing();
    void theSameWeightHasTheSameAlpha();
    void hoveringLightsTheNeighbourhood();
    void arrowsFindTheNearestNodeThatWay();
};

void ForceLayoutTest::startsOnACircleInTheOrderOfCommunities() {
    ForceLayout layout;
    const std::vector<int> community = {1, 0, 1, 0};
    layout.start(4, {}, community);
    // Nodes 1, 3 (community 0), then 0, 2: from the top, clockwise.
    const int order[] = {1, 3, 0, 2};
    for (int i = 0; i < 4; ++i) {
        const double angle = std::numbers::pi / 2 * i;
        const QPointF& at = layout.positions()[static_cast<std::size_t>(order[i])];
        QVERIFY(distance(at, {std::sin(angle), -std::cos(angle)}) < 1e-12);
    }
}

void ForceLayoutTest::theSameInputGivesTheSamePositionsToTheBit() {
    const SyntheticGraphs graphs = syntheticGraphs(48);
    const LayerCommunities& layer = graphs.communities->layers[0];
    ForceLayout first;
    ForceLayout second;
    for (ForceLayout* layout : {&first, &second}) {
        layout->start(48, layer.baseEdges, layer.base.community_E);
        runToRest(*layout);
    }
    for (int node = 0; node < 48; ++node) {
        const auto at = static_cast<std::size_t>(node);
        QVERIFY(first.positions()[at].x() == second.positions()[at].x());
        QVERIFY(first.positions()[at].y() == second.positions()[at].y());
    }
}

void ForceLayoutTest::comesToRest() {
    ForceLayout layout;
    layout.start(6, kTriangles, {});
    QVERIFY(!layout.atRest());
    QVERIFY(runToRest(layout) < 400);
    const std::vector<QPointF> before = layout.positions();
    QCOMPARE(layout.step(), 0.0);
    QVERIFY(layout.positions() == before);
    layout.warm();
    QVERIFY(layout.step() > 0);
    layout.rest();
    QVERIFY(layout.atRest());
}

void ForceLayoutTest::linkedNodesEndNearerThanOthers() {
    ForceLayout layout;
    layout.start(6, kTriangles, {});
    runToRest(layout);
    const auto& p = layout.positions();
    for (const GraphEdge& edge : kTriangles)
        for (int a : {0, 1, 2})
            for (int b : {3, 4, 5})
                QVERIFY(distance(p[std::size_t(edge.first)], p[std::size_t(edge.second)])
                    < distance(p[std::size_t(a)], p[std::size_t(b)]));
}

void ForceLayoutTest::pinnedNodesStay() {
    ForceLayout layout;
    layout.start(6, kTriangles, {});
    layout.place(2, {0.3, -0.4});
    layout.setPinned(2, true);
    const QPointF other = layout.positions()[0];
    runToRest(layout);
    QVERIFY(layout.positions()[2] == QPointF(0.3, -0.4));
    QVERIFY(layout.positions()[0] != other);
    layout.unpinAll();
    layout.warm();
    layout.step();
    QVERIFY(layout.positions()[2] != QPointF(0.3, -0.4));
}

void ForceLayoutTest::nodesOnOneSpotComeApart() {
    ForceLayout layout;
    layout.start(2, {}, {});
    layout.place(0, {0.1, 0.1});
    layout.place(1, {0.1, 0.1});
    layout.step();
    QVERIFY(distance(layout.positions()[0], layout.positions()[1]) > 0);
}

void ForceLayoutTest::edgesOutsideAreIgnored() {
    ForceLayout layout;
    const std::vector<GraphEdge> edges
        = {{0, 7, 1}, {-1, 1, 1}, {1, 1, 1}, {0, 1, std::nan("")}, {0, 1, 0}};
    layout.start(2, edges, {});
    runToRest(layout);
    for (const QPointF& p : layout.positions())
        QVERIFY(std::isfinite(p.x()) && std::isfinite(p.y()));
    layout.start(0, edges, {});
    QVERIFY(layout.atRest());
    layout.start(1, {}, {});
    QVERIFY(layout.atRest());
}

void ForceLayoutTest::otherEdgesKeepThePlaces() {
    ForceLayout layout;
    layout.start(6, kTriangles, {});
    runToRest(layout);
    const std::vector<QPointF> before = layout.positions();
    layout.setEdges(std::vector<GraphEdge>{{0, 3, 0.5}});
    QVERIFY(layout.positions() == before);
    QVERIFY(!layout.atRest());
}

void ForceLayoutTest::bothSidesShareTheirPositions() {
    const GraphScene scene = sceneOf(pairOfGraphs());
    const QPointF shift = scene.sideRect(1).center() - scene.sideRect(0).center();
    for (int node = 0; node < 3; ++node)
        QVERIFY(distance(scene.place(0, node) + shift, scene.place(1, node)) < 1e-9);
}

void ForceLayoutTest::theCameraIsOneForBothSides() {
    GraphScene scene = sceneOf(pairOfGraphs());
    QVERIFY(scene.atHome());
    const QPointF about = scene.place(1, 1);
    scene.zoom(about, 2);
    scene.pan({13, -7});
    QVERIFY(distance(scene.place(1, 1), about + QPointF(13, -7)) < 1e-9);
    const QPointF shift = scene.sideRect(1).center() - scene.sideRect(0).center();
    for (int node = 0; node < 3; ++node)
        QVERIFY(distance(scene.place(0, node) + shift, scene.place(1, node)) < 1e-9);
    QVERIFY(!scene.atHome());
}

void ForceLayoutTest::aPointFindsItsNodeAndBack() {
    const GraphScene scene = sceneOf(pairOfGraphs());
    for (int side : {0, 1})
        for (int node = 0; node < 3; ++node) {
            QCOMPARE(scene.nodeAt(scene.place(side, node)), node);
            QVERIFY(scene.sideRect(side).contains(scene.place(side, node)));
            QVERIFY(distance(scene.unplace(side, scene.place(side, node)),
                        scene.positions()[static_cast<std::size_t>(node)])
                < 1e-9);
        }
    QCOMPARE(scene.nodeAt({400, 396}), -1);
}

void ForceLayoutTest::onlyMovedNodesHaveARing() {
    const GraphScene scene = sceneOf(pairOfGraphs());
    for (int side : {0, 1}) {
        const std::vector<GraphDot> dots = scene.dots(side, {});
        QVERIFY(!dots[0].ring.isValid() && !dots[2].ring.isValid());
        QCOMPARE(dots[1].fill, communityColor(0)); // base
        QCOMPARE(dots[1].ring, communityColor(1)); // tuned
    }
    QVERIFY(scene.radius(0, 0) > scene.radius(0, 1)); // by use of that side
    QCOMPARE(scene.radius(0, 0), scene.radius(1, 2));
}

void ForceLayoutTest::theSameWeightHasTheSameAlpha() {
    const GraphScene scene = sceneOf(pairOfGraphs());
    QCOMPARE(scene.lines(0, {}).size(), std::size_t(1));
    QCOMPARE(scene.lines(0, {})[0].color, scene.lines(1, {})[0].color);
}

void ForceLayoutTest::hoveringLightsTheNeighbourhood() {
    const GraphScene scene = sceneOf(pairOfGraphs());
    GraphMarks marks;
    marks.hovered = 0; // linked with 1 in the base only
    const std::vector<GraphDot> dots = scene.dots(1, marks);
    QCOMPARE(dots[1].fill.alphaF(), 1.0F);
    QVERIFY(dots[2].fill.alphaF() < 0.5F);
    QCOMPARE(scene.neighbours(0, 0), std::vector<int>({1}));
    QCOMPARE(scene.neighbours(1, 0), std::vector<int>());
}

void ForceLayoutTest::arrowsFindTheNearestNodeThatWay() {
    const GraphScene scene = sceneOf(pairOfGraphs()); // 0 left, 1 below the middle, 2 right
    QCOMPARE(scene.nodeTowards(1, {1, 0}), 2);
    QCOMPARE(scene.nodeTowards(1, {-1, 0}), 0);
    QCOMPARE(scene.nodeTowards(0, {0, 1}), 1);
    QCOMPARE(scene.nodeTowards(1, {0, 1}), 1); // none further down
    QCOMPARE(scene.nodeTowards(-1, {1, 0}), 0);
}

QTEST_MAIN(ForceLayoutTest)
#include "force_layout_test.moc"
