// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long the event loop was blocked, with a timer that should fire every 10 ms.
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <deque>

namespace mooring {

// Lives in the thread whose loop it watches.
class EventLoopWatchdog : public QObject {
    Q_OBJECT
public:
    // A time in which no event was handled. `busyMs` is what this thread itself computed in it: the
    // rest it waited, for a disk, a lock or a free processor.
    struct Gap {
        qint64 atMs = 0; // since the start
        double ms = 0;
        double busyMs = 0;
    };

    explicit EventLoopWatchdog(QObject* parent = nullptr);

    static constexpr int kTickMs = 10;
    static constexpr double kLongMs = 50;

    int longGaps() const { return m_longGaps; } // above 50 ms
    int busyGaps() const { return m_busyGaps; } // of these, those with over 50 ms of own work
    double longestMs() const { return m_longestMs; }
    double longestBusyMs() const { return m_longestBusyMs; }
    qint64 ticks() const { return m_ticks; }
    const std::deque<Gap>& recent() const { return m_recent; } // the last hundred long ones
    void reset();

Q_SIGNALS:
    void gap(double ms, double busyMs);

private:
    void tick();
    QTimer m_timer;
    QElapsedTimer m_sinceStart;
    QElapsedTimer m_sinceTick;
    double m_busyAtTick = 0;
    int m_longGaps = 0;
    int m_busyGaps = 0;
    double m_longestMs = 0;
    double m_longestBusyMs = 0;
    qint64 m_ticks = 0;
    std::deque<Gap> m_recent;
};

} // namespace mooring
