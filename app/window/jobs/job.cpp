// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobs/job.h"

namespace mooring {

Job::Job(const QString& title, Work work, QObject* parent)
    : QObject(parent)
    , m_title(title)
    , m_thread([this, work = std::move(work)] {
        Result<void> outcome;
        try {
            outcome = work(*this);
        } catch (const std::exception& e) {
            outcome = Error{ErrorCode::Input, e.what(), m_title.toStdString(), ""};
        }
        if (m_canceled && !outcome.ok())
            outcome = Error{ErrorCode::Interrupted, "canceled", m_title.toStdString(), ""};
        QMetaObject::invokeMethod(
            this, [this, outcome] { end(outcome); }, Qt::QueuedConnection);
    }) {
    m_sinceStart.start();
}

Job::~Job() {
    m_canceled = true;
    m_thread.join();
}

QString Job::what() const {
    const std::lock_guard lock(m_mutex);
    return m_what;
}

double Job::secondsLeft() const {
    const double seconds = static_cast<double>(m_sinceStart.elapsed()) / 1e3;
    if (m_total <= 0 || m_done <= 0 || seconds < 1)
        return -1;
    return seconds * static_cast<double>(m_total - m_done) / static_cast<double>(m_done);
}

void Job::cancel() {
    m_canceled = true;
}

bool Job::at(const QString& what, qint64 done, qint64 total) {
    {
        const std::lock_guard lock(m_mutex);
        m_what = what;
    }
    m_done = done;
    m_total = total;
    if (!m_unread.exchange(true))
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_unread = false;
                Q_EMIT progressed();
            },
            Qt::QueuedConnection);
    return !m_canceled;
}

void Job::end(const Result<void>& outcome) {
    Q_EMIT finished(outcome);
    deleteLater();
}

} // namespace mooring
