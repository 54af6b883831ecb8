// SPDX-License-Identifier: GPL-3.0-or-later
// The top of the trainer's thread: the only place where torch exceptions become errors.
#include "core/train/run.h"
#include "core/train/trainer.h"
#include <new>

namespace mooring {

void CommandQueue::post(Command command) {
    {
        const std::lock_guard lock(m_mutex);
        m_commands.push_back(std::move(command));
    }
    m_wake.notify_all();
}

std::vector<Command> CommandQueue::takeAll() {
    const std::lock_guard lock(m_mutex);
    std::vector<Command> all(m_commands.begin(), m_commands.end());
    m_commands.clear();
    return all;
}

bool CommandQueue::beginsWithStop() {
    const std::lock_guard lock(m_mutex);
    return !m_commands.empty() && m_commands.front().word == RunAction::Stop;
}

void CommandQueue::wait(std::stop_token stop, std::chrono::milliseconds time) {
    std::unique_lock lock(m_mutex);
    m_wake.wait_for(lock, stop, time, [this] { return !m_commands.empty(); });
}

namespace {

// Listens along: where the run is and what it did last, for the error message.
class Watch : public RunListener {
public:
    explicit Watch(RunListener& listener)
        : m_listener(listener) { }
    void progress(const RunProgress& p) override {
        last = p;
        m_listener.progress(p);
    }
    void opened(const std::string& path) override {
        folder = path;
        m_listener.opened(path);
    }
    void changed() override { m_listener.changed(); }
    void trains(const TrainableTable& table) override { m_listener.trains(table); }
    void notice(const std::string& sentence) override { m_listener.notice(sentence); }
    void asksWhichConfig() override { m_listener.asksWhichConfig(); }

    RunProgress last{.phase = RunPhase::Starting};
    std::string folder; // empty: not yet this run's to write

private:
    RunListener& m_listener;
};

bool isOutOfMemory(const std::exception& e) {
    const std::string text = e.what();
    for (const char* sign : {"out of memory", "not enough memory", "can't allocate memory"})
        if (text.find(sign) != std::string::npos)
            return true;
    return dynamic_cast<const std::bad_alloc*>(&e) != nullptr;
}

// Steps depend on the micro-batch; what comes before them has sizes of its own.
bool dependsOnBatch(RunPhase phase) {
    switch (phase) {
    case RunPhase::Starting:
    case RunPhase::LoadingModel:
    case RunPhase::ReadingData:
    case RunPhase::MeasuringBase:
    case RunPhase::PriorPass:
    case RunPhase::HeldOutPrior:
    case RunPhase::LoadingBase:
        return false;
    default:
        return true;
    }
}

// What would fit.
std::string smallerBatch(RunPhase phase, const BatchConfig& batch) {
    if (!dependsOnBatch(phase))
        return "close other programs, or use a smaller data.max_length or model";
    if (batch.microTokens > 1)
        return "halve batch.micro_tokens to " + std::to_string(batch.microTokens / 2);
    if (batch.micro > 1)
        return "halve batch.micro to " + std::to_string(batch.micro / 2);
    return "use a smaller data.max_length, or train only part of the model (train.what)";
}

// "you tried to allocate 123 bytes": torch reports the tensor's size, not its name.
std::string allocationOf(const std::string& text) {
    const auto at = text.find("tried to allocate ");
    if (at == std::string::npos)
        return {};
    const auto begin = at + std::string("tried to allocate ").size();
    return ", for a tensor of " + text.substr(begin, text.find_first_of(".\n", begin) - begin);
}

Error fromException(const std::exception& e, const RunProgress& last, const BatchConfig& batch) {
    const std::string text = e.what();
    if (isOutOfMemory(e))
        return {ErrorCode::Device, "not enough memory" + allocationOf(text), phaseText(last),
            smallerBatch(last.phase, batch)};
    return {ErrorCode::RunFailed, text.substr(0, text.find('\n')), phaseText(last),
        "the last checkpoint is kept"};
}

Result<RunOutcome> train(const RunRequest& request, const RunOptions& options,
    CommandQueue& commands, Watch& watch, std::stop_token stop, BatchConfig& batch) {
    MOORING_TRY(auto start, startOf(request, watch));
    batch = start.config.batch;
    if (start.finished) {
        watch.notice("the run is finished, its step " + std::to_string(start.step)
            + " was the last; fork it to continue training");
        return RunOutcome{start.folder->path().string(), RunState::Finished, start.step};
    }
    return Trainer(std::move(start), options, commands, watch, std::move(stop)).run();
}

} // namespace

Result<RunOutcome> runTraining(const RunRequest& request, const RunOptions& options,
    CommandQueue& commands, RunListener& listener, std::stop_token stop) {
    Watch watch(listener);
    BatchConfig batch;
    std::optional<Error> failure;
    try {
        auto outcome = train(request, options, commands, watch, std::move(stop), batch);
        if (outcome.ok())
            return outcome;
        failure = outcome.error();
    } catch (const std::exception& e) {
        failure = fromException(e, watch.last, batch);
    }
    // Whichever file failed first, the cause is that the folder is gone.
    if (!watch.folder.empty() && failure->code == ErrorCode::Output)
        if (const auto present = checkPresence(watch.folder); !present.ok())
            failure = present.error();
    if (!watch.folder.empty())
        markFailed(watch.folder, *failure);
    listener.changed();
    return *failure;
}

} // namespace mooring
