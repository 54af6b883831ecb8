// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/live/live_control.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {

using testing::HasSubstr;

std::string reasonOf(const std::string& line) {
    const auto command = parseCommand(line);
    return command ? "understood" : command.error().what;
}

TEST(ParseCommand, UnderstandsTheLinesOfTheContract) {
    const auto beta = parseCommand(R"({"set": {"beta": 0.5}, "ramp_steps": 20})");
    ASSERT_TRUE(beta) << beta.error().message();
    EXPECT_EQ(beta->beta, 0.5);
    EXPECT_EQ(beta->rampSteps, 20);
    EXPECT_EQ(beta->source, "control");
    EXPECT_EQ(beta->text, R"({"set": {"beta": 0.5}, "ramp_steps": 20})");
    const auto both = parseCommand(R"({"set": {"method": "router_l2", "strength": 300}})");
    ASSERT_TRUE(both) << both.error().message();
    EXPECT_EQ(both->method, "router_l2");
    EXPECT_EQ(both->strength, 300);
    EXPECT_EQ(both->rampSteps, 0);
    EXPECT_EQ(parseCommand(R"({"set": {"lr_scale": 0.5}})")->lrScale, 0.5);
    const auto also = parseCommand(R"({"set": {"also": {"lbl": 1e-3, "router_l2": 0}}})");
    ASSERT_TRUE(also) << also.error().message();
    EXPECT_EQ(also->also, (std::map<std::string, double>{{"lbl", 1e-3}, {"router_l2", 0}}));
}

TEST(ParseCommand, UnderstandsEveryWord) {
    for (const RunAction word :
        {RunAction::Pause, RunAction::Resume, RunAction::Step, RunAction::Stop, RunAction::Snapshot,
            RunAction::Checkpoint, RunAction::Evaluate, RunAction::Sample}) {
        const auto command = parseCommand(std::string("{\"do\": \"") + runActionName(word) + "\"}");
        ASSERT_TRUE(command) << command.error().message();
        EXPECT_EQ(command->word, word);
    }
}

TEST(ParseCommand, SaysWhyALineIsNotUnderstood) {
    EXPECT_THAT(reasonOf(""), HasSubstr("not a JSON object"));
    EXPECT_THAT(reasonOf("[1]"), HasSubstr("not a JSON object"));
    EXPECT_THAT(reasonOf("{\"set\""), HasSubstr("not a JSON object"));
    EXPECT_THAT(reasonOf("{}"), HasSubstr("either set or do"));
    EXPECT_THAT(reasonOf(R"({"set":{"beta":1},"do":"pause"})"), HasSubstr("either set or do"));
    EXPECT_THAT(reasonOf(R"({"set":{}})"), HasSubstr("object of changes"));
    EXPECT_THAT(reasonOf(R"({"set":{"beta":"1"}})"), HasSubstr("beta must be a number"));
    EXPECT_THAT(reasonOf(R"({"set":{"beta":null}})"), HasSubstr("beta must be a number"));
    EXPECT_THAT(reasonOf(R"({"set":{"beta":-1}})"), HasSubstr("0 or more"));
    EXPECT_THAT(reasonOf(R"({"set":{"beta":1e999}})"), HasSubstr("not a JSON object"));
    EXPECT_THAT(reasonOf(R"({"set":{"betta":1}})"), HasSubstr("did you mean \"beta\"?"));
    EXPECT_THAT(reasonOf(R"({"sets":{"beta":1}})"), HasSubstr("did you mean \"set\"?"));
    EXPECT_THAT(reasonOf(R"({"do":"puase"})"), HasSubstr("did you mean \"pause\"?"));
    EXPECT_THAT(reasonOf(R"({"do":3})"), HasSubstr("do must be a string"));
    EXPECT_THAT(reasonOf(R"({"do":"step","ramp_steps":3})"), HasSubstr("only to set"));
    EXPECT_THAT(reasonOf(R"({"set":{"beta":1},"ramp_steps":1.5})"), HasSubstr("integer"));
    EXPECT_THAT(reasonOf(R"({"set":{"beta":1},"ramp_steps":-1})"), HasSubstr("integer"));
    EXPECT_THAT(
        reasonOf(R"({"set":{"beta":1},"ramp_steps":18446744073709551615})"), HasSubstr("integer"));
    EXPECT_THAT(reasonOf(R"({"set":{"method":"lbll"}})"), HasSubstr("did you mean \"lbl\"?"));
    EXPECT_THAT(reasonOf(R"({"set":{"also":{"rpb":1}}})"), HasSubstr("not a penalty"));
    EXPECT_THAT(reasonOf(R"({"set":{"also":{}}})"), HasSubstr("object of strengths"));
    EXPECT_THAT(reasonOf(std::string(100000, ' ')), HasSubstr("longer than"));
    EXPECT_THAT(reasonOf(std::string(60000, '[')), HasSubstr("not a JSON object"));
}

TEST(CommandLine, GivesTheCommandBack) {
    for (const char* line : {R"({"ramp_steps":20,"set":{"beta":0.1}})", R"({"do":"snapshot"})",
             R"({"set":{"also":{"lbl":0.001},"lr_scale":2.0,"method":"lbl","strength":0.3}})"}) {
        const auto command = parseCommand(line);
        ASSERT_TRUE(command) << command.error().message();
        EXPECT_EQ(commandLine(*command), line);
    }
}

} // namespace mooring
