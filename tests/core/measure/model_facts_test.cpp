// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/base_routing.h"
#include "core/measure/model_facts.h"
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mooring {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::filesystem::path kDemo = std::filesystem::path(MOORING_SOURCE_DIR) / "resources/demo";

TEST(ModelFacts, AreThoseOfTheFolderAndItsWeightsStayUnread) {
    const auto facts = modelFacts(kDemo / "model");
    ASSERT_TRUE(facts.ok()) << facts.error().message();
    EXPECT_EQ(facts->family, "deepseek_v3");
    EXPECT_EQ(facts->layers, 4);
    EXPECT_EQ(facts->experts, 64);
    EXPECT_EQ(facts->topK, 6);
    EXPECT_EQ(facts->width, 128);
    EXPECT_EQ(facts->longestText, 512);
    // By the headers of its one file: 2,432,384 numbers in bf16 and 192 in fp32.
    EXPECT_THAT(facts->types, ElementsAre("BF16", "F32"));
    EXPECT_EQ(facts->parameters, 2'432'384 + 192);
    EXPECT_EQ(facts->bytes, 2.0 * 2'432'384 + 4.0 * 192);
    EXPECT_EQ(facts->files, 1U);
    EXPECT_EQ(facts->vocabulary, 1024);
    EXPECT_FALSE(facts->chatTemplate.empty());
    EXPECT_TRUE(facts->problems.empty());
}

TEST(ModelFacts, SayWhatKeepsAModelFromBeingTrained) {
    const auto place = std::filesystem::temp_directory_path()
        / ("mooring-model-facts-" + std::to_string(::getpid()));
    std::filesystem::remove_all(place);
    std::filesystem::copy(kDemo / "model", place);
    for (const auto& file : std::filesystem::directory_iterator(place))
        if (file.path().filename().string().starts_with("tokenizer"))
            std::filesystem::remove(file.path());
    const auto facts = modelFacts(place);
    ASSERT_TRUE(facts.ok()) << facts.error().message();
    EXPECT_FALSE(facts->vocabulary);
    ASSERT_FALSE(facts->problems.empty());
    EXPECT_THAT(facts->problems[0], HasSubstr("tokenizer"));
    std::filesystem::remove_all(place);
    EXPECT_EQ(modelFacts(place).error().code, ErrorCode::Input);
}

TEST(BaseRouting, ProbesAreNamedByTheirFilesAndNeverAlike) {
    const auto config = probeOfFiles("m", {"a/math.jsonl", "b/math.txt", "c/code.txt"});
    std::vector<std::string> names;
    for (const auto& set : config.probe.sets)
        names.push_back(set.name);
    EXPECT_THAT(names, ElementsAre("math", "math-2", "code"));
}

} // namespace
} // namespace mooring
