// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training.h"

namespace mooring::cli {

void addResume(CLI::App& app, Invocation& invocation) {
    struct Arguments {
        std::string run;
        std::string config;
        std::int64_t stopAfter = 0;
    };
    auto* command
        = newCommand(app, invocation, "resume", "resume a run from its newest complete checkpoint",
            "mooring-cli resume runs/demo --stop-after 200");
    auto arguments = std::make_shared<Arguments>();
    command->add_option("run", arguments->run, "run folder")->required();
    command
        ->add_option("--config", arguments->config,
            "if run.toml was edited since: run (the edited file) or checkpoint")
        ->check(CLI::IsMember({"run", "checkpoint"}));
    addStopAfter(*command, arguments->stopAfter);
    command->callback([&invocation, arguments] {
        invocation.needsEngine = true;
        invocation.work = [&invocation, arguments] {
            const auto keep = arguments->config == "run" ? KeepConfig::Run
                : arguments->config == "checkpoint"      ? KeepConfig::Checkpoint
                                                         : KeepConfig::Ask;
            return trainAndReport(
                ResumedRun{arguments->run, keep}, arguments->stopAfter, invocation.json);
        };
    });
}

} // namespace mooring::cli
