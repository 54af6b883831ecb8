// SPDX-License-Identifier: GPL-3.0-or-later
// The training thread, and the two slots through which it reports and is steered.
#pragma once
#include "core/train/run.h"
#include <atomic>
#include <thread>

namespace mooring {

// What the trainer reported since the last drain.
struct TrainerNews {
    std::optional<RunProgress> progress; // the latest only
    std::string folder; // once known
    std::vector<std::string> notices; // every one, in order
    std::optional<Result<RunOutcome>> outcome; // once, at the end
    bool folderChanged = false;
    bool asksWhichConfig = false; // with the outcome: an Error that the user can respond to
};

// Created, used and destroyed in one thread (the GUI's); the trainer itself exists only on the
// inner thread. `notify` is called there, once per unread piece of news, and returns at once.
class TrainerThread : private RunListener {
public:
    TrainerThread(RunRequest request, std::function<void()> notify);
    ~TrainerThread() override; // requests a stop and waits until the step is done and saved

    CommandQueue& commands() { return m_commands; }
    void requestStop() { m_thread.request_stop(); }
    TrainerNews take(); // the next news notifies again

private:
    void progress(const RunProgress& progress) override;
    void opened(const std::string& runFolder) override;
    void changed() override;
    void notice(const std::string& sentence) override;
    void asksWhichConfig() override { m_asked = true; }
    void notifyOnce();

    std::function<void()> m_notify;
    std::atomic<bool> m_unread{false};
    std::atomic<bool> m_changed{false};
    std::mutex m_mutex; // guards m_news; never held during other calls
    TrainerNews m_news;
    bool m_asked = false; // on the trainer's thread
    CommandQueue m_commands;
    std::jthread m_thread; // last, since it uses everything above
};

} // namespace mooring
