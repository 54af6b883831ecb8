// SPDX-License-Identifier: GPL-3.0-or-later
// The top of the trainer's thread: the one place where exceptions of torch become sentences.
#include "core/train/run.h"
#include "core/train/engine/trainer.h"
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

void CommandQueue::wait(std::stop_token stop, std::chrono::milliseconds time) {
    std::unique_lock lock(m_mutex);
    m_wake.wait_for(lock, stop, time, [this] { return !m_commands.empty(); });
}

namespace {

Error fromException(const std::exception& e) {
    const std::string text = e.what();
    const bool memory = text.find("out of memory") != std::string::npos
        || text.find("not enough memory") != std::string::npos
        || dynamic_cast<const std::bad_alloc*>(&e);
    const auto firstLine = text.substr(0, text.find('\n'));
    if (memory)
        return {ErrorCode::Device, "there is not enough memory: " + firstLine, "training",
            "use a smaller batch.micro or data.max_length"};
    return {ErrorCode::RunFailed, firstLine, "training", "the last checkpoint is kept"};
}

} // namespace

Result<RunOutcome> runTraining(const RunConfig& config, const RunOptions& options,
    CommandQueue& commands, RunListener& listener, std::stop_token stop) {
    std::string folder;
    struct Watch : RunListener {
        RunListener& inner;
        std::string& folder;
        Watch(RunListener& l, std::string& f)
            : inner(l)
            , folder(f) { }
        void progress(const RunProgress& p) override { inner.progress(p); }
        void opened(const std::string& path) override {
            folder = path;
            inner.opened(path);
        }
        void changed() override { inner.changed(); }
        void notice(const std::string& sentence) override { inner.notice(sentence); }
    } watch(listener, folder);
    std::optional<Error> failure;
    try {
        Trainer trainer(config, options, commands, watch, stop);
        auto outcome = trainer.run();
        if (outcome.ok())
            return outcome;
        failure = outcome.error();
    } catch (const std::exception& e) {
        failure = fromException(e);
    }
    if (!folder.empty())
        markFailed(folder, *failure);
    listener.changed();
    return *failure;
}

} // namespace mooring
