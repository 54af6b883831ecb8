// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "core/train/run.h"
#include "core/train/run_reader.h"
#include <cstdio>
#include <thread>
#include <unistd.h>

namespace mooring::cli {

namespace {

struct TrainArguments {
    std::string file;
    std::vector<std::string> set;
    std::int64_t stopAfter = 0;
};

std::string clock(double seconds) {
    char text[32];
    const auto whole = static_cast<long>(seconds + 0.5);
    std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
    return text;
}

// A progress line that rewrites itself on a terminal, and a line every so often in a log.
class ConsoleListener : public RunListener {
public:
    explicit ConsoleListener(bool quiet)
        : m_quiet(quiet)
        , m_terminal(::isatty(STDERR_FILENO) != 0) { }
    ~ConsoleListener() override {
        if (m_open)
            std::fprintf(stderr, "\n");
    }
    void progress(const RunProgress& p) override {
        if (m_quiet)
            return;
        const bool training = p.phase == "training" || p.phase == "finished";
        if (!m_terminal
            && ((training && p.step % 20 != 0 && p.step != p.steps)
                || (!training && p.phase == m_phase)))
            return;
        m_phase = p.phase;
        std::string line;
        if (training) {
            line = "step " + std::to_string(p.step) + "/" + std::to_string(p.steps);
            if (p.secondsLeft >= 0)
                line += "  " + clock(p.secondsLeft) + " left";
            char rate[64];
            std::snprintf(rate, sizeof rate, "  %.1fk tok/s  %.2f GB", p.tokensPerSecond / 1e3,
                p.memoryBytes / 1e9);
            line += rate;
        } else {
            line = p.phase;
            if (p.total > 0)
                line += " " + std::to_string(p.done) + "/" + std::to_string(p.total);
        }
        std::fprintf(stderr, m_terminal ? "\r\033[K%s" : "%s\n", line.c_str());
        std::fflush(stderr);
        m_open = m_terminal;
    }
    void notice(const std::string& sentence) override {
        std::fprintf(stderr, "note: %s\n", sentence.c_str());
    }
    void opened(const std::string& folder) override {
        if (!m_quiet)
            std::fprintf(stderr, "%srun folder: %s\n", m_open ? "\n" : "", folder.c_str());
        m_open = false;
    }

private:
    bool m_quiet;
    bool m_terminal;
    bool m_open = false;
    std::string m_phase;
};

Result<Overrides> parseOverrides(const std::vector<std::string>& words) {
    Overrides overrides;
    for (const auto& word : words) {
        const auto at = word.find('=');
        if (at == std::string::npos || at == 0)
            return Error{ErrorCode::Usage, "'" + word + "' is not key=value", "--set",
                "write --set optimizer.lr=1e-4"};
        overrides.emplace_back(word.substr(0, at), word.substr(at + 1));
    }
    return overrides;
}

Result<void> trainFile(const TrainArguments& arguments, bool json) {
    MOORING_TRY(const auto overrides, parseOverrides(arguments.set));
    MOORING_TRY(const auto config, loadRunConfig(arguments.file, overrides));
    catchInterrupts();
    CommandQueue commands;
    std::stop_source stop;
    // The signal handler may only set a flag; this thread turns it into a stop request.
    std::jthread watcher([&](std::stop_token done) {
        while (!done.stop_requested()) {
            if (interrupted())
                stop.request_stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    });
    ConsoleListener listener(json);
    const auto outcome
        = runTraining(config, {arguments.stopAfter}, commands, listener, stop.get_token());
    watcher.request_stop();
    if (!outcome.ok())
        return outcome.error();
    const bool cut = outcome->state == RunState::Interrupted;
    if (json)
        std::printf("%s\n",
            nlohmann::json{{"run", outcome->folder}, {"step", outcome->lastStep},
                {"state", outcome->state == RunState::Finished ? "finished" : "stopped"}}
                .dump()
                .c_str());
    else
        std::printf("%s\n", outcome->folder.c_str());
    if (cut && outcome->lastStep == 0)
        return Error{ErrorCode::Interrupted,
            "interrupted before step 1, so that nothing was trained", outcome->folder,
            "start it again"};
    if (cut)
        return Error{ErrorCode::Interrupted,
            "interrupted after step " + std::to_string(outcome->lastStep) + " and saved",
            outcome->folder, "the last checkpoint holds this step"};
    return {};
}

} // namespace

void addTrain(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "train", "train by a run configuration",
        "mooring-cli train run.toml --set method.beta=0.5 --stop-after 100");
    auto arguments = std::make_shared<TrainArguments>();
    command->add_option("config", arguments->file, "run configuration (TOML)")->required();
    command->add_option("--set", arguments->set, "key=value, over the file; may be repeated")
        ->take_all();
    command->add_option("--stop-after", arguments->stopAfter, "finish this step, save and leave")
        ->check(CLI::PositiveNumber);
    command->callback([&invocation, arguments] {
        invocation.work
            = [&invocation, arguments] { return trainFile(*arguments, invocation.json); };
    });
}

} // namespace mooring::cli
