// SPDX-License-Identifier: GPL-3.0-or-later
// Expectations are worked out by hand from the ramp rule old + (new - old)(j + 1)/r.
#include "core/config/live/live_control.h"
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace mooring {

using testing::HasSubstr;
using testing::IsEmpty;
using Strengths = std::map<std::string, double>;

MethodConfig method(const char* id) {
    MethodConfig config;
    config.id = id;
    return config;
}

std::vector<AppliedChange> set(LiveControls& controls, const std::string& line, std::int64_t step) {
    const auto command = parseCommand(line);
    EXPECT_TRUE(command) << command.error().message();
    const auto changes = controls.apply(*command, step);
    EXPECT_TRUE(changes) << changes.error().message();
    return changes ? *changes : std::vector<AppliedChange>{};
}

std::string refusal(LiveControls& controls, const std::string& line, std::int64_t step) {
    const LiveValues before = controls.at(step);
    const std::string saved = controls.save();
    const auto changes = controls.apply(*parseCommand(line), step);
    EXPECT_EQ(controls.at(step), before);
    EXPECT_EQ(controls.save(), saved);
    return changes ? "applied" : changes.error().what;
}

TEST(LiveControls, StartWithTheMethodsDefaults) {
    EXPECT_EQ(LiveControls(method("rpb")).at(1), (LiveValues{"rpb", 1.0, 1.0, {}}));
    EXPECT_EQ(LiveControls(method("sft")).at(1), (LiveValues{"sft", 0, 1.0, {}}));
    EXPECT_EQ(LiveControls(method("lbl")).at(1), (LiveValues{"lbl", 0, 1.0, {{"lbl", 1e-3}}}));
    MethodConfig mixed = method("rpb");
    mixed.beta = 0.75;
    mixed.also = {{"router_l2", 100}};
    EXPECT_EQ(LiveControls(mixed).at(1), (LiveValues{"rpb", 0.75, 1.0, {{"router_l2", 100}}}));
}

TEST(LiveControls, WithoutARampTheNewValueHoldsAtOnce) {
    LiveControls controls(method("rpb"));
    const auto changes = set(controls, R"({"set":{"beta":0.5}})", 10);
    EXPECT_EQ(controls.at(9).beta, 1.0);
    EXPECT_EQ(controls.at(10).beta, 0.5);
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].step, 10);
    EXPECT_EQ(changes[0].what, "beta");
    EXPECT_EQ(changes[0].before, "1.0");
    EXPECT_EQ(changes[0].after, "0.5");
    EXPECT_EQ(changes[0].source, "control");
}

TEST(LiveControls, ARampIsLinearAndEndsExactly) {
    LiveControls controls(method("rpb"));
    set(controls, R"({"set":{"beta":0.0},"ramp_steps":4})", 11);
    EXPECT_EQ(controls.at(10).beta, 1.0);
    EXPECT_EQ(controls.at(11).beta, 0.75);
    EXPECT_EQ(controls.at(12).beta, 0.5);
    EXPECT_EQ(controls.at(13).beta, 0.25);
    EXPECT_EQ(controls.at(14).beta, 0.0);
    EXPECT_EQ(controls.at(1000).beta, 0.0);
    EXPECT_EQ(controls.target().beta, 0.0);
}

TEST(LiveControls, ARampOfOneStepHoldsAtOnce) {
    LiveControls controls(method("rpb"));
    set(controls, R"({"set":{"beta":0.3},"ramp_steps":1})", 5);
    EXPECT_EQ(controls.at(5).beta, 0.3);
}

TEST(LiveControls, ANewRampStartsFromTheValueOfTheStepBefore) {
    LiveControls controls(method("rpb"));
    set(controls, R"({"set":{"beta":0.0},"ramp_steps":4})", 1); // .75 .5 .25 0
    set(controls, R"({"set":{"beta":1.0},"ramp_steps":2})", 3); // from .5: .75 1
    EXPECT_EQ(controls.at(3).beta, 0.75);
    EXPECT_EQ(controls.at(4).beta, 1.0);
}

TEST(LiveControls, TheLearningRateRampsTooAndOutlivesAMethod) {
    LiveControls controls(method("rpb"));
    set(controls, R"({"set":{"lr_scale":0.5},"ramp_steps":2})", 3);
    EXPECT_EQ(controls.at(3).lrScale, 0.75);
    EXPECT_EQ(controls.at(4).lrScale, 0.5);
    set(controls, R"({"set":{"method":"sft"}})", 6);
    EXPECT_EQ(controls.at(6), (LiveValues{"sft", 0, 0.5, {}}));
}

TEST(LiveControls, OnASwitchTheOldTermEndsAndTheNewOneRampsFromZero) {
    LiveControls controls(method("rpb"));
    const auto changes
        = set(controls, R"({"set":{"method":"lbl","strength":0.4},"ramp_steps":4})", 20);
    EXPECT_EQ(controls.at(20), (LiveValues{"lbl", 0, 1.0, {{"lbl", 0.1}}}));
    EXPECT_EQ(controls.at(21).strengths, (Strengths{{"lbl", 0.2}}));
    EXPECT_EQ(controls.at(23).strengths, (Strengths{{"lbl", 0.4}}));
    ASSERT_EQ(changes.size(), 2u);
    EXPECT_EQ(changes[0].what, "method");
    EXPECT_EQ(changes[0].before, "\"rpb\"");
    EXPECT_EQ(changes[0].after, "\"lbl\"");
    EXPECT_EQ(changes[1].what, "strength");
    EXPECT_EQ(changes[1].before, "null");
    EXPECT_EQ(changes[1].after, "0.4");
    EXPECT_EQ(changes[1].rampSteps, 4);

    set(controls, R"({"set":{"method":"rpb"},"ramp_steps":2})", 30); // the default, 1.0
    EXPECT_EQ(controls.at(30), (LiveValues{"rpb", 0.5, 1.0, {}}));
    EXPECT_EQ(controls.at(31), (LiveValues{"rpb", 1.0, 1.0, {}}));
}

TEST(LiveControls, ASwitchWithoutARequestTakesTheDefaultStrength) {
    LiveControls controls(method("sft"));
    set(controls, R"({"set":{"method":"router_l2"}})", 2);
    EXPECT_EQ(controls.at(2), (LiveValues{"router_l2", 0, 1.0, {{"router_l2", 1e4}}}));
}

TEST(LiveControls, NamingTheMethodInForceDoesNotRestartIt) {
    LiveControls controls(method("rpb"));
    set(controls, R"({"set":{"method":"rpb","beta":0.5},"ramp_steps":2})", 2);
    EXPECT_EQ(controls.at(2).beta, 0.75);
    EXPECT_EQ(controls.at(3).beta, 0.5);
}

TEST(LiveControls, FurtherTermsComeAndGoBesideTheMethod) {
    LiveControls controls(method("rpb"));
    set(controls, R"({"set":{"also":{"lbl":0.5}},"ramp_steps":2})", 1);
    EXPECT_EQ(controls.at(1).strengths, (Strengths{{"lbl", 0.25}}));
    EXPECT_EQ(controls.at(2).strengths, (Strengths{{"lbl", 0.5}}));
    EXPECT_EQ(controls.at(2).beta, 1.0);
    const auto changes = set(controls, R"({"set":{"also":{"lbl":0}}})", 5);
    EXPECT_THAT(controls.at(5).strengths, IsEmpty());
    EXPECT_THAT(controls.target().strengths, IsEmpty());
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].what, "also.lbl");
    EXPECT_EQ(changes[0].before, "0.5");
}

TEST(LiveControls, ATermThatBecomesTheMethodKeepsItsValueAsTheStart) {
    LiveControls controls(method("rpb"));
    set(controls, R"({"set":{"also":{"lbl":0.5}}})", 1);
    set(controls, R"({"set":{"method":"lbl","strength":0.25},"ramp_steps":2})", 3);
    EXPECT_EQ(controls.at(3).strengths, (Strengths{{"lbl", 0.375}}));
    EXPECT_EQ(controls.at(4).strengths, (Strengths{{"lbl", 0.25}}));
    set(controls, R"({"set":{"method":"sft"}})", 6);
    EXPECT_THAT(controls.at(6).strengths, IsEmpty());
}

TEST(LiveControls, RejectWhatTheMethodLacksAndChangeNothing) {
    LiveControls sft(method("sft"));
    EXPECT_THAT(refusal(sft, R"({"set":{"beta":0.5}})", 2), HasSubstr("sft has no beta"));
    EXPECT_THAT(refusal(sft, R"({"set":{"lr_scale":2,"strength":1}})", 2),
        HasSubstr("sft has no strength"));
    EXPECT_THAT(
        refusal(sft, R"({"set":{"method":"lbl","beta":1}})", 2), HasSubstr("lbl has no beta"));
    LiveControls lbl(method("lbl"));
    EXPECT_THAT(refusal(lbl, R"({"set":{"also":{"lbl":1}}})", 2), HasSubstr("is the main method"));
}

TEST(LiveControls, RejectCommandsThatNoLineCouldGive) {
    LiveControls controls(method("rpb"));
    Command command;
    command.beta = std::nan("");
    EXPECT_FALSE(controls.apply(command, 2));
    command.beta = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(controls.apply(command, 2));
    command.beta.reset();
    command.method = "nothing";
    EXPECT_FALSE(controls.apply(command, 2));
}

TEST(LiveControls, ChangesAppliedOneByOneGiveWhatTheLineGave) {
    LiveControls whole(method("rpb"));
    set(whole, R"({"set":{"method":"lbl","strength":0.3},"ramp_steps":3})", 7);
    LiveControls parts(method("rpb"));
    set(parts, R"({"set":{"method":"lbl"},"ramp_steps":3})", 7);
    set(parts, R"({"set":{"strength":0.3},"ramp_steps":3})", 7);
    EXPECT_EQ(whole.save(), parts.save());
}

TEST(LiveControls, ComeBackFromACheckpointToTheBit) {
    MethodConfig start = method("rpb");
    start.beta = 0.1 + 0.2;
    start.also = {{"lbl", 1.0 / 3.0}};
    LiveControls controls(start);
    set(controls, R"({"set":{"beta":0.7},"ramp_steps":7})", 3);
    set(controls, R"({"set":{"also":{"lbl":0},"lr_scale":0.3},"ramp_steps":11})", 5);
    const auto restored = LiveControls::restore(controls.save());
    ASSERT_TRUE(restored) << restored.error().message();
    for (std::int64_t step = 5; step < 20; ++step)
        EXPECT_EQ(restored->at(step), controls.at(step)) << step;
    EXPECT_EQ(restored->save(), controls.save());
    LiveControls again = *restored;
    set(again, R"({"set":{"beta":0},"ramp_steps":3})", 6);
    set(controls, R"({"set":{"beta":0},"ramp_steps":3})", 6);
    EXPECT_EQ(again.save(), controls.save());
}

TEST(LiveControls, ABrokenStateIsAnErrorAndNoCrash) {
    for (const char* text : {"", "[]", "{}", R"({"method":"rpb"})",
             R"({"method":"nothing","beta":[0,0,0,0],"lr_scale":[1,1,0,0],"strengths":{}})",
             R"({"method":"rpb","beta":[0,0,0],"lr_scale":[1,1,0,0],"strengths":{}})",
             R"({"method":"rpb","beta":[0,0,0,-1],"lr_scale":[1,1,0,0],"strengths":{}})",
             R"({"method":"rpb","beta":[0,0,0,0],"lr_scale":[1,1,0,0],"strengths":{"rpb":1}})",
             R"({"method":"rpb","beta":[0,0,0,0],"lr_scale":[1,null,0,0],"strengths":{}})"})
        EXPECT_FALSE(LiveControls::restore(text)) << text;
}

} // namespace mooring
