// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/session_book.h"
#include <algorithm>

namespace mooring {

SessionBook::SessionBook(QObject* parent)
    : QObject(parent) { }

SessionBook::~SessionBook() = default;

RunSession* SessionBook::add(
    std::unique_ptr<RunSession> session, std::unique_ptr<QTemporaryDir> place) {
    session->colorIndex = m_nextColor++;
    RunSession* added = session.get();
    m_sessions.push_back(std::move(session));
    if (place)
        m_places[added] = std::move(place);
    Q_EMIT this->added(added);
    Q_EMIT listChanged();
    return added;
}

RunSession* SessionBook::openFolder(
    const QString& folder, const QString& title, std::unique_ptr<QTemporaryDir> place) {
    for (const auto& session : m_sessions)
        if (session->folder() == folder) {
            show(session.get());
            return session.get();
        }
    auto session = std::make_unique<RunSession>(folder);
    session->setTitle(title);
    RunSession* added = add(std::move(session), std::move(place));
    show(added);
    return added;
}

void SessionBook::show(RunSession* session) {
    if (m_shown && m_shown != session)
        m_shown->setShown(false);
    setShown(session, m_shown != session);
}

void SessionBook::setShown(RunSession* session, bool other) {
    m_shown = session;
    Q_EMIT shownChanged(other);
}

void SessionBook::close(RunSession* session) {
    if (!session || session->isOwn())
        return;
    const auto at = std::find_if(m_sessions.begin(), m_sessions.end(),
        [session](const auto& each) { return each.get() == session; });
    if (at == m_sessions.end())
        return;
    // Both go at the end, the folder last: until then somebody may look.
    const auto place = m_places.extract(session);
    const std::unique_ptr<RunSession> leaving = std::move(*at);
    m_sessions.erase(at);
    const bool wasShown = m_shown == session;
    if (wasShown)
        m_shown = nullptr;
    Q_EMIT closing(session);
    Q_EMIT listChanged();
    if (wasShown)
        setShown(m_sessions.empty() ? nullptr : m_sessions.back().get(), true);
}

void SessionBook::clear() {
    m_shown = nullptr;
    m_sessions.clear();
    m_places.clear();
}

RunSession* SessionBook::own() const {
    for (const auto& session : m_sessions)
        if (session->isOwn())
            return session.get();
    return nullptr;
}

std::vector<RunSession*> SessionBook::all() const {
    std::vector<RunSession*> all;
    for (const auto& session : m_sessions)
        all.push_back(session.get());
    return all;
}

} // namespace mooring
