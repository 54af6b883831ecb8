// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/atomic_folder.h"
#include "tests/core/files/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mooring {
namespace {

using test::put;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Manifest : public ::testing::Test {
protected:
    void SetUp() override {
        put(m_folder / "b.txt", "abc");
        std::filesystem::create_directory(m_folder / "trainer");
        put(m_folder / "trainer/state", "");
        ASSERT_TRUE(writeManifest(m_folder.path(), R"({"step":100})").ok());
    }
    std::string problem() const {
        const auto result = verifyManifest(m_folder.path());
        if (result.ok())
            return "";
        EXPECT_EQ(result.error().code, ErrorCode::Input);
        return result.error().message();
    }
    test::TemporaryFolder m_folder;
};

TEST_F(Manifest, ListsEveryFileWithSizeAndHashAndTheExtraKeys) {
    // SHA-256 of "abc" and of nothing: FIPS 180-2.
    const auto expected = nlohmann::json::parse(R"({"step":100,"files":{
        "b.txt":{"size":3,
            "sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        "trainer/state":{"size":0,
            "sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}}})");
    EXPECT_EQ(nlohmann::json::parse(test::get(m_folder / "manifest.json")), expected);
    EXPECT_EQ(problem(), "");
}

TEST_F(Manifest, NamesAFileThatIsMissingOrChanged) {
    put(m_folder / "b.txt", "abd");
    EXPECT_THAT(problem(), AllOf(HasSubstr("does not match the SHA-256"), HasSubstr("b.txt")));
    put(m_folder / "b.txt", "abcd");
    EXPECT_THAT(
        problem(), AllOf(HasSubstr("has 4 bytes, but the manifest says 3"), HasSubstr("b.txt")));
    std::filesystem::remove(m_folder / "trainer/state");
    put(m_folder / "b.txt", "abc");
    EXPECT_THAT(problem(), AllOf(HasSubstr("is missing"), HasSubstr("trainer/state")));
}

TEST_F(Manifest, AMissingOrBrokenManifestIsAnError) {
    put(m_folder / "manifest.json", "{\"files\":");
    EXPECT_THAT(problem(), HasSubstr("not valid JSON"));
    put(m_folder / "manifest.json", "{}");
    EXPECT_THAT(problem(), HasSubstr("lists no files"));
    put(m_folder / "manifest.json", R"({"files":{"b.txt":{"size":"3","sha256":""}}})");
    EXPECT_THAT(problem(), HasSubstr("invalid entry, 'b.txt'"));
    std::filesystem::remove(m_folder / "manifest.json");
    EXPECT_THAT(problem(), HasSubstr("does not exist"));
}

TEST_F(Manifest, NamesOutsideTheFolderAreRejected) {
    for (const char* name : {"../b.txt", "/etc/passwd", "trainer/../../x", ""}) {
        put(m_folder / "manifest.json",
            R"({"files":{")" + std::string(name) + R"(":{"size":3,"sha256":"x"}}})");
        EXPECT_THAT(problem(), HasSubstr("an invalid entry")) << name;
    }
}

TEST_F(Manifest, ExtraKeysMustBeAnObjectWithoutFiles) {
    EXPECT_FALSE(writeManifest(m_folder.path(), "[]").ok());
    EXPECT_FALSE(writeManifest(m_folder.path(), R"({"files":{}})").ok());
}

} // namespace
} // namespace mooring
