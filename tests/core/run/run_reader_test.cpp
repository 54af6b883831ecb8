// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/atomic_folder.h"
#include "core/run/run_reader.h"
#include "tests/core/run/run_folder_maker.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace mooring {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string manifestWithState(const std::string& state) {
    std::string text = kManifest;
    return text.replace(text.find("finished"), 8, state);
}

TEST(RunReader, GivesTheFiguresOfManifestAndConfiguration) {
    const TemporaryFolder folder("run-info");
    makeRun(folder.path());
    const auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok()) << reader.error().message();
    const RunInfo& info = reader->record().info;
    EXPECT_EQ(info.name, "first");
    EXPECT_EQ(info.state, RunState::Finished);
    EXPECT_EQ(info.family, "olmoe");
    EXPECT_EQ(info.device, "cpu");
    EXPECT_EQ(info.compute, "fp32");
    EXPECT_THAT(info.layers, ElementsAre(1, 2));
    EXPECT_EQ(info.experts, 4);
    EXPECT_EQ(info.topK, 2);
    EXPECT_EQ(info.totalSteps, 120);
    EXPECT_EQ(info.trainableParameters, 300);
    EXPECT_EQ(info.totalParameters, 500);
    EXPECT_EQ(info.biasSd, 0.5);
    EXPECT_EQ(info.biasRange, 2.5);
    EXPECT_EQ(info.upperClampShare, 0.125);
    EXPECT_EQ(info.probe.rho, 1.0);
    EXPECT_EQ(info.probe.detectorSeed, 7);
    EXPECT_THAT(info.probe.domains, ElementsAre("math", "chat"));
    EXPECT_FALSE(info.snapshot);
    EXPECT_THAT(reader->record().frameSteps, ElementsAre(50, 100));
    EXPECT_EQ(reader->framePath(50), folder / "frames/step-000050.safetensors");
    EXPECT_EQ(reader->brokenLines(), 0);
}

TEST(RunReader, GivesTheFiguresOfShuffledPriorsAndTheTokenReference) {
    const TemporaryFolder folder("run-prior");
    makeRun(folder.path());
    writeText(folder / "manifest.json", R"({"state": "finished", "prior": {
        "gate": "sigmoid_normalised", "empty_spans": 3,
        "shuffles": {"within_communities": {"changed": 0.25, "bias_change_90": 0.5,
                                            "upper_clamp": 0.0625},
                     "all_experts": {"changed": 0.875, "bias_change_90": "large"}},
        "token_reference": {"source": "one base forward pass per step", "bytes_if_stored": 4096}}})");
    writeText(folder / "run.toml",
        "[optimizer]\nsteps = 120\ngate_bias_rate = 1e-3\n"
        "[method]\napplies_to = \"selection_only\"\nlbl_scope = \"sequence\"\n");
    const auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok()) << reader.error().message();
    const RunInfo& info = reader->record().info;
    EXPECT_EQ(info.priorGate, "sigmoid_normalised");
    EXPECT_EQ(info.emptySpans, 3);
    ASSERT_TRUE(info.shuffledWithin);
    EXPECT_EQ(info.shuffledWithin->changed, 0.25);
    EXPECT_EQ(info.shuffledWithin->biasChange90, 0.5);
    EXPECT_EQ(info.shuffledWithin->upperClamp, 0.0625);
    EXPECT_FALSE(info.shuffledAll); // figures that are none are not shown as zeros
    EXPECT_EQ(info.tokenReference, "one base forward pass per step");
    EXPECT_EQ(info.tokenReferenceBytes, 4096);
    EXPECT_EQ(info.appliesTo, "selection_only");
    EXPECT_EQ(info.lblScope, "sequence");
    EXPECT_EQ(info.gateBiasRate, 1e-3);
}

TEST(RunReader, GivesWhatMemoryWasEstimatedAndTaken) {
    const TemporaryFolder folder("run-memory");
    makeRun(folder.path());
    writeText(folder / "manifest.json",
        R"({"state": "finished", "memory": {"estimated": 900, "before": 100, "peak": 850}})");
    auto ended = RunReader::open(folder.path());
    ASSERT_TRUE(ended.ok()) << ended.error().message();
    EXPECT_EQ(ended->record().info.estimatedMemory, 900);
    EXPECT_EQ(ended->record().info.takenMemory, 750);
    writeText(folder / "manifest.json",
        R"({"state": "running", "memory": {"estimated": 900, "before": 100}})");
    EXPECT_EQ(RunReader::open(folder.path())->record().info.takenMemory, std::nullopt);
}

TEST(RunReader, FollowsALiveRunAndSaysWhetherSomethingIsNew) {
    const TemporaryFolder folder("run-live");
    makeRun(folder.path());
    auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(reader->record().metrics.size(), 1u);
    EXPECT_FALSE(reader->poll());
    appendText(folder / "metrics.jsonl", "{\"step\": 2, \"ce\"");
    EXPECT_FALSE(reader->poll()); // half a line
    appendText(folder / "metrics.jsonl", ": 2.25}\n");
    EXPECT_TRUE(reader->poll());
    EXPECT_EQ(reader->record().metrics.back().ce, 2.25);
    appendText(folder / "events.jsonl", "{\"step\": 3, \"what\": \"pause\"}\n");
    EXPECT_TRUE(reader->poll());
    EXPECT_EQ(reader->record().events.size(), 2u);
    ASSERT_TRUE(writeFrame(folder / "frames/step-000075.safetensors", smallFrame(75), false).ok());
    EXPECT_TRUE(reader->poll());
    EXPECT_THAT(reader->record().frameSteps, ElementsAre(50, 75, 100));
    EXPECT_FALSE(reader->poll());
}

TEST(RunReader, TheLastLineOfAStepAndDomainCounts) {
    const TemporaryFolder folder("run-resumed");
    makeRun(folder.path());
    writeText(folder / "metrics.jsonl",
        "{\"step\":1,\"ce\":3}\n{\"step\":2,\"ce\":2}\n{\"step\":3,\"ce\":1}\n"
        "{\"step\":2,\"ce\":20}\n");
    writeText(folder / "retention.jsonl",
        "{\"step\":50,\"domain\":\"math\",\"mean\":{\"tvd\":0.1}}\n"
        "{\"step\":50,\"domain\":\"chat\",\"mean\":{\"tvd\":0.2}}\n"
        "{\"step\":60,\"domain\":\"math\",\"mean\":{\"tvd\":0.3}}\n"
        "{\"step\":50,\"domain\":\"math\",\"mean\":{\"tvd\":0.4}}\n");
    const auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok());
    std::vector<std::pair<int, double>> ce, tvd;
    for (const auto& metrics : reader->record().metrics)
        ce.emplace_back(metrics.step, metrics.ce);
    for (const auto& row : reader->record().retention)
        tvd.emplace_back(row.step, row.mean.tvd);
    EXPECT_THAT(ce, ElementsAre(std::pair(1, 3.0), std::pair(2, 20.0), std::pair(3, 1.0)));
    EXPECT_THAT(tvd, ElementsAre(std::pair(50, 0.4), std::pair(50, 0.2), std::pair(60, 0.3)));
}

TEST(RunReader, KnowsTheStepThatWasWrittenLast) {
    const TemporaryFolder folder("run-went-back");
    makeRun(folder.path());
    writeText(folder / "metrics.jsonl",
        "{\"step\":1,\"ce\":3}\n{\"step\":2,\"ce\":2}\n{\"step\":3,\"ce\":1}\n");
    auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(reader->record().lastStep, 3);
    appendText(folder / "metrics.jsonl", "{\"step\":2,\"ce\":2}\n"); // resumed from step 1
    reader->poll();
    EXPECT_EQ(reader->record().lastStep, 2);
    EXPECT_EQ(reader->record().metrics.size(), 3u);
}

TEST(RunReader, WhatLiesBeyondTheStepWhereAResumedRunWasStoppedIsNoPartOfIt) {
    const TemporaryFolder folder("run-stopped-earlier");
    makeRun(folder.path());
    std::string metrics, training, retention;
    for (int step = 1; step <= 100; ++step) {
        const auto n = std::to_string(step);
        metrics += "{\"step\":" + n + ",\"ce\":1}\n";
        training += "{\"step\":" + n + ",\"layers\":[1],\"counts\":[[3,4]]}\n";
    }
    for (const char* step : {"50", "100"})
        retention += "{\"step\":" + std::string(step) + ",\"domain\":\"math\",\"layers\":[]}\n";
    writeText(folder / "metrics.jsonl", metrics);
    writeText(folder / "training.jsonl", training);
    writeText(folder / "retention.jsonl", retention);
    auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(reader->record().lastStep, 100);
    std::string manifest = kManifest;
    manifest.replace(manifest.find("finished"), 8, "stopped");
    manifest.insert(manifest.find("\"error\""), "\"step\": 60, ");
    writeText(folder / "manifest.json", manifest);
    EXPECT_TRUE(reader->poll());
    for (const auto& record : {reader->record(), RunReader::open(folder.path())->record()}) {
        EXPECT_EQ(record.lastStep, 60);
        EXPECT_EQ(record.metrics.size(), 60u);
        EXPECT_EQ(record.training.size(), 60u);
        EXPECT_EQ(record.retention.size(), 1u);
        EXPECT_THAT(record.frameSteps, ElementsAre(50));
    }
}

TEST(RunReader, ReadsALogAnewThatAnotherTookThePlaceOf) {
    const TemporaryFolder folder("run-replaced");
    makeRun(folder.path());
    auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok());
    ASSERT_EQ(reader->record().events.size(), 1u);
    writeText(folder / "other", "{\"step\":7,\"what\":\"beta\",\"new\":0.125}\n");
    std::filesystem::rename(folder / "other", folder / "events.jsonl");
    EXPECT_TRUE(reader->poll());
    ASSERT_EQ(reader->record().events.size(), 1u);
    EXPECT_EQ(reader->record().events[0].step, 7);
}

TEST(RunReader, SaysWhichRunAForkCameFrom) {
    const TemporaryFolder folder("run-fork");
    makeRun(folder.path());
    auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(reader->record().info.parentRun, "");
    std::string manifest = kManifest;
    manifest.insert(1, "\"parent\": {\"run\": \"/runs/first\", \"step\": 40},");
    writeText(folder / "manifest.json", manifest);
    EXPECT_TRUE(reader->poll());
    EXPECT_EQ(reader->record().info.parentRun, "/runs/first");
    EXPECT_EQ(reader->record().info.parentStep, 40);
}

TEST(RunReader, BrokenLinesAreSkippedAndCounted) {
    const TemporaryFolder folder("run-broken");
    makeRun(folder.path());
    writeText(folder / "metrics.jsonl",
        "{\"step\":1,\"ce\":3}\nrubbish\n\n[1]\n{\"ce\":1}\n{\"step\":2,\"ce\":\"x\"}\n"
            + std::string("{\"step\":3,\"ce\":\"\xff\"}\n{\"step\":4,\"ce\":1}\n"));
    // Deeper than any value should be: what walks it recursively would run out of stack.
    writeText(folder / "events.jsonl",
        "{\"step\":1,\"what\":\"x\",\"new\":" + std::string(500000, '[') + std::string(500000, ']')
            + "}\n");
    const auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(reader->record().metrics.size(), 2u);
    EXPECT_TRUE(reader->record().events.empty());
    EXPECT_EQ(reader->brokenLines(), 7);
}

TEST(RunReader, ARunWhoseTrainerDiedIsInterrupted) {
    const TemporaryFolder folder("run-killed");
    makeRun(folder.path());
    for (const char* state : {"running", "paused"}) {
        writeText(folder / "manifest.json", manifestWithState(state));
        auto reader = RunReader::open(folder.path());
        ASSERT_TRUE(reader.ok());
        EXPECT_EQ(reader->record().info.state, RunState::Interrupted) << state;
        EXPECT_FALSE(reader->poll());
    }
}

TEST(RunReader, ARunWhoseTrainerHoldsTheLockIsLive) {
    const TemporaryFolder folder("run-held");
    makeRun(folder.path());
    writeText(folder / "manifest.json", manifestWithState("running"));
    auto lock = FileLock::acquire(folder / "run.lock");
    ASSERT_TRUE(lock.ok());
    std::optional<FileLock> held(std::move(*lock));
    auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(reader->record().info.state, RunState::Running);
    writeText(folder / "manifest.json", manifestWithState("paused"));
    EXPECT_TRUE(reader->poll());
    EXPECT_EQ(reader->record().info.state, RunState::Paused);
    held.reset();
    EXPECT_TRUE(reader->poll());
    EXPECT_EQ(reader->record().info.state, RunState::Interrupted);
}

TEST(RunReader, OpensAFolderWithTheBaseFrameAlone) {
    const TemporaryFolder folder("run-probe");
    makeRun(folder.path());
    for (const char* name : {"manifest.json", "run.toml", "run.lock"})
        std::filesystem::remove(folder / name);
    const auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok()) << reader.error().message();
    EXPECT_THAT(reader->record().info.layers, ElementsAre(1, 2));
    EXPECT_EQ(reader->record().info.experts, 4);
    EXPECT_THAT(reader->record().info.probe.domains, ElementsAre("math", "chat"));
}

TEST(RunReader, OtherFoldersAndFilesAreRejectedWithASentence) {
    const TemporaryFolder folder("run-none");
    writeText(folder / "a.mooring.zip", "PK");
    const auto zip = RunReader::open(folder / "a.mooring.zip");
    ASSERT_FALSE(zip.ok());
    EXPECT_EQ(zip.error().code, ErrorCode::Usage);
    EXPECT_THAT(zip.error().message(), HasSubstr("unzip it"));
    for (const auto& path : {folder.path(), folder / "absent"}) {
        const auto none = RunReader::open(path);
        ASSERT_FALSE(none.ok());
        EXPECT_EQ(none.error().code, ErrorCode::Input);
        EXPECT_THAT(none.error().message(), HasSubstr(path.string()));
    }
}

TEST(RunReader, AManifestThatIsNotJsonIsAnErrorAndWrongValuesAreLeftOut) {
    const TemporaryFolder folder("run-manifest");
    makeRun(folder.path());
    writeText(folder / "manifest.json", "{\"state\": \"fin");
    EXPECT_FALSE(RunReader::open(folder.path()).ok());
    writeText(folder / "manifest.json",
        R"({"state": 3, "layers": [1, "x"], "E": 1e9, "K": -2, "steps": "many", "parameters": [],
            "probe": {"rho": 7, "resolution": -1, "detector_seed": 1e30, "domains": 5}})");
    const auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok());
    const RunInfo& info = reader->record().info;
    EXPECT_EQ(info.state, RunState::Unknown);
    EXPECT_EQ(info.probe.rho, 0.10);
    EXPECT_EQ(info.probe.resolution, 1.0);
    EXPECT_EQ(info.probe.detectorSeed, 0);
    EXPECT_EQ(info.totalSteps, 120); // from run.toml
}

TEST(RunReader, APipeInThePlaceOfALogDoesNotHoldItUp) {
    const TemporaryFolder folder("run-pipe");
    makeRun(folder.path());
    std::filesystem::remove(folder / "metrics.jsonl");
    ASSERT_EQ(::mkfifo((folder / "metrics.jsonl").c_str(), 0600), 0);
    ASSERT_EQ(::mkfifo((folder / "frames/step-000200.safetensors").c_str(), 0600), 0);
    const auto reader = RunReader::open(folder.path());
    ASSERT_TRUE(reader.ok());
    EXPECT_TRUE(reader->record().metrics.empty());
    EXPECT_THAT(reader->record().frameSteps, ElementsAre(50, 100));
}

} // namespace
} // namespace mooring
