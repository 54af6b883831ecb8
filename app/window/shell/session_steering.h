// SPDX-License-Identifier: GPL-3.0-or-later
// Sends what people ask for to the shown session: by actions, in the live panel, by keys.
#pragma once
#include "app/window/shell/window_parts.h"
#include "core/config/live/live_control.h"
#include <QObject>

namespace mooring {

class SessionBook;

class SessionSteering : public QObject {
    Q_OBJECT
public:
    SessionSteering(const WindowParts& parts, SessionBook* book, QObject* parent);

    bool resumePaused(); // false: the shown run is not paused
    void togglePause();

private:
    void connectActions();
    void send(const Command& command);
    void send(RunAction action);
    void pressSpace();
    WindowParts m_parts;
    SessionBook* m_book;
};

} // namespace mooring
