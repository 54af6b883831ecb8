// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands that train share: train, resume, replay and fork.
#include "app/cli/training.h"
#include "app/cli/console_listener.h"
#include "core/base/format_bytes.h"
#include "core/model/memory_estimate.h"
#include "core/run/run_state.h"
#include "core/run/trainable_text.h"
#include <cstdio>

namespace mooring::cli {

Result<Overrides> parseOverrides(const std::vector<std::string>& words) {
    Overrides overrides;
    for (const auto& word : words) {
        const auto at = word.find('=');
        if (at == std::string::npos || at == 0)
            return Error{ErrorCode::Usage, "'" + word + "' is not of the form key=value", "--set",
                "write --set optimizer.lr=1e-4"};
        overrides.emplace_back(word.substr(0, at), word.substr(at + 1));
    }
    return overrides;
}

Result<void> trainAndReport(const RunRequest& request, std::int64_t stopAfter, bool json) {
    CommandQueue commands;
    ConsoleListener listener(json);
    const auto outcome = withStopOnInterrupt([&](std::stop_token stop) {
        return runTraining(request, {stopAfter}, commands, listener, std::move(stop));
    });
    if (!outcome.ok())
        return outcome.error();
    const bool cut = outcome->state == RunState::Interrupted;
    if (!json && outcome->estimatedMemory > 0)
        std::fprintf(stderr, "memory: %s estimated, %s at peak\n",
            formatBytes(outcome->estimatedMemory).c_str(),
            formatBytes(outcome->takenMemory).c_str());
    if (json)
        std::printf("%s\n",
            nlohmann::json{{"run", outcome->folder}, {"step", outcome->lastStep},
                {"state", stateName(outcome->state)}, {"parameters", toJson(listener.table())}}
                .dump()
                .c_str());
    else
        std::printf("%s\n", outcome->folder.c_str());
    if (cut && outcome->lastStep == 0)
        return Error{ErrorCode::Interrupted, "interrupted before step 1; nothing was trained",
            outcome->folder, "start it again"};
    if (cut)
        return Error{ErrorCode::Interrupted,
            "interrupted after step " + std::to_string(outcome->lastStep) + "; saved",
            outcome->folder, "the last checkpoint contains this step"};
    return {};
}

void addStopAfter(CLI::App& command, std::int64_t& step) {
    command.add_option("--stop-after", step, "finish this step, save and exit")
        ->check(CLI::PositiveNumber);
}

} // namespace mooring::cli
