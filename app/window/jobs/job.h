// SPDX-License-Identifier: GPL-3.0-or-later Long background work:
// reports progress, can be canceled, ends with a value or an
// error.
#pragma once
#include "app/archive/job_steps.h"
#include "core/base/result.h"
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

namespace mooring {

// Lives in the GUI thread; the work runs on a thread of its own. Deletes itself after finished().
class Job : public QObject, private JobSteps {
    Q_OBJECT
public:
    using Work = std::function<Result<void>(JobSteps& steps)>;

    Job(const QString& title, Work work, QObject* parent);
    ~Job() override;

    const QString& title() const { return m_title; }
    QString what() const;
    qint64 done() const { return m_done; }
    qint64 total() const { return m_total; }
    double secondsLeft() const; // below 0: unknown
    void cancel();
    bool isCanceled() const { return m_canceled; }

Q_SIGNALS:
    void progressed();
    void finished(const mooring::Result<void>& outcome); // canceled: Interrupted

private:
    bool at(const QString& what, qint64 done, qint64 total) override;
    void end(const Result<void>& outcome);
    QString m_title;
    mutable std::mutex m_mutex; // of m_what
    QString m_what;
    std::atomic<qint64> m_done{0};
    std::atomic<qint64> m_total{0};
    std::atomic<bool> m_unread{false};
    std::atomic<bool> m_canceled{false};
    QElapsedTimer m_sinceStart;
    std::jthread m_thread; // last, since it uses everything above
};

} // namespace mooring
