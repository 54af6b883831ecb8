// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/action_states.h"
#include "app/window/pages/ready_page.h"
#include "app/window/shell/actions.h"
#include "app/window/shell/progress_strip.h"
#include "app/window/shell/session_book.h"
#include "app/window/shell/view_tabs.h"
#include "widgets/live/live_panel.h"
#include <QAction>
#include <QStackedWidget>

namespace mooring {

void updateActionStates(const WindowParts& parts, const SessionBook& book, bool isReady) {
    const Actions& a = *parts.actions;
    const RunSession* shown = book.shown();
    const bool trainsHere = book.own() != nullptr;
    const bool active = shown && shown->isActive();
    const bool paused = shown && shown->isPaused();
    const bool readable = shown && shown->record();
    const bool onReadyPage = parts.pages->currentWidget() == parts.ready;
    a.start->setEnabled(paused || (isReady && onReadyPage && !trainsHere));
    a.start->setText(paused ? Actions::tr("Resume") : Actions::tr("S&tart"));
    a.pause->setEnabled(active && !paused);
    for (QAction* action : {a.stop, a.undo, a.evaluate, a.sample, a.checkpoint})
        action->setEnabled(active);
    a.step->setEnabled(paused);
    a.resumeRun->setEnabled(shown && shown->canResume() && !trainsHere);
    a.forkRun->setEnabled(readable && !shown->isSnapshot() && !trainsHere);
    a.snapshot->setEnabled(readable);
    a.exportSnapshot->setEnabled(readable);
    a.closeRun->setEnabled(shown && !shown->isOwn());
    for (QAction* action : {a.previousFrame, a.nextFrame, a.latestFrame, a.copyView, a.tableView,
             a.exportPng, a.exportSvg, a.exportPdf, a.exportCsv})
        action->setEnabled(parts.pages->currentWidget() == parts.views);
    parts.live->setActive(active);
    parts.progress->show(shown);
    parts.status->show(shown);
}

} // namespace mooring
