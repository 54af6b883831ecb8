// SPDX-License-Identifier: GPL-3.0-or-later
// Published tokenizers against ids from the reference libraries (80 texts each).
#include "tests/core/text/tokenizer_folder.h"
#include <cstdlib>

namespace mooring {
namespace {

namespace fs = std::filesystem;

fs::path tokenizers() {
    const char* shared = std::getenv("MOORING_SHARED");
    const fs::path root = shared ? fs::path(shared) : fs::path(MOORING_SOURCE_DIR) / "../shared";
    return root / "data/real/tokenizers";
}

void expectGoldens(const Tokenizer& tokenizer, const std::string& name, bool roundTrip) {
    std::ifstream file(tokenizers() / "goldens" / (name + ".jsonl"));
    ASSERT_TRUE(file) << name;
    int texts = 0;
    for (std::string line; std::getline(file, line); ++texts) {
        const auto golden = nlohmann::json::parse(line);
        const auto text = golden["text"].get<std::string>();
        const auto ids = golden["ids"].get<std::vector<std::int32_t>>();
        EXPECT_EQ(idsOf(tokenizer, text), ids) << name << ": " << text;
        if (roundTrip) {
            EXPECT_EQ(tokenizer.decode(ids), text);
        }
    }
    EXPECT_EQ(texts, 80) << name;
}

class TokenizerGoldensByFolder : public testing::TestWithParam<const char*> { };

TEST_P(TokenizerGoldensByFolder, AreEqual) {
    if (!fs::exists(tokenizers()))
        GTEST_SKIP() << "no shared real data here, set MOORING_SHARED";
    const auto tokenizer = Tokenizer::open(tokenizers() / GetParam());
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.error().message();
    // Only the tokenizer without NFC gives every text back.
    expectGoldens(**tokenizer, GetParam(), std::string(GetParam()).starts_with("granite"));
}

INSTANTIATE_TEST_SUITE_P(Published, TokenizerGoldensByFolder,
    testing::Values("granite-3.1-1b-a400m-instruct", "olmo-gpt-neox-dolma-v1_5", "qwen2-derived"));

struct Ranks {
    const char* folder;
    const char* golden;
};
class RankGoldensByFolder : public testing::TestWithParam<Ranks> { };

TEST_P(RankGoldensByFolder, AreEqual) {
    if (!fs::exists(tokenizers()))
        GTEST_SKIP() << "no shared real data here, set MOORING_SHARED";
    const auto tokenizer = Tokenizer::open(tokenizers() / GetParam().folder);
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.error().message();
    // SentencePiece writes the mark that it finds in a text as it writes a blank.
    expectGoldens(**tokenizer, GetParam().golden, std::string(GetParam().folder) != "mistral-spm");
}

INSTANTIATE_TEST_SUITE_P(Published, RankGoldensByFolder,
    testing::Values(Ranks{"cl100k", "cl100k_base.tiktoken"},
        Ranks{"qwen-tiktoken", "qwen.tiktoken"}, Ranks{"mistral-spm", "mistral-spm-v1"}));

TEST(RankGoldens, KimisPatternGoesWithAnyRanks) {
    if (!fs::exists(tokenizers()))
        GTEST_SKIP() << "no shared real data here, set MOORING_SHARED";
    const TokenizerFolder folder;
    fs::copy(tokenizers() / "qwen-tiktoken/qwen.tiktoken", folder.path() / "tiktoken.model");
    folder.write("tokenizer_config.json", R"({"tokenizer_class": "TikTokenTokenizer"})");
    const auto tokenizer = Tokenizer::open(folder.path());
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.error().message();
    expectGoldens(**tokenizer, "qwen-ranks-with-kimi-pattern", true);
}

TEST(RankGoldens, PublishedKimiFolderWithoutItsRanksSaysSo) {
    if (!fs::exists(tokenizers()))
        GTEST_SKIP() << "no shared real data here, set MOORING_SHARED";
    const TokenizerFolder folder;
    fs::copy(tokenizers() / "kimi-k2/tiktoken.model.lfs-pointer", folder.path() / "tiktoken.model");
    fs::copy(
        tokenizers() / "kimi-k2/tokenizer_config.json", folder.path() / "tokenizer_config.json");
    const auto opened = Tokenizer::open(folder.path());
    ASSERT_FALSE(opened.ok());
    EXPECT_NE(opened.error().message().find("git lfs pull"), std::string::npos);
}

TEST(TokenizerGoldens, GraniteKnowsItsStopToken) {
    if (!fs::exists(tokenizers()))
        GTEST_SKIP() << "no shared real data here, set MOORING_SHARED";
    const auto tokenizer = Tokenizer::open(tokenizers() / "granite-3.1-1b-a400m-instruct");
    ASSERT_TRUE(tokenizer.ok());
    EXPECT_EQ((*tokenizer)->eosToken(), "<|end_of_text|>");
    EXPECT_EQ((*tokenizer)->idOf("<|end_of_text|>"), 0);
    EXPECT_EQ((*tokenizer)->vocabularySize(), 49155);
    EXPECT_TRUE((*tokenizer)->isSpecial(49152));
}

} // namespace
} // namespace mooring
