// SPDX-License-Identifier: GPL-3.0-or-later
// The Compare view: what its scatters, table, read-outs and exports say.
#include "core/config/run_config.h"
#include "widgets/charts/scatter_canvas.h"
#include "widgets/views/compare_view.h"
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <set>

using namespace mooring;

namespace {

ComparedRun run(
    const std::string& condition, std::uint64_t seed, double id, double ood, double overlap) {
    ComparedRun r;
    r.condition = condition;
    r.name = condition + "-s" + std::to_string(seed);
    r.path = "/runs/" + r.name;
    r.method = condition;
    r.seed = seed;
    r.points.push_back({10, {{"id", id / 2}, {"ood", ood}, {"overall", 0.1}}});
    r.points.push_back({20, {{"id", id}, {"ood", ood}, {"overall", 0.5}, {"overlap", overlap}}});
    return r;
}

// Two conditions of two seeds and the base; the means and deviations are written out, not computed.
ComparedTablePtr table() {
    ComparedTable t;
    t.metrics = {{"id", "ID", Better::Higher, true}, {"ood", "OOD", Better::Higher, true},
        {"overlap", "Overlap", Better::Higher, false}};
    t.rows = {{"base", "", "", {}, 0, true, {{0, kNotMeasured, 1}, {.9, kNotMeasured, 1}, {}}},
        {"sft", "sft", "", {1, 2}, 2, false, {{.9, .02, 2}, {.5, .01, 2}, {.55, .01, 2}}},
        {"rpb", "rpb", "1", {1, 2}, 2, false, {{.8, .04, 2}, {.7, .03, 2}, {.65, .02, 2}}}};
    t.rows[2].cells[2].best = true;
    t.rows[2].cells[1].differs = true;
    t.runs = {run("sft", 1, .88, .49, .54), run("sft", 2, .92, .51, .56),
        run("rpb", 1, .76, .67, .63), run("rpb", 2, .84, .73, .67)};
    t.rowOfRun = {1, 1, 2, 2};
    t.caption = "Mean and sd. **Bold**: beyond the noise.";
    t.notices = {"rpb-s3 is excluded from all means: it failed"};
    return std::make_shared<const ComparedTable>(std::move(t));
}

} // namespace

class CompareViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutRunsItSaysWhatToOpen();
    void everyRunIsADotAndEveryConditionACross();
    void earlierEvaluationsAreATrailWhereBothWereMeasured();
    void theSecondPanelCanShowAnotherMetric();
    void onlyWhatIsBestBeyondTheNoiseIsBold();
    void runsStandUnderTheirCondition();
    void csvHoldsRunsThenMeanAndDeviation();
    void arrowKeysGoFromRunToRunAndEnterOpensOne();
    void aRowOfTheTableIsHighlighted();
    void methodsDifferInColourAndConditionsOfOneInShape();
    void everyFormatIsWritten();
};

void CompareViewTest::withoutRunsItSaysWhatToOpen() {
    SelectionModel selection;
    CompareView view(&selection);
    QVERIFY(view.isEmpty());
    QSignalSpy asked(&view, &View::actionRequested);
    view.findChild<QPushButton*>()->click();
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].value<ViewAction>(), ViewAction::OpenRun);
    view.setTable("s", table());
    QVERIFY(!view.isEmpty());
    view.setTable({}, nullptr);
    QVERIFY(view.isEmpty());
}

void CompareViewTest::everyRunIsADotAndEveryConditionACross() {
    SelectionModel selection;
    CompareView view(&selection);
    view.setTable("s", table());
    QCOMPARE(view.canvas()->panels(), 2);
    const auto& panel = view.canvas()->panel(0);
    QCOMPARE(panel.crosses.size(), 3u); // the base has no overlap, but ID and OOD
    int last = 0;
    for (const auto& dot : panel.dots)
        last += dot.last;
    QCOMPARE(last, 4);
    QCOMPARE(panel.crosses[1].x, 90.0); // per cent
    QCOMPARE(panel.crosses[1].y, 50.0);
    QCOMPARE(panel.crosses[2].sdX, 4.0);
    QCOMPARE(view.canvas()->panel(1).crosses.size(), 2u);
}

void CompareViewTest::earlierEvaluationsAreATrailWhereBothWereMeasured() {
    SelectionModel selection;
    CompareView view(&selection);
    view.setTable("s", table());
    QCOMPARE(view.canvas()->panel(0).dots.size(), 8u); // ID and OOD at steps 10 and 20
    QCOMPARE(view.canvas()->panel(0).dots[0].x, 44.0);
    QVERIFY(!view.canvas()->panel(0).dots[0].last);
    QCOMPARE(view.canvas()->panel(1).dots.size(), 4u); // overlap at step 20 alone
}

void CompareViewTest::theSecondPanelCanShowAnotherMetric() {
    auto t = *table();
    t.metrics.push_back({"task:math", "math", Better::Higher, true});
    for (auto& row : t.rows)
        row.cells.push_back({.25, kNotMeasured, 1});
    SelectionModel selection;
    CompareView view(&selection);
    view.setTable("s", std::make_shared<const ComparedTable>(t));
    QCOMPARE(view.canvas()->panel(1).yTitle, QString("Overlap"));
    view.setSecondMetric("task:math");
    QCOMPARE(view.canvas()->panel(1).yTitle, QString("math, %"));
    view.setTable("s", std::make_shared<const ComparedTable>(t)); // a later reading keeps it
    QCOMPARE(view.canvas()->panel(1).yTitle, QString("math, %"));
}

void CompareViewTest::onlyWhatIsBestBeyondTheNoiseIsBold() {
    SelectionModel selection;
    CompareView view(&selection);
    view.setTable("s", table());
    const auto* rpb = view.tree()->topLevelItem(2);
    QCOMPARE(rpb->text(3), QString("80.0 \u00b1 4.0"));
    QVERIFY(!rpb->font(3).bold());
    QCOMPARE(rpb->text(4), QString("70.0 \u00b1 3.0 *"));
    QCOMPARE(rpb->text(5), QString("0.650 \u00b1 0.020"));
    QVERIFY(rpb->font(5).bold());
    QCOMPARE(view.tree()->topLevelItem(0)->text(5), QString()); // not measured is not zero
}

void CompareViewTest::runsStandUnderTheirCondition() {
    SelectionModel selection;
    CompareView view(&selection);
    view.setTable("s", table());
    QCOMPARE(view.tree()->topLevelItemCount(), 3);
    QCOMPARE(view.tree()->topLevelItem(0)->childCount(), 0);
    QCOMPARE(view.tree()->topLevelItem(1)->childCount(), 2);
    QCOMPARE(view.tree()->topLevelItem(1)->child(1)->text(0), QString("sft-s2"));
    QSignalSpy opened(&view, &CompareView::runActivated);
    Q_EMIT view.tree()->itemActivated(view.tree()->topLevelItem(1)->child(1), 0);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened[0][0].toString(), QString("/runs/sft-s2"));
}

void CompareViewTest::csvHoldsRunsThenMeanAndDeviation() {
    SelectionModel selection;
    CompareView view(&selection);
    view.setTable("s", table());
    const auto lines = view.csv().split("\r\n", Qt::SkipEmptyParts);
    QCOMPARE(lines[0], QString("condition,method,strength,seed,step,id,ood,overlap"));
    QCOMPARE(lines[1], QString("base,,,mean,,0,0.9,"));
    QCOMPARE(lines[2], QString("sft,sft,,1,20,0.88,0.49,0.54"));
    QCOMPARE(lines[4], QString("sft,sft,,mean,,0.9,0.5,0.55"));
    QCOMPARE(lines[5], QString("sft,sft,,sd,,0.02,0.01,0.01"));
    QCOMPARE(lines.size(), 1 + 1 + 4 + 4);
}

void CompareViewTest::arrowKeysGoFromRunToRunAndEnterOpensOne() {
    SelectionModel selection;
    CompareView view(&selection);
    view.setTable("s", table());
    view.canvas()->resize(900, 400); // nothing lays it out, since it is not shown
    QSignalSpy said(&view, &View::readOutChanged);
    QSignalSpy opened(&view, &CompareView::runActivated);
    QTest::keyClick(view.canvas(), Qt::Key_Right); // the first dot
    QVERIFY(said.last()[0].toString().contains("sft-s1"));
    QVERIFY(said.last()[0].toString().contains("step 10"));
    QTest::keyClick(view.canvas(), Qt::Key_Right); // 44 % -> the next to the right, 46 % at most
    QVERIFY(said.last()[0].toString().contains("sft-s2"));
    QTest::keyClick(view.canvas(), Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened[0][0].toString(), QString("/runs/sft-s2"));
    QTest::keyClick(view.canvas(), Qt::Key_Escape);
    QCOMPARE(view.readOut(), QString());
}

void CompareViewTest::aRowOfTheTableIsHighlighted() {
    SelectionModel selection;
    CompareView view(&selection);
    view.setTable("s", table());
    QCOMPARE(view.canvas()->highlighted(), -1);
    view.tree()->setCurrentItem(view.tree()->topLevelItem(2));
    QCOMPARE(view.canvas()->highlighted(), 2);
    view.tree()->setCurrentItem(view.tree()->topLevelItem(1)->child(0));
    QCOMPARE(view.canvas()->highlighted(), 1);
}

void CompareViewTest::methodsDifferInColourAndConditionsOfOneInShape() {
    auto t = *table();
    t.rows.push_back(t.rows[1]); // another condition of sft
    const auto& colors = themeColors(ThemeKind::Light);
    const auto base = markerOf(t, 0, colors), sft = markerOf(t, 1, colors),
               rpb = markerOf(t, 2, colors), half = markerOf(t, 3, colors);
    QCOMPARE(base.color, colors.base);
    QCOMPARE(base.shape, MarkerShape::Ring);
    QVERIFY(sft.color != rpb.color);
    QCOMPARE(half.color, sft.color);
    QVERIFY(half.shape != sft.shape);
    t.rows[2].method = "rpb_hard";
    QCOMPARE(markerOf(t, 2, colors).shape, MarkerShape::Triangle);
    std::set<QRgb> hues;
    for (const MethodTraits& method : methodTraits()) {
        t.rows[2].method = method.id;
        hues.insert(markerOf(t, 2, colors).color.rgb());
    }
    QCOMPARE(hues.size(), methodTraits().size());
}

void CompareViewTest::everyFormatIsWritten() {
    SelectionModel selection;
    CompareView view(&selection);
    view.setTable("s", table());
    const QTemporaryDir place;
    for (const char* ending : {"png", "svg", "pdf", "csv"}) {
        QString why;
        const QString path = place.filePath(QString("c.") + ending);
        QVERIFY2(view.exportTo(path, &why), qPrintable(why));
        QVERIFY(QFile(path).size() > 0);
    }
    QFile svg(place.filePath("c.svg"));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    QVERIFY(text.contains("2 rpb, 1")); // the legend: number, condition, strength
    QVERIFY(text.contains("OOD, %"));
}

QTEST_MAIN(CompareViewTest)
#include "compare_view_test.moc"
