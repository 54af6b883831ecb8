// SPDX-License-Identifier: GPL-3.0-or-later
// Resuming a run, and forking it from its weights.
#include "app/window/docks/runs_dock.h"
#include "app/window/newrun/new_run_dialog.h"
#include "app/window/shell/main_window.h"
#include "core/config/run_config.h"
#include "widgets/base/selection.h"
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace mooring {

void MainWindow::resumeRun(RunSession* session) {
    if (!session || !session->canResume() || !mayTrain())
        return;
    m_banner->clear();
    session->resume();
    showSession(session);
}

void MainWindow::askWhichConfig(RunSession* session, const QString& sentence) {
    auto* box = new QMessageBox(QMessageBox::Question, tr("Resume %1").arg(session->name()),
        tr("%1. Which settings should apply from here on?").arg(sentence), QMessageBox::Cancel,
        this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    const std::pair<QString, KeepConfig> choices[] = {{tr("From &run.toml"), KeepConfig::Run},
        {tr("From the &checkpoint"), KeepConfig::Checkpoint}};
    for (const auto& [text, keep] : choices)
        connect(box->addButton(text, QMessageBox::AcceptRole), &QPushButton::clicked, session,
            [this, session, keep = keep] {
                if (mayTrain())
                    session->resume(keep);
            });
    box->open();
}

void MainWindow::askForFork(RunSession* session) {
    if (!session || session->folder().isEmpty() || !mayTrain())
        return;
    const QDir folder(session->folder());
    const auto config = loadRunConfig(folder.filePath(QStringLiteral("run.toml")).toStdString());
    if (!config.ok()) {
        m_banner->tell(Banner::Kind::Error, QString::fromStdString(config.error().message()));
        return;
    }
    ForkedRun fork{session->folder().toStdString(), {}, {}, {}, {}};
    // The shown step if it was saved, else the newest complete checkpoint.
    const std::int64_t step = session == m_shown ? m_selection->value().step : -1;
    const QString saved = QStringLiteral("checkpoints/step-%1").arg(step, 6, 10, QLatin1Char('0'));
    if (step >= 0 && QFileInfo(folder.filePath(saved)).isDir())
        fork.step = step;
    RunConfig request = *config;
    request.run.name += "-fork";
    request.run.out = folder.absolutePath().toStdString() + "-fork";
    openNewRun(request);
    m_newRun->setWindowTitle(fork.step ? tr("Fork of %1 at step %2").arg(session->name()).arg(step)
                                       : tr("Fork of %1").arg(session->name()));
    m_forking = fork;
}

RunSession* MainWindow::startFork(const RunConfig& config) {
    if (!m_forking || !mayTrain())
        return nullptr;
    ForkedRun fork = *std::exchange(m_forking, std::nullopt);
    fork.out = config.run.out;
    fork.config = config;
    m_banner->clear();
    RunSession* session = addSession(std::make_unique<RunSession>(RunRequest(fork)));
    showSession(session);
    return session;
}

} // namespace mooring
