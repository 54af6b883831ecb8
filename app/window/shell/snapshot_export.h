// SPDX-License-Identifier: GPL-3.0-or-later
// NAME.mooring.zip from a run or a snapshot: folder, plots, zip, in this order.
#pragma once
#include "app/window/jobs/job.h"
#include "core/run/loaded_run.h"
#include "widgets/base/view.h"
#include <QStringList>
#include <QTemporaryDir>
#include <functional>

namespace mooring {

struct SnapshotOrder {
    QString folder; // a run or a snapshot
    QString zip;
    std::optional<std::int64_t> step; // absent: all frames
    QStringList plots = {QStringLiteral("png"), QStringLiteral("svg")};
};

// Files of the folder and the zip are made on a worker's thread, the plots in the GUI thread, one
// an event. Deletes itself after finished().
class SnapshotExport : public QObject {
    Q_OBJECT
public:
    // `show` receives every job, so that its progress can be shown; it may be empty.
    SnapshotExport(SnapshotOrder order, std::function<void(Job*)> show, QObject* parent);
    ~SnapshotExport() override;
    void start();

Q_SIGNALS:
    void finished(const mooring::Result<void>& outcome);

private:
    void runJob(const QString& title, Job::Work work, std::function<void()> next);
    void prepareViews();
    void drawNext();
    void pack();
    void end(const Result<void>& outcome);

    SnapshotOrder m_order;
    std::function<void(Job*)> m_show;
    QTemporaryDir m_place;
    std::shared_ptr<LoadedRun> m_run; // filled by the worker, read after its end
    std::unique_ptr<SelectionModel> m_selection;
    std::unique_ptr<QWidget> m_stage; // the views that draw; never shown
    std::vector<View*> m_views;
    int m_waits = 0;
    std::vector<std::pair<View*, QString>> m_left; // view and ending
};

// A set of views that show `run`, made in `parent`.
std::vector<View*> stageViews(const LoadedRun& run, SelectionModel* selection, QWidget* parent);
QString plotName(const View& view); // "utilisation"
bool graphRests(const View& view); // its layout has settled, or it has none

} // namespace mooring
