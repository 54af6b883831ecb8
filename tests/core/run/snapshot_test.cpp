// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_reader.h"
#include "core/run/snapshot.h"
#include "tests/core/run/run_folder_maker.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace mooring {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> namesIn(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            names.push_back(std::filesystem::relative(entry.path(), folder).string());
    std::sort(names.begin(), names.end());
    return names;
}

const std::vector<std::string> kWholeSnapshot = {"events.jsonl", "frames/base.safetensors",
    "frames/step-000050.safetensors", "frames/step-000100.safetensors",
    "graphs/layer-1-base.graphml", "graphs/layer-1.graphml", "graphs/layer-2-base.graphml",
    "graphs/layer-2.graphml", "graphs/transitions-layer-1-base.graphml",
    "graphs/transitions-layer-1-to-2-base.graphml", "graphs/transitions-layer-1-to-2.graphml",
    "graphs/transitions-layer-1.graphml", "graphs/transitions-layer-2-base.graphml",
    "graphs/transitions-layer-2.graphml", "manifest.json", "metrics.jsonl", "retention.jsonl",
    "run.toml", "tables/communities-moved.csv", "tables/communities.csv", "tables/overlap.csv",
    "tables/transitions.csv", "tables/utilisation.csv", "tables/validity.csv", "training.jsonl"};

TEST(Snapshot, HoldsTheRoutingPartOfTheRunAndOpensAsOne) {
    const TemporaryFolder folder("snapshot-whole");
    makeRun(folder / "run");
    const auto written = writeSnapshot(folder / "run", folder / "out", std::nullopt);
    ASSERT_TRUE(written.ok()) << written.error().message();
    EXPECT_EQ(namesIn(folder / "out"), kWholeSnapshot);
    EXPECT_EQ(readText(folder / "out/manifest.json"), kManifest);
    const auto reader = RunReader::open(folder / "out");
    ASSERT_TRUE(reader.ok());
    EXPECT_TRUE(reader->record().info.snapshot);
    EXPECT_EQ(reader->record().metrics.size(), 1u);
    EXPECT_EQ(namesIn(folder.path()).size(),
        namesIn(folder / "run").size() + kWholeSnapshot.size()); // no leftovers
}

TEST(Snapshot, OfALiveRunKeepsTheStateThatItsManifestRecords) {
    const TemporaryFolder folder("snapshot-state");
    makeRun(folder / "run");
    std::string manifest = kManifest;
    writeText(
        folder / "run/manifest.json", manifest.replace(manifest.find("finished"), 8, "running"));
    ASSERT_TRUE(writeSnapshot(folder / "run", folder / "out", 50).ok());
    EXPECT_EQ(RunReader::open(folder / "out")->record().info.state, RunState::Running);
}

std::string linesOf(const std::string& table, const std::string& beginning) {
    std::istringstream text(table);
    std::string found;
    for (std::string line; std::getline(text, line);)
        if (line.starts_with(beginning))
            found += line + "\n";
    return found;
}

TEST(Snapshot, TakesTheValidityThatTheRunMeasuredWithTheSameSettings) {
    const TemporaryFolder folder("snapshot-validity");
    makeRun(folder / "run");
    std::string rows;
    for (const char* domain : {"math", "chat", "pooled"})
        rows += std::string(R"({"step": 0, "domain": ")") + domain
            + R"(", "rho": 1.0, "resolution": 1.0, "detector_seed": 7, "null_graphs": 100,)"
              R"( "seeds": 5, "layers": [{"layer": 1, "null_q": 0.125}], "mean": {}})"
            + "\n";
    writeText(folder / "run/validity.jsonl", rows);
    ASSERT_TRUE(writeSnapshot(folder / "run", folder / "one", std::nullopt).ok());
    EXPECT_EQ(readText(folder / "one/validity.jsonl"), rows);
    EXPECT_EQ(linesOf(readText(folder / "one/tables/validity.csv"), "0,math"),
        "0,math,1,1,1,7,100,5,,0.125,,,,,,,,,\n");
    // Of another rho they are no use: measured again.
    writeText(folder / "run/validity.jsonl",
        std::string(rows).replace(rows.find("\"rho\": 1.0"), 10, "\"rho\": 0.5"));
    ASSERT_TRUE(writeSnapshot(folder / "run", folder / "two", std::nullopt).ok());
    EXPECT_THAT(
        linesOf(readText(folder / "two/tables/validity.csv"), "0,math"), Not(HasSubstr("0.125")));
}

TEST(Snapshot, OfASnapshotIsTheSame) {
    const TemporaryFolder folder("snapshot-again");
    makeRun(folder / "run");
    ASSERT_TRUE(writeSnapshot(folder / "run", folder / "one", std::nullopt).ok());
    ASSERT_TRUE(writeSnapshot(folder / "one", folder / "two", std::nullopt).ok());
    EXPECT_EQ(namesIn(folder / "two"), kWholeSnapshot);
    for (const std::string& name : kWholeSnapshot)
        EXPECT_EQ(readText(folder / "one" / name), readText(folder / "two" / name)) << name;
}

TEST(Snapshot, OfAStepHoldsTheBaseAndThatFrameOnly) {
    const TemporaryFolder folder("snapshot-step");
    makeRun(folder / "run");
    ASSERT_TRUE(writeSnapshot(folder / "run", folder / "out", 50).ok());
    EXPECT_TRUE(std::filesystem::exists(folder / "out/frames/base.safetensors"));
    EXPECT_TRUE(std::filesystem::exists(folder / "out/frames/step-000050.safetensors"));
    EXPECT_FALSE(std::filesystem::exists(folder / "out/frames/step-000100.safetensors"));
    EXPECT_THAT(readText(folder / "out/tables/overlap.csv"), Not(HasSubstr("100,math")));
}

TEST(Snapshot, OfAStepWithoutAFrameSaysWhichThereAre) {
    const TemporaryFolder folder("snapshot-nostep");
    makeRun(folder / "run");
    const auto written = writeSnapshot(folder / "run", folder / "out", 60);
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().code, ErrorCode::Input);
    EXPECT_THAT(written.error().message(), HasSubstr("step 60"));
    EXPECT_THAT(written.error().message(), HasSubstr("from step 50 to 100"));
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(Snapshot, TakesOnlyWholeLinesOfALogThatGrows) {
    const TemporaryFolder folder("snapshot-lines");
    makeRun(folder / "run");
    std::string lines;
    for (int step = 1; step <= 20000; ++step)
        lines += "{\"step\":" + std::to_string(step) + "}\n";
    writeText(
        folder / "run/metrics.jsonl", lines + "{\"step\":20001,\"ce\":" + std::string(70000, '1'));
    writeText(folder / "run/events.jsonl", "{\"step\"");
    ASSERT_TRUE(writeSnapshot(folder / "run", folder / "out", 0).ok());
    EXPECT_EQ(readText(folder / "out/metrics.jsonl"), lines);
    EXPECT_EQ(readText(folder / "out/events.jsonl"), "");
}

TEST(Snapshot, ReplacesAnOlderSnapshotAndNothingElse) {
    const TemporaryFolder folder("snapshot-place");
    makeRun(folder / "run");
    ASSERT_TRUE(writeSnapshot(folder / "run", folder / "out", 50).ok());
    ASSERT_TRUE(writeSnapshot(folder / "run", folder / "out", 100).ok());
    EXPECT_FALSE(std::filesystem::exists(folder / "out/frames/step-000050.safetensors"));
    std::filesystem::create_directories(folder / "precious");
    writeText(folder / "precious/thesis.txt", "years of work");
    const auto refused = writeSnapshot(folder / "run", folder / "precious", 50);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::Output);
    EXPECT_EQ(readText(folder / "precious/thesis.txt"), "years of work");
    EXPECT_FALSE(writeSnapshot(folder / "run", folder / "run", 50).ok());
}

TEST(HostileSnapshot, ABrokenOrForeignFrameIsAnErrorAndLeavesNothing) {
    const TemporaryFolder folder("snapshot-hostile");
    makeRun(folder / "run");
    const auto frame = folder / "run/frames/step-000050.safetensors";
    const std::string whole = readText(frame);
    for (const std::size_t size :
        {std::size_t{0}, std::size_t{5}, whole.size() / 2, whole.size() - 1}) {
        writeText(frame, whole.substr(0, size));
        const auto written = writeSnapshot(folder / "run", folder / "out", std::nullopt);
        ASSERT_FALSE(written.ok()) << size;
        EXPECT_EQ(written.error().code, ErrorCode::Input);
        EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    }
    RoutingFrame other = smallFrame(50);
    other.experts = 5;
    for (DomainFrame& domain : other.domains)
        domain = smallDomain(domain.name, other, domain.topkIds_TLK);
    ASSERT_TRUE(writeFrame(frame, other, false).ok());
    const auto written = writeSnapshot(folder / "run", folder / "out", std::nullopt);
    ASSERT_FALSE(written.ok());
    EXPECT_THAT(written.error().message(), HasSubstr("cannot be compared"));
    EXPECT_EQ(namesIn(folder.path()), [&] {
        std::vector<std::string> names;
        for (const auto& name : namesIn(folder / "run"))
            names.push_back("run/" + name);
        return names;
    }());
}

TEST(HostileSnapshot, WithoutABaseFrameItSaysSo) {
    const TemporaryFolder folder("snapshot-nobase");
    makeRun(folder / "run");
    std::filesystem::remove(folder / "run/frames/base.safetensors");
    const auto written = writeSnapshot(folder / "run", folder / "out", std::nullopt);
    ASSERT_FALSE(written.ok());
    EXPECT_THAT(written.error().message(), HasSubstr("base.safetensors"));
}

} // namespace
} // namespace mooring
