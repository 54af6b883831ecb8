// SPDX-License-Identifier: GPL-3.0-or-later
// Starting a run, without torch in the header: what mooring-cli and the window include.
#pragma once
#include "core/config/live/live_control.h"
#include "core/model/trainable.h"
#include "core/view/run_progress.h"
#include "core/view/run_record.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <variant>

namespace mooring {

// Commands for a running trainer, in order. The trainer empties it between two optimizer steps and
// sleeps on it while paused. Thread-safe; the mutex stays inside.
class CommandQueue {
public:
    void post(Command command);
    std::vector<Command> takeAll();
    bool beginsWithStop(); // nothing is taken
    // Sleeps until something is posted, a stop is requested, or the time is up.
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
    virtual void trains(const TrainableTable&) { } // before the first step
    virtual void notice(const std::string& /*sentence*/) { }
    // A resume was not told which configuration to use. The Error that follows says so, and a
    // program that can ask the user resumes again with the answer.
    virtual void asksWhichConfig() { }
};

// If run.toml was edited since the checkpoint: which of the two applies from now on. Ask is an
// Error (Usage) that names the keys, after RunListener::asksWhichConfig().
enum class KeepConfig { Ask, Run, Checkpoint };

// Continues in its own folder from its newest complete checkpoint.
struct ResumedRun {
    std::string folder;
    KeepConfig keep = KeepConfig::Ask;
};
// The same configuration and the same live changes in another folder: the same bits.
struct ReplayedRun {
    std::string folder;
    std::string out;
};
// A new run from the weights of a checkpoint, with other settings and the same base.
struct ForkedRun {
    std::string folder;
    std::optional<std::int64_t> step; // absent: the newest complete one
    std::string out;
    Overrides changes; // over the parent's settings
    std::optional<RunConfig> config; // instead of those
};
// What is trained: a configuration from its start, or what a run folder holds.
using RunRequest = std::variant<RunConfig, ResumedRun, ReplayedRun, ForkedRun>;

struct RunOptions {
    std::int64_t stopAfter = 0; // finish this step, save and exit; 0: run to the end
};

struct RunOutcome {
    std::string folder;
    RunState state = RunState::Finished;
    std::int64_t lastStep = 0;
    double estimatedMemory = 0; // bytes; 0: there was no estimate
    double takenMemory = 0; // the process's peak minus what it held before
};

// Trains to the end on the calling thread. A stop request finishes the step, saves and returns
// Interrupted. Torch exceptions become an Error here (Device for memory and devices, RunFailed for
// non-finite numbers). Resuming a finished run returns its outcome at once, with a notice.
Result<RunOutcome> runTraining(const RunRequest& request, const RunOptions& options,
    CommandQueue& commands, RunListener& listener, std::stop_token stop);

} // namespace mooring
