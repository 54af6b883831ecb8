// SPDX-License-Identifier: GPL-3.0-or-later
// Files of ranks written out: every byte, then a few joined tokens.
#include "tests/core/text/tokenizer_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using Ids = std::vector<std::int32_t>;
using testing::HasSubstr;

std::string base64(std::string_view bytes) {
    constexpr const char* kDigits
        = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8
                | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
    }
    return out;
}

// Ids 0 to 255 are the bytes; "bc" (256) ranks before "ab" (257).
std::string smallRanks(const char* lineEnd = "\n") {
    std::string text;
    int rank = 0;
    const auto add = [&](std::string_view token) {
        text += base64(token) + " " + std::to_string(rank++) + lineEnd;
    };
    for (int byte = 0; byte < 256; ++byte)
        add(std::string(1, static_cast<char>(byte)));
    for (const char* token : {"bc", "ab", " a", "abxy", "\xE4\xBD", "\xE4\xBD\xA0"})
        add(token);
    return text;
}

constexpr const char* kMoonshot = R"({"tokenizer_class": "TikTokenTokenizer",
    "added_tokens_decoder": {"264": {"content": "[EOS]", "special": true},
        "265": {"content": "<|tool|>", "special": false}}, "eos_token": "[EOS]"})";

std::shared_ptr<const Tokenizer> openRanks(const TokenizerFolder& folder) {
    auto opened = Tokenizer::open(folder.path());
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message());
    return opened.ok() ? *opened : nullptr;
}

std::shared_ptr<const Tokenizer> moonshot() {
    const TokenizerFolder folder;
    folder.write("tiktoken.model", smallRanks());
    folder.write("tokenizer_config.json", kMoonshot);
    return openRanks(folder);
}

TEST(RanksTokenizer, JoinsWhatTogetherIsATokenByRank) {
    const auto tokenizer = moonshot();
    EXPECT_EQ(idsOf(*tokenizer, "abc"), (Ids{'a', 256}));
    EXPECT_EQ(idsOf(*tokenizer, "abxy"), (Ids{259})); // a whole word, though no join leads there
    EXPECT_EQ(idsOf(*tokenizer, "\xE4\xBD\xA0"), (Ids{261}));
    EXPECT_EQ(bytesOf(*tokenizer, "abc"), (Bytes{{0, 1}, {1, 3}}));
    EXPECT_EQ(tokenizer->decode(Ids{'a', 256, 261, 260}), "abc\xE4\xBD\xA0\xE4\xBD");
}

TEST(RanksTokenizer, ReservesTwoHundredAndFiftySixIdsBehindTheRanks) {
    const auto tokenizer = moonshot();
    EXPECT_EQ(tokenizer->vocabularySize(), 262 + 256);
    EXPECT_EQ(tokenizer->idOf("<|reserved_token_262|>"), 262);
    EXPECT_EQ(tokenizer->idOf("<|reserved_token_264|>"), std::nullopt); // it is named
    EXPECT_EQ(idsOf(*tokenizer, "a[EOS]<|reserved_token_517|>b"), (Ids{'a', 264, 517, 'b'}));
    EXPECT_EQ(idsOf(*tokenizer, "<|tool|>"), (Ids{265}));
    EXPECT_TRUE(tokenizer->isSpecial(264));
    EXPECT_TRUE(tokenizer->isSpecial(517));
    EXPECT_FALSE(tokenizer->isSpecial(265));
    EXPECT_EQ(tokenizer->eosToken(), "[EOS]");
}

TEST(RanksTokenizer, CutsRunsWhereThePublishedCodeDoes) {
    const TokenizerFolder folder;
    folder.write("tiktoken.model", smallRanks());
    folder.write("tokenizer_config.json", kMoonshot);
    const auto tokenizer = openRanks(folder);
    // The 25,001st character of a run begins a new piece, in which a and b stand apart.
    const std::string odd = "x" + std::string(24'998, 'y') + "ab";
    const auto tokens = tokenizer->encode(odd);
    EXPECT_EQ(tokens[tokens.size() - 2].id, 'a');
    EXPECT_EQ(tokens.back().id, 'b');
    EXPECT_EQ(tokens.back().begin, 25'000u);
    // Words of a few characters: only the 400,000th character is a seam.
    std::string words;
    while (words.size() < 399'998)
        words += "y ";
    words += "xab";
    const auto cut = tokenizer->encode(words);
    EXPECT_EQ(cut[cut.size() - 1].id, 'b');
    EXPECT_EQ(cut[cut.size() - 2].id, 'a');
}

TEST(RanksTokenizer, KnowsItsKindByClassCodeModelTypeOrFileName) {
    const TokenizerFolder folder;
    folder.write("tiktoken.model", smallRanks("\r\n"));
    EXPECT_THAT(
        Tokenizer::open(folder.path()).error().message(), HasSubstr("the pattern for these ranks"));
    folder.write("config.json", R"({"model_type": "kimi_k2"})");
    EXPECT_EQ(openRanks(folder)->vocabularySize(), 262 + 256);
    folder.write("config.json", R"({"model_type": "deepseek_v3"})");
    folder.write("tokenizer_config.json",
        R"({"auto_map": {"AutoTokenizer": ["tokenization_moonshot.TikTokenTokenizer", null]}})");
    EXPECT_EQ(openRanks(folder)->vocabularySize(), 262 + 256);
    folder.write("tokenizer_config.json",
        R"({"auto_map": {"AutoTokenizer": ["code.OtherTokenizer", null]}})");
    EXPECT_THAT(
        Tokenizer::open(folder.path()).error().message(), HasSubstr("the pattern for these ranks"));
}

TEST(RanksTokenizer, OfQwenComposesAndNamesItsOwnTokens) {
    const TokenizerFolder folder;
    folder.write("qwen.tiktoken", smallRanks());
    const auto bare = openRanks(folder);
    EXPECT_EQ(bare->vocabularySize(), 262);
    EXPECT_EQ(idsOf(*bare, "e\u0301").size(), 3u);
    folder.write("tokenizer_config.json", R"({"tokenizer_class": "QWenTokenizer"})");
    const auto whole = openRanks(folder);
    EXPECT_EQ(whole->idOf("<|im_end|>"), 264);
    EXPECT_EQ(whole->idOf("<|extra_204|>"), 262 + 207);
    EXPECT_EQ(idsOf(*whole, "e\u0301<|im_start|>"), (Ids{0xC3, 0xA9, 263}));
    EXPECT_EQ(bytesOf(*whole, "e\u0301<|im_start|>"), (Bytes{{0, 3}, {0, 3}, {3, 15}}));
    EXPECT_EQ(whole->eosToken(), "<|endoftext|>");
}

TEST(RanksTokenizer, RejectsBrokenFilesByLine) {
    const TokenizerFolder folder;
    folder.write("tokenizer_config.json", kMoonshot);
    const auto error = [&](const std::string& text) {
        folder.write("tiktoken.model", text);
        const auto opened = Tokenizer::open(folder.path());
        return opened.ok() ? "opened" : opened.error().message();
    };
    EXPECT_THAT(error("IQ== 0\nIg== 0\n"), HasSubstr("line 2"));
    EXPECT_THAT(error("IQ== 0\nIQ== 1\n"), HasSubstr("twice"));
    EXPECT_THAT(error("IQ== 0\nI 1\n"), HasSubstr("line 2"));
    EXPECT_THAT(error("IQ== -1\n"), HasSubstr("line 1"));
    EXPECT_THAT(error("IQ== 99999999\n"), HasSubstr("line 1"));
    EXPECT_THAT(error("IQ== 0\n"), HasSubstr("no token for the byte 0"));
}

} // namespace
} // namespace mooring
