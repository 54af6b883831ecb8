// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/view/run_progress.h"
#include <gtest/gtest.h>
#include <set>

namespace mooring {
namespace {

TEST(RunPhase, EveryPhaseHasWordsOfItsOwn) {
    std::set<std::string> words;
    for (int i = static_cast<int>(RunPhase::Starting); i <= static_cast<int>(RunPhase::Finished);
         ++i)
        EXPECT_TRUE(words.insert(phaseWords(static_cast<RunPhase>(i))).second) << i;
    EXPECT_FALSE(words.contains(""));
    EXPECT_STREQ(phaseWords(RunPhase::Unknown), "");
}

TEST(RunPhase, TheDetailIsInItsPlaceAndIsNotReadAsAPlaceItself) {
    EXPECT_EQ(phaseText({.phase = RunPhase::Evaluating, .detail = "%1"}), "evaluating %1");
    EXPECT_EQ(phaseText({.phase = RunPhase::TryingLongestBatch, .detail = "12"}),
        "trying the longest batch, step 12");
    EXPECT_EQ(phaseText({.phase = RunPhase::Saving, .detail = "12"}), "saving");
}

TEST(RunPhase, CommandsAreHeardBetweenStepsAndNotInPreparationsOrLongMeasurements) {
    for (const auto phase : {RunPhase::Starting, RunPhase::PriorPass, RunPhase::TryingLongestBatch,
             RunPhase::Evaluating, RunPhase::Sampling, RunPhase::TestingCommunities})
        EXPECT_FALSE(hearsCommands(phase)) << phaseWords(phase);
    for (const auto phase : {RunPhase::Training, RunPhase::Paused, RunPhase::Probing})
        EXPECT_TRUE(hearsCommands(phase)) << phaseWords(phase);
}

} // namespace
} // namespace mooring
