// SPDX-License-Identifier: GPL-3.0-or-later
// The sessions that are open, and which of them is shown.
#pragma once
#include "app/window/session/run_session.h"
#include <QTemporaryDir>
#include <map>
#include <vector>

namespace mooring {

// Owns the sessions, and the temporary folders of those that came out of a zip or a measurement.
// Lives in the GUI thread.
class SessionBook : public QObject {
    Q_OBJECT
public:
    explicit SessionBook(QObject* parent);
    ~SessionBook() override;

    // `place`, where there is one, lives as long as the session.
    RunSession* add(std::unique_ptr<RunSession> session, std::unique_ptr<QTemporaryDir> place = {});
    RunSession* openFolder(const QString& folder, const QString& title = {},
        std::unique_ptr<QTemporaryDir> place = {}); // the one that is open already, or a new one
    void show(RunSession* session); // null: none
    void close(RunSession* session); // not of a run that trains here
    void clear(); // without a signal

    RunSession* shown() const { return m_shown; } // null: none
    RunSession* own() const; // the run that this process trains; null: none
    std::vector<RunSession*> all() const;

Q_SIGNALS:
    void added(mooring::RunSession* session);
    void listChanged(); // one came or went
    void shownChanged(bool other); // false: the same once more
    void closing(mooring::RunSession* session); // it is off the list, and goes after this

private:
    void setShown(RunSession* session, bool other);
    std::vector<std::unique_ptr<RunSession>> m_sessions;
    std::map<const RunSession*, std::unique_ptr<QTemporaryDir>> m_places;
    RunSession* m_shown = nullptr;
    int m_nextColor = 0;
};

} // namespace mooring
