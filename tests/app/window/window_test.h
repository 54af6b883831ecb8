// SPDX-License-Identifier: GPL-3.0-or-later
// A real window trains the demo's model for a few steps; then the same numbers must be found in the
// run folder, in the views, in a snapshot zip and in a second window.
#pragma once
#include "app/window/base/banner.h"
#include "app/window/jobs/job.h"
#include "app/window/session/run_session.h"
#include "app/window/shell/main_window.h"
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

namespace mooring {

inline constexpr int kLong = 240'000; // milliseconds; tests end when something happens, not by time

class Quiet : public JobSteps {
public:
    bool at(const QString&, qint64, qint64) override { return true; }
};

inline QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void writeFile(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

class WindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theFirstScreenOffersThreeWays();
    void aRunStartsFromItsConfigurationAndItsStepsReachTheViews();
    void movingBetaIsSeenInTheEventsTheNextStepAndTheChart();
    void aPausedRunStandsStillAndOlderFramesCanBeShown();
    void closingDuringARunAsks();
    void trainingIsNotDoneInTheEventLoop();
    void aStoppedRunIsSavedAndCanBeReadByAnybody();
    void aSnapshotZipShowsTheSameNumbersInASecondWindow();
    void aForeignRunIsSteeredThroughItsControlFile();
    void zipsThatReachOutOfTheirFolderAreRefused_data();
    void zipsThatReachOutOfTheirFolderAreRefused();
    void zipsThatAreTooLargeAreRefused();
    void anHonestZipComesOutAsItWentIn();
    void aModelFolderTellsWhatItIsAndWhatItsRouterDoes();
    void problemsOfAConfigurationStandBesideTheirFields();
    void theDialogKeepsWhatItHasNoFieldFor();
    void theTableOfWhatTrainsFollowsTheForm();
    void thePaletteFindsActionsByTheirWords();
    void whatCannotBeOpenedIsSaidInASentence();
    void recentFilesAndTheThemeLast();
    void aRunThatCannotStartSaysWhyBesideTheFields();
    void aRunKeptInTheBackgroundTrainsToItsEndWithoutAWindow();
    void commandLinesAreUnderstoodOrRefusedWithCodeTwo();
    void cleanupTestCase();

private:
    RunConfig shortRun() const;
    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<MainWindow> m_window;
    QString m_run;
    QString m_zip;
};

} // namespace mooring
