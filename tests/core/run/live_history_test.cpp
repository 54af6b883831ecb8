// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_lines.h"
#include "core/run/live_history.h"
#include "core/run/run_reader.h"
#include "tests/core/run/run_folder_maker.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> linesOf(const LiveHistory& history) {
    std::vector<std::string> lines;
    for (const auto& [step, command] : history.changes)
        lines.push_back(std::to_string(step) + " " + command.source + " " + commandLine(command));
    return lines;
}

TEST(LiveHistory, HoldsWhatPeopleChangedInItsOrderAndNothingElse) {
    const TemporaryFolder folder("history");
    writeText(folder / "events.jsonl",
        R"({"step": 4, "source": "window", "what": "beta", "old": 1.0, "new": 0.5, "ramp_steps": 3}
{"step": 2, "source": "control", "what": "method", "old": "rpb", "new": "lbl", "control_offset": 40}
{"step": 2, "source": "control", "what": "strength", "old": 0.001, "new": 0.25, "control_offset": 40}
{"step": 2, "source": "control", "what": "pause", "control_offset": 57}
{"step": 3, "source": "control", "what": "rejected", "line": "{}", "reason": "no", "control_offset": 61}
{"step": 3, "source": "schedule", "what": "lr_scale", "old": 1.0, "new": 0.5}
{"step": 3, "source": "program", "what": "checkpoint", "new": "step-000002"}
{"step": 5, "source": "window", "what": "also.z_loss", "old": 0.0, "new": 0.125}
not a line
{"step": 5, "source": "window", "what": "beta", "ne)");
    const auto history = readLiveHistory(folder.path(), 0);
    EXPECT_THAT(linesOf(history),
        ElementsAre(R"(2 control {"set":{"method":"lbl"}})",
            R"(2 control {"set":{"strength":0.25}})",
            R"(4 window {"ramp_steps":3,"set":{"beta":0.5}})",
            R"(5 window {"set":{"also":{"z_loss":0.125}}})"));
    EXPECT_EQ(history.controlOffset, 61u);
}

TEST(LiveHistory, OfTheStepsAfterACheckpointLeavesOutWhatItHolds) {
    const TemporaryFolder folder("history-after");
    writeText(folder / "events.jsonl",
        "{\"step\":2,\"source\":\"window\",\"what\":\"beta\",\"new\":0.5}\n"
        "{\"step\":3,\"source\":\"window\",\"what\":\"beta\",\"new\":0.75}\n");
    EXPECT_THAT(linesOf(readLiveHistory(folder.path(), 2)),
        ElementsAre(R"(3 window {"set":{"beta":0.75}})"));
    EXPECT_THAT(linesOf(readLiveHistory(folder.path(), 3)), IsEmpty());
}

TEST(LiveHistory, IsEmptyWithoutALog) {
    const TemporaryFolder folder("history-none");
    EXPECT_THAT(readLiveHistory(folder.path(), 0).changes, IsEmpty());
    EXPECT_EQ(readLiveHistory(folder.path(), 0).controlOffset, 0u);
}

// A command of several keys is in the log as one event per key: applied one after the other they
// give what the command gave.
TEST(LiveHistory, AppliedAgainGivesTheSameControls) {
    MethodConfig initial;
    initial.id = "rpb";
    initial.beta = 1.0;
    const std::vector<std::pair<std::int64_t, std::string>> said = {
        {2, R"({"set": {"beta": 0.5, "lr_scale": 0.5}, "ramp_steps": 5})"},
        {4, R"({"set": {"method": "lbl", "strength": 0.4, "also": {"router_l2": 10}}, "ramp_steps": 3})"},
        {5, R"({"set": {"also": {"router_l2": 0}}})"},
        {6, R"({"set": {"method": "within_soft", "beta": 0.75}, "ramp_steps": 2})"}};
    const TemporaryFolder folder("history-again");
    LiveControls first(initial);
    for (const auto& [step, line] : said) {
        auto command = parseCommand(line);
        ASSERT_TRUE(command.ok());
        const auto changes = first.apply(*command, step);
        ASSERT_TRUE(changes.ok()) << changes.error().message();
        for (const auto& c : *changes)
            appendText(folder / "events.jsonl",
                jsonLine(toJson(
                    RunEvent{c.step, {}, c.source, c.what, c.before, c.after, c.rampSteps, {}}))
                    + "\n");
    }
    LiveControls again(initial);
    for (const auto& [step, command] : readLiveHistory(folder.path(), 0).changes)
        ASSERT_TRUE(again.apply(command, step).ok());
    EXPECT_EQ(again.save(), first.save());
    for (std::int64_t step = 1; step <= 10; ++step)
        EXPECT_EQ(again.at(step), first.at(step)) << step;
}

} // namespace
} // namespace mooring
