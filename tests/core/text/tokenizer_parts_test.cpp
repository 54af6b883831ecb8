// SPDX-License-Identifier: GPL-3.0-or-later
// Normalizers, pre-tokenizers and decoders of tokenizer.json beyond byte-level BPE. Every character
// of a text is a token here, so that its tokens show what the steps made of it.
#include "tests/core/text/tokenizer_folder.h"

namespace mooring {
namespace {

using Ids = std::vector<std::int32_t>;
using Strings = std::vector<std::string>;

// Characters, bytes that others fall back to, and a few pieces in the manner of Llama.
nlohmann::json llamaTokenizer() {
    auto json = nlohmann::json::parse(R"json({
        "added_tokens": [{"content": "<s>", "special": true}],
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
        "pre_tokenizer": null,
        "decoder": {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"}, {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
        "model": {"type": "BPE", "unk_token": "<unk>", "fuse_unk": true, "byte_fallback": true,
            "vocab": {"<unk>": 0, "▁": 1, "a": 2, "b": 3, "▁a": 4, "ab": 5, "▁▁": 6},
            "merges": ["▁ a", "▁ ▁", "a b"]}})json");
    for (const char* byte : {"<0x0A>", "<0xC3>", "<0xA9>"})
        json["model"]["vocab"][byte] = json["model"]["vocab"].size();
    return json;
}

Strings piecesOf(const nlohmann::json& json, const std::string& text) {
    const auto tokenizer = openTokenizer(json);
    Strings pieces;
    for (const Token& token : tokenizer->encode(text))
        pieces.push_back(text.substr(token.begin, token.end - token.begin));
    return pieces;
}

// The words that a pre-tokenizer cuts, as they stood in the text: no two characters are joined but
// within a word, where all are.
Strings wordsOf(const nlohmann::json& preTokenizer, const std::string& text) {
    auto json = llamaTokenizer();
    json["normalizer"] = nullptr;
    json["pre_tokenizer"] = preTokenizer;
    json["model"] = {{"type", "BPE"}, {"unk_token", "<unk>"}, {"fuse_unk", true},
        {"vocab", {{"<unk>", 0}}}, {"merges", nlohmann::json::array()}};
    return piecesOf(json, text);
}

TEST(LlamaTokenizer, MarksEveryTextAndFallsBackToBytes) {
    const auto tokenizer = openTokenizer(llamaTokenizer());
    EXPECT_EQ(idsOf(*tokenizer, "a ab"), (Ids{4, 4, 3}));
    EXPECT_EQ(idsOf(*tokenizer, "b\n\u00e9"), (Ids{1, 3, 7, 8, 9}));
    EXPECT_EQ(idsOf(*tokenizer, "a<s>a"), (Ids{4, 10, 4})); // the text behind a token is one too
    EXPECT_EQ(idsOf(*tokenizer, "axyb"), (Ids{4, 0, 3})); // unknown ones are one token
    EXPECT_EQ(bytesOf(*tokenizer, "a \u00e9"), (Bytes{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
}

TEST(LlamaTokenizer, DecodesMarksBytesAndLeavesOutTheFirstBlank) {
    const auto tokenizer = openTokenizer(llamaTokenizer());
    for (const std::string text : {"a ab", " a\n\u00e9  b", "b"})
        EXPECT_EQ(tokenizer->decode(idsOf(*tokenizer, text)), text);
    EXPECT_EQ(tokenizer->decode(Ids{10, 4}, true), "a");
    EXPECT_EQ(tokenizer->decode(Ids{10, 4}), "<s> a"); // the first blank is not at the beginning
}

TEST(LlamaTokenizer, CutsTextOnlyWhereNoPieceCrosses) {
    auto json = llamaTokenizer();
    constexpr const char* kHex = "0123456789ABCDEF"; // with every byte there are no unknown ones
    for (int byte = 0; byte < 256; ++byte)
        json["model"]["vocab"][std::string("<0x") + kHex[byte >> 4] + kHex[byte & 15] + ">"]
            = 100 + byte;
    json["model"]["vocab"]["a▁a"] = 11;
    EXPECT_EQ(idsOf(*openTokenizer(json), "a a"), (Ids{4, 4}));
    json["model"]["merges"] = {"▁ a", "a ▁a"};
    json["model"]["vocab"].erase("<s>");
    json["normalizer"]["normalizers"].erase(0);
    EXPECT_EQ(idsOf(*openTokenizer(json), "a a"), (Ids{11}));
    EXPECT_EQ(idsOf(*openTokenizer(json), "a\na axa"), (Ids{2, 110, 11, 220, 2}));
}

TEST(Metaspace, MarksAlwaysFirstOrNever) {
    auto json = llamaTokenizer();
    json["normalizer"] = nullptr;
    const auto ids = [&](const char* scheme, const std::string& text) {
        json["pre_tokenizer"] = {{"type", "Metaspace"}, {"replacement", "▁"},
            {"prepend_scheme", scheme}, {"split", true}};
        return idsOf(*openTokenizer(json), text);
    };
    EXPECT_EQ(ids("always", "a<s>a"), (Ids{4, 10, 4}));
    EXPECT_EQ(ids("first", "a<s>a"), (Ids{4, 10, 2}));
    EXPECT_EQ(ids("never", "a<s>a"), (Ids{2, 10, 2}));
    EXPECT_EQ(ids("always", " a"), (Ids{4})); // it is marked already
    EXPECT_EQ(ids("always", "  a"), (Ids{1, 4})); // every mark begins a word
}

TEST(PreTokenizers, CutByKindOfCharacter) {
    EXPECT_EQ(wordsOf({{"type", "Whitespace"}}, "it's  7-8 caf\u00e9"),
        (Strings{"it", "'", "s", "7", "-", "8", "caf\u00e9"}));
    EXPECT_EQ(wordsOf({{"type", "WhitespaceSplit"}}, "it's \u3000x"), (Strings{"it's", "x"}));
    EXPECT_EQ(wordsOf({{"type", "CharDelimiterSplit"}, {"delimiter", "-"}}, "a--b-c"),
        (Strings{"a", "b", "c"}));
    EXPECT_EQ(wordsOf({{"type", "Punctuation"}}, "a,b!?"), (Strings{"a", ",", "b", "!", "?"}));
    EXPECT_EQ(wordsOf({{"type", "Punctuation"}, {"behavior", "Contiguous"}}, "a\u3002!?b"),
        (Strings{"a", "\u3002!?", "b"}));
}

TEST(Normalizers, ChangeTextAndKeepWhereItCameFrom) {
    auto json = llamaTokenizer();
    const auto ids = [&](const nlohmann::json& normalizer, const std::string& text) {
        json["normalizer"] = normalizer;
        return idsOf(*openTokenizer(json), text);
    };
    EXPECT_EQ(ids({{"type", "Lowercase"}}, "ABa"), (Ids{5, 2}));
    EXPECT_EQ(ids({{"type", "Strip"}}, " \n ab \t"), (Ids{5}));
    EXPECT_EQ(ids({{"type", "Strip"}, {"strip_right", false}}, "\nab\n"), (Ids{5, 7}));
    EXPECT_EQ(ids({{"type", "StripAccents"}}, "a\u0301b"), (Ids{5}));
    EXPECT_EQ(ids({{"type", "NFKC"}}, "\uFF41\uFF42"), (Ids{5}));
    EXPECT_EQ(ids({{"type", "Replace"}, {"pattern", {{"Regex", "x+"}}}, {"content", "a"}}, "xxxb"),
        (Ids{5}));
    EXPECT_EQ(bytesOf(*openTokenizer(json), "xxxbb"), (Bytes{{0, 4}, {4, 5}}));
    json["normalizer"] = {{"type", "NFD"}};
    EXPECT_EQ(bytesOf(*openTokenizer(json), "a\u0301b").size(), 3u); // a, an accent, b
}

TEST(Normalizers, TakeMarksOfNewUnicodeForStartersAsTheReferenceDoes) {
    auto json = smallTokenizer();
    json["normalizer"] = {{"type", "NFC"}};
    json["model"]["unk_token"] = "'";
    // U+09FE has class 230 since Unicode 11; moved behind U+09CD it would be six bytes of another
    // order.
    const auto tokenizer = openTokenizer(json);
    EXPECT_EQ(bytesOf(*tokenizer, "\u09FE\u09CD"),
        (Bytes{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}));
}

TEST(Patterns, KnowLettersOfUnicodeSixteen) {
    // U+10D50, a capital letter since Unicode 16.
    EXPECT_EQ(
        wordsOf({{"type", "Split"}, {"pattern", {{"Regex", "\\p{Lu}+"}}}, {"behavior", "Isolated"}},
            "a\U00010D50\U00010D50b"),
        (Strings{"a", "\U00010D50\U00010D50", "b"}));
}

// What is quadratic would take hours here.
TEST(HostileText, IsEncodedInLinearTime) {
    const std::size_t size = 2'000'000;
    auto gpt2 = smallTokenizer();
    auto split = smallTokenizer();
    split["pre_tokenizer"] = {{"type", "Sequence"},
        {"pretokenizers",
            {{{"type", "Split"}, {"pattern", {{"Regex", "\\s+$"}}}, {"behavior", "Isolated"}},
                {{"type", "Split"},
                    {"pattern",
                        {{"Regex", "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\s*[\\r\\n]+|\\s+(?!\\S)"}}},
                    {"behavior", "Isolated"}},
                split["pre_tokenizer"]}}};
    auto composing = smallTokenizer();
    composing["normalizer"] = {{"type", "NFC"}};
    for (const auto& json : {gpt2, split, composing, llamaTokenizer()}) {
        const auto tokenizer = openTokenizer(json);
        std::string marks = "e";
        while (marks.size() < size)
            marks += "\u0301\u0323";
        for (const std::string& text : {std::string(size, 'a'), std::string(size, ' ') + "x",
                 std::string(size, '\n'), std::string(size, '\t') + " b", marks})
            EXPECT_LE(tokenizer->encode(text).size(), 2 * size);
    }
}

TEST(HostileText, OfAnExpensivePatternEndsUncut) {
    auto json = smallTokenizer();
    json["pre_tokenizer"] = {{"type", "Sequence"},
        {"pretokenizers",
            {{{"type", "Split"}, {"pattern", {{"Regex", "a*a*a*a*a*a*a*b"}}},
                 {"behavior", "Isolated"}},
                json["pre_tokenizer"]}}};
    const std::string text(100'000, 'a');
    EXPECT_EQ(openTokenizer(json)->encode(text).size(), text.size());
}

} // namespace
} // namespace mooring
