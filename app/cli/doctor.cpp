// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "core/measure/self_test.h"
#include <chrono>
#include <cstdio>

namespace mooring::cli {

namespace {

Result<void> doctor(bool json) {
    const auto findings = describeMachine();
    const auto begin = std::chrono::steady_clock::now();
    const auto test = selfTest();
    const double seconds
        = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (json) {
        nlohmann::json all;
        for (const auto& [name, finding] : findings)
            all[name] = finding;
        all["self_test"] = test.ok() ? "passed" : test.error().message();
        all["self_test_seconds"] = seconds;
        std::printf("%s\n", all.dump().c_str());
        return test;
    }
    for (const auto& [name, finding] : findings)
        std::printf("%-16s %s\n", name.c_str(), finding.c_str());
    if (test.ok())
        std::printf("%-16s passed in %.1f s: the loss decreases, two runs agree bit for bit\n",
            "self-test", seconds);
    return test;
}

} // namespace

void addDoctor(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "doctor",
        "describe this machine and run a self-test", "mooring-cli doctor");
    command->callback([&invocation] {
        invocation.needsEngine = true;
        invocation.work = [&invocation] { return doctor(invocation.json); };
    });
}

} // namespace mooring::cli
