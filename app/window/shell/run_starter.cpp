// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/shell/run_starter.h"
#include "app/window/base/banner.h"
#include "app/window/base/demo.h"
#include "app/window/newrun/new_run_dialog.h"
#include "app/window/pages/model_page.h"
#include "app/window/pages/ready_page.h"
#include "app/window/shell/model_measuring.h"
#include "app/window/shell/session_book.h"
#include "core/config/run_config.h"
#include "widgets/base/selection.h"
#include <QDir>
#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>

namespace mooring {

RunStarter::RunStarter(
    const WindowParts& parts, SessionBook* book, ModelMeasuring* measuring, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_book(book)
    , m_measuring(measuring) {
    connect(m_parts.ready, &ReadyPage::startWanted, this, &RunStarter::startReady);
    connect(m_parts.ready, &ReadyPage::changeWanted, this, [this] { openDialog(); });
    connect(m_parts.model, &ModelPage::newRunWanted, this,
        [this] { openDialogOn(m_parts.model->folder()); });
    connect(m_book, &SessionBook::added, this, [this](RunSession* session) {
        connect(session, &RunSession::configAsked, this,
            [this, session](const QString& sentence) { askWhichConfig(session, sentence); });
    });
}

void RunStarter::makeReady(const RunConfig& config) {
    m_ready = config;
    m_parts.ready->show(config);
    m_parts.pages->setCurrentWidget(m_parts.ready);
    m_parts.banner->clear();
    Q_EMIT readyChanged();
}

bool RunStarter::makeReady(const QString& toml) {
    auto config = loadRunConfig(toml.toStdString());
    if (!config.ok()) {
        m_parts.banner->tell(config.error());
        return false;
    }
    // A window may be started anywhere: its working directory is no place for runs.
    if (config->run.out.empty())
        config->run.out = userRunsFolder() + "/" + config->run.name;
    makeReady(*config);
    return true;
}

void RunStarter::makeDemoReady() {
    if (const auto config = demoConfig(); config.ok())
        makeReady(*config);
    else
        m_parts.banner->tell(config.error());
}

bool RunStarter::mayTrain() {
    if (const RunSession* running = m_book->own()) {
        m_parts.banner->tell(Banner::Kind::Warning,
            tr("%1 is still training. Stop it before starting another run; only one model trains "
               "at a time.")
                .arg(running->name()));
        return false;
    }
    if (m_measuring->isBusy()) {
        m_parts.banner->tell(Banner::Kind::Warning,
            tr("A base model is being measured. The run can start when that has finished."));
        return false;
    }
    return true;
}

RunSession* RunStarter::start(const RunRequest& request) {
    m_parts.banner->clear();
    RunSession* session = m_book->add(std::make_unique<RunSession>(request));
    m_book->show(session);
    return session;
}

RunSession* RunStarter::startReady() {
    if (!m_ready || !mayTrain())
        return nullptr;
    if (const auto problems = checkRunConfig(*m_ready); !problems.empty()) {
        tellToChange(QString::fromStdString(problems.front().key + ": " + problems.front().text));
        return nullptr;
    }
    return start(*m_ready); // it stays, for the next run or to fix this one
}

void RunStarter::resume(RunSession* session) {
    if (!session || !session->canResume() || !mayTrain())
        return;
    m_parts.banner->clear();
    session->resume();
    m_book->show(session);
}

void RunStarter::askWhichConfig(RunSession* session, const QString& sentence) {
    auto* box = new QMessageBox(QMessageBox::Question, tr("Resume %1").arg(session->name()),
        tr("%1. Which settings should apply from here on?").arg(sentence), QMessageBox::Cancel,
        m_parts.window);
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

void RunStarter::askForFork(RunSession* session) {
    if (!session || session->folder().isEmpty() || !mayTrain())
        return;
    const QDir folder(session->folder());
    const auto config = loadRunConfig(folder.filePath(QStringLiteral("run.toml")).toStdString());
    if (!config.ok())
        return m_parts.banner->tell(config.error());
    ForkedRun fork{session->folder().toStdString(), {}, {}, {}, {}};
    // The shown step, where it was saved; else the newest that is whole.
    const std::int64_t step
        = session == m_book->shown() ? m_parts.selection->value().step : std::int64_t{-1};
    const QString saved = QStringLiteral("checkpoints/step-%1").arg(step, 6, 10, QLatin1Char('0'));
    if (step >= 0 && QFileInfo(folder.filePath(saved)).isDir())
        fork.step = step;
    RunConfig request = *config;
    request.run.name += "-fork";
    request.run.out = folder.absolutePath().toStdString() + "-fork";
    openDialog(request);
    m_dialog->setWindowTitle(fork.step ? tr("Fork of %1 at step %2").arg(session->name()).arg(step)
                                       : tr("Fork of %1").arg(session->name()));
    m_forking = fork;
}

RunSession* RunStarter::startFork(const RunConfig& config) {
    if (!mayTrain())
        return nullptr;
    ForkedRun fork = *std::exchange(m_forking, std::nullopt);
    fork.out = config.run.out;
    fork.config = config;
    return start(fork);
}

void RunStarter::startChosen(const RunConfig& chosen) {
    if (m_forking) {
        startFork(chosen);
        return;
    }
    makeReady(chosen);
    startReady();
}

void RunStarter::openDialog(const std::optional<RunConfig>& config) {
    if (!m_dialog) {
        m_dialog = new NewRunDialog(m_parts.window);
        connect(m_dialog, &NewRunDialog::startWanted, this, &RunStarter::startChosen);
    }
    m_forking.reset();
    m_dialog->setWindowTitle(tr("New run"));
    if (config)
        m_dialog->setConfig(*config);
    m_dialog->open();
}

void RunStarter::openDialog() {
    if (!m_ready && m_parts.pages->currentWidget() == m_parts.model)
        return openDialogOn(m_parts.model->folder());
    openDialog(m_ready);
}

void RunStarter::openDialogOn(const QString& model) {
    RunConfig config = m_ready ? *m_ready : m_dialog ? m_dialog->config() : RunConfig{};
    config.model.path = model.toStdString();
    config.model.init.reset();
    openDialog(config);
}

void RunStarter::openDialogWithData(const QString& file) {
    RunConfig config = m_ready.value_or(RunConfig{});
    config.data.train = {DataFile{file.toStdString(), {}, 0}};
    openDialog(config);
    if (!config.model.path.empty() || config.model.init)
        m_dialog->previewData();
}

void RunStarter::tellToChange(const QString& sentence) {
    m_parts.banner->tell(
        Banner::Kind::Error, sentence, {tr("Change the configuration"), [this] { openDialog(); }});
}

void RunStarter::tellFailure(const QString& sentence, bool beforeItsFolder) {
    // Where it failed before it had a folder, the configuration is what has to change.
    if (beforeItsFolder && m_ready)
        tellToChange(sentence);
    else
        m_parts.banner->tell(Banner::Kind::Error, sentence);
}

} // namespace mooring
