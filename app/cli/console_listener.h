// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by commands that train: progress on standard error, and Ctrl-C as a stop request.
#pragma once
#include "app/cli/command.h"
#include "core/train/run.h"
#include <thread>

namespace mooring::cli {

std::string clock(double seconds); // 4:07

// A progress line that rewrites itself on a terminal, or an occasional line in a log.
class ConsoleListener : public RunListener {
public:
    explicit ConsoleListener(bool quiet);
    ~ConsoleListener() override;
    void progress(const RunProgress& p) override;
    void notice(const std::string& sentence) override;
    void opened(const std::string& folder) override;
    void trains(const TrainableTable& table) override;
    const TrainableTable& table() const { return m_table; } // empty before the start
    void endLine(); // the next output starts on a new line

private:
    bool m_quiet;
    bool m_terminal;
    bool m_open = false; // the cursor is after a progress line
    std::string m_lastPhase; // the phase reported last
    TrainableTable m_table;
};

// Runs work(stop token) on this thread. A signal handler may only set a flag; another thread turns
// it into a stop request.
template <typename Work>
auto withStopOnInterrupt(Work work) {
    catchInterrupts();
    std::stop_source stop;
    const std::jthread watcher([&stop](std::stop_token done) {
        while (!done.stop_requested()) {
            if (interrupted())
                stop.request_stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    });
    return work(stop.get_token());
}

} // namespace mooring::cli
