// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_state.h"
#include "tests/core/run/run_folder_maker.h"
#include <gtest/gtest.h>

namespace mooring {
namespace {

TEST(RunState, EveryNameInAManifestIsReadAsTheStateItWasWrittenFor) {
    for (const auto state : {RunState::Running, RunState::Paused, RunState::Finished,
             RunState::Stopped, RunState::Failed})
        EXPECT_EQ(parseRunState(stateName(state)), state) << stateName(state);
    EXPECT_STREQ(stateName(RunState::Interrupted), "stopped");
    for (const char* word : {"", "Finished", "finished ", "done"})
        EXPECT_EQ(parseRunState(word), RunState::Unknown) << word;
}

TEST(RunState, AManifestThatIsAbsentBrokenOrOfWrongTypesSaysNothingOfTheEnding) {
    const TemporaryFolder folder("run-ending");
    EXPECT_EQ(readRunEnding(folder.path()).state, RunState::Unknown);
    for (const char* text : {"", "[", "[1]", R"({"state": 3, "steps": "7", "error": null})"}) {
        writeText(folder / "manifest.json", text);
        const auto ending = readRunEnding(folder.path());
        EXPECT_EQ(ending.state, RunState::Unknown) << text;
        EXPECT_EQ(ending.steps, 0) << text;
        EXPECT_EQ(ending.error, "") << text;
    }
    writeText(folder / "manifest.json",
        R"({"state": "failed", "steps": 9, "exit_code": 6, "error": "the loss is not finite"})");
    const auto ending = readRunEnding(folder.path());
    EXPECT_EQ(ending.state, RunState::Failed);
    EXPECT_EQ(ending.steps, 9);
    EXPECT_EQ(ending.exitCode, 6);
    EXPECT_EQ(ending.error, "the loss is not finite");
}

} // namespace
} // namespace mooring
