// SPDX-License-Identifier: GPL-3.0-or-later
// What the Compare view shows: the runs of a study's folder, or else all open runs. Reads on a
// worker thread, every few seconds while the view is visible. Lives in the GUI thread.
#pragma once
#include "core/base/result.h"
#include "core/view/study_table.h"
#include <QFutureWatcher>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace mooring {

class Comparison : public QObject {
    Q_OBJECT
public:
    explicit Comparison(QObject* parent = nullptr);

    void setStudy(const QString& folder);
    const QString& study() const { return m_study; } // empty: none was opened
    void showStudy(bool shown); // false: the open runs, though there is a study
    void setRuns(const QStringList& folders);
    void setWatched(bool watched); // the view is visible
    bool isRead() const { return m_read; }

Q_SIGNALS:
    void changed(const QString& name, mooring::ComparedTablePtr table);
    void failed(const QString& sentence); // of a study's folder

private:
    struct Answer {
        std::uint64_t generation = 0;
        Result<ComparedTable> table;
    };
    bool studyShown() const { return m_studyShown && !m_study.isEmpty(); }
    void lookAgain();
    void refresh();
    void take();

    QString m_study;
    bool m_studyShown = true;
    QStringList m_runs;
    QTimer m_timer;
    QFutureWatcher<std::shared_ptr<Answer>> m_watcher;
    std::uint64_t m_generation = 0;
    bool m_again = false; // something changed while a worker was reading
    bool m_read = false;
    std::string m_shown; // what was emitted last, as text
};

} // namespace mooring
