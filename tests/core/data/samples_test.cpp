// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

SampleSet load(const std::vector<DataFile>& files, const SampleOptions& options = {},
    const std::string& chatTemplate = kTemplate) {
    auto set = loadSamples(files, byteRenderer(chatTemplate), options);
    EXPECT_TRUE(set.ok()) << (set.ok() ? "" : set.error().message());
    return set.ok() ? std::move(set).value() : SampleSet{};
}

TEST(Samples, TheAnswerAndItsEndAreSupervised) {
    const DataFolder folder;
    const auto set = load({folder.write("rows.jsonl", R"({"question": "q", "answer": "xy"})")});
    ASSERT_EQ(set.samples.size(), 1u);
    const Sample& sample = set.samples[0];
    EXPECT_THAT(sample.ids, ElementsAre('u', ':', 'q', kEnd, 'a', ':', 'x', 'y', kEnd));
    EXPECT_THAT(sample.span, ElementsAre(0, 0, 0, 0, 0, 0, 1, 1, 1));
    EXPECT_THAT(sample.weight, ElementsAre(0, 0, 0, 0, 0, 0, 1, 1, 1));
    EXPECT_EQ(set.tokens(), 9);
    EXPECT_EQ(set.supervisedTokens(), 3);
}

TEST(Samples, TheQuestionWeightIsThatOfQuestionsOfChatRows) {
    const DataFolder folder;
    SampleOptions options;
    options.questionWeight = 0.25;
    const auto set = load({folder.write("rows.jsonl",
                              R"({"question": "q", "answer": "x"})"
                              "\n"
                              R"({"text": "abc"})")},
        options);
    ASSERT_EQ(set.samples.size(), 2u);
    EXPECT_THAT(set.samples[0].weight, ElementsAre(0, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 1, 1));
    // Plain text is supervised on every token but the first, and is Q throughout.
    EXPECT_THAT(set.samples[1].weight, ElementsAre(0, 1, 1));
    EXPECT_THAT(set.samples[1].span, ElementsAre(0, 0, 0));
    EXPECT_EQ(set.supervisedTokens(), 9);
}

TEST(Samples, TheFirstTokenIsNeverATargetEvenInAnAnswer) {
    const DataFolder folder;
    const auto set = load({folder.write("rows.jsonl", R"({"question": "q", "answer": "xy"})")}, {},
        "{{ messages[1].content }}<e>");
    EXPECT_THAT(set.samples[0].span, ElementsAre(1, 1, 1));
    EXPECT_THAT(set.samples[0].weight, ElementsAre(0, 1, 1));
}

TEST(Samples, RowsAreNumberedOverAllFilesWithTheDroppedOnes) {
    const DataFolder folder;
    const auto a = folder.write("a.jsonl", "{\"text\": \"ab\"}\nbroken\n\n{\"text\": \"cd\"}\n");
    const auto b = folder.write("b.jsonl", "{\"text\": \"\"}\n{\"text\": \"ef\"}\n");
    const auto set = load({a, b});
    EXPECT_EQ(set.rows, 5);
    ASSERT_EQ(set.samples.size(), 3u);
    EXPECT_EQ(set.samples[1].row, 2);
    EXPECT_EQ(set.samples[2].row, 4);
    ASSERT_EQ(set.dropped.size(), 2u);
    EXPECT_EQ(set.dropped[0].row, 1);
    EXPECT_EQ(set.dropped[0].line, 2);
    EXPECT_EQ(set.dropped[0].file, a.path);
    EXPECT_EQ(set.dropped[1].row, 3);
    EXPECT_FALSE(set.dropped[1].reason.empty());
    EXPECT_THAT(set.notices, Contains(AllOf(HasSubstr("2 rows of 5"), HasSubstr("a.jsonl:2"))));
}

TEST(Samples, ARowWithoutAnswerIsDropped) {
    const DataFolder folder;
    const auto set = load({folder.write("rows.jsonl",
        R"({"messages": [{"role": "user", "content": "no answer"}]})"
        "\n"
        R"({"question": "q", "answer": "x"})")});
    EXPECT_EQ(set.samples.size(), 1u);
    ASSERT_EQ(set.dropped.size(), 1u);
    EXPECT_EQ(set.dropped[0].row, 0);
}

TEST(Samples, LongRowsAreDroppedOrCut) {
    const DataFolder folder;
    const auto file = folder.write("rows.jsonl",
        R"({"question": "q", "answer": "xy"})"
        "\n"
        R"({"question": "a long question", "answer": "x"})"
        "\n"
        R"({"text": "ab"})");
    SampleOptions options;
    options.maxLength = 7;
    EXPECT_EQ(load({file}, options).samples.size(), 1u);
    options.truncate = true;
    const auto cut = load({file}, options);
    ASSERT_EQ(cut.samples.size(), 2u); // nothing of the second answer is left
    EXPECT_THAT(cut.samples[0].ids, ElementsAre('u', ':', 'q', kEnd, 'a', ':', 'x'));
    EXPECT_EQ(cut.samples[1].row, 2);
    EXPECT_THAT(cut.notices, Contains("1 row cut to max_length 7"));
}

TEST(Samples, WhereNothingIsLeftTheFirstReasonsAreNamed) {
    const DataFolder folder;
    const auto file = folder.write(
        "rows.jsonl", "{\"prompt\": \"p\", \"response\": null}\n[]\n7\n{\"title\": 1}\n");
    const auto set = loadSamples({file}, byteRenderer(), {});
    ASSERT_FALSE(set.ok());
    EXPECT_EQ(set.error().code, ErrorCode::Input);
    EXPECT_THAT(set.error().message(),
        AllOf(HasSubstr("none of 4 rows"), HasSubstr("rows.jsonl:1: `response` is null"),
            HasSubstr("rows.jsonl:2: the row is a list"), HasSubstr("rows.jsonl:3: "),
            Not(HasSubstr("rows.jsonl:4"))));
    const auto empty = loadSamples({folder.write("e.jsonl", "\n\n")}, byteRenderer(), {});
    EXPECT_THAT(empty.error().message(), HasSubstr("no rows"));
}

TEST(Samples, WhatIsOddIsCountedInNotices) {
    const DataFolder folder;
    const auto file = folder.write("rows.jsonl", R"({"question": "a <e> b", "answer": "x"})");
    EXPECT_THAT(
        load({file}).notices, Contains(HasSubstr("1 row with the text of a special token")));
    const auto plain = folder.write("plain.jsonl", R"({"question": "q", "answer": "x"})");
    EXPECT_THAT(load({plain}).notices, IsEmpty());
    EXPECT_THAT(load({plain}, {}, std::string("<b><b>") + kTemplate).notices,
        Contains(HasSubstr("1 row with two BOS")));
}

TEST(Samples, TheHashTellsIdsSpansWeightsAndPlacesApart) {
    const DataFolder folder;
    const auto file = folder.write("a.jsonl", R"({"question": "q", "answer": "x"})");
    const std::string hash = load({file}).contentHash;
    EXPECT_EQ(hash.size(), 64u);
    EXPECT_EQ(load({file}).contentHash, hash);
    SampleOptions weighted;
    weighted.questionWeight = 0.5;
    EXPECT_NE(load({file}, weighted).contentHash, hash);
    const auto moved = folder.write("b.jsonl", "7\n{\"question\": \"q\", \"answer\": \"x\"}");
    EXPECT_NE(load({moved}).contentHash, hash);
    const auto other = folder.write("c.jsonl", R"({"question": "q", "answer": "y"})");
    EXPECT_NE(load({other}).contentHash, hash);
}

TEST(Samples, AnErrorOfTheTemplateDropsItsRowWithTheText) {
    const DataFolder folder;
    const auto file = folder.write("rows.jsonl",
        R"({"question": "bad", "answer": "x"})"
        "\n"
        R"({"question": "good", "answer": "x"})");
    const auto set = load({file}, {},
        std::string("{% if messages[0].content == 'bad' %}{{ raise_exception('no such talk') }}"
                    "{% endif %}")
            + kTemplate);
    EXPECT_EQ(set.samples.size(), 1u);
    ASSERT_EQ(set.dropped.size(), 1u);
    EXPECT_THAT(set.dropped[0].reason, HasSubstr("no such talk"));
}

} // namespace
} // namespace mooring
