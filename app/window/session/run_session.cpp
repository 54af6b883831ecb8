// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/run_session.h"
#include "core/base/json_lines.h"

namespace mooring {
namespace {

constexpr int kDrainMs = 33;
constexpr int kPollLiveMs = 400; // another process trains
constexpr int kPollRestMs = 3000; // someone may resume it

} // namespace

RunSession::RunSession(const QString& folder, QObject* parent)
    : QObject(parent) {
    connect(&m_pollTimer, &QTimer::timeout, this, &RunSession::refresh);
    openFolder(folder);
}

RunSession::RunSession(const RunRequest& request, QObject* parent)
    : QObject(parent) {
    if (const auto* config = std::get_if<RunConfig>(&request))
        m_configName = config->run.name;
    else if (const auto* fork = std::get_if<ForkedRun>(&request))
        m_configName = fork->config ? fork->config->run.name : fork->out;
    connect(&m_pollTimer, &QTimer::timeout, this, &RunSession::refresh);
    startTrainer(request);
}

void RunSession::startTrainer(const RunRequest& request) {
    m_drainTimer.setSingleShot(true);
    connect(&m_drainTimer, &QTimer::timeout, this, &RunSession::drain, Qt::UniqueConnection);
    m_sinceDrain.start();
    m_progress = RunProgress{.phase = RunPhase::Starting};
    // The destructor joins the trainer first, so that `this` outlives every call.
    m_trainer = std::make_unique<TrainerThread>(request, [this] {
        QMetaObject::invokeMethod(
            this, [this] { drainSoon(); }, Qt::QueuedConnection);
    });
}

RunSession::~RunSession() {
    m_trainer.reset();
    m_worker.reset();
}

QString RunSession::name() const {
    if (!m_title.isEmpty())
        return m_title;
    if (m_record) {
        // A second run of a configuration differs only in its folder: demo-2.
        const QString name = QString::fromStdString(m_record->info.name);
        const QString last = m_folder.section(QLatin1Char('/'), -1);
        return last.startsWith(name + QLatin1Char('-')) ? last : name;
    }
    if (!m_configName.empty())
        return QString::fromStdString(m_configName);
    return m_folder.section(QLatin1Char('/'), -1);
}

void RunSession::openFolder(const QString& folder) {
    m_folder = folder;
    m_worker = std::make_unique<FolderWorker>(folder.toStdString(), [this](FolderNews news) {
        QMetaObject::invokeMethod(
            this, [this, news = std::move(news)] { take(news); }, Qt::QueuedConnection);
    });
    if (m_shown)
        requestFrames();
    Q_EMIT folderKnown();
}

bool RunSession::isActive() const {
    if (m_trainer)
        return true;
    if (!m_record || m_record->info.snapshot)
        return false;
    const RunState state = m_record->info.state;
    return state == RunState::Running || state == RunState::Paused;
}

// From the manifest, because a paused trainer's progress may still be about the probe that a pause
// starts with.
bool RunSession::isPaused() const {
    return isActive() && m_record && m_record->info.state == RunState::Paused;
}

QString RunSession::failure() const {
    if (!m_failure.isEmpty())
        return m_failure;
    if (m_record && m_record->info.state == RunState::Failed)
        return QString::fromStdString(m_record->info.error);
    return {};
}

void RunSession::setShown(bool shown) {
    if (m_shown == shown)
        return;
    m_shown = shown;
    if (shown)
        requestFrames();
    schedulePoll();
}

void RunSession::showStep(std::int64_t step) {
    if (m_request.step == step)
        return;
    m_request.step = step;
    requestFrames();
}

void RunSession::setCommunityRequest(double rho, double resolution) {
    const int seed = m_record ? m_record->info.probe.detectorSeed : 0;
    const CommunityRequest request{rho, resolution, seed};
    if (m_request.communities == request)
        return;
    m_request.communities = request;
    requestFrames();
}

void RunSession::requestFrames() {
    ++m_request.generation;
    if (m_worker)
        m_worker->show(m_request);
}

void RunSession::refresh() {
    if (m_worker)
        m_worker->poll();
}

Result<void> RunSession::send(Command command) {
    command.source = "window";
    if (m_trainer) {
        m_trainer->commands().post(std::move(command));
        return {};
    }
    if (!isActive())
        return Error{ErrorCode::Usage, "this run is not training", m_folder.toStdString(),
            "live changes need a running trainer"};
    MOORING_TRY(auto control, LineWriter::open(m_folder.toStdString() + "/control.jsonl"));
    return control.append(nlohmann::json::parse(commandLine(command)));
}

Result<void> RunSession::send(RunAction word) {
    Command command;
    command.word = word;
    return send(std::move(command));
}

void RunSession::stop() {
    // A trainer that is preparing or measuring reads no commands; one that is stepping logs each
    // command.
    if (m_trainer && !(m_progress && hearsCommands(m_progress->phase)))
        m_trainer->requestStop();
    else if (const auto sent = send(RunAction::Stop); !sent.ok())
        Q_EMIT failed(QString::fromStdString(sent.error().message()));
}

bool RunSession::canResume() const {
    return m_record && !isSnapshot() && !isActive() && m_record->info.state != RunState::Unknown
        && m_record->info.state != RunState::Finished;
}

void RunSession::resume(KeepConfig keep) {
    m_failure.clear();
    failureTold = false;
    startTrainer(ResumedRun{m_folder.toStdString(), keep});
    schedulePoll();
    Q_EMIT progressChanged();
}

void RunSession::drainSoon() {
    if (!m_drainTimer.isActive())
        m_drainTimer.start(std::max<int>(0, kDrainMs - static_cast<int>(m_sinceDrain.elapsed())));
}

void RunSession::drain() {
    m_sinceDrain.restart();
    if (!m_trainer)
        return;
    const TrainerNews news = m_trainer->take();
    for (const std::string& sentence : news.notices)
        Q_EMIT notice(QString::fromStdString(sentence));
    if (!news.folder.empty() && m_folder.isEmpty())
        openFolder(QString::fromStdString(news.folder));
    else if (news.folderChanged)
        refresh();
    if (news.progress) {
        m_progress = news.progress;
        Q_EMIT progressChanged();
    }
    if (news.outcome)
        endTraining(*news.outcome, news.asksWhichConfig);
}

void RunSession::endTraining(const Result<RunOutcome>& outcome, bool asksWhichConfig) {
    m_trainer.reset(); // its thread has ended
    refresh();
    schedulePoll();
    if (!outcome.ok() && asksWhichConfig) {
        Q_EMIT configAsked(QString::fromStdString(outcome.error().what));
    } else if (!outcome.ok() && outcome.error().code != ErrorCode::Interrupted) {
        m_failure = QString::fromStdString(outcome.error().message());
        Q_EMIT failed(m_failure);
    }
    Q_EMIT progressChanged();
    Q_EMIT ended();
}

void RunSession::take(FolderNews news) {
    if (news.run.record) {
        m_record = std::move(news.run.record);
        followForeignProgress();
        schedulePoll();
        Q_EMIT recordChanged();
    }
    takeFrames(news);
    takeLogs(news.run);
    if (news.error)
        Q_EMIT failed(QString::fromStdString(news.error->message()));
}

void RunSession::takeLogs(const RunNews& news) {
    if (news.samples.empty() && news.scores.empty() && !news.snapshots)
        return;
    m_samples.insert(m_samples.end(), news.samples.begin(), news.samples.end());
    for (const std::string& line : news.scores)
        m_scores.append(QString::fromStdString(line));
    if (news.snapshots) {
        m_snapshots.clear();
        for (const std::string& path : *news.snapshots)
            m_snapshots.append(QString::fromStdString(path));
    }
    Q_EMIT logsChanged();
}

void RunSession::takeFrames(FolderNews& news) {
    if (news.frames && news.frames->generation == m_request.generation) {
        m_base = std::move(news.frames->base);
        m_tuned = std::move(news.frames->tuned);
        // Communities of another step must not be shown with this frame.
        if (m_communities && m_communities->step != (m_tuned ? m_tuned->step : 0))
            m_communities.reset();
        Q_EMIT framesChanged();
    }
    if (news.communities && news.communities->generation == m_request.generation) {
        m_communities = std::move(news.communities->communities);
        Q_EMIT communitiesChanged();
    }
}

void RunSession::schedulePoll() {
    if (m_trainer || isSnapshot() || !m_record) {
        m_pollTimer.stop(); // changes are notified, or there are none
        return;
    }
    const int wait = isActive() ? (m_shown ? kPollLiveMs : 2 * kPollLiveMs) : kPollRestMs;
    if (!m_pollTimer.isActive() || m_pollTimer.interval() != wait)
        m_pollTimer.start(wait);
}

// The progress of a run that another process trains comes from its last log lines.
void RunSession::followForeignProgress() {
    if (m_trainer || m_record->metrics.empty())
        return;
    // The last line, not the highest step: a resume goes back to its checkpoint.
    const StepMetrics& last = *std::lower_bound(m_record->metrics.begin(),
        std::prev(m_record->metrics.end()), m_record->lastStep,
        [](const StepMetrics& m, std::int64_t step) { return m.step < step; });
    RunProgress progress;
    progress.phase = isPaused() ? RunPhase::Paused
        : isActive()            ? RunPhase::Training
                                : RunPhase::Unknown;
    progress.done = progress.step = last.step;
    progress.total = progress.steps = m_record->info.totalSteps;
    progress.tokensPerSecond = last.tokensPerSecond;
    progress.memoryBytes = last.memoryBytes;
    progress.paused = isPaused();
    if (isActive() && last.stepSeconds > 0)
        progress.secondsLeft = last.stepSeconds * static_cast<double>(progress.steps - last.step);
    m_progress = progress;
    Q_EMIT progressChanged();
}

} // namespace mooring
