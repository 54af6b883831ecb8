// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/base/watchdog.h"
#include <ctime>

namespace mooring {
namespace {

double threadMs() {
    timespec used = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) / 1e6;
}

} // namespace

EventLoopWatchdog::EventLoopWatchdog(QObject* parent)
    : QObject(parent) {
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &EventLoopWatchdog::tick);
    m_sinceStart.start();
    m_sinceTick.start();
    m_busyAtTick = threadMs();
    m_timer.start(kTickMs);
}

void EventLoopWatchdog::reset() {
    m_longGaps = m_busyGaps = 0;
    m_longestMs = m_longestBusyMs = 0;
    m_ticks = 0;
    m_recent.clear();
    m_sinceTick.restart();
    m_busyAtTick = threadMs();
}

void EventLoopWatchdog::tick() {
    const double busyNow = threadMs();
    const double away = static_cast<double>(m_sinceTick.nsecsElapsed()) / 1e6 - kTickMs;
    const double busy = busyNow - m_busyAtTick;
    m_sinceTick.restart();
    m_busyAtTick = busyNow;
    ++m_ticks;
    m_longestMs = std::max(m_longestMs, away);
    m_longestBusyMs = std::max(m_longestBusyMs, busy);
    if (away <= kLongMs)
        return;
    ++m_longGaps;
    m_busyGaps += busy > kLongMs;
    m_recent.push_back({m_sinceStart.elapsed(), away, busy});
    if (m_recent.size() > 100)
        m_recent.pop_front();
    Q_EMIT gap(away, busy);
}

} // namespace mooring
