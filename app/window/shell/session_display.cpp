// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/session_display.h"
#include "app/window/docks/log_dock.h"
#include "app/window/docks/runs_dock.h"
#include "app/window/shell/open_comparison.h"
#include "app/window/shell/progress_strip.h"
#include "app/window/shell/session_book.h"
#include "app/window/shell/view_tabs.h"
#include "widgets/charts/timeline.h"
#include "widgets/live/live_panel.h"
#include "widgets/views/overview_view.h"
#include <QMainWindow>
#include <QStackedWidget>
#include <algorithm>

namespace mooring {

SessionDisplay::SessionDisplay(
    const WindowParts& parts, SessionBook* book, OpenComparison* comparison, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_book(book)
    , m_comparison(comparison) {
    connect(m_book, &SessionBook::added, this, &SessionDisplay::follow);
    connect(m_book, &SessionBook::listChanged, this, &SessionDisplay::updateList);
    connect(m_book, &SessionBook::shownChanged, this, &SessionDisplay::showShown);
    connect(m_parts.runs, &RunsDock::overlaysChanged, this, &SessionDisplay::updateOverlays);
    connect(m_parts.selection, &SelectionModel::changed, this,
        [this](const Selection& now, const Selection& before) {
            if (!m_book->shown() || now.step == before.step)
                return;
            m_book->shown()->showStep(now.step);
            m_parts.runs->showRetention(m_book->shown(), now.step);
        });
}

void SessionDisplay::follow(RunSession* session) {
    const auto ifShown = [this, session](auto act) {
        return [this, session, act] {
            if (session == m_book->shown())
                act();
        };
    };
    connect(session, &RunSession::recordChanged, this, [this, session] { updateRecord(session); });
    connect(session, &RunSession::framesChanged, this, ifShown([this, session] {
        m_parts.views->setFrames(session->base(), session->tuned());
        if (!session->communities())
            m_parts.views->setPartitions(nullptr);
    }));
    connect(session, &RunSession::communitiesChanged, this,
        ifShown([this, session] { m_parts.views->setPartitions(session->communities()); }));
    connect(session, &RunSession::logsChanged, this, ifShown([this, session] {
        m_parts.log->show(session);
        updateList();
    }));
    connect(session, &RunSession::progressChanged, this, &SessionDisplay::changed);
    connect(session, &RunSession::notice, this, [this, session](const QString& text) {
        m_parts.log->say(session->name() + QStringLiteral(": ") + text);
    });
    connect(session, &RunSession::failed, this,
        [this, session](const QString& text) { tellFailure(session, text); });
    connect(session, &RunSession::folderKnown, this, [this, session] {
        m_parts.log->say(tr("%1 writes to %2").arg(session->name(), session->folder()));
    });
    connect(session, &RunSession::ended, this, [this, session] { tellEnd(session); });
}

void SessionDisplay::showShown(bool other) {
    RunSession* session = m_book->shown();
    updateList();
    if (other) {
        Selection fresh;
        fresh.domain = m_parts.selection->value().domain;
        m_parts.selection->set(fresh); // another run has other steps
        m_parts.views->setPartitions(session ? session->communities() : nullptr);
        m_parts.views->setFrames(
            session ? session->base() : nullptr, session ? session->tuned() : nullptr);
    }
    showRecord(session);
    if (session) {
        session->showStep(m_parts.selection->value().step);
        session->setShown(true);
        m_parts.pages->setCurrentWidget(m_parts.views);
    } else if (m_comparison->hasStudy()) {
        m_parts.pages->setCurrentWidget(m_parts.views);
    } else {
        m_parts.pages->setCurrentIndex(0);
        m_parts.window->setWindowTitle(tr("Mooring"));
    }
    updateOverlays();
    Q_EMIT changed();
}

void SessionDisplay::showRecord(RunSession* session) {
    const RunPtr record = session ? session->record() : nullptr;
    m_parts.views->setRun(record);
    m_parts.timeline->setRun(record);
    m_parts.live->setRun(record);
    m_parts.runs->showRetention(session, m_parts.selection->value().step);
    m_parts.log->show(session);
    if (session)
        m_parts.window->setWindowTitle(tr("%1 \u2014 Mooring").arg(session->name()));
}

void SessionDisplay::updateRecord(RunSession* session) {
    if (!m_parts.runs->updateSession(session))
        updateList();
    if (session == m_book->shown()) {
        showRecord(session);
        if (const QString why = session->failure(); !why.isEmpty() && !session->failureTold)
            tellFailure(session, why);
    }
    const auto overlays = m_parts.runs->overlays();
    if (std::find(overlays.begin(), overlays.end(), session) != overlays.end())
        updateOverlays();
    Q_EMIT changed();
}

void SessionDisplay::updateList() {
    m_parts.runs->setSessions(m_book->all(), m_book->shown());
    m_comparison->compareOpenRuns();
}

void SessionDisplay::updateOverlays() {
    std::vector<RunPtr> runs;
    std::map<std::string, int> colors;
    for (const RunSession* session : m_book->all())
        if (session->record())
            colors[session->record()->info.path] = session->colorIndex;
    for (const RunSession* session : m_parts.runs->overlays())
        if (session->record())
            runs.push_back(session->record());
    m_parts.views->overview()->setRunColors(std::move(colors));
    m_parts.views->overview()->setOverlays(std::move(runs));
}

void SessionDisplay::tellFailure(RunSession* session, const QString& sentence) {
    session->failureTold = true;
    const QString text = tr("%1: %2").arg(session->name(), sentence);
    m_parts.log->say(text);
    Q_EMIT failed(text, session->folder().isEmpty() && !session->isOwn());
}

void SessionDisplay::tellEnd(RunSession* session) {
    m_parts.runs->updateSession(session);
    if (session->failure().isEmpty())
        m_parts.log->say(tr("%1 has ended and is saved.").arg(session->name()));
    Q_EMIT changed();
}

} // namespace mooring
