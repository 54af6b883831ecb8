// SPDX-License-Identifier: GPL-3.0-or-later
// The thread that trains, and the two slots through which it is heard and steered.
#pragma once
#include "core/train/run.h"
#include <atomic>
#include <thread>

namespace mooring {

// What the trainer said since the last time somebody listened.
struct TrainerNews {
    std::optional<RunProgress> progress; // the latest only
    std::string folder; // once known
    std::vector<std::string> notices; // every one, in order
    std::optional<Result<RunOutcome>> outcome; // once, at the end
    bool folderChanged = false;
    bool asksWhichConfig = false; // with the outcome: it is an Error that people can answer
};

// Made, asked and destroyed in one thread (the GUI's); the trainer itself lives and dies on the
// thread inside. `notify` is called there, once per unread piece of news, and returns at once.
class TrainerThread : private RunListener {
public:
    TrainerThread(RunRequest request, std::function<void()> notify);
    ~TrainerThread() override; // asks for a stop and waits until the step is done and saved

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
    std::mutex m_mutex; // of m_news; never held while something else is called
    TrainerNews m_news;
    bool m_asked = false; // on the trainer's thread
    CommandQueue m_commands;
    std::jthread m_thread; // last: it uses everything above
};

} // namespace mooring
