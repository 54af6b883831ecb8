// SPDX-License-Identifier: GPL-3.0-or-later
// The live panel: what it sends, what it says is in force and on its way, and undo.
#include "tests/widgets/synthetic_training.h"
#include "widgets/base/figure_list.h"
#include "widgets/live/live_panel.h"
#include "widgets/live/live_value_control.h"
#include "widgets/style/theme.h"
#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <set>

using namespace mooring;
using namespace mooring::test;

namespace {

StepMetrics stepOf(std::int64_t step, const char* method, double beta) {
    StepMetrics metrics;
    metrics.step = step;
    metrics.method = method;
    metrics.beta = beta;
    metrics.lrScale = 1;
    return metrics;
}

RunEvent eventOf(std::int64_t step, const char* what, const char* before, const char* after,
    std::int64_t ramp = 0) {
    RunEvent event;
    event.step = step;
    event.source = "window";
    event.what = what;
    event.before = before;
    event.after = after;
    event.rampSteps = ramp;
    return event;
}

// The trainer's answer to a line that it could not do.
RunEvent rejectionOf(std::int64_t step, const Command& command, const char* reason) {
    RunEvent event;
    event.step = step;
    event.source = "window";
    event.what = "rejected";
    const QByteArray list = QJsonDocument(QJsonArray{QString::fromStdString(command.text)})
                                .toJson(QJsonDocument::Compact);
    event.after = list.mid(1, list.size() - 2).toStdString(); // the text alone
    event.reason = reason;
    return event;
}

QString figureOf(const FigureList& list, const QString& name) {
    for (const Figure& figure : list.figures())
        if (figure.name == name)
            return figure.value;
    return {};
}

std::shared_ptr<RunRecord> rpbRun(std::int64_t steps, double beta = 1) {
    auto run = std::make_shared<RunRecord>();
    run->info.path = "/runs/live";
    run->info.totalSteps = 400;
    for (std::int64_t step = 1; step <= steps; ++step)
        run->metrics.push_back(stepOf(step, "rpb", beta));
    return run;
}

// The panel with a run whose trainer listens, and what it sent.
struct Bench {
    explicit Bench(RunPtr run) {
        QObject::connect(&panel, &LivePanel::commandWanted, &panel,
            [this](const Command& command) { sent.push_back(command); });
        panel.setRun(std::move(run));
        panel.setActive(true);
    }
    LivePanel panel;
    std::vector<Command> sent;
};

} // namespace

class LivePanelTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSliderSendsBeta();
    void theNumberBoxSendsWhatWasTyped();
    void strengthsAreLogarithmicWithZeroAtTheLeft();
    void theLearningRateIsAMultiplier();
    void aMethodIsSentWithTheRamp();
    void everyMethodIsOffered();
    void fastMovesSendAtMostOneCommandPerInterval();
    void aDragWithARampSendsOnceAtItsEnd();
    void aCheckpointComesBeforeTheChange();
    void aDoubleClickGivesTheDefault();
    void theSentenceTellsWhatIsOnItsWay();
    void theSecondMarkerIsWhatIsInForce();
    void plannedRampsMoveTheRequest();
    void aRejectedRequestGoesBackAndSaysWhy();
    void aRejectionOfAnotherLineIsNoAnswer();
    void aRejectedMethodGoesBackAndSaysWhy();
    void undoGivesBackTheValueBefore();
    void undoOfAMethodGivesBackItsValuesToo();
    void undoOfAMethodGivesBackTheTermThatItTookOver();
    void aTermThatBecomesTheMethodStartsFromItsStrength();
    void whatWasTakenBackIsNoLongerListed();
    void theListIsRightAtOnceAfterAChange();
    void termsBesideTheMethodHaveTheirOwnControl();
    void aTermIsRemovedOverTheRampAndThenGone();
    void aTermThatWasNeverSetIsRemovedWithoutAWord();
    void everySlidersRangeHoldsTheDefaultOfItsPenalty();
    void nothingIsOfferedThatHasNoEffect();
    void withoutATrainerNothingIsSent();
    void thePriorsFiguresAreShown();
    void shufflesAreShownForTheMethodsThatUseThem_data();
    void shufflesAreShownForTheMethodsThatUseThem();
    void theTokenReferencesSourceAndCostAreShown();
    void everyControlHasAnAccessibleName();
};

void LivePanelTest::theSliderSendsBeta() {
    Bench bench(rpbRun(10));
    bench.panel.beta()->slider()->setValue(40);
    QCOMPARE(bench.sent.size(), std::size_t(1));
    Command expected;
    expected.beta = 0.4;
    expected.source = "window";
    expected.text = R"({"set":{"beta":0.4}})";
    QVERIFY(bench.sent[0] == expected);
    QCOMPARE(bench.panel.beta()->box()->value(), 0.4);
}

void LivePanelTest::theNumberBoxSendsWhatWasTyped() {
    Bench bench(rpbRun(10));
    NumberBox* box = bench.panel.beta()->box();
    box->selectAll();
    QTest::keyClicks(box, "0.123");
    QVERIFY(bench.sent.empty()); // not while a person still types
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(bench.sent.size(), std::size_t(1));
    QCOMPARE(*bench.sent[0].beta, 0.123);
}

void LivePanelTest::strengthsAreLogarithmicWithZeroAtTheLeft() {
    auto run = std::make_shared<RunRecord>();
    run->metrics.push_back(stepOf(1, "kl_to_base", 0));
    run->metrics.back().strengths["kl_to_base"] = 0.01;
    Bench bench(run);
    ValueSlider* slider = bench.panel.strength()->slider();
    QVERIFY(!bench.panel.strength()->isHidden());
    QVERIFY(bench.panel.beta()->isHidden());
    QCOMPARE(slider->real(), 0.01);
    slider->setValue(slider->value() + 40); // a decade
    QCOMPARE(*bench.sent[0].strength, 0.1);
    QTest::qWait(170);
    slider->setValue(0);
    QCOMPARE(*bench.sent[1].strength, 0.0);
}

void LivePanelTest::theLearningRateIsAMultiplier() {
    Bench bench(rpbRun(10));
    ValueSlider* slider = bench.panel.learningRate()->slider();
    slider->setValue(slider->scale().positionOf(0.5));
    QCOMPARE(*bench.sent[0].lrScale, 0.501); // the place on the scale nearest to it
    QTest::qWait(170);
    bench.panel.learningRate()->box()->setValue(0.5);
    QCOMPARE(*bench.sent[1].lrScale, 0.5);
}

void LivePanelTest::aMethodIsSentWithTheRamp() {
    Bench bench(rpbRun(10));
    QComboBox* choice = bench.panel.methodChoice();
    bench.panel.rampSteps()->setValue(8);
    const int index = choice->findData("router_l2");
    QVERIFY(index >= 0);
    choice->setCurrentIndex(index);
    Q_EMIT choice->activated(index);
    QCOMPARE(bench.sent.size(), std::size_t(1));
    QCOMPARE(*bench.sent[0].method, std::string("router_l2"));
    QCOMPARE(bench.sent[0].rampSteps, std::int64_t(8));
    QVERIFY(!bench.panel.strength()->isHidden()); // its strength can be set at once
    QVERIFY(bench.panel.beta()->isHidden());
}

void LivePanelTest::everyMethodIsOffered() {
    LivePanel panel;
    std::set<std::string> offered;
    for (int i = 0; i < panel.methodChoice()->count(); ++i)
        offered.insert(panel.methodChoice()->itemData(i).toString().toStdString());
    for (const MethodTraits& method : methodTraits())
        QVERIFY2(offered.contains(method.id), method.id.c_str());
}

void LivePanelTest::fastMovesSendAtMostOneCommandPerInterval() {
    Bench bench(rpbRun(10));
    for (int position = 99; position >= 30; --position)
        bench.panel.beta()->slider()->setValue(position);
    QCOMPARE(bench.sent.size(), std::size_t(1));
    QCOMPARE(*bench.sent[0].beta, 0.99);
    QTRY_COMPARE(bench.sent.size(), std::size_t(2));
    QCOMPARE(*bench.sent[1].beta, 0.30); // the last wins
    QTest::qWait(200);
    QCOMPARE(bench.sent.size(), std::size_t(2));
}

void LivePanelTest::aDragWithARampSendsOnceAtItsEnd() {
    Bench bench(rpbRun(10));
    bench.panel.rampSteps()->setValue(20);
    ValueSlider* slider = bench.panel.beta()->slider();
    slider->setSliderDown(true);
    for (int position : {90, 70, 40})
        slider->setValue(position);
    QTest::qWait(200);
    QVERIFY(bench.sent.empty());
    slider->setSliderDown(false);
    QCOMPARE(bench.sent.size(), std::size_t(1));
    QCOMPARE(*bench.sent[0].beta, 0.4);
    QCOMPARE(bench.sent[0].rampSteps, std::int64_t(20));
}

void LivePanelTest::aCheckpointComesBeforeTheChange() {
    Bench bench(rpbRun(10));
    bench.panel.checkpointFirst()->setChecked(true);
    bench.panel.beta()->slider()->setValue(50);
    QCOMPARE(bench.sent.size(), std::size_t(2));
    QVERIFY(bench.sent[0].word == RunAction::Checkpoint);
    QCOMPARE(bench.sent[0].source, std::string("window"));
    QCOMPARE(*bench.sent[1].beta, 0.5);
    QTest::qWait(170);
    bench.panel.beta()->slider()->setValue(49); // still the same change
    QCOMPARE(bench.sent.size(), std::size_t(3));
    QCOMPARE(*bench.sent[2].beta, 0.49);
}

void LivePanelTest::aDoubleClickGivesTheDefault() {
    Bench bench(rpbRun(10, 0.3));
    ValueSlider* slider = bench.panel.beta()->slider();
    QCOMPARE(slider->real(), 0.3);
    QTest::mouseDClick(slider, Qt::LeftButton, {}, QPoint(slider->width() / 2, 10));
    QTRY_VERIFY(!bench.sent.empty() && bench.sent.back().beta == 1.0);
    QCOMPARE(bench.panel.beta()->request(), 1.0);
}

void LivePanelTest::theSentenceTellsWhatIsOnItsWay() {
    auto run = rpbRun(312);
    Bench bench(run);
    QCOMPARE(bench.panel.beta()->pending(), QString());
    bench.panel.rampSteps()->setValue(20);
    bench.panel.beta()->slider()->setValue(40);
    const QString sentence("1.00 \u2192 0.40 over 20 steps, from step 313");
    QCOMPARE(bench.panel.beta()->pending(), sentence);
    // The run answers and goes on: the sentence stays until the ramp has ended.
    auto later = std::make_shared<RunRecord>(*run);
    later->events.push_back(eventOf(313, "beta", "1.0", "0.4", 20));
    later->metrics.push_back(stepOf(313, "rpb", 0.97));
    bench.panel.setRun(later);
    QCOMPARE(bench.panel.beta()->pending(), sentence);
    QCOMPARE(bench.panel.beta()->request(), 0.4);
    auto after = std::make_shared<RunRecord>(*later);
    after->metrics.push_back(stepOf(332, "rpb", 0.4));
    bench.panel.setRun(after);
    QCOMPARE(bench.panel.beta()->pending(), QString());
}

void LivePanelTest::theSecondMarkerIsWhatIsInForce() {
    Bench bench(rpbRun(10, 0.71));
    bench.panel.beta()->slider()->setValue(20);
    QCOMPARE(*bench.panel.beta()->slider()->inForce(), 0.71);
    QCOMPARE(bench.panel.beta()->request(), 0.2);
    QCOMPARE(*bench.panel.learningRate()->slider()->inForce(), 1.0);
}

void LivePanelTest::plannedRampsMoveTheRequest() {
    Bench bench(syntheticTraining(137));
    QCOMPARE(*bench.panel.beta()->slider()->inForce(), 1 - 17.0 / 96);
    QCOMPARE(bench.panel.beta()->request(), 0.0);
    QCOMPARE(
        bench.panel.beta()->pending(), QString("1.00 \u2192 0.00 over 96 steps, from step 121"));
    QVERIFY(bench.sent.empty()); // shown, not asked for
}

void LivePanelTest::aRejectedRequestGoesBackAndSaysWhy() {
    auto run = rpbRun(10);
    Bench bench(run);
    bench.panel.beta()->slider()->setValue(40);
    auto later = std::make_shared<RunRecord>(*run);
    later->events.push_back(rejectionOf(11, bench.sent.back(), "beta rests today"));
    later->metrics.push_back(stepOf(11, "rpb", 1));
    bench.panel.setRun(later);
    QCOMPARE(bench.panel.beta()->request(), 1.0);
    QCOMPARE(bench.panel.beta()->pending(), QString());
    QVERIFY(bench.panel.beta()->problem().contains("beta rests today"));
    QCOMPARE(bench.panel.learningRate()->problem(), QString()); // beside its cause alone
    QTest::qWait(170);
    bench.panel.beta()->slider()->setValue(50); // a new request, a new answer
    QCOMPARE(bench.panel.beta()->problem(), QString());
}

void LivePanelTest::aRejectionOfAnotherLineIsNoAnswer() {
    auto run = rpbRun(10);
    Bench bench(run);
    bench.panel.beta()->slider()->setValue(40);
    auto later = std::make_shared<RunRecord>(*run);
    later->events.push_back(rejectionOf(11, liveCommand("lr_scale", 2, 0), "not that"));
    later->events.push_back(rejectionOf(11, liveCommand("beta", 0.9, 0), "nor that"));
    bench.panel.setRun(later);
    QCOMPARE(bench.panel.beta()->request(), 0.4);
    QCOMPARE(bench.panel.beta()->problem(), QString());
}

void LivePanelTest::aRejectedMethodGoesBackAndSaysWhy() {
    auto run = rpbRun(10);
    Bench bench(run);
    const int index = bench.panel.methodChoice()->findData("within_soft");
    Q_EMIT bench.panel.methodChoice()->activated(index);
    QCOMPARE(bench.panel.methodChoice()->currentData().toString(), QString("within_soft"));
    auto later = std::make_shared<RunRecord>(*run);
    later->events.push_back(rejectionOf(11, bench.sent.back(), "the communities are not known"));
    bench.panel.setRun(later);
    QCOMPARE(bench.panel.methodChoice()->currentData().toString(), QString("rpb"));
    QVERIFY(bench.panel.methodProblem().contains("the communities are not known"));
}

void LivePanelTest::undoGivesBackTheValueBefore() {
    auto run = rpbRun(20);
    run->events.push_back(eventOf(5, "lr_scale", "1.0", "0.5"));
    run->events.push_back(eventOf(9, "also.router_l2", "0.0", "100.0"));
    run->events.push_back(eventOf(12, "beta", "0.75", "0.4", 3));
    Bench bench(run);
    const std::vector<LiveChange>& changes = bench.panel.state().changes;
    QCOMPARE(changes.size(), std::size_t(3));
    QCOMPARE(changes[0].what, std::string("beta")); // the newest first
    bench.panel.undo(0);
    QCOMPARE(*bench.sent.back().beta, 0.75);
    QCOMPARE(bench.sent.back().rampSteps, std::int64_t(0));
    QCOMPARE(bench.sent.back().source, std::string("window"));
    bench.panel.undo(1);
    QCOMPARE(bench.sent.back().also.at("router_l2"), 0.0);
    bench.panel.undo(2);
    QCOMPARE(*bench.sent.back().lrScale, 1.0);
    bench.sent.clear();
    bench.panel.undoLast();
    QCOMPARE(*bench.sent.back().beta, 0.75);
    int buttons = 0;
    for (const auto* button : bench.panel.findChildren<QAbstractButton*>())
        buttons += button->text() == "Undo";
    QCOMPARE(buttons, 3);
}

void LivePanelTest::undoOfAMethodGivesBackItsValuesToo() {
    auto run = rpbRun(9, 0.8);
    run->metrics.push_back(stepOf(10, "kl_to_base", 0));
    run->metrics.back().strengths["kl_to_base"] = 0.3;
    run->events.push_back(eventOf(10, "method", "\"rpb\"", "\"kl_to_base\""));
    run->events.push_back(eventOf(10, "strength", "null", "0.3"));
    Bench bench(run);
    QCOMPARE(bench.panel.state().changes.size(), std::size_t(1)); // the switch and its strength
    bench.panel.undo(0);
    QCOMPARE(*bench.sent[0].method, std::string("rpb"));
    QCOMPARE(*bench.sent[0].beta, 0.8);
    QVERIFY(!bench.sent[0].strength);
    QVERIFY(checkCommand(bench.sent[0]).ok());
}

void LivePanelTest::undoOfAMethodGivesBackTheTermThatItTookOver() {
    auto run = rpbRun(9, 0.8);
    run->metrics.back().strengths["kl_to_base"] = 0.02;
    run->metrics.push_back(stepOf(10, "kl_to_base", 0));
    run->metrics.back().strengths["kl_to_base"] = 0.01;
    run->events.push_back(eventOf(10, "method", "\"rpb\"", "\"kl_to_base\""));
    Bench bench(run);
    bench.panel.undo(0);
    QCOMPARE(*bench.sent[0].method, std::string("rpb"));
    QCOMPARE(*bench.sent[0].beta, 0.8);
    QCOMPARE(bench.sent[0].also.at("kl_to_base"), 0.02);
    QVERIFY(checkCommand(bench.sent[0]).ok());
}

void LivePanelTest::aTermThatBecomesTheMethodStartsFromItsStrength() {
    auto run = rpbRun(9, 0.8);
    run->metrics.back().strengths["kl_to_base"] = 0.5;
    run->events.push_back(eventOf(10, "method", "\"rpb\"", "\"kl_to_base\"", 10));
    const LiveRamp ramp = liveStateOf(*run).ramps.at("strength");
    QCOMPARE(ramp.from, 0.5);
    QCOMPARE(ramp.to, 0.01); // its default
    QCOMPARE(ramp.rampSteps, std::int64_t(10));
}

void LivePanelTest::whatWasTakenBackIsNoLongerListed() {
    auto run = rpbRun(30);
    run->events.push_back(eventOf(5, "beta", "1.0", "0.7"));
    run->events.push_back(eventOf(9, "beta", "0.7", "0.4"));
    run->events.push_back(eventOf(14, "beta", "0.4", "0.7"));
    LiveState state = liveStateOf(*run);
    QCOMPARE(state.changes.size(), std::size_t(1));
    QCOMPARE(state.changes[0].step, std::int64_t(5));
    QCOMPARE(*state.changes[0].undo->beta, 1.0); // undo goes on to the change before
    run->events.push_back(eventOf(20, "beta", "0.7", "1.0"));
    QVERIFY(liveStateOf(*run).changes.empty());
}

// No event loop between the change and the look at it: a picture is taken like that.
void LivePanelTest::theListIsRightAtOnceAfterAChange() {
    LivePanel panel;
    panel.show();
    const auto shown = [&] {
        QStringList texts;
        for (const auto* label : panel.findChildren<QLabel*>())
            if (label->isVisible())
                texts.append(label->text());
        return texts;
    };
    QVERIFY(shown().contains("none yet"));
    auto run = rpbRun(20);
    run->events.push_back(eventOf(5, "beta", "1.0", "0.7"));
    panel.setRun(run);
    QVERIFY(!shown().contains("none yet"));
    QVERIFY(shown().contains("beta 1 \u2192 0.7"));
    QVERIFY(shown().contains("rpb, beta 1.00"));
}

void LivePanelTest::termsBesideTheMethodHaveTheirOwnControl() {
    Bench bench(syntheticTraining(170)); // Router-L2 at 100 since step 150
    LiveValueControl* term = bench.panel.term("router_l2");
    QVERIFY(term);
    QCOMPARE(term->request(), 100.0);
    QCOMPARE(*term->slider()->inForce(), 100.0);
    term->slider()->setValue(0);
    QCOMPARE(bench.sent[0].also.at("router_l2"), 0.0);
    QVERIFY(!bench.panel.term("z_loss") && !bench.panel.term("lbl"));
    bench.panel.addTerm("lbl");
    QVERIFY(bench.panel.term("lbl"));
    QTest::qWait(170);
    bench.panel.term("lbl")->box()->setValue(0.002);
    QCOMPARE(bench.sent[1].also.at("lbl"), 0.002);
}

void LivePanelTest::aTermIsRemovedOverTheRampAndThenGone() {
    const RunPtr run = syntheticTraining(170); // Router-L2 at 100 since step 150
    Bench bench(run);
    bench.panel.rampSteps()->setValue(5);
    bench.panel.removeTerm("router_l2");
    QCOMPARE(bench.sent.size(), std::size_t(1));
    QCOMPARE(bench.sent[0].also.at("router_l2"), 0.0);
    QCOMPARE(bench.sent[0].rampSteps, std::int64_t(5));
    auto later = std::make_shared<RunRecord>(*run);
    later->events.push_back(eventOf(171, "also.router_l2", "100.0", "0.0", 5));
    later->metrics.push_back(stepOf(171, "rpb", 0.5));
    later->metrics.back().strengths["router_l2"] = 80;
    bench.panel.setRun(later);
    QVERIFY(bench.panel.term("router_l2")); // still on its way
    QCOMPARE(bench.panel.term("router_l2")->pending(),
        QString("100.00 \u2192 0.00 over 5 steps, from step 171"));
    auto after = std::make_shared<RunRecord>(*later);
    after->metrics.push_back(stepOf(175, "rpb", 0.4));
    bench.panel.setRun(after);
    QVERIFY(!bench.panel.term("router_l2"));
    for (const LiveChange& change : bench.panel.state().changes)
        QVERIFY(change.what != "also.router_l2"); // added and taken back
}

void LivePanelTest::aTermThatWasNeverSetIsRemovedWithoutAWord() {
    Bench bench(rpbRun(10));
    bench.panel.addTerm("z_loss");
    bench.panel.setRun(rpbRun(11)); // the run continues
    QVERIFY(bench.panel.term("z_loss"));
    bench.panel.removeTerm("z_loss");
    QVERIFY(!bench.panel.term("z_loss"));
    QVERIFY(bench.sent.empty());
}

void LivePanelTest::everySlidersRangeHoldsTheDefaultOfItsPenalty() {
    int penalties = 0;
    for (const MethodTraits& method : methodTraits()) {
        if (!method.hasStrength)
            continue;
        ++penalties;
        Bench bench(rpbRun(10));
        bench.panel.addTerm(method.id);
        const SliderScale& scale = bench.panel.term(method.id)->slider()->scale();
        QVERIFY(scale.logarithmic);
        QVERIFY(scale.low < method.defaultStrength && method.defaultStrength < scale.high);
        QCOMPARE(scale.valueAt(0), 0.0);
    }
    QCOMPARE(penalties, 5);
}

void LivePanelTest::nothingIsOfferedThatHasNoEffect() {
    auto run = std::make_shared<RunRecord>();
    run->metrics.push_back(stepOf(1, "router_freeze", 0));
    Bench bench(run);
    QVERIFY(bench.panel.beta()->isHidden());
    QVERIFY(bench.panel.strength()->isHidden());
    bool offered = false;
    for (QMenu* menu : bench.panel.findChildren<QMenu*>()) {
        Q_EMIT menu->aboutToShow();
        for (const QAction* action : menu->actions())
            if (action->text().contains("Router-L2")) {
                offered = true;
                QVERIFY(!action->isEnabled());
                QVERIFY(action->toolTip().contains("frozen"));
            }
    }
    QVERIFY(offered);
}

void LivePanelTest::withoutATrainerNothingIsSent() {
    auto run = rpbRun(20);
    run->events.push_back(eventOf(5, "beta", "1.0", "0.7"));
    Bench bench(run);
    bench.panel.setActive(false);
    QVERIFY(!bench.panel.beta()->isEnabled());
    bench.panel.beta()->slider()->setValue(10);
    bench.panel.undoLast();
    QTest::qWait(170);
    QVERIFY(bench.sent.empty());
}

void LivePanelTest::thePriorsFiguresAreShown() {
    const RunPtr run = syntheticTraining(137);
    Bench bench(run);
    const FigureList& prior = *bench.panel.prior();
    QCOMPARE(figureOf(prior, "bias sd"), QString("0.573"));
    QCOMPARE(figureOf(prior, "bias range"), QString("2.78"));
    QCOMPARE(figureOf(prior, "at the upper clamp"), QString("1.2 %"));
    QCOMPARE(figureOf(*bench.panel.heldOut(), "as used"),
        formatNumber(*run->metrics[119].heldOutCe)); // step 120, the newest that was measured
    QCOMPARE(figureOf(*bench.panel.heldOut(), "as trained"),
        formatNumber(*run->metrics[119].heldOutCeBiased));
}

void LivePanelTest::shufflesAreShownForTheMethodsThatUseThem_data() {
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("changed");
    QTest::newRow("rpb") << "rpb" << QString();
    QTest::newRow("within_soft") << "within_soft"
                                 << "25 %";
    QTest::newRow("within_hard") << "within_hard"
                                 << "25 %";
    QTest::newRow("global_hard") << "global_hard"
                                 << "88 %";
}

void LivePanelTest::shufflesAreShownForTheMethodsThatUseThem() {
    QFETCH(QString, method);
    QFETCH(QString, changed);
    auto run = std::make_shared<RunRecord>();
    run->metrics.push_back(stepOf(1, method.toUtf8().constData(), 1));
    run->info.biasSd = 0.5;
    run->info.shuffledWithin = ShuffledPriorFigures{0.25, 0.5, 0.0625};
    run->info.shuffledAll = ShuffledPriorFigures{0.88, 1.5, 0.0625};
    Bench bench(run);
    QCOMPARE(figureOf(*bench.panel.prior(), "top-k entries changed"), changed);
}

void LivePanelTest::theTokenReferencesSourceAndCostAreShown() {
    auto run = std::make_shared<RunRecord>();
    run->metrics.push_back(stepOf(1, "kl_to_base", 0));
    run->metrics.back().strengths["kl_to_base"] = 0.01;
    run->info.biasSd = 0.5;
    run->info.tokenReference = "stored";
    run->info.tokenReferenceBytes = 60.2e6;
    Bench bench(run);
    QCOMPARE(figureOf(*bench.panel.prior(), "token reference"), QString("held, 60.2 MB"));
    auto other = std::make_shared<RunRecord>(*run);
    other->info.tokenReference = "one base forward pass per step";
    bench.panel.setRun(other);
    QCOMPARE(figureOf(*bench.panel.prior(), "token reference"),
        QString("one base forward pass per step"));
}

void LivePanelTest::everyControlHasAnAccessibleName() {
    Bench bench(syntheticTraining(210));
    for (const auto* widget : bench.panel.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith("qt_"))
            continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const bool named
            = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
        // Qt's own parts of a combo box are told through the box.
        const bool inner = widget->inherits("QScrollArea") || widget->inherits("QAbstractItemView");
        QVERIFY2(named || inner, widget->metaObject()->className());
    }
}

QTEST_MAIN(LivePanelTest)
#include "live_panel_test.moc"
