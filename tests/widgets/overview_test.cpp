// SPDX-License-Identifier: GPL-3.0-or-later
// The overview: curves are the record's numbers, marks stand where the events are.
#include "tests/widgets/synthetic_training.h"
#include "widgets/charts/axis_ticks.h"
#include "widgets/charts/chart_board.h"
#include "widgets/views/overview_view.h"
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

using namespace mooring;
using namespace mooring::test;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const ChartSeries* seriesOf(const OverviewView& view, ChartId id, const QString& name) {
    for (const ChartSeries& series : view.charts().chart(id).series)
        if (series.run == 0 && series.name == name)
            return &series;
    return nullptr;
}

RunPtr withRho(double rho) {
    auto run = std::make_shared<RunRecord>(*syntheticTraining(240, 2));
    run->info.probe.rho = rho;
    return run;
}

} // namespace

class OverviewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyCurveHoldsTheRecordsNumbers();
    void heldOutStandsOnlyWhereItWasMeasured();
    void aRouterThatIsClippedApartHasItsOwnFactor();
    void movingCorrectionBiasesAreSaid();
    void retentionIsThatOfTheSelectedDomain();
    void aMethodWithoutABiasHasNoBetaCurve();
    void penaltiesStandFirstWhereThereIsNoBeta();
    void marksStandWhereTheEventsAre();
    void changesOfOneStepAreOneMark();
    void nmiOfAnotherRhoIsLeftOut();
    void smoothingFollowsItsFormula();
    void decimationKeepsEveryPeakAndTheEnds();
    void ticksAreRoundAndWithinTheAxis();
    void theCrossHairTellsExactNumbers();
    void aClickChoosesTheStepForAllViews();
    void theTableHoldsTheSameNumbers();
    void exportsAreDrawingsWithText();
    void aRunWithoutStepsSaysWhatComes();
    void chartsAreChosenAndNeverNone();
};

void OverviewTest::everyCurveHoldsTheRecordsNumbers() {
    SelectionModel selection;
    OverviewView view(&selection);
    const RunPtr run = syntheticTraining();
    view.setRun(run);
    const StepMetrics& m = run->metrics[209]; // step 210: both penalties are in force
    QCOMPARE(m.step, std::int64_t(210));
    const auto at = [&](ChartId id, const char* name) {
        const ChartSeries* series = seriesOf(view, id, QString::fromLatin1(name));
        return series ? series->at(210) : std::nan("");
    };
    QCOMPARE(at(ChartId::CrossEntropy, "train"), m.ce);
    QCOMPARE(at(ChartId::GradientNorm, ""), m.gradNorm);
    QCOMPARE(at(ChartId::ClipFactor, ""), m.clipFactor);
    QCOMPARE(at(ChartId::LearningRate, ""), m.lr);
    QCOMPARE(at(ChartId::RouterDrift, ""), m.routerDrift);
    QCOMPARE(at(ChartId::Beta, ""), m.beta);
    QCOMPARE(at(ChartId::Penalties, "router_l2"), m.terms.at("router_l2").scaled);
    QCOMPARE(at(ChartId::Penalties, "lbl"), m.terms.at("lbl").scaled);
    QCOMPARE(at(ChartId::RawPenalties, "router_l2"), m.terms.at("router_l2").raw);
    QCOMPARE(at(ChartId::RawPenalties, "lbl"), 1.2);
    QCOMPARE(at(ChartId::Strengths, "router_l2"), 100.0);
    QCOMPARE(at(ChartId::Strengths, "lbl"), 1e-3);
}

void OverviewTest::heldOutStandsOnlyWhereItWasMeasured() {
    SelectionModel selection;
    OverviewView view(&selection);
    const RunPtr run = syntheticTraining();
    view.setRun(run);
    const ChartSeries* plain = seriesOf(view, ChartId::CrossEntropy, "held-out");
    const ChartSeries* biased = seriesOf(view, ChartId::CrossEntropy, "as trained");
    QVERIFY(plain && biased);
    QVERIFY(std::isnan(plain->at(21)));
    QCOMPARE(plain->at(20), *run->metrics[19].heldOutCe);
    QCOMPARE(biased->at(20), *run->metrics[19].heldOutCeBiased);
    QCOMPARE(plain->steps.size(), std::size_t(13)); // step 1 and every twentieth
}

void OverviewTest::aRouterThatIsClippedApartHasItsOwnFactor() {
    auto run = std::make_shared<RunRecord>();
    run->metrics.resize(2);
    run->metrics[0].step = 1;
    run->metrics[0].clipFactor = 0.5;
    run->metrics[0].clipFactorRouter = 0.001;
    run->metrics[1].step = 2;
    run->metrics[1].clipFactorRouter = 0.25;
    const ChartSet set = makeCharts({{run, "apart", Qt::blue, {}}}, "pooled");
    const Chart& chart = set.chart(ChartId::ClipFactor);
    QCOMPARE(chart.series.size(), std::size_t(2));
    QCOMPARE(chart.series[0].name, QString("without router"));
    QCOMPARE(chart.series[0].at(1), 0.5);
    QCOMPARE(chart.series[1].name, QString("router"));
    QCOMPARE(chart.series[1].at(1), 0.001);
    QCOMPARE(chart.series[1].at(2), 0.25);
    QVERIFY(chart.series[0].style != chart.series[1].style);
}

void OverviewTest::movingCorrectionBiasesAreSaid() {
    auto run = std::make_shared<RunRecord>();
    QCOMPARE(makeCharts({{run, "still", Qt::blue, {}}}, "pooled").chart(ChartId::RouterDrift).note,
        QString());
    run->info.gateBiasRate = 1e-3;
    QVERIFY(makeCharts({{run, "moving", Qt::blue, {}}}, "pooled")
                .chart(ChartId::RouterDrift)
                .note.contains("0.001"));
}

void OverviewTest::retentionIsThatOfTheSelectedDomain() {
    SelectionModel selection;
    OverviewView view(&selection);
    const RunPtr run = syntheticTraining();
    view.setRun(run);
    QCOMPARE(run->retention[2].domain, std::string("pooled"));
    QCOMPARE(seriesOf(view, ChartId::Overlap, "")->at(20), run->retention[2].mean.overlap);
    selection.setDomain("code");
    QCOMPARE(run->retention[1].domain, std::string("code"));
    QCOMPARE(seriesOf(view, ChartId::Overlap, "")->at(20), run->retention[1].mean.overlap);
    QCOMPARE(seriesOf(view, ChartId::Tvd, "")->at(20), run->retention[1].mean.tvd);
    QCOMPARE(seriesOf(view, ChartId::Nmi, "")->at(20), run->retention[1].mean.nmi);
}

void OverviewTest::aMethodWithoutABiasHasNoBetaCurve() {
    auto run = std::make_shared<RunRecord>();
    run->metrics.resize(2);
    run->metrics[0].ce = run->metrics[0].beta
        = std::nan(""); // step 0 tells the held-out loss alone
    run->metrics[1].step = 1;
    run->metrics[1].method = "rpb_hard";
    const ChartSet set = makeCharts({{run, "hard", Qt::blue, {}}}, "pooled");
    QVERIFY(set.chart(ChartId::Beta).series.empty());
    QCOMPARE(set.chart(ChartId::CrossEntropy).series.size(), std::size_t(1));
}

void OverviewTest::penaltiesStandFirstWhereThereIsNoBeta() {
    SelectionModel selection;
    OverviewView view(&selection);
    const auto has = [&](ChartId id) {
        const auto shown = view.shown();
        return std::find(shown.begin(), shown.end(), id) != shown.end();
    };
    view.setRun(syntheticTraining()); // beta, and penalties later
    QVERIFY(has(ChartId::Beta) && !has(ChartId::Penalties));
    auto run = std::make_shared<RunRecord>();
    run->metrics.resize(1);
    run->metrics[0].step = 1;
    run->metrics[0].method = "kl_to_base";
    run->metrics[0].terms["kl_to_base"] = {0.2, 0.02};
    view.setRun(run);
    QVERIFY(!has(ChartId::Beta) && has(ChartId::Penalties));
    view.setShown({ChartId::Beta}); // what was asked for stays
    QVERIFY(has(ChartId::Beta) && !has(ChartId::Penalties));
}

void OverviewTest::marksStandWhereTheEventsAre() {
    SelectionModel selection;
    OverviewView view(&selection);
    view.resize(1100, 700);
    view.setRun(syntheticTraining());
    const std::vector<ChangeMark>& marks = view.charts().runs[0].changes;
    QCOMPARE(marks.size(), std::size_t(4));
    QCOMPARE(marks[1].step, std::int64_t(121));
    QCOMPARE(marks[1].text, QString("beta 1 \u2192 0"));
    QCOMPARE(marks[1].detail, QString("beta 1 \u2192 0 over 96 steps (planned)"));
    QCOMPARE(marks[0].text, QString("lr \u00d7 1 \u2192 0.5"));
    const ChartSheet& sheet = view.board()->sheet();
    for (int panel = 0; panel < sheet.panels(); ++panel) {
        const QRectF plot = sheet.plotRect(panel);
        QCOMPARE(sheet.xOf(panel, 121), plot.left() + plot.width() * 121 / 240);
    }
}

void OverviewTest::changesOfOneStepAreOneMark() {
    RunRecord run;
    RunEvent method;
    method.step = 5;
    method.what = "method";
    method.before = "\"sft\"";
    method.after = "\"rpb\"";
    RunEvent beta = method;
    beta.what = "beta";
    beta.before = "null";
    beta.after = "0.75";
    RunEvent pause = method;
    pause.what = "pause";
    run.events = {method, beta, pause};
    const auto marks = changeMarks(run);
    QCOMPARE(marks.size(), std::size_t(1));
    QCOMPARE(marks[0].text, QString("method sft \u2192 rpb, beta 0.75"));
}

void OverviewTest::nmiOfAnotherRhoIsLeftOut() {
    SelectionModel selection;
    OverviewView view(&selection);
    view.setRun(syntheticTraining());
    view.setOverlays({withRho(0.2)});
    const Chart& nmi = view.charts().chart(ChartId::Nmi);
    QCOMPARE(nmi.series.size(), std::size_t(1));
    QVERIFY(nmi.note.contains("left out"));
    QCOMPARE(view.charts().chart(ChartId::Overlap).series.size(), std::size_t(2));
    view.setOverlays({withRho(0.1)});
    QCOMPARE(view.charts().chart(ChartId::Nmi).series.size(), std::size_t(2));
}

void OverviewTest::smoothingFollowsItsFormula() {
    // w = 0.5: (1), (0.5*0.5 + 0.5*3) / 0.75, (0.5*1.75 + 0.5*2) / 0.875
    const std::vector<double> out = smoothed({1, 3, 2}, 0.5);
    QCOMPARE(out[0], 1.0);
    QCOMPARE(out[1], 1.75 / 0.75);
    QCOMPARE(out[2], 1.875 / 0.875);
    QCOMPARE(smoothed({4, 7}, 0), std::vector<double>({4, 7}));
    QCOMPARE(smoothed({5, 5, 5}, 0.9)[2], 5.0);
}

void OverviewTest::decimationKeepsEveryPeakAndTheEnds() {
    std::vector<QPointF> points;
    for (int i = 0; i < 20000; ++i)
        points.emplace_back(i, std::sin(i * 0.01));
    points[777].setY(9);
    points[15555].setY(-9);
    const std::vector<QPointF> kept = decimated(points);
    QVERIFY(kept.size() <= kMostPoints);
    QCOMPARE(kept.front(), points.front());
    QCOMPARE(kept.back(), points.back());
    QVERIFY(std::count(kept.begin(), kept.end(), QPointF(777, 9)) == 1);
    QVERIFY(std::count(kept.begin(), kept.end(), QPointF(15555, -9)) == 1);
    QVERIFY(std::is_sorted(kept.begin(), kept.end(),
        [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
    points.resize(kMostPoints);
    QCOMPARE(decimated(points).size(), kMostPoints);
}

void OverviewTest::ticksAreRoundAndWithinTheAxis() {
    const AxisScale scale = linearScale(0.61, 1.0, 5, true);
    QCOMPARE(scale.low, 0.6);
    QCOMPARE(scale.high, 1.0);
    QCOMPARE(scale.ticks.size(), std::size_t(5));
    QCOMPARE(scale.ticks[1].label, QString("0.7"));
    const AxisScale log = logScale(0.003, 40, 6);
    QCOMPARE(log.low, std::log10(0.002));
    QCOMPARE(log.high, std::log10(50.0));
    QCOMPARE(log.ticks.front().label, QString("0.01"));
    QCOMPARE(log.ticks.back().label, QString("10"));
}

void OverviewTest::theCrossHairTellsExactNumbers() {
    SelectionModel selection;
    OverviewView view(&selection);
    view.resize(1100, 700);
    const RunPtr run = syntheticTraining();
    view.setRun(run);
    view.setOverlays({syntheticTraining(240, 2)});
    view.board()->setHover(0, 137);
    QVERIFY(view.readOut().contains("step 137"));
    QVERIFY(view.readOut().contains(formatExact(run->metrics[136].ce)));
    QVERIFY(view.readOut().contains(formatExact(syntheticTraining(240, 2)->metrics[136].ce)));
    QVERIFY(view.readOut().contains("held-out \u00b7 measured at 120"));
    view.board()->setHover(0, 121);
    QVERIFY(view.readOut().contains("beta 1 \u2192 0 over 96 steps"));
    view.board()->setHover(0, {});
    QVERIFY(view.readOut().isEmpty());
}

void OverviewTest::aClickChoosesTheStepForAllViews() {
    SelectionModel selection;
    OverviewView view(&selection);
    view.resize(1100, 700);
    view.setRun(syntheticTraining());
    ChartBoard* board = view.board();
    board->resize(1000, 600);
    const QRectF plot = board->sheet().plotRect(1);
    const QPoint at(int(board->sheet().xOf(1, 100)), int(plot.center().y()));
    QTest::mouseMove(board, at);
    QMouseEvent move(QEvent::MouseMove, at, board->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(board, &move);
    QTest::mouseClick(board, Qt::LeftButton, {}, at);
    QCOMPARE(selection.value().step, std::int64_t(100)); // the probed step nearest to the pointer
    QTest::keyClick(board, Qt::Key_Right);
    QTest::keyClick(board, Qt::Key_Return);
    QCOMPARE(selection.value().step, std::int64_t(101));
}

void OverviewTest::theTableHoldsTheSameNumbers() {
    SelectionModel selection;
    OverviewView view(&selection);
    const RunPtr run = syntheticTraining();
    view.setRun(run);
    view.setShown({ChartId::CrossEntropy, ChartId::Overlap});
    QAbstractTableModel* table = view.table();
    QCOMPARE(table->rowCount(), 240);
    QCOMPARE(table->columnCount(), 6);
    QCOMPARE(table->headerData(2, Qt::Horizontal).toString(), QString("Cross-entropy, train"));
    QCOMPARE(table->index(136, 1).data(Qt::EditRole).toLongLong(), 137LL);
    QCOMPARE(table->index(136, 2).data(Qt::EditRole).toDouble(), run->metrics[136].ce);
    QCOMPARE(table->index(136, 3).data(Qt::DisplayRole).toString(), QString());
    QCOMPARE(table->index(19, 5).data(Qt::EditRole).toDouble(), run->retention[2].mean.overlap);
}

void OverviewTest::exportsAreDrawingsWithText() {
    SelectionModel selection;
    OverviewView view(&selection);
    view.setRun(syntheticTraining());
    QTemporaryDir folder;
    for (const char* ending : {"png", "svg", "pdf", "csv"})
        QVERIFY(view.exportTo(folder.filePath(QString("a.") + ending)));
    const QByteArray svg = contentOf(folder.filePath("a.svg"));
    QVERIFY(!svg.contains("<image"));
    QVERIFY(svg.contains("Cross-entropy"));
    QVERIFY(svg.contains("beta 1"));
    QVERIFY(svg.count("<polyline") + svg.count("<path") > 12);
}

void OverviewTest::aRunWithoutStepsSaysWhatComes() {
    SelectionModel selection;
    OverviewView view(&selection);
    QVERIFY(view.isEmpty());
    view.setRun(std::make_shared<RunRecord>());
    QVERIFY(view.isEmpty());
    view.setRun(syntheticTraining(1));
    QVERIFY(!view.isEmpty());
}

void OverviewTest::chartsAreChosenAndNeverNone() {
    SelectionModel selection;
    OverviewView view(&selection);
    QCOMPARE(view.shown().size(), std::size_t(6));
    view.setShown({ChartId::Nmi, ChartId::Beta, ChartId::Nmi});
    QCOMPARE(view.shown(), std::vector<ChartId>({ChartId::Beta, ChartId::Nmi}));
    view.setShown({});
    QCOMPARE(view.shown().size(), std::size_t(6));
}

QTEST_MAIN(OverviewTest)
#include "overview_test.moc"
