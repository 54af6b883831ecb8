// SPDX-License-Identifier: GPL-3.0-or-later
// How a run begins: from a configuration that is ready, by a resume or by a fork; one at a time.
#pragma once
#include "app/window/shell/window_parts.h"
#include "core/train/run.h"
#include <QObject>

namespace mooring {

class ModelMeasuring;
class NewRunDialog;
class RunSession;
class SessionBook;

class RunStarter : public QObject {
    Q_OBJECT
public:
    RunStarter(
        const WindowParts& parts, SessionBook* book, ModelMeasuring* measuring, QObject* parent);

    void makeReady(const RunConfig& config); // and shows it
    bool makeReady(const QString& toml); // false: the banner says why
    void makeDemoReady();
    bool isReady() const { return m_ready.has_value(); }
    RunSession* startReady(); // null: nothing is ready, or the banner says why not
    void resume(RunSession* session);
    void askForFork(RunSession* session);

    void openDialog(); // with what is ready
    void openDialogOn(const QString& model);
    void openDialogWithData(const QString& file);
    NewRunDialog* dialog() const { return m_dialog; } // null: never opened

    void tellFailure(const QString& sentence, bool beforeItsFolder);

Q_SIGNALS:
    void readyChanged();

private:
    bool mayTrain(); // false: the banner says what is in the way
    RunSession* start(const RunRequest& request);
    void startChosen(const RunConfig& chosen);
    RunSession* startFork(const RunConfig& config);
    void askWhichConfig(RunSession* session, const QString& sentence);
    void openDialog(const std::optional<RunConfig>& config);
    void tellToChange(const QString& sentence);

    WindowParts m_parts;
    SessionBook* m_book;
    ModelMeasuring* m_measuring;
    NewRunDialog* m_dialog = nullptr;
    std::optional<RunConfig> m_ready;
    std::optional<ForkedRun> m_forking; // what the dialog's configuration is for
};

} // namespace mooring
