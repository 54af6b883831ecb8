// SPDX-License-Identifier: GPL-3.0-or-later
// The transitions view on a set written out: two layers, three experts, top-1.
#include "tests/widgets/synthetic_training.h"
#include "widgets/heatmap/heat_map_canvas.h"
#include "widgets/views/transitions_view.h"
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <cmath>

using namespace mooring;
using namespace mooring::test;

namespace {

// Expert 2 is a community of its own that comes first in no order: rows are 0, 1, 2 or 1, 0, 2.
std::shared_ptr<const FrameTransitions> frame(
    std::int64_t step, TransitionKind kind, std::vector<std::int32_t> counts_LEE) {
    auto made = std::make_shared<FrameTransitions>();
    made->step = step;
    made->kind = kind;
    made->layers = kind == TransitionKind::Tokens ? std::vector{2, 5} : std::vector{2};
    made->experts = 3;
    made->topK = 1;
    const std::vector<int> labels
        = kind == TransitionKind::Tokens ? std::vector{0, 0, 1} : std::vector{0, 0, 1, 1, 0, 0};
    const std::vector<Partition> partitions(made->layers.size(), Partition{labels, 2, 0.25});
    made->domains.push_back({"math", {10, counts_LEE}, {}, partitions});
    made->domains.push_back({"pooled", {10, std::move(counts_LEE)}, {}, partitions});
    return made;
}

TransitionRow row(std::int64_t step, TransitionKind kind, std::vector<int> layers) {
    TransitionRow made;
    made.step = step;
    made.domain = "pooled";
    made.kind = kind;
    made.layers = std::move(layers);
    TransitionValues v;
    if (step > 0) {
        v.tvd = 0.125;
        v.jsd = 0.02;
        v.overlap = 0.75;
        v.nmi = 0.5;
        v.q = 0.2;
    } else {
        v.ceiling = 0.875;
        v.nullQ = 0.1;
        v.nullSd = 0.01;
    }
    v.qBase = 0.25;
    made.values.assign(made.layers.size(), v);
    made.mean = v;
    return made;
}

const std::vector<std::int32_t> kBase = {1, 4, 0, 3, 0, 0, 0, 0, 2, 5, 0, 0, 0, 5, 0, 0, 0, 0};
const std::vector<std::int32_t> kTuned = {0, 5, 0, 3, 0, 0, 1, 0, 1, 5, 0, 0, 0, 5, 0, 0, 0, 0};

CommunitiesPtr set(bool tuned) {
    auto made = std::make_shared<CommunitySet>();
    auto transitions = std::make_shared<TransitionSet>();
    transitions->tokens.base = frame(0, TransitionKind::Tokens, kBase);
    transitions->layers.base = frame(0, TransitionKind::Layers, {0, 9, 0, 0, 0, 1, 0, 0, 0});
    transitions->tokens.baseRows = {row(0, TransitionKind::Tokens, {2, 5})};
    if (tuned) {
        transitions->tokens.tuned = frame(40, TransitionKind::Tokens, kTuned);
        transitions->tokens.rows = {row(40, TransitionKind::Tokens, {2, 5})};
    }
    made->transitions = std::move(transitions);
    return made;
}

FramePtr baseFrameOf() {
    auto made = std::make_shared<RoutingFrame>();
    made->layers = {2, 5};
    made->experts = 3;
    made->topK = 1;
    made->domains.resize(1);
    made->domains[0].name = "math";
    return made;
}

void give(TransitionsView& view, bool tuned) {
    view.setRun(syntheticTraining(40));
    view.setFrames(baseFrameOf(), nullptr);
    view.setPartitions(set(tuned));
}

} // namespace

class TransitionsViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void emptyStatesSayWhatComes();
    void theMatrixIsTheShareOfTransitionsInTheOrderOfBaseCommunities();
    void theDifferenceIsTunedMinusBaseAndMissingWhereThereIsNoTuned();
    void liftIsShareOverChance();
    void betweenLayersColumnsAreTheNextLayersExperts();
    void figuresAndListNameEveryLayersNumbers();
    void theTableHoldsTheSameNumbers();
    void aChosenLayerIsShown();
    void exportsAreDrawings();
};

void TransitionsViewTest::emptyStatesSayWhatComes() {
    SelectionModel selection;
    TransitionsView view(&selection);
    QVERIFY(view.isEmpty());
    view.setFrames(baseFrameOf(), nullptr);
    QVERIFY(view.isEmpty()); // being counted
    view.setPartitions(set(false));
    QVERIFY(!view.isEmpty());
    selection.setDomain(QStringLiteral("plain texts")); // a domain without pairs
    QVERIFY(view.isEmpty());
}

// Out of 0: 5, out of 1: 3, out of 2: 2; communities {0, 1} and {2}.
void TransitionsViewTest::theMatrixIsTheShareOfTransitionsInTheOrderOfBaseCommunities() {
    SelectionModel selection;
    TransitionsView view(&selection);
    give(view, true);
    view.setShow(TransitionsView::Show::Base);
    const auto map = view.canvas()->scene().data();
    QCOMPARE(map->rowLabels, QStringList({"0", "1", "2"}));
    QCOMPARE(map->columnLabels, map->rowLabels);
    QCOMPARE(map->value(0, 1), 0.4);
    QCOMPARE(map->value(1, 0), 0.3);
    QCOMPARE(map->value(2, 2), 0.2);
    QCOMPARE(map->groups[0].size(), std::size_t(2));
    QCOMPARE(map->groups[0][1].first, 2);
    view.setShow(TransitionsView::Show::Tuned);
    QCOMPARE(view.canvas()->scene().data()->value(0, 1), 0.5);
}

void TransitionsViewTest::theDifferenceIsTunedMinusBaseAndMissingWhereThereIsNoTuned() {
    SelectionModel selection;
    TransitionsView view(&selection);
    give(view, true);
    const auto map = view.canvas()->scene().data();
    QVERIFY(map->diverging);
    QVERIFY(std::abs(map->value(0, 0) + 0.1) < 1e-12);
    QVERIFY(std::abs(map->value(2, 0) - 0.1) < 1e-12);
    give(view, false);
    QVERIFY(!view.canvas()->scene().data()->diverging); // the base alone
    QCOMPARE(view.canvas()->scene().data()->value(0, 1), 0.4);
}

// From 0 (out .5) to 1 (in .4): .4 / .2; from 0 to 2: never, so 0; into what nobody leads: no data.
void TransitionsViewTest::liftIsShareOverChance() {
    SelectionModel selection;
    TransitionsView view(&selection);
    give(view, false);
    view.setValues(TransitionsView::Values::Lift);
    const auto map = view.canvas()->scene().data();
    QVERIFY(std::abs(map->value(0, 1) - 2) < 1e-12);
    QCOMPARE(map->value(0, 2), 0.0);
    selection.setLayer(1); // nothing leads to expert 2 there
    QVERIFY(std::isnan(view.canvas()->scene().data()->value(0, 2)));
}

void TransitionsViewTest::betweenLayersColumnsAreTheNextLayersExperts() {
    SelectionModel selection;
    TransitionsView view(&selection);
    give(view, false);
    view.setKind(TransitionKind::Layers);
    const auto map = view.canvas()->scene().data();
    // Next layer's communities: expert 0 in 1, experts 1 and 2 in 0.
    QCOMPARE(map->columnLabels, QStringList({"1", "2", "0"}));
    QCOMPARE(map->value(0, 0), 0.9);
    QVERIFY(map->columnTitle.contains(QStringLiteral("layer, 5")));
}

void TransitionsViewTest::figuresAndListNameEveryLayersNumbers() {
    SelectionModel selection;
    TransitionsView view(&selection);
    give(view, true);
    for (const char* part : {"layer 2", "TVD 0.125", "NMI 0.500 (ceiling 0.875)",
             "Q 0.200, base 0.250 (null 0.100", "10 pairs", "rho 0.10", "detector seed 0"})
        QVERIFY2(view.figures().contains(QLatin1String(part)), qPrintable(view.figures()));
    QCOMPARE(view.layers()->topLevelItemCount(), 3); // two layers and their mean
    QCOMPARE(view.layers()->topLevelItem(1)->text(0), QStringLiteral("5"));
    QCOMPARE(view.layers()->topLevelItem(0)->text(1), QStringLiteral("0.125"));
    QCOMPARE(view.layers()->topLevelItem(2)->text(0), QStringLiteral("mean"));
}

void TransitionsViewTest::theTableHoldsTheSameNumbers() {
    SelectionModel selection;
    TransitionsView view(&selection);
    give(view, true);
    QAbstractTableModel* table = view.table();
    QCOMPARE(table->rowCount(), 9);
    const auto cell = [&](int column) { return table->index(1, column).data(Qt::EditRole); };
    QCOMPARE(cell(0).toLongLong(), 40LL);
    QCOMPARE(cell(3).toInt(), 2);
    QCOMPARE(cell(4).toInt(), 0);
    QCOMPARE(cell(5).toInt(), 1);
    QCOMPARE(cell(6).toDouble(), 0.4);
    QCOMPARE(cell(7).toDouble(), 0.5);
    QCOMPARE(cell(8).toLongLong(), 4LL);
    QCOMPARE(cell(9).toLongLong(), 5LL);
}

void TransitionsViewTest::aChosenLayerIsShown() {
    SelectionModel selection;
    TransitionsView view(&selection);
    give(view, true);
    view.layers()->setCurrentItem(view.layers()->topLevelItem(1));
    QCOMPARE(selection.value().layer, 1);
    view.setShow(TransitionsView::Show::Base);
    QCOMPARE(view.canvas()->scene().data()->value(0, 0), 0.5);
}

void TransitionsViewTest::exportsAreDrawings() {
    SelectionModel selection;
    TransitionsView view(&selection);
    give(view, true);
    QTemporaryDir folder;
    QVERIFY(view.exportTo(folder.filePath("transitions.svg")));
    QFile file(folder.filePath("transitions.svg"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    QVERIFY(!svg.contains("<image"));
    QVERIFY(svg.contains("TVD 0.125"));
}

QTEST_MAIN(TransitionsViewTest)
#include "transitions_view_test.moc"
