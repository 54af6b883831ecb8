// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that read a run or a snapshot take its .mooring.zip as well (docs/formats.md#snapshot).
#include "tests/app/archive/zip_cases.h"
#include "tests/app/cli/cli_testing.h"
#include <cstdlib>

namespace mooring::testing {
namespace {

using ::testing::HasSubstr;

std::vector<ZipCase> entriesOf(const fs::path& folder, const std::string& under = {}) {
    std::vector<ZipCase> entries;
    for (const auto& file : fs::recursive_directory_iterator(folder))
        if (file.is_regular_file())
            entries.push_back({under + fs::relative(file.path(), folder).generic_string(),
                readText(file.path())});
    return entries;
}

// Whatever a program unpacks lies under `temporary`.
class ZippedRun : public ::testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(temporary);
        ::setenv("TMPDIR", temporary.c_str(), 1);
        const auto outcome = runCli({"snapshot", plainRun().string(), "--out", snapshot.string()});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        writeText(zip, zipOf(entriesOf(snapshot)));
    }
    void TearDown() override { ::unsetenv("TMPDIR"); }

    TemporaryFolder place;
    fs::path temporary = place / "temporary";
    fs::path snapshot = place / "snapshot";
    fs::path zip = place / "it.mooring.zip";
};

#ifdef MOORING_READS_ZIPS

TEST_F(ZippedRun, IsComparedWithTheNumbersOfItsFolderAndLeavesNothingBehind) {
    const auto folder = runCli({"compare", snapshot.string(), "--json"});
    const auto zipped = runCli({"compare", zip.string(), "--json"});
    ASSERT_EQ(zipped.code, 0) << zipped.err;
    EXPECT_EQ(Json::parse(zipped.out), Json::parse(folder.out));
    EXPECT_TRUE(fs::is_empty(temporary));
}

TEST_F(ZippedRun, StandsInTheTableOverRunsUnderItsOwnPath) {
    const auto outcome = runCli({"compare", plainRun().string(), zip.string(), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto rows = Json::parse(outcome.out);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1]["run"], zip.string());
    EXPECT_EQ(rows[1]["name"], rows[0]["name"]);
    EXPECT_EQ(rows[1]["retention"], rows[0]["retention"]);
    EXPECT_TRUE(fs::is_empty(temporary));
}

TEST_F(ZippedRun, MayHoldItsSnapshotInAFolder) {
    writeText(zip, zipOf(entriesOf(snapshot, "inside/")));
    const auto outcome = runCli({"snapshot", zip.string(), "--out", (place / "copy").string()});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(readText(place / "copy/frames/base.safetensors"),
        readText(snapshot / "frames/base.safetensors"));
    EXPECT_EQ(
        readText(place / "copy/tables/overlap.csv"), readText(snapshot / "tables/overlap.csv"));
    EXPECT_TRUE(fs::is_empty(temporary));
}

TEST_F(ZippedRun, GivesItsLogsToTensorBoard) {
    const auto outcome
        = runCli({"export", zip.string(), "--to", "tensorboard", (place / "events").string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(fs::is_empty(place / "events"));
    EXPECT_TRUE(fs::is_empty(temporary));
}

TEST_F(ZippedRun, HasNoWeightsToExport) {
    const auto outcome = runCli({"export", zip.string(), "--to", "hf", (place / "model").string()});
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("checkpoint"));
    EXPECT_FALSE(fs::exists(place / "model"));
    EXPECT_TRUE(fs::is_empty(temporary));
}

TEST_F(ZippedRun, ThatReachesOutOfItsFolderOrIsNoneIsRefused) {
    auto entries = entriesOf(snapshot);
    entries.push_back({"../evil.txt", "x"});
    writeText(zip, zipOf(entries));
    const auto evil = runCli({"compare", zip.string()});
    EXPECT_EQ(evil.code, 3) << evil.err;
    EXPECT_THAT(evil.err, HasSubstr("evil.txt"));
    writeText(zip, "PK\x03\x04 no zip at all");
    EXPECT_EQ(runCli({"compare", zip.string()}).code, 3);
    EXPECT_TRUE(fs::is_empty(temporary));
    EXPECT_FALSE(fs::exists(place / "evil.txt"));
    const auto absent = runCli({"compare", (place / "absent.mooring.zip").string()});
    EXPECT_EQ(absent.code, 3) << absent.err;
}

#else

TEST_F(ZippedRun, IsRefusedWithAWayOutWhereTheProgramWasBuiltWithoutQt) {
    const auto outcome = runCli({"compare", zip.string()});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("unpack it first"));
    EXPECT_TRUE(fs::is_empty(temporary));
}

#endif

} // namespace
} // namespace mooring::testing
