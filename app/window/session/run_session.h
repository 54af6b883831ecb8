// SPDX-License-Identifier: GPL-3.0-or-later
// One run in the window: live or finished, trained here or by another process, or a snapshot. All
// are read from their folder, on one path.
#pragma once
#include "app/window/session/folder_worker.h"
#include "app/window/session/trainer_thread.h"
#include <QColor>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace mooring {

// Lives in the GUI thread. Reading happens on a worker thread, training on the trainer's; both send
// values through queued calls.
class RunSession : public QObject {
    Q_OBJECT
public:
    // A folder that exists: a run or a snapshot.
    explicit RunSession(const QString& folder, QObject* parent = nullptr);
    // Trains a run in this process; starts at once.
    explicit RunSession(const RunRequest& request, QObject* parent = nullptr);
    ~RunSession() override;

    const QString& folder() const { return m_folder; } // empty until the run has one
    QString name() const;
    void setTitle(const QString& title) { m_title = title; } // instead of the record's name
    const std::shared_ptr<const RunRecord>& record() const { return m_record; } // null at first
    const FramePtr& base() const { return m_base; }
    const FramePtr& tuned() const { return m_tuned; }
    const CommunitiesPtr& communities() const { return m_communities; }
    const std::vector<SampleText>& samples() const { return m_samples; }
    const QStringList& scores() const { return m_scores; }
    const QStringList& snapshots() const { return m_snapshots; }
    const std::optional<RunProgress>& progress() const { return m_progress; }

    bool isSnapshot() const { return m_record && m_record->info.snapshot; }
    bool isOwn() const { return m_trainer != nullptr; } // trained by this process right now
    bool isActive() const; // trained right now, here or elsewhere
    bool isPaused() const;
    QString failure() const; // a sentence; empty: none

    int colorIndex = 0; // the same in every view
    bool failureTold = false; // somebody has said failure() already
    bool measuredBase = false; // no run: a base whose routing was measured here

    // A session that is not shown reads only its logs, and less often.
    void setShown(bool shown);
    void showStep(std::int64_t step); // -1: follow the latest
    void setCommunityRequest(double rho, double resolution);
    Result<void> send(Command command); // to the trainer, wherever it runs
    Result<void> send(RunAction word);
    void stop(); // finishes the step, saves and ends
    bool canResume() const; // a started run that no process is training
    void resume(KeepConfig keep = KeepConfig::Ask); // trained by this process from here on
    void refresh();

Q_SIGNALS:
    void recordChanged();
    void framesChanged(); // communities may follow
    void communitiesChanged();
    void logsChanged(); // samples, scores, snapshots
    void progressChanged();
    void notice(const QString& sentence);
    void failed(const QString& sentence);
    void folderKnown();
    void configAsked(const QString& sentence); // run.toml was edited: resume with a choice
    void ended(); // of an own run: the thread is gone, the folder complete

private:
    void startTrainer(const RunRequest& request);
    void openFolder(const QString& folder);
    void drainSoon();
    void drain();
    void endTraining(const Result<RunOutcome>& outcome, bool asksWhichConfig);
    void take(FolderNews news);
    void takeFrames(FolderNews& news);
    void takeLogs(const RunNews& news);
    void requestFrames();
    void schedulePoll();
    void followForeignProgress();

    QString m_folder;
    QString m_title;
    std::string m_configName;
    std::shared_ptr<const RunRecord> m_record;
    FramePtr m_base;
    FramePtr m_tuned;
    CommunitiesPtr m_communities;
    std::vector<SampleText> m_samples;
    QStringList m_scores;
    QStringList m_snapshots;
    std::optional<RunProgress> m_progress;
    QString m_failure;
    FrameRequest m_request;
    bool m_shown = false;
    QTimer m_drainTimer; // at most 30 drains per second
    QElapsedTimer m_sinceDrain;
    QTimer m_pollTimer;
    std::unique_ptr<FolderWorker> m_worker;
    std::unique_ptr<TrainerThread> m_trainer;
};

} // namespace mooring
