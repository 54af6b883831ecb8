// SPDX-License-Identifier: GPL-3.0-or-later
// Opens whatever a path is: by menu, drop, command line and recent files.
#pragma once
#include "app/window/shell/recent_paths.h"

namespace mooring {

class ModelMeasuring;
class OpenComparison;
class RunStarter;
class SessionBook;

class PathOpener : public QObject {
    Q_OBJECT
public:
    struct Rooms { // where each kind of thing goes
        SessionBook* sessions;
        OpenComparison* studies;
        ModelMeasuring* models;
        RunStarter* runs;
    };
    PathOpener(const WindowParts& parts, const Rooms& rooms, QObject* parent);

    void open(const QString& path); // what cannot be opened is said in the banner

private:
    void openZip(const QString& zip);
    void askForFolder(const QString& title);
    void askForFile(const QString& title, const QString& filter);
    WindowParts m_parts;
    Rooms m_rooms;
    RecentPaths m_recent;
};

} // namespace mooring
