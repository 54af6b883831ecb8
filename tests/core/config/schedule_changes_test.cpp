// SPDX-License-Identifier: GPL-3.0-or-later
// Steps and ramps worked out by hand: s = floor(a N) + 1, r = round(u N) - s + 1.
#include "config_testing.h"
#include "core/config/live/schedule_changes.h"
#include <gmock/gmock.h>

namespace mooring {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<PlannedCommand> planned(const RunConfig& config, std::int64_t steps) {
    const auto commands = scheduledCommands(config, steps);
    EXPECT_TRUE(commands) << commands.error().message();
    return commands ? *commands : std::vector<PlannedCommand>{};
}

const char* const kReleased = "[[schedule]]\nat = 0.5\nset = {beta = 0.0}\nramp_until = 0.9\n";

TEST(Schedule, ReleasedReachesZeroExactlyAtNineTenths) {
    const RunConfig config = mustParse(kReleased);
    const auto commands = planned(config, 240);
    ASSERT_EQ(commands.size(), 1u);
    EXPECT_EQ(commands[0].step, 121); // floor(120) + 1
    EXPECT_EQ(commands[0].command.rampSteps, 96); // 216 - 121 + 1
    EXPECT_EQ(commands[0].command.beta, 0.0);
    EXPECT_EQ(commands[0].command.source, "schedule");
    LiveControls controls(config.method);
    ASSERT_TRUE(controls.apply(commands[0].command, commands[0].step));
    EXPECT_EQ(controls.at(120).beta, 1.0);
    EXPECT_DOUBLE_EQ(controls.at(121).beta, 95.0 / 96);
    EXPECT_NEAR(controls.at(215).beta, 1.0 / 96, 1e-15);
    EXPECT_EQ(controls.at(216).beta, 0.0);
}

TEST(Schedule, SharesAreFlooredForTheStartAndRoundedForTheEnd) {
    const auto commands = planned(mustParse(kReleased), 7);
    EXPECT_EQ(commands[0].step, 4); // floor(3.5) + 1
    EXPECT_EQ(commands[0].command.rampSteps, 3); // round(6.3) = 6, steps 4 5 6
    EXPECT_EQ(planned(mustParse("schedule = [{at = 0.0, set = {beta = 0.5}}]"), 7)[0].step, 1);
}

TEST(Schedule, InARunOfOneStepThereIsNoRamp) {
    const auto commands = planned(mustParse(kReleased), 1);
    EXPECT_EQ(commands[0].step, 1); // floor(0.5) + 1
    EXPECT_EQ(commands[0].command.rampSteps, 1); // round(0.9) = 1
    const auto late
        = planned(mustParse("schedule = [{at = 0.5, set = {beta = 0.0}, ramp_until = 0.51}]"), 10);
    EXPECT_EQ(late[0].step, 6);
    EXPECT_EQ(late[0].command.rampSteps, 0); // round(5.1) = 5 lies before step 6
}

TEST(Schedule, ExplicitStepsAndRampsAreKept) {
    const auto commands = planned(
        mustParse("schedule = [{step = 12, set = {lr_scale = 0.5}, ramp_steps = 4}]"), 100);
    EXPECT_EQ(commands[0].step, 12);
    EXPECT_EQ(commands[0].command.rampSteps, 4);
    const auto until
        = planned(mustParse("schedule = [{step = 11, set = {beta = 0.5}, ramp_until = 0.2}]"), 100);
    EXPECT_EQ(until[0].command.rampSteps, 10); // steps 11 to 20
}

TEST(Schedule, EntriesComeInTheOrderOfTheirSteps) {
    const auto commands = planned(
        mustParse("schedule = [{at = 0.5, set = {beta = 0.5}}, {step = 3, set = {beta = 2}},"
                  "{step = 51, set = {beta = 0.1}}]"),
        100);
    ASSERT_EQ(commands.size(), 3u);
    EXPECT_EQ(commands[0].step, 3);
    EXPECT_EQ(commands[1].step, 51);
    EXPECT_EQ(commands[1].command.beta, 0.5);
    EXPECT_EQ(commands[2].command.beta, 0.1);
}

TEST(Schedule, ARunWithoutPlansHasNoCommands) {
    EXPECT_THAT(planned(mustParse(""), 100), IsEmpty());
}

struct BadEntry {
    const char* entry;
    const char* key;
    const char* text;
};

class BadSchedule : public testing::TestWithParam<BadEntry> { };

TEST_P(BadSchedule, IsRejectedWithItsLine) {
    const std::string line = std::string("schedule = [") + GetParam().entry + "]";
    EXPECT_THAT(errorOf(line),
        AllOf(HasSubstr("line 4"), HasSubstr(GetParam().key), HasSubstr(GetParam().text)));
}

INSTANTIATE_TEST_SUITE_P(Entries, BadSchedule,
    testing::Values(BadEntry{"{set = {beta = 0.0}}", "schedule[0]", "needs at"},
        BadEntry{"{at = 0.5, step = 3, set = {beta = 0.0}}", "schedule[0].step", "both set"},
        BadEntry{"{at = 1.0, set = {beta = 0.0}}", "schedule[0].at", "below 1"},
        BadEntry{"{at = nan, set = {beta = 0.0}}", "schedule[0].at", "below 1"},
        BadEntry{"{step = -3, set = {beta = 0.0}}", "schedule[0].step", "1 or more"},
        BadEntry{"{at = 0.5}", "schedule[0].set", "needs set"},
        BadEntry{"{at = 0.5, set = 3}", "schedule[0].set", "must be a table"},
        BadEntry{"{at = 0.5, set = {}}", "schedule[0].set", "object of changes"},
        BadEntry{"{at = 0.5, set = {beta = 1979-05-27}}", "schedule[0].set", "a number"},
        BadEntry{"{at = 0.5, set = {betta = 0}}", "schedule[0].set", "did you mean \"beta\"?"},
        BadEntry{"{at = 0.5, set = {strength = 1}}", "schedule[0].set", "rpb has no strength"},
        BadEntry{"{at = 0.5, set = {method = \"z_los\"}}", "schedule[0].set", "z_loss"},
        BadEntry{"{at = 0.5, set = {beta = 0}, ramp_steps = -1}", "ramp_steps", "0 or more"},
        BadEntry{"{at = 0.5, set = {beta = 0}, ramp_until = 0.5}", "ramp_until", "above at"},
        BadEntry{"{at = 0.5, set = {beta = 0}, ramp_until = 1.5}", "ramp_until", "at most 1"},
        BadEntry{"{step = 50, set = {beta = 0}, ramp_until = 0.1}", "ramp_until", "before"},
        BadEntry{"{at = 0.5, set = {beta = 0}, ramp_steps = 2, ramp_until = 0.9}", "ramp_until",
            "both set"},
        BadEntry{"{at = 0.2, set = {method = \"sft\"}}, {at = 0.5, set = {beta = 0}}",
            "schedule[1].set", "sft has no beta"}));

TEST(Schedule, AMethodThatNeedsThePriorIsRejectedWhereThereIsNone) {
    EXPECT_THAT(errorOf("method.id = \"sft\"\nprior.compute = \"never\"\n"
                        "schedule = [{at = 0.5, set = {method = \"rpb\"}}]"),
        AllOf(HasSubstr("line 6, schedule[0].set"), HasSubstr("rpb needs the prior")));
}

TEST(Schedule, SharesAreTriedOutThoughTheStepsOfEpochsAreUnknown) {
    EXPECT_THAT(
        errorOf("schedule = [{at = 0.5, set = {strength = 1}}]", {{"optimizer.epochs", "2"}}),
        HasSubstr("rpb has no strength"));
    EXPECT_EQ(errorOf(kReleased, {{"optimizer.epochs", "2"}}), "no error");
    EXPECT_THAT(errorOf("schedule = [{at = 0.5, set = {beta = 0}}, {step = 2, set = {betta = 1}}]",
                    {{"optimizer.epochs", "2"}}),
        HasSubstr("did you mean \"beta\"?"));
}

} // namespace mooring
