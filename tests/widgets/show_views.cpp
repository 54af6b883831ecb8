// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the views with made-up runs and saves a picture of each, light and dark, for people to look
// at: show_views FOLDER.
#include "tests/widgets/synthetic.h"
#include "widgets/views/overlap_view.h"
#include "widgets/views/utilisation_view.h"
#include <QApplication>
#include <QDir>
#include <QPixmap>
#include <QTest>
#include <cstdio>
#include <numeric>

namespace {

using namespace mooring;
using namespace mooring::test;

QString folder;

void save(QWidget& widget, const QString& name) {
    QTest::qWait(250); // lets the GL surface draw its first frame
    widget.grab().save(folder + QLatin1Char('/') + name + QLatin1String(".png"));
}

void give(View& view, const SyntheticRun& run) {
    view.setRun(run.record);
    view.setFrames(run.base, run.tuned);
    view.setPartitions(run.communities);
}

void showUtilisation(const SyntheticRun& run, const QString& name) {
    SelectionModel selection;
    UtilisationView view(&selection);
    view.resize(1120, 760);
    view.show();
    save(view, name + "-empty");
    give(view, run);
    selection.setDomain("code");
    view.setOrder(ExpertOrder::BaseCommunity);
    selection.setExpert(1, 7);
    view.canvas()->setPointer(HeatMapCell{1, 29});
    save(view, name + "-difference");
    view.setShow(UtilisationView::Show::Tuned);
    view.setOrder(ExpertOrder::Index);
    view.canvas()->setPointer({});
    save(view, name + "-tuned");
    view.setSource(RoutingSource::Training);
    view.setOrder(ExpertOrder::BaseUse);
    save(view, name + "-training");
    for (const char* ending : {"png", "svg", "pdf"})
        view.exportTo(folder + '/' + name + "-export." + ending);
}

void showOverlap(const SyntheticRun& run, const QString& name) {
    SelectionModel selection;
    OverlapView view(&selection);
    view.resize(1120, 760);
    view.show();
    give(view, run);
    selection.setStep(120);
    view.tokenCanvas()->setPointer(HeatMapCell{1, 40});
    save(view, name + "-tokens");
    view.setTokens(OverlapView::Tokens::ByPosition);
    view.runCanvas()->setPointer(HeatMapCell{2, 4});
    view.tokenCanvas()->setPointer({});
    save(view, name + "-position");
    view.exportTo(folder + '/' + name + "-export.svg");
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (argc != 2) {
        std::fputs("usage: show_views FOLDER\n", stderr);
        return 2;
    }
    folder = QString::fromLocal8Bit(argv[1]);
    QDir().mkpath(folder);
    SyntheticShape large;
    large.layers.resize(60);
    std::iota(large.layers.begin(), large.layers.end(), 1);
    large.experts = 512;
    large.topK = 8;
    large.texts = 6;
    const SyntheticRun small = syntheticRun({});
    const SyntheticRun wide = syntheticRun(large);
    for (const auto theme : {ThemeKind::Dark, ThemeKind::Light}) {
        applyTheme(application, theme);
        const QString name = theme == ThemeKind::Dark ? "dark" : "light";
        showUtilisation(small, name + "-utilisation");
        showUtilisation(wide, name + "-utilisation-large");
        showOverlap(small, name + "-overlap");
        showOverlap(wide, name + "-overlap-large");
    }
    return 0;
}
