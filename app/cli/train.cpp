// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training.h"

namespace mooring::cli {

void addTrain(CLI::App& app, Invocation& invocation) {
    struct Arguments {
        std::string file;
        std::vector<std::string> set;
        std::int64_t stopAfter = 0;
    };
    auto* command = newCommand(app, invocation, "train", "train a run from a configuration file",
        "mooring-cli train run.toml --set method.beta=0.5 --stop-after 100");
    auto arguments = std::make_shared<Arguments>();
    command->add_option("config", arguments->file, "run configuration (TOML)")->required();
    command->add_option("--set", arguments->set, "key=value, overrides the file; repeatable")
        ->take_all();
    addStopAfter(*command, arguments->stopAfter);
    command->callback([&invocation, arguments] {
        invocation.needsEngine = true;
        invocation.work = [&invocation, arguments]() -> Result<void> {
            MOORING_TRY(const auto overrides, parseOverrides(arguments->set));
            MOORING_TRY(const auto config, loadRunConfig(arguments->file, overrides));
            return trainAndReport(config, arguments->stopAfter, invocation.json);
        };
    });
}

} // namespace mooring::cli
