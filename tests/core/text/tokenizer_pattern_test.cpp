// SPDX-License-Identifier: GPL-3.0-or-later
// Expected pieces were read from the reference library (Split.pre_tokenize_str).
#include "core/text/tokenizer/pattern/pattern.h"
#include "tests/core/text/tokenizer_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using Strings = std::vector<std::string>;
using testing::HasSubstr;

Strings pieces(const std::string& pattern, const std::string& text) {
    const auto compiled = tok::Pattern::compile(pattern);
    if (!compiled.ok())
        return {compiled.error().what};
    std::vector<tok::Piece> found;
    compiled->pieces(text, found);
    Strings out;
    for (const auto& piece : found)
        if (piece.begin < piece.end)
            out.push_back(text.substr(piece.begin, piece.end - piece.begin));
    return out;
}

// Words as tokens: every character is a byte token, so a token that a border cuts shows it.
Strings splitWords(const std::string& behavior, bool invert) {
    auto json = smallTokenizer();
    json["pre_tokenizer"] = {{"type", "Sequence"},
        {"pretokenizers",
            {{{"type", "Split"}, {"pattern", {{"String", "-"}}}, {"behavior", behavior},
                 {"invert", invert}},
                {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}}}};
    auto& model = json["model"];
    model["ignore_merges"] = true;
    model["merges"] = nlohmann::json::array();
    model["vocab"] = nlohmann::json::object();
    int id = 0;
    for (const char* word : {"a", "b", "c", "-", "--", "a-", "b-", "c-", "-b", "-c"})
        model["vocab"][word] = id++;
    const auto tokenizer = openTokenizer(json);
    Strings words;
    for (const Token& token : tokenizer->encode("a--b-c-"))
        words.push_back(tokenizer->decode(std::vector{token.id}));
    return words;
}

TEST(Pattern, WhiteSpaceIsThatOfUnicodeWithoutTheVowelSeparator) {
    EXPECT_EQ(pieces("\\s+", "a\u180Eb\u0085c\u200Bd\u001Ce"),
        (Strings{"a\u180Eb", "\u0085", "c\u200Bd\u001Ce"}));
    EXPECT_EQ(pieces("[^\\s]+", "a\u180E b"), (Strings{"a\u180E", " ", "b"}));
    EXPECT_EQ(pieces("\\S+", "a\u180E b"), (Strings{"a\u180E", " ", "b"}));
}

TEST(Pattern, AScriptIsTheScriptAndNotItsExtensions) {
    EXPECT_EQ(pieces("\\p{Han}+", "a、b漢々〇〡ー"), (Strings{"a、b", "漢々〇〡", "ー"}));
}

TEST(Pattern, IntersectionsOfClassesAreIntersections) {
    EXPECT_EQ(pieces("[a&&[^b]]", "a&&b"), (Strings{"a", "&&b"}));
    EXPECT_EQ(pieces("[\\p{L}&&[^\\p{Han}]]+", "ab漢cd"), (Strings{"ab", "漢", "cd"}));
    EXPECT_EQ(pieces("[a[bc]]+", "xabcx"), (Strings{"x", "abc", "x"}));
    EXPECT_EQ(pieces("[^a[bc]]+", "xyabcx"), (Strings{"xy", "abc", "x"}));
}

TEST(Pattern, AnchorsAreThoseOfLines) {
    EXPECT_EQ(pieces("\\s+$", "a  \nb  "), (Strings{"a", "  ", "\nb", "  "}));
    EXPECT_EQ(pieces("^b", "a\nb\nb\n"), (Strings{"a\n", "b", "\n", "b", "\n"}));
}

TEST(Pattern, EmptyMatchesCutOnceAndEnd) {
    EXPECT_EQ(pieces("x*", "abxxc"), (Strings{"a", "b", "xx", "c"}));
    EXPECT_EQ(pieces("x*", "éé"), (Strings{"é", "é"}));
}

TEST(Pattern, RepetitionsMayLackTheirLowerBound) {
    EXPECT_EQ(pieces("a{,2}", "aaaaa"), (Strings{"aa", "aa", "a"}));
    EXPECT_EQ(pieces("(?i:'s)", "x'ſ x'S"), (Strings{"x", "'ſ", " x", "'S"}));
}

TEST(Pattern, NamesWhatIsNotKnown) {
    EXPECT_THAT(pieces("a{2}+", "a")[0], HasSubstr("{2}+"));
    EXPECT_THAT(pieces("x(?i)a|b", "a")[0], HasSubstr("(?i)"));
    EXPECT_THAT(pieces("(?R)", "a")[0], HasSubstr("(?R)"));
    EXPECT_THAT(pieces("(*ACCEPT)", "a")[0], HasSubstr("(*ACC"));
    EXPECT_THAT(pieces("[[:alpha:]]", "a")[0], HasSubstr("[:alpha:]"));
    EXPECT_THAT(pieces("\\h", "a")[0], HasSubstr("\\h"));
    EXPECT_THAT(pieces("\\xE9", "a")[0], HasSubstr("\\xE9"));
    for (const char* broken : {"[a", "[", "\\", "\\p", "\\p{", "\\x", "\\x{", "[a-", "[a-\\", "("})
        EXPECT_FALSE(tok::Pattern::compile(broken).ok()) << broken;
}

TEST(Pattern, ARunOfAMillionCharactersIsOnePiece) {
    const std::string text(1'000'000, ' ');
    EXPECT_EQ(pieces("\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+", text + "\nx").size(), 2u);
    EXPECT_EQ(pieces("[\\p{L}&&[^\\p{Han}]]+", std::string(1'000'000, 'q')).size(), 1u);
}

TEST(Pattern, BacktrackingWithoutEndIsGivenUp) {
    EXPECT_EQ(pieces("(?:a+)+b", std::string(60, 'a') + "c").size(), 1u);
}

TEST(Pattern, SplitBehavioursPlaceTheMatches) {
    EXPECT_EQ(splitWords("Removed", false), (Strings{"a", "b", "c"}));
    EXPECT_EQ(splitWords("Removed", true), (Strings{"-", "-", "-", "-"}));
    EXPECT_EQ(splitWords("Isolated", false), (Strings{"a", "-", "-", "b", "-", "c", "-"}));
    EXPECT_EQ(splitWords("MergedWithPrevious", false), (Strings{"a-", "-", "b-", "c-"}));
    EXPECT_EQ(splitWords("MergedWithPrevious", true), (Strings{"a", "-", "-b", "-c", "-"}));
    EXPECT_EQ(splitWords("MergedWithNext", false), (Strings{"a", "-", "-b", "-c", "-"}));
    EXPECT_EQ(splitWords("MergedWithNext", true), (Strings{"a-", "-", "b-", "c-"}));
    EXPECT_EQ(splitWords("Contiguous", false), (Strings{"a", "--", "b", "-", "c", "-"}));
}

} // namespace
} // namespace mooring
