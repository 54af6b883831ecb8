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

class TokenizerGoldens : public testing::TestWithParam<const char*> { };

TEST_P(TokenizerGoldens, AreEqual) {
    if (!fs::exists(tokenizers()))
        GTEST_SKIP() << "no shared real data here, set MOORING_SHARED";
    const auto tokenizer = Tokenizer::open(tokenizers() / GetParam());
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.error().message();
    // Only the tokenizer without NFC gives every text back.
    expectGoldens(**tokenizer, GetParam(), std::string(GetParam()).starts_with("granite"));
}

INSTANTIATE_TEST_SUITE_P(Published, TokenizerGoldens,
    testing::Values("granite-3.1-1b-a400m-instruct", "olmo-gpt-neox-dolma-v1_5", "qwen2-derived"));

// Qwen's ranks are the merges of qwen2-derived; only pattern and normalizer differ.
nlohmann::json qwenWithPattern(const char* pattern) {
    std::ifstream file(tokenizers() / "qwen2-derived/tokenizer.json");
    auto json = nlohmann::json::parse(file);
    json["normalizer"] = nullptr;
    json["added_tokens"] = nlohmann::json::array();
    if (pattern)
        json["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = pattern;
    return json;
}

TEST(TokenizerGoldensWithPattern, KimisNestedClassesMeanTheSame) {
    if (!fs::exists(tokenizers()))
        GTEST_SKIP() << "no shared real data here, set MOORING_SHARED";
    constexpr const char* kKimi
        = R"([\p{Han}]+)"
          R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*)"
          R"([\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
          R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+)"
          R"([\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
          R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    expectGoldens(*openTokenizer(qwenWithPattern(kKimi)), "qwen-ranks-with-kimi-pattern", true);
    expectGoldens(*openTokenizer(qwenWithPattern(nullptr)), "qwen.tiktoken", true);
}

TEST(TokenizerGoldensWithPattern, GraniteKnowsItsStopToken) {
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
