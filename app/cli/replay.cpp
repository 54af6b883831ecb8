// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training.h"

namespace mooring::cli {

void addReplay(CLI::App& app, Invocation& invocation) {
    struct Arguments {
        ReplayedRun request;
        std::int64_t stopAfter = 0;
    };
    auto* command = newCommand(app, invocation, "replay",
        "repeat a run with its live changes at their steps, bit for bit",
        "mooring-cli replay runs/demo --out runs/demo-again");
    auto arguments = std::make_shared<Arguments>();
    command->add_option("run", arguments->request.folder, "run folder")->required();
    command->add_option("--out", arguments->request.out, "folder for the new run")->required();
    addStopAfter(*command, arguments->stopAfter);
    command->callback([&invocation, arguments] {
        invocation.needsEngine = true;
        invocation.work = [&invocation, arguments] {
            return trainAndReport(arguments->request, arguments->stopAfter, invocation.json);
        };
    });
}

} // namespace mooring::cli
