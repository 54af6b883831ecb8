// SPDX-License-Identifier: GPL-3.0-or-later
// `mooring --screenshot DIR PATH`: pictures of the window and of every view, light and dark.
#pragma once
#include "core/base/result.h"
#include <QObject>
#include <QTimer>

namespace mooring {

class MainWindow;

// Waits until everything of the shown run is loaded, takes the pictures and emits finished().
class Screenshots : public QObject {
    Q_OBJECT
public:
    Screenshots(MainWindow* window, const QString& folder);

Q_SIGNALS:
    void finished(const mooring::Result<void>& outcome);

private:
    struct Shot {
        QString theme;
        int tab;
    };
    void waitForData();
    void begin();
    void takeNext();
    bool save(const Shot& shot); // false: finished() has said why
    MainWindow* m_window;
    QString m_folder;
    QTimer m_timer;
    int m_waits = 0;
    std::vector<Shot> m_left;
};

} // namespace mooring
