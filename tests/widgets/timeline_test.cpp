// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline: its ticks and marks, and the one selected step.
#include "tests/widgets/synthetic_training.h"
#include "widgets/charts/timeline.h"
#include <QSignalSpy>
#include <QTest>

using namespace mooring;
using namespace mooring::test;

class TimelineTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void framesAreTheBaseAndTheProbedSteps();
    void marksAreTheLiveChanges();
    void placesAreInProportionToSteps();
    void draggingChoosesAStepForAllViews();
    void aFrameDrawsTheScrubberToItself();
    void bracketsStepThroughFrames();
    void endFollowsTheRun();
    void playGoesFromFrameToFrameAndStops();
    void withoutARunNothingIsChosen();
};

void TimelineTest::framesAreTheBaseAndTheProbedSteps() {
    SelectionModel selection;
    TimelineWidget timeline(&selection);
    timeline.setRun(syntheticTraining(65));
    QCOMPARE(timeline.frames(), std::vector<std::int64_t>({0, 20, 40, 60}));
    QCOMPARE(timeline.lastStep(), std::int64_t(65));
    QCOMPARE(timeline.steps(), std::int64_t(240));
}

void TimelineTest::marksAreTheLiveChanges() {
    SelectionModel selection;
    TimelineWidget timeline(&selection);
    timeline.setRun(syntheticTraining(130));
    QCOMPARE(timeline.changes().size(), std::size_t(2));
    QCOMPARE(timeline.changes()[0].step, std::int64_t(64));
    QCOMPARE(timeline.changes()[1].step, std::int64_t(121));
    QCOMPARE(timeline.changes()[1].text, QString("beta 1 \u2192 0"));
}

void TimelineTest::placesAreInProportionToSteps() {
    SelectionModel selection;
    TimelineWidget timeline(&selection);
    timeline.resize(900, 64);
    timeline.setRun(syntheticTraining());
    const double first = timeline.positionOf(0);
    const double last = timeline.positionOf(240);
    QCOMPARE(timeline.positionOf(60), first + (last - first) / 4);
    QCOMPARE(timeline.stepAt(timeline.positionOf(73)), std::int64_t(73));
}

void TimelineTest::draggingChoosesAStepForAllViews() {
    SelectionModel selection;
    TimelineWidget timeline(&selection);
    timeline.resize(900, 64);
    timeline.setRun(syntheticTraining());
    QSignalSpy chosen(&timeline, &TimelineWidget::stepChosen);
    QTest::mousePress(
        &timeline, Qt::LeftButton, {}, QPoint(int(timeline.positionOf(73) + 0.5), 32));
    QCOMPARE(selection.value().step, std::int64_t(73));
    QCOMPARE(chosen.size(), 1);
    selection.setStep(40); // another view chose
    QCOMPARE(timeline.step(), std::int64_t(40));
    QCOMPARE(chosen.size(), 1);
}

void TimelineTest::aFrameDrawsTheScrubberToItself() {
    SelectionModel selection;
    TimelineWidget timeline(&selection);
    timeline.resize(900, 64);
    timeline.setRun(syntheticTraining());
    QCOMPARE(timeline.stepAt(timeline.positionOf(80) + 4), std::int64_t(80));
}

void TimelineTest::bracketsStepThroughFrames() {
    SelectionModel selection;
    TimelineWidget timeline(&selection);
    timeline.setRun(syntheticTraining(65));
    timeline.previousFrame(); // from the newest step, 65
    QCOMPARE(selection.value().step, std::int64_t(60));
    timeline.previousFrame();
    QCOMPARE(selection.value().step, std::int64_t(40));
    timeline.nextFrame();
    QCOMPARE(selection.value().step, std::int64_t(60));
    timeline.nextFrame(); // there is none
    QCOMPARE(selection.value().step, std::int64_t(60));
    timeline.goTo(0);
    timeline.previousFrame();
    QCOMPARE(selection.value().step, std::int64_t(0));
}

void TimelineTest::endFollowsTheRun() {
    SelectionModel selection;
    TimelineWidget timeline(&selection);
    timeline.setRun(syntheticTraining(65));
    QTest::keyClick(&timeline, Qt::Key_Home);
    QCOMPARE(timeline.step(), std::int64_t(0));
    QTest::keyClick(&timeline, Qt::Key_Right);
    QCOMPARE(timeline.step(), std::int64_t(1));
    QTest::keyClick(&timeline, Qt::Key_End);
    QCOMPARE(selection.value().step, std::int64_t(-1));
    timeline.setRun(syntheticTraining(70));
    QCOMPARE(timeline.step(), std::int64_t(70));
}

void TimelineTest::playGoesFromFrameToFrameAndStops() {
    SelectionModel selection;
    TimelineWidget timeline(&selection);
    timeline.setRun(syntheticTraining(45)); // 0, 20, 40
    QList<std::int64_t> steps;
    connect(&timeline, &TimelineWidget::stepChosen, this,
        [&](std::int64_t step) { steps.append(step); });
    timeline.play(); // the end is shown: from the start
    QVERIFY(timeline.playing());
    QTRY_VERIFY_WITH_TIMEOUT(!timeline.playing(), 30000);
    QCOMPARE(steps, QList<std::int64_t>({0, 20, 40}));
}

void TimelineTest::withoutARunNothingIsChosen() {
    SelectionModel selection;
    TimelineWidget timeline(&selection);
    timeline.resize(900, 64);
    QSignalSpy chosen(&timeline, &TimelineWidget::stepChosen);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, QPoint(300, 32));
    timeline.nextFrame();
    timeline.play();
    QVERIFY(!timeline.playing());
    QCOMPARE(chosen.size(), 0);
}

QTEST_MAIN(TimelineTest)
#include "timeline_test.moc"
