// SPDX-License-Identifier: GPL-3.0-or-later
// Expectations were derived by hand from the merges and confirmed with the reference library.
#include "tests/core/text/tokenizer_folder.h"

namespace mooring {
namespace {

using Ids = std::vector<std::int32_t>;

nlohmann::json added(const std::string& content, const nlohmann::json& flags = {}) {
    nlohmann::json token = {{"id", 0}, {"content", content}, {"single_word", false},
        {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", true}};
    token.update(flags.is_null() ? nlohmann::json::object() : flags);
    return token;
}

TEST(Tokenizer, MergesByRankAndNotByLength) {
    const auto tokenizer = openTokenizer(smallTokenizer());
    EXPECT_EQ(idsOf(*tokenizer, "abc"), (Ids{0, 9}));
    EXPECT_EQ(idsOf(*tokenizer, "abab"), (Ids{10, 10}));
}

TEST(Tokenizer, ReadsMergesAsPairsToo) {
    auto json = smallTokenizer();
    json["model"]["merges"] = nlohmann::json::parse(R"([["a", "b"], ["ab", "c"]])");
    EXPECT_EQ(idsOf(*openTokenizer(json), "abcabc"), (Ids{11, 11}));
}

TEST(Tokenizer, TakesWholeWordsWhereMergesAreIgnored) {
    auto json = smallTokenizer();
    EXPECT_EQ(idsOf(*openTokenizer(json), "abcd"), (Ids{0, 9, 3}));
    json["model"]["ignore_merges"] = true;
    EXPECT_EQ(idsOf(*openTokenizer(json), "abcd"), (Ids{14}));
}

TEST(Tokenizer, MergesLongWordsAsShortOnes) {
    const auto tokenizer = openTokenizer(smallTokenizer());
    std::string text;
    Ids expected;
    for (int i = 0; i < 5000; ++i) {
        text += "abdabc";
        expected.insert(expected.end(), {10, 3, 0, 9});
    }
    EXPECT_EQ(idsOf(*tokenizer, text), expected);
}

TEST(Tokenizer, CutsWordsAsGpt2WhereByteLevelHasItsOwnPattern) {
    const auto tokenizer = openTokenizer(smallTokenizer());
    // "ab", " ab", "'s", "  ", " a": the last blank before a word belongs to the word.
    EXPECT_EQ(idsOf(*tokenizer, "ab ab's   a"), (Ids{10, 4, 10, 15, 16, 4, 4, 12}));
}

TEST(Tokenizer, GivesTheBytesOfEveryToken) {
    auto json = smallTokenizer();
    json["model"]["merges"] = nlohmann::json::array({"b c"});
    const auto tokenizer = openTokenizer(json);
    EXPECT_EQ(idsOf(*tokenizer, "abc é"), (Ids{0, 9, 4, 5, 6}));
    EXPECT_EQ(bytesOf(*tokenizer, "abc é"), (Bytes{{0, 1}, {1, 3}, {3, 4}, {4, 5}, {5, 6}}));
}

TEST(Tokenizer, MapsComposedCharactersBackToTheirOriginalBytes) {
    auto json = smallTokenizer();
    EXPECT_EQ(idsOf(*openTokenizer(json), "é"), (Ids{13}));
    for (const char* normalizer :
        {R"({"type": "NFC"})", R"({"type": "Sequence", "normalizers": [{"type": "NFC"}]})"}) {
        json["normalizer"] = nlohmann::json::parse(normalizer);
        const auto tokenizer = openTokenizer(json);
        EXPECT_EQ(idsOf(*tokenizer, "ae\u0301b"), (Ids{0, 13, 1}));
        EXPECT_EQ(bytesOf(*tokenizer, "ae\u0301b"), (Bytes{{0, 1}, {1, 4}, {4, 5}}));
        // What was joined does not shift what follows it.
        EXPECT_EQ(bytesOf(*tokenizer, "e\u0301\ne\u0301"), (Bytes{{0, 3}, {3, 4}, {4, 7}}));
    }
}

TEST(Tokenizer, AnEmptySequenceChangesNothing) {
    auto json = smallTokenizer();
    json["normalizer"] = {{"type", "Sequence"}, {"normalizers", nlohmann::json::array()}};
    EXPECT_EQ(idsOf(*openTokenizer(json), "ae\u0301"), (Ids{0})); // e and the accent are unknown
}

TEST(Tokenizer, TakesTheLongestAddedTokenAndNumbersThemInOrder) {
    auto json = smallTokenizer();
    json["added_tokens"] = {added("<t>"), added("<t><t>"), added("abc", {{"special", false}})};
    const auto tokenizer = openTokenizer(json);
    EXPECT_EQ(idsOf(*tokenizer, "<t><t><t>abcd"), (Ids{22, 21, 11, 3}));
    EXPECT_EQ(bytesOf(*tokenizer, "<t><t><t>abcd"), (Bytes{{0, 6}, {6, 9}, {9, 12}, {12, 13}}));
    EXPECT_EQ(tokenizer->idOf("<t>"), 21);
    EXPECT_EQ(tokenizer->idOf("Ġa"), 12);
    EXPECT_EQ(tokenizer->idOf("none"), std::nullopt);
    EXPECT_TRUE(tokenizer->isSpecial(21));
    EXPECT_FALSE(tokenizer->isSpecial(11)); // an added token that is not special
    EXPECT_FALSE(tokenizer->isSpecial(0));
    EXPECT_FALSE(tokenizer->isSpecial(-1));
    EXPECT_EQ(tokenizer->vocabularySize(), 23);
}

TEST(Tokenizer, AddedTokensMayTakeTheWhiteSpaceAroundThem) {
    auto json = smallTokenizer();
    json["added_tokens"] = {added("<l>", {{"lstrip", true}}), added("<r>", {{"rstrip", true}})};
    const auto tokenizer = openTokenizer(json);
    EXPECT_EQ(idsOf(*tokenizer, "a  <l> a"), (Ids{0, 21, 12}));
    EXPECT_EQ(bytesOf(*tokenizer, "a  <l> a"), (Bytes{{0, 1}, {1, 6}, {6, 8}}));
    EXPECT_EQ(idsOf(*tokenizer, "a <r>\n a"), (Ids{0, 4, 22, 0}));
    // What the first took is gone for the second.
    EXPECT_EQ(bytesOf(*tokenizer, "<r> <l>"), (Bytes{{0, 4}, {4, 7}}));
}

TEST(Tokenizer, SingleWordTokensNeedABorder) {
    auto json = smallTokenizer();
    json["added_tokens"].push_back(added("d", {{"single_word", true}}));
    json["model"]["vocab"]["x"] = 21;
    json["model"]["vocab"].erase("d");
    const auto tokenizer = openTokenizer(json);
    const auto d = tokenizer->idOf("d");
    EXPECT_EQ(idsOf(*tokenizer, "d a'd"), (Ids{*d, 12, 15, *d}));
    EXPECT_EQ(idsOf(*tokenizer, "da"), (Ids{0})); // no token for d alone is left
    EXPECT_EQ(idsOf(*tokenizer, "éd"), (Ids{13}));
}

TEST(Tokenizer, NormalizedTokensAreFoundInNormalizedText) {
    auto json = smallTokenizer();
    json["normalizer"] = {{"type", "NFC"}};
    json["added_tokens"]
        = {added("ae\u0301", {{"normalized", true}, {"special", false}}), added("be\u0301")};
    const auto tokenizer = openTokenizer(json);
    EXPECT_EQ(idsOf(*tokenizer, "aé"), (Ids{21}));
    EXPECT_EQ(idsOf(*tokenizer, "ae\u0301"), (Ids{21}));
    EXPECT_EQ(bytesOf(*tokenizer, "ae\u0301"), (Bytes{{0, 4}}));
    EXPECT_EQ(idsOf(*tokenizer, "bé"), (Ids{1, 13})); // this one is looked for as it is written
    EXPECT_EQ(idsOf(*tokenizer, "be\u0301"), (Ids{22}));
}

TEST(Tokenizer, PutsABlankBeforeTheFirstWordWhereAsked) {
    auto json = smallTokenizer();
    json["pre_tokenizer"]["add_prefix_space"] = true;
    const auto tokenizer = openTokenizer(json);
    EXPECT_EQ(idsOf(*tokenizer, "ad"), (Ids{12, 3}));
    EXPECT_EQ(bytesOf(*tokenizer, "ad"), (Bytes{{0, 1}, {1, 2}}));
    EXPECT_EQ(idsOf(*tokenizer, " ad"), (Ids{12, 3}));
    EXPECT_TRUE(tokenizer->encode("").empty());
}

TEST(Tokenizer, CutsNumbersWholeOrByDigit) {
    auto json = smallTokenizer();
    json["model"]["vocab"]["12"] = 21;
    json["model"]["merges"] = nlohmann::json::array({"1 2"});
    const auto withDigits = [&](bool individual) {
        json["pre_tokenizer"] = {{"type", "Sequence"},
            {"pretokenizers",
                {{{"type", "Digits"}, {"individual_digits", individual}},
                    {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}}}};
        return idsOf(*openTokenizer(json), "a12b");
    };
    EXPECT_EQ(withDigits(false), (Ids{0, 21, 1}));
    EXPECT_EQ(withDigits(true), (Ids{0, 7, 8, 1}));
}

TEST(Tokenizer, TakesBrokenUtf8AsReplacementCharacters) {
    const auto tokenizer = openTokenizer(smallTokenizer());
    EXPECT_EQ(idsOf(*tokenizer,
                  "a\xFF"
                  "b"),
        (Ids{0, 18, 19, 20, 1}));
    EXPECT_EQ(bytesOf(*tokenizer,
                  "a\xFF"
                  "b"),
        (Bytes{{0, 1}, {1, 2}, {1, 2}, {1, 2}, {2, 3}}));
    // A cut character, a surrogate (three broken bytes) and an overlong form (two).
    EXPECT_EQ(idsOf(*tokenizer, "\xE2\x82").size(), 3u);
    EXPECT_EQ(idsOf(*tokenizer, "\xED\xA0\x80").size(), 9u);
    EXPECT_EQ(idsOf(*tokenizer, "\xC0\x80").size(), 6u);
}

TEST(Tokenizer, UnknownBytesBecomeTheUnknownToken) {
    auto json = smallTokenizer();
    EXPECT_EQ(idsOf(*openTokenizer(json), "axxb"), (Ids{10})); // without one they are left out
    json["model"]["unk_token"] = "'";
    EXPECT_EQ(idsOf(*openTokenizer(json), "axxb"), (Ids{0, 15, 15, 1}));
    json["model"]["fuse_unk"] = true;
    EXPECT_EQ(idsOf(*openTokenizer(json), "axxb"), (Ids{0, 15, 1}));
    EXPECT_EQ(bytesOf(*openTokenizer(json), "axxb"), (Bytes{{0, 1}, {1, 3}, {3, 4}}));
}

TEST(Tokenizer, DecodesToTheBytesThatWereEncoded) {
    auto json = smallTokenizer();
    json["added_tokens"] = {added("<t>"), added("ø|", {{"special", false}})};
    const auto tokenizer = openTokenizer(json);
    const std::string text = "ab<t> éø|\n";
    const auto ids = idsOf(*tokenizer, text);
    EXPECT_EQ(tokenizer->decode(ids), text);
    EXPECT_EQ(tokenizer->decode(ids, true), "ab éø|\n");
    EXPECT_EQ(tokenizer->decode(Ids{0, -5, 4000000, 1}), "ab");
    EXPECT_EQ(tokenizer->decode(Ids{5}), "\xC3"); // half a character
}

} // namespace
} // namespace mooring
