// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the overview, the communities, the timeline and the live panel with made-up runs and saves
// pictures, light and dark, for people to look at: show_run_views FOLDER.
#include "tests/widgets/synthetic_training.h"
#include "widgets/charts/chart_board.h"
#include "widgets/charts/timeline.h"
#include "widgets/graph/graph_canvas.h"
#include "widgets/live/live_panel.h"
#include "widgets/live/live_value_control.h"
#include "widgets/views/communities_view.h"
#include "widgets/views/overview_view.h"
#include <QApplication>
#include <QDir>
#include <QPixmap>
#include <QSpinBox>
#include <QTest>
#include <cstdio>
#include <map>

namespace {

using namespace mooring;
using namespace mooring::test;

QString folder;

void save(QWidget& widget, const QString& name) {
    QTest::qWait(200); // lets a GL surface draw its first frame
    widget.grab().save(folder + QLatin1Char('/') + name + QLatin1String(".png"));
}

void showOverview(const QString& name) {
    SelectionModel selection;
    OverviewView view(&selection);
    view.resize(1120, 700);
    view.show();
    save(view, name + "-empty");
    view.setRun(syntheticTraining());
    selection.setStep(120);
    view.board()->setHover(0, 137);
    save(view, name + "-six");
    view.setShown({ChartId::CrossEntropy, ChartId::Beta, ChartId::Penalties, ChartId::RawPenalties,
        ChartId::Strengths, ChartId::LearningRate, ChartId::ClipFactor, ChartId::Nmi,
        ChartId::Overlap, ChartId::Tvd, ChartId::GradientNorm, ChartId::RouterDrift});
    view.setLogAxis(true);
    view.board()->setHover(0, {});
    view.resize(1400, 900);
    save(view, name + "-all-log");
    view.setShown({});
    view.setOverlays({syntheticTraining(240, 2), syntheticTraining(150, 3)});
    view.resize(1120, 700);
    view.board()->setHover(1, 100);
    save(view, name + "-overlaid");
    for (const char* ending : {"png", "svg", "pdf"})
        view.exportTo(folder + '/' + name + "-export." + ending);
}

void showTimeline(const QString& name) {
    SelectionModel selection;
    TimelineWidget timeline(&selection);
    timeline.resize(1120, 64);
    timeline.show();
    timeline.setRun(syntheticTraining(137));
    save(timeline, name + "-following");
    timeline.setRun(syntheticTraining());
    selection.setStep(120);
    save(timeline, name + "-earlier");
}

void showLive(const QString& name) {
    LivePanel panel;
    panel.resize(264, 860);
    panel.show();
    save(panel, name + "-empty");
    panel.setRun(syntheticTraining(137));
    panel.setActive(true);
    save(panel, name + "-ramp");
    panel.setRun(syntheticTraining(220));
    panel.rampSteps()->setValue(20);
    panel.beta()->slider()->setValue(40);
    save(panel, name + "-asked");
}

bool traitsRoute(const std::string& method) {
    const MethodTraits* traits = findMethodTraits(method);
    return traits && traits->needsPrior && !traits->hasStrength;
}

// The panel of a run at its second step, with what such a run knows of its prior.
RunRecord runOf(const char* method, std::map<std::string, double> strengths) {
    RunRecord run;
    run.info = syntheticTraining(1)->info;
    run.info.shuffledWithin = ShuffledPriorFigures{0.44, 0.51, 0.012};
    run.info.shuffledAll = ShuffledPriorFigures{0.9, 1.46, 0.012};
    run.metrics.resize(2);
    for (StepMetrics& step : run.metrics) {
        step.step = &step - run.metrics.data() + 1;
        step.method = method;
        step.strengths = strengths;
        const MethodTraits* traits = findMethodTraits(method);
        step.beta = traits && traits->hasBeta ? 1 : 0;
    }
    run.metrics[0].heldOutCe = 5.91;
    if (traitsRoute(method))
        run.metrics[0].heldOutCeBiased = 5.62;
    return run;
}

void showMethods(const QString& name) {
    RunRecord token = runOf("kl_to_base", {{"kl_to_base", 0.1}});
    token.info.tokenReference = "stored";
    token.info.tokenReferenceBytes = 60.2e6;
    RunRecord refused = runOf("rpb", {{"lbl", 1e-3}});
    refused.info.lblScope = "micro_batch";
    refused.info.gateBiasRate = 1e-3;
    const std::map<QString, RunRecord> runs{{"token", token}, {"refused", refused},
        {"within", runOf("within_soft", {})}, {"hard", runOf("rpb_hard", {{"z_loss", 1e-3}})},
        {"global", runOf("global_hard", {})}, {"freeze", runOf("router_freeze", {})}};
    for (const auto& [kind, run] : runs) {
        LivePanel panel;
        panel.resize(264, 860);
        panel.show();
        panel.setRun(std::make_shared<RunRecord>(run));
        panel.setActive(true);
        if (kind == "refused") {
            panel.term("lbl")->slider()->setValue(10);
            auto later = std::make_shared<RunRecord>(run);
            RunEvent event;
            event.what = "rejected";
            event.step = 3;
            const Command asked = liveCommand("also.lbl", panel.term("lbl")->request(), 0);
            event.after = "\""
                + QString::fromStdString(asked.text).replace("\"", "\\\"").toStdString() + "\"";
            event.reason = "the run is not in the mood: ask again";
            later->events.push_back(event);
            panel.setRun(later);
        }
        save(panel, name + '-' + kind);
    }
}

void showCommunities(int experts, const QString& name) {
    SelectionModel selection;
    CommunitiesView view(&selection);
    view.resize(1120, 700);
    view.show();
    const SyntheticGraphs graphs = syntheticGraphs(experts);
    view.setRun(syntheticTraining());
    view.setFrames(graphs.base, graphs.tuned);
    view.setPartitions(graphs.communities);
    for (int i = 0; i < 400 && view.layoutRuns(); ++i)
        QTest::qWait(20);
    save(view, name + "-rest");
    selection.setExpert(0, view.movedExperts().front());
    view.canvas()->setHovered(1, view.movedExperts().at(2));
    save(view, name + "-hovered");
    view.exportTo(folder + '/' + name + "-export.svg");
    view.exportTo(folder + '/' + name + "-export.png");
    view.setShow(CommunitiesView::Show::Matrix);
    save(view, name + "-matrix");
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (argc != 2) {
        std::fputs("usage: show_run_views FOLDER\n", stderr);
        return 2;
    }
    folder = QString::fromLocal8Bit(argv[1]);
    QDir().mkpath(folder);
    for (const auto theme : {ThemeKind::Dark, ThemeKind::Light}) {
        applyTheme(application, theme);
        const QString name = theme == ThemeKind::Dark ? "dark" : "light";
        showOverview(name + "-overview");
        showTimeline(name + "-timeline");
        showLive(name + "-live");
        showMethods(name + "-live");
        showCommunities(64, name + "-communities");
        showCommunities(256, name + "-communities-large");
    }
    return 0;
}
