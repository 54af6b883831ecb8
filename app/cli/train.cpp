// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/console_listener.h"
#include "core/train/run_reader.h"
#include <cstdio>

namespace mooring::cli {

namespace {

struct TrainArguments {
    std::string file;
    std::vector<std::string> set;
    std::int64_t stopAfter = 0;
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
    CommandQueue commands;
    ConsoleListener listener(json);
    const auto outcome = withStopOnInterrupt([&](std::stop_token stop) {
        return runTraining(config, {arguments.stopAfter}, commands, listener, std::move(stop));
    });
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
