// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/session_steering.h"
#include "app/window/base/banner.h"
#include "app/window/shell/actions.h"
#include "app/window/shell/session_book.h"
#include "app/window/shell/view_tabs.h"
#include "widgets/live/live_panel.h"
#include "widgets/views/communities_view.h"
#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QShortcut>

namespace mooring {

SessionSteering::SessionSteering(const WindowParts& parts, SessionBook* book, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_book(book) {
    connectActions();
    connect(m_parts.live, &LivePanel::commandWanted, this,
        [this](const Command& command) { send(command); });
    connect(m_parts.views->communitiesView(), &CommunitiesView::partitionsRequested, this,
        [this](double rho, double resolution) {
            if (m_book->shown())
                m_book->shown()->setCommunityRequest(rho, resolution);
        });
    auto* space = new QShortcut(Qt::Key_Space, m_parts.views);
    space->setContext(Qt::WidgetWithChildrenShortcut);
    connect(space, &QShortcut::activated, this, &SessionSteering::pressSpace);
}

void SessionSteering::connectActions() {
    const Actions& a = *m_parts.actions;
    const std::pair<QAction*, RunAction> words[]
        = {{a.step, RunAction::Step}, {a.checkpoint, RunAction::Checkpoint},
            {a.evaluate, RunAction::Evaluate}, {a.sample, RunAction::Sample}};
    for (const auto& [action, word] : words)
        connect(action, &QAction::triggered, this, [this, word = word] { send(word); });
    connect(a.pause, &QAction::triggered, this, &SessionSteering::togglePause);
    connect(a.stop, &QAction::triggered, this, [this] {
        if (m_book->shown())
            m_book->shown()->stop();
    });
    connect(a.undo, &QAction::triggered, m_parts.live, &LivePanel::undoLast);
}

void SessionSteering::send(const Command& command) {
    if (!m_book->shown())
        return;
    if (const auto sent = m_book->shown()->send(command); !sent.ok())
        m_parts.banner->tell(sent.error());
}

void SessionSteering::send(RunAction action) {
    Command command;
    command.word = action;
    send(command);
}

bool SessionSteering::resumePaused() {
    const bool paused = m_book->shown() && m_book->shown()->isPaused();
    if (paused)
        send(RunAction::Resume);
    return paused;
}

void SessionSteering::togglePause() {
    const RunSession* shown = m_book->shown();
    if (shown && shown->isActive())
        send(shown->isPaused() ? RunAction::Resume : RunAction::Pause);
}

// Space pauses while a view has the focus; a button in it is pressed as everywhere.
void SessionSteering::pressSpace() {
    if (auto* button = qobject_cast<QAbstractButton*>(QApplication::focusWidget()))
        button->click();
    else
        togglePause();
}

} // namespace mooring
