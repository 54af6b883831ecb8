// SPDX-License-Identifier: GPL-3.0-or-later
// The communities view: what it shows of a set, what it asks for, tells and exports.
#include "tests/widgets/synthetic_training.h"
#include "widgets/graph/graph_canvas.h"
#include "widgets/heatmap/heat_map_canvas.h"
#include "widgets/views/communities_view.h"
#include <QAbstractButton>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <cmath>

using namespace mooring;
using namespace mooring::test;

namespace {

const SyntheticGraphs& graphs() {
    static const SyntheticGraphs made = syntheticGraphs(48);
    return made;
}

void give(CommunitiesView& view) {
    view.setRun(syntheticTraining(240));
    view.setFrames(graphs().base, graphs().tuned);
    view.setPartitions(graphs().communities);
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class CommunitiesViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsOnlyTheEdgesOfTheRhoGraph();
    void movedExpertsAreListedAndSelectable();
    void theLayoutIsTheSameInEveryView();
    void aNewFrameKeepsThePlaces();
    void slidersAskOnceWhenTheyRest();
    void aNewSetDoesNotAsk();
    void figuresNameWhatTheyWereFoundWith();
    void theReadOutIsExact();
    void theMatrixIsTheCoactivationInTheOrderShown();
    void liftIsAnotherGraphOfTheSameCommunities();
    void draggedNodesArePinned();
    void aBaseAloneHasOneSide();
    void theTableHoldsTheSameNumbers();
    void exportsAreDrawings();
    void emptyStatesSayWhatComes();
    void aSetOfAnotherModelIsNotShown();
    void keysPinStepAndCarry();
};

void CommunitiesViewTest::showsOnlyTheEdgesOfTheRhoGraph() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    give(view);
    const GraphData& graph = view.graph();
    QCOMPARE(graph.sides.size(), std::size_t(2));
    QCOMPARE(graph.sides[0].edges.size(), graphs().communities->layers[0].baseEdges.size());
    QVERIFY(graph.sides[0].edges.size() <= std::size_t(0.10 * 48 * 47 / 2));
    selection.setLayer(1);
    QCOMPARE(view.graph().sides[1].edges.size(), graphs().communities->layers[1].tunedEdges.size());
    const auto& counts = graphs().base->domains[0].counts_LE; // layer 1, expert 5
    QCOMPARE(view.graph().sides[0].use[5], double(counts[48 + 5]) / (4000.0 * 6));
}

void CommunitiesViewTest::movedExpertsAreListedAndSelectable() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    give(view);
    std::vector<int> expected;
    const LayerCommunities& layer = graphs().communities->layers[0];
    for (int e = 0; e < 48; ++e)
        if (layer.base.community_E[std::size_t(e)] != layer.tuned.community_E[std::size_t(e)])
            expected.push_back(e);
    QVERIFY(expected.size() > 3);
    QCOMPARE(view.movedExperts(), expected);
    auto* list = view.findChild<QTreeWidget*>();
    QCOMPARE(list->topLevelItemCount(), int(expected.size()));
    QCOMPARE(list->topLevelItem(0)->text(0), QString::number(expected[0]));
    QCOMPARE(list->topLevelItem(0)->text(1),
        communityLabel(layer.base.community_E[std::size_t(expected[0])]));
    QCOMPARE(list->topLevelItem(0)->text(2),
        communityLabel(layer.tuned.community_E[std::size_t(expected[0])]));
    list->setCurrentItem(list->topLevelItem(1));
    QCOMPARE(selection.value().expert, expected[1]);
    QCOMPARE(selection.value().layer, 0);
}

void CommunitiesViewTest::theLayoutIsTheSameInEveryView() {
    SelectionModel selection;
    CommunitiesView first(&selection);
    CommunitiesView second(&selection);
    for (CommunitiesView* view : {&first, &second}) {
        give(*view);
        view->stopLayout();
        for (int i = 0; i < 50; ++i)
            view->stepLayout();
    }
    QVERIFY(first.forceLayout().positions() == second.forceLayout().positions());
    const GraphScene& scene = first.canvas()->scene();
    QVERIFY(scene.positions() == first.forceLayout().positions()); // of both sides
}

void CommunitiesViewTest::aNewFrameKeepsThePlaces() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    give(view);
    view.stopLayout();
    const std::vector<QPointF> before = view.forceLayout().positions();
    auto later = std::make_shared<CommunitySet>(*graphs().communities);
    later->layers[0].tunedEdges.pop_back();
    view.setPartitions(later);
    QVERIFY(view.forceLayout().positions() == before);
    QVERIFY(!view.layoutRuns());
    view.setRun(syntheticTraining(200)); // a step of the same run
    QVERIFY(view.forceLayout().positions() == before);
}

void CommunitiesViewTest::slidersAskOnceWhenTheyRest() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    give(view);
    QSignalSpy asked(&view, &CommunitiesView::partitionsRequested);
    view.setRho(0.15);
    view.setRho(0.20);
    view.setResolution(1.5);
    QCOMPARE(asked.size(), 0);
    QVERIFY(asked.wait(1000));
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toDouble(), 0.20);
    QCOMPARE(asked[0][1].toDouble(), 1.5);
    view.setRho(9);
    QCOMPARE(view.rho(), 0.30);
    view.setRho(0);
    QCOMPARE(view.rho(), 0.02);
    view.setResolution(0);
    QCOMPARE(view.resolution(), 0.5);
    view.setResolution(9);
    QCOMPARE(view.resolution(), 2.0);
}

void CommunitiesViewTest::aNewSetDoesNotAsk() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    QSignalSpy asked(&view, &CommunitiesView::partitionsRequested);
    auto set = std::make_shared<CommunitySet>(*graphs().communities);
    set->rho = 0.22;
    set->resolution = 1.25;
    view.setFrames(graphs().base, graphs().tuned);
    view.setPartitions(set);
    QCOMPARE(view.rho(), 0.22);
    QCOMPARE(view.resolution(), 1.25);
    QTest::qWait(300);
    QCOMPARE(asked.size(), 0);
}

void CommunitiesViewTest::figuresNameWhatTheyWereFoundWith() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    give(view);
    const QString text = view.figures();
    for (const char* part : {"NMI 0.612 \u00b1 0.030", "ceiling 0.770", "Q 0.463, base 0.512",
             "rho 0.10", "resolution 1", "seed 0"})
        QVERIFY2(text.contains(QString::fromUtf8(part)), part);
    QString shown;
    for (const auto* label : view.findChildren<QLabel*>())
        shown += label->text();
    QVERIFY(shown.contains("not an objective"));
}

void CommunitiesViewTest::theReadOutIsExact() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    give(view);
    const int moved = view.movedExperts().front();
    view.canvas()->setHovered(1, moved);
    const GraphSide& tuned = view.graph().sides[1];
    const LayerCommunities& layer = graphs().communities->layers[0];
    QVERIFY(view.readOut().contains(QString("expert %1").arg(moved)));
    QVERIFY(view.readOut().contains(QString("community %1 \u2192 %2")
                                        .arg(layer.base.community_E[std::size_t(moved)] + 1)
                                        .arg(layer.tuned.community_E[std::size_t(moved)] + 1)));
    QVERIFY(view.readOut().contains(formatNumber(tuned.use[std::size_t(moved)] * 100, 4)));
    int edges = 0;
    for (const GraphEdge& edge : tuned.edges)
        edges += edge.first == moved || edge.second == moved;
    QVERIFY(view.readOut().contains(QString("%1 edge").arg(edges)));
    const auto& counts = graphs().tuned->domains[0].counts_LE;
    QVERIFY(view.readOut().contains(formatCount(counts[std::size_t(moved)]) + " slots"));
    view.canvas()->setHovered(0, -1);
    QVERIFY(view.readOut().isEmpty());
}

void CommunitiesViewTest::theMatrixIsTheCoactivationInTheOrderShown() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    give(view);
    view.setShow(CommunitiesView::Show::Matrix);
    const HeatMapData& map = *view.matrix(true)->scene().data();
    QCOMPARE(map.rows, 48);
    QVERIFY(std::isnan(map.value(7, 7))); // an expert with itself: no data
    const int first = map.rowLabels[3].toInt();
    const int second = map.columnLabels[10].toInt();
    const auto& counts = graphs().tuned->domains[0].coactivation_LEE;
    QCOMPARE(map.value(3, 10), counts[std::size_t(first) * 48 + std::size_t(second)] / 4000.0);
    const auto& labels = graphs().communities->layers[0].base.community_E;
    int last = 0;
    for (const QString& label : map.rowLabels) {
        QVERIFY(labels[std::size_t(label.toInt())] >= last);
        last = labels[std::size_t(label.toInt())];
    }
    QCOMPARE(view.matrix(false)->scene().range(), view.matrix(true)->scene().range());
}

void CommunitiesViewTest::liftIsAnotherGraphOfTheSameCommunities() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    auto set = std::make_shared<CommunitySet>(*graphs().communities);
    set->layers[0].baseLift = {{3, 7, 2.5}};
    view.setFrames(graphs().base, graphs().tuned);
    view.setPartitions(set);
    const std::vector<int> communities = view.graph().baseCommunity;
    view.setEdgesBy(CommunitiesView::EdgesBy::Lift);
    QCOMPARE(view.graph().sides[0].edges.size(), std::size_t(1));
    QCOMPARE(view.graph().sides[0].edges[0].weight, 2.5);
    QVERIFY(view.graph().baseCommunity == communities);
    QVERIFY(view.figures().contains("edges by lift"));
    QCOMPARE(view.table()->index(0, 13).data(Qt::EditRole).toString(), QStringLiteral("lift"));
    // The matrix: tokens to both, times all tokens, over those to each.
    view.setShow(CommunitiesView::Show::Matrix);
    const auto map = view.matrix(false)->scene().data();
    const auto& domain = graphs().base->domains[0];
    const int a = map->rowLabels[0].toInt(), b = map->columnLabels[1].toInt();
    const double expected = double(domain.coactivation_LEE[a * 48 + b]) * double(domain.tokens)
        / double(domain.counts_LE[a]) / double(domain.counts_LE[b]);
    QVERIFY(std::abs(map->value(0, 1) - expected) < 1e-9 * expected + 1e-12);
}

void CommunitiesViewTest::draggedNodesArePinned() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    view.resize(1000, 600);
    give(view);
    view.stopLayout();
    Q_EMIT view.canvas()->nodeDragged(4, QPointF(0.7, 0.6));
    QVERIFY(view.forceLayout().pinned(4));
    QVERIFY(view.layoutRuns());
    QTRY_VERIFY_WITH_TIMEOUT(!view.layoutRuns(), 30000); // eases to rest
    QVERIFY(view.forceLayout().positions()[4] == QPointF(0.7, 0.6));
    Q_EMIT view.canvas()->pinToggled(4);
    QVERIFY(!view.forceLayout().pinned(4));
}

void CommunitiesViewTest::aBaseAloneHasOneSide() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    auto set = std::make_shared<CommunitySet>(*graphs().communities);
    for (LayerCommunities& layer : set->layers) {
        layer.tuned = {};
        layer.nmi.reset();
    }
    view.setFrames(graphs().base, nullptr);
    view.setPartitions(set);
    QVERIFY(!view.isEmpty());
    QCOMPARE(view.graph().sides.size(), std::size_t(1));
    QVERIFY(view.movedExperts().empty());
    QVERIFY(!view.figures().contains("NMI"));
    view.setShow(CommunitiesView::Show::Matrix);
    QCOMPARE(view.matrix(true)->scene().data()->rows, 0);
}

void CommunitiesViewTest::theTableHoldsTheSameNumbers() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    give(view);
    QAbstractTableModel* table = view.table();
    QCOMPARE(table->rowCount(), 48);
    const int moved = view.movedExperts().front();
    const LayerCommunities& layer = graphs().communities->layers[0];
    const auto cell = [&](int column) { return table->index(moved, column).data(Qt::EditRole); };
    QCOMPARE(cell(0).toLongLong(), 240LL);
    QCOMPARE(cell(1).toInt(), 1); // the absolute layer
    QCOMPARE(cell(2).toInt(), moved);
    QCOMPARE(cell(3).toInt(), layer.base.community_E[std::size_t(moved)] + 1);
    QCOMPARE(cell(4).toInt(), layer.tuned.community_E[std::size_t(moved)] + 1);
    QCOMPARE(cell(5).toInt(), 1);
    QCOMPARE(cell(6).toDouble(), view.graph().sides[0].use[std::size_t(moved)]);
    QCOMPARE(cell(10).toDouble(), 0.10);
}

void CommunitiesViewTest::exportsAreDrawings() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    give(view);
    view.stopLayout();
    QTemporaryDir folder;
    QVERIFY(view.exportTo(folder.filePath("graph.svg")));
    QVERIFY(view.exportTo(folder.filePath("graph.pdf")));
    const QByteArray svg = contentOf(folder.filePath("graph.svg"));
    QVERIFY(!svg.contains("<image"));
    QVERIFY(svg.contains("NMI 0.612"));
    const std::size_t edges
        = view.graph().sides[0].edges.size() + view.graph().sides[1].edges.size();
    QVERIFY(std::size_t(svg.count("<polyline") + svg.count("<line") + svg.count("<path")) >= edges);
    view.setShow(CommunitiesView::Show::Matrix);
    QVERIFY(view.exportTo(folder.filePath("matrix.svg")));
    QVERIFY(!contentOf(folder.filePath("matrix.svg")).contains("<image"));
}

void CommunitiesViewTest::emptyStatesSayWhatComes() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    QVERIFY(view.isEmpty());
    view.setRun(syntheticTraining(10));
    QVERIFY(view.isEmpty());
    view.setFrames(graphs().base, graphs().tuned);
    QVERIFY(view.isEmpty()); // communities are still being found
    view.setPartitions(graphs().communities);
    QVERIFY(!view.isEmpty());
    view.setPartitions(nullptr);
    QVERIFY(view.isEmpty());
    QVERIFY(!view.layoutRuns());
}

void CommunitiesViewTest::aSetOfAnotherModelIsNotShown() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    view.setFrames(graphs().base, graphs().tuned);
    view.setPartitions(syntheticGraphs(20).communities);
    QVERIFY(view.isEmpty());
}

void CommunitiesViewTest::keysPinStepAndCarry() {
    SelectionModel selection;
    CommunitiesView view(&selection);
    view.resize(1000, 600);
    give(view);
    view.stopLayout();
    GraphCanvas* canvas = view.canvas();
    canvas->setHovered(0, 8);
    QTest::keyClick(canvas, Qt::Key_P);
    QVERIFY(view.forceLayout().pinned(8));
    const QPointF before = view.forceLayout().positions()[8];
    QTest::keyClick(canvas, Qt::Key_Right, Qt::ControlModifier);
    QVERIFY(view.forceLayout().positions()[8] == before + QPointF(0.04, 0));
    QTest::keyClick(canvas, Qt::Key_Return);
    QCOMPARE(selection.value().expert, 8);
    QTest::keyClick(canvas, Qt::Key_Left);
    QVERIFY(canvas->hovered() != 8);
    view.stopLayout();
    const std::vector<QPointF> still = view.forceLayout().positions();
    QTest::keyClick(canvas, Qt::Key_S);
    QVERIFY(view.forceLayout().positions() != still);
    QVERIFY(!view.layoutRuns());
    QTest::keyClick(canvas, Qt::Key_R);
    QVERIFY(view.layoutRuns());
}

QTEST_MAIN(CommunitiesViewTest)
#include "communities_view_test.moc"
