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
