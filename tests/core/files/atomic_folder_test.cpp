// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/atomic_folder.h"
#include "tests/core/files/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace mooring {
namespace {

namespace fs = std::filesystem;
using test::get;
using test::put;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(WriteFileAtomically, ReplacesTheFileAndLeavesNothingElse) {
    test::TemporaryFolder folder;
    put(folder / "f", "old and longer");
    ASSERT_TRUE(writeFileAtomically(folder / "f", "new").ok());
    EXPECT_EQ(get(folder / "f"), "new");
    EXPECT_EQ(test::entriesOf(folder.path()), 1u);
}

TEST(WriteFileAtomically, AFullDiskKeepsTheOldFileAndLeavesNothingElse) {
    test::TemporaryFolder folder;
    put(folder / "f", "old");
    Result<void> result;
    {
        const std::string bytes(100'000, 'x');
        const test::FileSizeLimit limit(4096);
        result = writeFileAtomically(folder / "f", bytes);
    }
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::Output);
    EXPECT_THAT(result.error().message(), HasSubstr("free some space"));
    EXPECT_EQ(get(folder / "f"), "old");
    EXPECT_EQ(test::entriesOf(folder.path()), 1u);
}

TEST(WriteFileAtomically, AFolderThatIsMissingIsAnOutputErrorThatNamesTheFile) {
    test::TemporaryFolder folder;
    const auto result = writeFileAtomically(folder / "absent/f", "x");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::Output);
    EXPECT_THAT(result.error().where, HasSubstr("absent/f"));
}

TEST(WriteFileAtomically, ALinkAtThePlaceIsReplacedNotFollowed) {
    test::TemporaryFolder folder;
    put(folder / "outside", "kept");
    fs::create_symlink(folder / "outside", folder / "f");
    ASSERT_TRUE(writeFileAtomically(folder / "f", "new").ok());
    EXPECT_EQ(get(folder / "outside"), "kept");
    EXPECT_EQ(get(folder / "f"), "new");
}

TEST(ReadFile, GivesTheBytesAndRejectsWhatIsNoFile) {
    test::TemporaryFolder folder;
    const std::string bytes("a\0b\r\n\xff", 6);
    EXPECT_EQ(readFile(put(folder / "f", bytes)).value(), bytes);
    EXPECT_EQ(readFile(put(folder / "empty", "")).value(), "");
    EXPECT_THAT(readFile(folder / "absent").error().message(), HasSubstr("does not exist"));
    EXPECT_THAT(readFile(folder.path()).error().message(), HasSubstr("is a folder"));
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(readFile(folder / "pipe").error().message(), HasSubstr("is not a file"));
    EXPECT_FALSE(readFile("/dev/zero").ok());
}

TEST(ReadFile, FilesBeyondTheLimitAreRejected) {
    test::TemporaryFolder folder;
    put(folder / "f", "12345");
    EXPECT_EQ(readFile(folder / "f", 5).value(), "12345");
    const auto result = readFile(folder / "f", 4);
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error().message(), HasSubstr("larger than the 4 bytes"));
}

TEST(AtomicFolder, AppearsOnlyWhenCommitted) {
    test::TemporaryFolder folder;
    auto made = AtomicFolder::create(folder / "out");
    ASSERT_TRUE(made.ok());
    EXPECT_EQ(made->path().parent_path(), folder.path());
    put(made->path() / "f", "1");
    fs::create_directory(made->path() / "trainer");
    put(made->path() / "trainer/state", "2");
    EXPECT_FALSE(fs::exists(folder / "out"));
    ASSERT_TRUE(made->commit().ok());
    EXPECT_EQ(get(folder / "out/f"), "1");
    EXPECT_EQ(get(folder / "out/trainer/state"), "2");
    EXPECT_EQ(test::entriesOf(folder.path()), 1u);
    EXPECT_FALSE(made->commit().ok());
}

TEST(AtomicFolder, DestroyedBeforeCommitLeavesWhatStoodThere) {
    test::TemporaryFolder folder;
    fs::create_directory(folder / "out");
    put(folder / "out/f", "old");
    {
        auto made = AtomicFolder::create(folder / "out");
        ASSERT_TRUE(made.ok());
        put(made->path() / "f", "new");
        AtomicFolder moved = std::move(made).value();
        EXPECT_EQ(get(folder / "out/f"), "old");
    }
    EXPECT_EQ(get(folder / "out/f"), "old");
    EXPECT_EQ(test::entriesOf(folder.path()), 1u);
}

TEST(AtomicFolder, ReplacesTheOldFolderWhole) {
    test::TemporaryFolder folder;
    fs::create_directories(folder / "out/sub");
    put(folder / "out/sub/only-old", "x");
    auto made = AtomicFolder::create((folder / "out").string() + "/");
    ASSERT_TRUE(made.ok()) << made.error().message();
    put(made->path() / "f", "new");
    ASSERT_TRUE(made->commit().ok());
    EXPECT_EQ(get(folder / "out/f"), "new");
    EXPECT_FALSE(fs::exists(folder / "out/sub"));
    EXPECT_EQ(test::entriesOf(folder.path()), 1u);
}

TEST(AtomicFolder, ReplacesInTwoStepsWhereFoldersCannotBeExchanged) {
    test::TemporaryFolder folder;
    fs::create_directory(folder / "out");
    put(folder / "out/only-old", "x");
    fs::create_directory(folder / "new");
    put(folder / "new/f", "new");
    ASSERT_TRUE(replaceFolderInTwoSteps(folder / "new", folder / "out").ok());
    EXPECT_EQ(get(folder / "out/f"), "new");
    EXPECT_FALSE(fs::exists(folder / "out/only-old"));
    EXPECT_EQ(test::entriesOf(folder.path()), 1u);
}

TEST(AtomicFolder, AFailedSecondStepPutsTheOldFolderBack) {
    test::TemporaryFolder folder;
    fs::create_directory(folder / "out");
    put(folder / "out/f", "old");
    EXPECT_FALSE(replaceFolderInTwoSteps(folder / "absent", folder / "out").ok());
    EXPECT_EQ(get(folder / "out/f"), "old");
    EXPECT_EQ(test::entriesOf(folder.path()), 1u);
}

TEST(AtomicFolder, SweepsWhatAKilledProcessLeftButNotWhatALiveOneWrites) {
    test::TemporaryFolder folder;
    fs::create_directory(folder / ".out.part-1-0");
    put(folder / ".out.part-1-0/f", "left over");
    fs::create_directory(folder / ".other.part-1-0");
    auto live = AtomicFolder::create(folder / "out");
    ASSERT_TRUE(live.ok());
    EXPECT_FALSE(fs::exists(folder / ".out.part-1-0"));
    EXPECT_TRUE(fs::exists(folder / ".other.part-1-0"));
    put(live->path() / "f", "live");
    auto second = AtomicFolder::create(folder / "out");
    ASSERT_TRUE(second.ok());
    EXPECT_EQ(get(live->path() / "f"), "live");
    ASSERT_TRUE(live->commit().ok());
    EXPECT_EQ(get(folder / "out/f"), "live");
}

TEST(AtomicFolder, PutsBackTheOldFolderOfACommitThatWasKilledHalfway) {
    test::TemporaryFolder folder;
    fs::create_directory(folder / ".out.old-1-0");
    put(folder / ".out.old-1-0/f", "previous");
    { ASSERT_TRUE(AtomicFolder::create(folder / "out").ok()); }
    EXPECT_EQ(get(folder / "out/f"), "previous");
    fs::create_directory(folder / ".out.old-1-0");
    { ASSERT_TRUE(AtomicFolder::create(folder / "out").ok()); }
    EXPECT_EQ(test::entriesOf(folder.path()), 1u);
}

TEST(AtomicFolder, AFileAtThePlaceIsNeverReplaced) {
    test::TemporaryFolder folder;
    put(folder / "out", "precious");
    const auto refused = AtomicFolder::create(folder / "out");
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::Output);
    fs::remove(folder / "out");
    auto made = AtomicFolder::create(folder / "out");
    ASSERT_TRUE(made.ok());
    put(folder / "out", "precious");
    const auto result = made->commit();
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error().message(), HasSubstr("is a file"));
    EXPECT_EQ(get(folder / "out"), "precious");
}

TEST(AtomicFolder, ALinkAtThePlaceStaysAndItsTargetIsReplaced) {
    test::TemporaryFolder folder;
    fs::create_directories(folder / "disk/real");
    fs::create_directory_symlink(folder / "disk/real", folder / "out");
    auto made = AtomicFolder::create(folder / "out");
    ASSERT_TRUE(made.ok());
    put(made->path() / "f", "new");
    ASSERT_TRUE(made->commit().ok());
    EXPECT_TRUE(fs::is_symlink(folder / "out"));
    EXPECT_EQ(get(folder / "disk/real/f"), "new");
}

TEST(AtomicFolder, MakesTheFoldersAboveIt) {
    test::TemporaryFolder folder;
    auto made = AtomicFolder::create(folder / "a/b/out");
    ASSERT_TRUE(made.ok());
    ASSERT_TRUE(made->commit().ok());
    EXPECT_TRUE(fs::is_directory(folder / "a/b/out"));
}

} // namespace
} // namespace mooring
