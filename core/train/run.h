// SPDX-License-Identifier: GPL-3.0-or-later
// Starting a run, without torch in the header: what mooring-cli and the window include.
#pragma once
#include "core/config/live_control.h"
#include "core/view/run_progress.h"
#include "core/view/run_record.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>

namespace mooring {

// Commands for a running trainer, in order. The trainer empties it between two optimizer steps and
// sleeps on it while paused. Thread-safe; the mutex stays inside.
class CommandQueue {
public:
    void post(Command command);
    std::vector<Command> takeAll();
    // Sleeps until something is posted, stop is asked for, or the time is over.
    void wait(std::stop_token stop, std::chrono::milliseconds time);

private:
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::deque<Command> m_commands;
};

// Called on the trainer's thread; implementations return at once.
class RunListener {
public:
    virtual ~RunListener() = default;
    virtual void progress(const RunProgress&) { }
    virtual void opened(const std::string& /*runFolder*/) { } // the folder can be read from now on
    virtual void changed() { } // the run folder has something new
    virtual void notice(const std::string& /*sentence*/) { }
};

struct RunOptions {
    std::int64_t stopAfter = 0; // finish this step, save and leave; 0: run to the end
};

struct RunOutcome {
    std::string folder;
    RunState state = RunState::Finished;
    std::int64_t lastStep = 0;
};

// Trains to the end on the calling thread. A stop request finishes the step, saves and returns
// Interrupted. Torch exceptions become an Error here (Device for memory and devices, RunFailed for
// non-finite numbers).
Result<RunOutcome> runTraining(const RunConfig& config, const RunOptions& options,
    CommandQueue& commands, RunListener& listener, std::stop_token stop);

} // namespace mooring
