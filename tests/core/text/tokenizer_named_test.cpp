// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens that the files beside tokenizer.json name. Expected values: AutoTokenizer of transformers
// 5.17 over the same folders.
#include "tokenizer_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

json flags(const std::string& content, bool special, bool leftStrip = false) {
    return {{"content", content}, {"lstrip", leftStrip}, {"normalized", false}, {"rstrip", false},
        {"single_word", false}, {"special", special}};
}

// The small tokenizer has the ids 0 to 20 and here the special token <e>, 21.
std::shared_ptr<const Tokenizer> opened(
    const json& config, const json& map = nullptr, const json& added = nullptr) {
    const TokenizerFolder folder;
    json tokenizer = smallTokenizer();
    tokenizer["added_tokens"] = json::array({flags("<e>", true)});
    tokenizer["added_tokens"][0]["id"] = 21;
    folder.writeJson("tokenizer_config.json", config);
    if (!map.is_null())
        folder.writeJson("special_tokens_map.json", map);
    if (!added.is_null())
        folder.writeJson("added_tokens.json", added);
    return openTokenizer(tokenizer, folder);
}

std::string noticesOf(const Tokenizer& tokenizer) {
    std::string all;
    for (const std::string& notice : tokenizer.notices())
        all += notice + "\n";
    return all;
}

TEST(NamedTokens, OfAddedTokensDecoderThatTheVocabularyLacksAreAddedWithASentence) {
    const auto tokenizer = opened({{"eos_token", "<turn>"},
        {"added_tokens_decoder",
            {{"21", flags("<e>", true)}, {"22", flags("<turn>", true)},
                {"23", flags("<fim>", false)}}}});
    EXPECT_THAT(idsOf(*tokenizer, "a<fim>b<turn>"), ElementsAre(0, 23, 1, 22));
    EXPECT_TRUE(tokenizer->isSpecial(22));
    EXPECT_FALSE(tokenizer->isSpecial(23));
    EXPECT_TRUE(tokenizer->isStop(22));
    EXPECT_EQ(tokenizer->eosToken(), "<turn>");
    EXPECT_THAT(noticesOf(*tokenizer), HasSubstr("<turn> (22), <fim> (23)"));
}

TEST(NamedTokens, TakeTheNextFreeIdWhateverTheFileSays) {
    const auto tokenizer = opened(
        {{"added_tokens_decoder", {{"40", flags("<x>", true)}, {"2", flags("<e>", true)}}}});
    EXPECT_THAT(idsOf(*tokenizer, "<x><e>"), ElementsAre(22, 21));
    EXPECT_THAT(noticesOf(*tokenizer), HasSubstr("<x> (22, not 40)"));
    EXPECT_THAT(noticesOf(*tokenizer), HasSubstr("<e> (21, not 2)"));
}

TEST(NamedTokens, TheFlagsOfAddedTokensDecoderCount) {
    const auto tokenizer = opened({{"added_tokens_decoder", {{"21", flags("<e>", true, true)}}}});
    EXPECT_THAT(idsOf(*tokenizer, "a <e>b"), ElementsAre(0, 21, 1));
    EXPECT_THAT(noticesOf(*tokenizer), HasSubstr("<e>"));
    EXPECT_THAT(idsOf(*opened(json::object()), "a <e>b"), ElementsAre(0, 4, 21, 1));
}

TEST(NamedTokens, OfSpecialTokensMapCountBeforeThoseOfTheConfigWhichAloneCountsWithADecoder) {
    const json config = {{"eos_token", "<turn>"}};
    const json map = {{"eos_token", "<e>"}, {"additional_special_tokens", {"<x>"}}};
    const auto tokenizer = opened(config, map);
    EXPECT_EQ(tokenizer->eosToken(), "<e>");
    EXPECT_THAT(idsOf(*tokenizer, "<x>"), ElementsAre(22));
    EXPECT_THAT(noticesOf(*tokenizer), HasSubstr("differ on eos_token; <e> counts"));
    json decoded = config;
    decoded["added_tokens_decoder"] = {{"21", flags("<e>", true)}};
    const auto alone = opened(decoded, map);
    EXPECT_EQ(alone->eosToken(), "<turn>");
    EXPECT_EQ(alone->idOf("<x>"), std::nullopt);
    EXPECT_EQ(alone->idOf("<turn>"), 22);
    EXPECT_TRUE(alone->isStop(21)); // both files name an end
    EXPECT_TRUE(alone->isStop(22));
}

TEST(NamedTokens, ANullInTheFileThatCountsSaysThatThereIsNone) {
    EXPECT_EQ(opened({{"eos_token", "<e>"}}, {{"eos_token", nullptr}})->eosToken(), std::nullopt);
    EXPECT_EQ(opened({{"eos_token", nullptr}}, {{"eos_token", "<e>"}})->eosToken(), "<e>");
}

TEST(NamedTokens, OfAddedTokensJsonAreSpecialOnlyWhereTheyAreNamed) {
    const auto tokenizer
        = opened({{"eos_token", "<turn>"}}, nullptr, {{"<fim>", 22}, {"<x>", 23}, {"<turn>", 24}});
    EXPECT_THAT(idsOf(*tokenizer, "<fim><turn><x>"), ElementsAre(22, 24, 23));
    EXPECT_FALSE(tokenizer->isSpecial(22));
    EXPECT_TRUE(tokenizer->isSpecial(24));
}

// As the reference adds them: the named ones, further keys in the order of the file, the list.
TEST(NamedTokens, AreAddedInTheReferencesOrder) {
    const TokenizerFolder folder;
    folder.write("tokenizer_config.json", R"({"zeta_token": "<z>", "alpha_token": "<y>",
        "extra_special_tokens": ["<x>"], "mask_token": "<m>", "eos_token": "abc"})");
    const auto tokenizer = openTokenizer(smallTokenizer(), folder);
    EXPECT_THAT(idsOf(*tokenizer, "<x><y><z><m>abc"), ElementsAre(24, 23, 22, 21, 11));
    EXPECT_TRUE(tokenizer->isSpecial(11)); // a word of the vocabulary, now an added token
}

TEST(NamedTokens, ABrokenDecoderIsAnErrorThatNamesIt) {
    const TokenizerFolder folder;
    folder.writeJson("tokenizer.json", smallTokenizer());
    folder.write("tokenizer_config.json", R"({"added_tokens_decoder": {"x": {"content": "a"}}})");
    EXPECT_THAT(
        Tokenizer::open(folder.path()).error().message(), HasSubstr("added_tokens_decoder"));
}

TEST(Ends, AreThoseOfGenerationConfigAndTheTokenizersOwn) {
    const TokenizerFolder folder;
    folder.writeJson("tokenizer_config.json", {{"eos_token", "abc"}});
    folder.writeJson("generation_config.json", {{"eos_token_id", {3, 900, -1, 13}}});
    EXPECT_THAT(openTokenizer(smallTokenizer(), folder)->ends(), ElementsAre(3, 13, 11));
    folder.writeJson("generation_config.json", {{"eos_token_id", 3}});
    EXPECT_THAT(openTokenizer(smallTokenizer(), folder)->ends(), ElementsAre(3, 11));
}

} // namespace
} // namespace mooring
