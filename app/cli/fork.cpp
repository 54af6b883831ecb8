// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training.h"

namespace mooring::cli {

void addFork(CLI::App& app, Invocation& invocation) {
    struct Arguments {
        ForkedRun request;
        std::vector<std::string> set;
        std::int64_t stopAfter = 0;
    };
    auto* command = newCommand(app, invocation, "fork",
        "start a new run from a checkpoint with other settings",
        "mooring-cli fork runs/demo --step 120 --out runs/lower --set optimizer.lr=1e-4");
    auto arguments = std::make_shared<Arguments>();
    command->add_option("run", arguments->request.folder, "folder of the parent run")->required();
    command->add_option(
        "--step", arguments->request.step, "step of the checkpoint; the newest if absent");
    command->add_option("--out", arguments->request.out, "folder for the new run")->required();
    command
        ->add_option(
            "--set", arguments->set, "key=value, overrides the parent's settings; repeatable")
        ->take_all();
    addStopAfter(*command, arguments->stopAfter);
    command->callback([&invocation, arguments] {
        invocation.needsEngine = true;
        invocation.work = [&invocation, arguments]() -> Result<void> {
            MOORING_TRY(arguments->request.changes, parseOverrides(arguments->set));
            return trainAndReport(arguments->request, arguments->stopAfter, invocation.json);
        };
    });
}

} // namespace mooring::cli
