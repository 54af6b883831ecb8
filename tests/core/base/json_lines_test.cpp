// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_lines.h"
#include <fstream>
#include <gtest/gtest.h>

namespace mooring {
namespace {

std::filesystem::path freshFile(const std::string& name) {
    const auto path = std::filesystem::temp_directory_path() / ("mooring-" + name);
    std::filesystem::remove(path);
    return path;
}

TEST(LineFollower, GivesOnlyWholeLinesAndEachOnce) {
    const auto path = freshFile("follower.jsonl");
    LineFollower follower(path);
    EXPECT_TRUE(follower.poll().empty());
    std::ofstream(path) << "{\"a\":1}\n{\"b\":";
    EXPECT_EQ(follower.poll(), (std::vector<std::string>{"{\"a\":1}"}));
    EXPECT_EQ(follower.offset(), 8u);
    EXPECT_TRUE(follower.poll().empty());
    std::ofstream(path, std::ios::app) << "2}\n";
    EXPECT_EQ(follower.poll(), (std::vector<std::string>{"{\"b\":2}"}));
}

TEST(LineFollower, WaitsForAFileThatAppearsLate) {
    const auto path = freshFile("late.jsonl");
    LineFollower follower(path);
    EXPECT_TRUE(follower.poll().empty());
    EXPECT_TRUE(follower.poll().empty());
    std::ofstream(path) << "1\n2\n";
    EXPECT_EQ(follower.poll(), (std::vector<std::string>{"1", "2"}));
    EXPECT_FALSE(follower.startedAnew());
}

TEST(LineFollower, ReadsAFileThatBecameShorterFromItsStart) {
    const auto path = freshFile("shorter.jsonl");
    LineFollower follower(path);
    std::ofstream(path) << "first\nsecond\n";
    EXPECT_EQ(follower.poll().size(), 2u);
    std::ofstream(path) << "third\n"; // truncates
    EXPECT_EQ(follower.poll(), (std::vector<std::string>{"third"}));
    EXPECT_TRUE(follower.startedAnew());
    EXPECT_TRUE(follower.poll().empty());
    EXPECT_FALSE(follower.startedAnew());
}

TEST(LineFollower, ReadsAFileThatTookThePlaceOfAnotherFromItsStart) {
    const auto path = freshFile("replaced.jsonl"), other = freshFile("replacement.jsonl");
    LineFollower follower(path);
    std::ofstream(path) << "first\n";
    EXPECT_EQ(follower.poll().size(), 1u);
    std::ofstream(other) << "another\nand a longer one\n";
    std::filesystem::rename(other, path);
    EXPECT_EQ(follower.poll(), (std::vector<std::string>{"another", "and a longer one"}));
    EXPECT_TRUE(follower.startedAnew());
}

TEST(LineWriter, ClosesALineThatWasLeftTornAndSpoilsNoOther) {
    const auto path = freshFile("torn.jsonl");
    std::ofstream(path) << "{\"a\":1}\n{\"b\":";
    auto writer = LineWriter::open(path);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->append({{"c", 3}}).ok());
    EXPECT_EQ(
        LineFollower(path).poll(), (std::vector<std::string>{"{\"a\":1}", "{\"b\":", "{\"c\":3}"}));
}

TEST(LineWriter, AppendsSeveralObjectsTogether) {
    const auto path = freshFile("several.jsonl");
    auto writer = LineWriter::open(path);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->appendAll({nlohmann::json{{"a", 1}}, nlohmann::json{{"b", 2}}}).ok());
    EXPECT_EQ(LineFollower(path).poll(), (std::vector<std::string>{"{\"a\":1}", "{\"b\":2}"}));
}

TEST(CutTornLine, LeavesWholeLinesAndNothingElse) {
    const auto path = freshFile("cut.jsonl");
    const auto cut = [&](const std::string& text) {
        std::ofstream(path) << text;
        EXPECT_TRUE(cutTornLine(path).ok());
        std::ifstream file(path);
        return std::string((std::istreambuf_iterator<char>(file)), {});
    };
    EXPECT_EQ(cut("{}\n{\"a\""), "{}\n");
    EXPECT_EQ(cut("{}\n{}\n"), "{}\n{}\n");
    EXPECT_EQ(cut("{\"a\""), "");
    EXPECT_EQ(cut("{}\n" + std::string(100'000, 'x')), "{}\n"); // longer than a piece that is read
    EXPECT_TRUE(cutTornLine(path.string() + ".absent").ok());
    EXPECT_FALSE(std::filesystem::exists(path.string() + ".absent"));
}

TEST(LineWriter, AppendsOneObjectALineAndWritesNonFiniteNumbersAsNull) {
    const auto path = freshFile("writer.jsonl");
    auto writer = LineWriter::open(path);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->append({{"ce", std::nan("")}}).ok());
    ASSERT_TRUE(writer->append({{"text", "a\nb"}}).ok());
    std::ifstream file(path);
    std::string first, second;
    std::getline(file, first);
    std::getline(file, second);
    EXPECT_EQ(first, "{\"ce\":null}");
    EXPECT_EQ(second, "{\"text\":\"a\\nb\"}");
}

TEST(LineWriter, AFolderThatIsMissingIsAnOutputErrorThatNamesIt) {
    const auto writer = LineWriter::open("/nonexistent-folder/x.jsonl");
    ASSERT_FALSE(writer.ok());
    EXPECT_EQ(writer.error().code, ErrorCode::Output);
    EXPECT_NE(writer.error().message().find("/nonexistent-folder/x.jsonl"), std::string::npos);
}

} // namespace
} // namespace mooring
