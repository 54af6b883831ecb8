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
    EXPECT_THAT(sample.spans(), ElementsAre(0, 0, 0, 0, 0, 0, 1, 1, 1));
    EXPECT_THAT(sample.weights(), ElementsAre(0, 0, 0, 0, 0, 0, 1, 1, 1));
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
    EXPECT_THAT(set.samples[0].weights(), ElementsAre(0, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 1, 1));
    // Plain text is supervised on every token but the first, and is Q throughout.
    EXPECT_THAT(set.samples[1].weights(), ElementsAre(0, 1, 1));
    EXPECT_THAT(set.samples[1].spans(), ElementsAre(0, 0, 0));
    EXPECT_EQ(set.supervisedTokens(), 9);
}

TEST(Samples, TheFirstTokenIsNeverATargetEvenInAnAnswer) {
    const DataFolder folder;
    const auto set = load({folder.write("rows.jsonl", R"({"question": "q", "answer": "xy"})")}, {},
        "{{ messages[1].content }}<e>");
    EXPECT_THAT(set.samples[0].spans(), ElementsAre(1, 1, 1));
    EXPECT_THAT(set.samples[0].weights(), ElementsAre(0, 1, 1));
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
    EXPECT_THAT(set.fileRows, ElementsAre(0, 3, 5));
}

TEST(Samples, AreTheSameForAnyNumberOfThreads) {
    const DataFolder folder;
    std::string text;
    for (int i = 0; i < 2000; ++i)
        text += i % 7 == 0 ? "broken\n" : "{\"text\": \"" + std::string(i % 90 + 2, 'x') + "\"}\n";
    const auto a = folder.write("a.jsonl", text), b = folder.write("b.txt", "\n\n");
    const auto c = folder.write("c.jsonl", text);
    std::vector<std::string> hashes;
    for (const int threads : {1, 2, 7}) {
        const auto set = loadSamples({a, b, c}, byteRenderer(), {}, {threads, {}});
        ASSERT_TRUE(set.ok());
        EXPECT_EQ(set->rows, 4000);
        EXPECT_EQ(set->dropped.size(), 572u);
        EXPECT_THAT(set->fileRows, ElementsAre(0, 2000, 2000, 4000));
        hashes.push_back(set->contentHash);
    }
    EXPECT_THAT(hashes, testing::Each(hashes[0]));
}

TEST(Samples, ReadingTellsHowFarItIsAndCanBeStopped) {
    const DataFolder folder;
    std::string text;
    for (int i = 0; i < 2000; ++i)
        text += "{\"text\": \"abc\"}\n";
    const auto file = folder.write("a.jsonl", text);
    ReadProgress last;
    const auto all
        = loadSamples({file, file}, byteRenderer(), {}, {2, [&](const ReadProgress& p) {
                                                             EXPECT_GE(p.bytes, last.bytes);
                                                             last = p;
                                                             return true;
                                                         }});
    EXPECT_TRUE(all.ok());
    EXPECT_EQ(last.rows, 4000);
    EXPECT_EQ(last.bytes, last.totalBytes);
    EXPECT_EQ(last.totalBytes, static_cast<std::int64_t>(2 * text.size()));
    const auto stopped = loadSamples(
        {file, file}, byteRenderer(), {}, {2, [](const ReadProgress& p) { return p.rows < 100; }});
    ASSERT_FALSE(stopped.ok());
    EXPECT_EQ(stopped.error().code, ErrorCode::Interrupted);
}

TEST(Samples, TurnsOfWeightZeroAreQuestions) {
    const DataFolder folder;
    const auto file = folder.write("rows.jsonl",
        R"({"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "x", )"
        R"("weight": 0}, {"role": "user", "content": "r"}, {"role": "assistant", "content": "y", )"
        R"("weight": 1}]})");
    // u:q<e>a:x<e>u:r<e>a:y<e>
    EXPECT_THAT(load({file}).samples[0].spans(),
        ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1));
    const std::string marked
        = "{% for m in messages %}{{ m.role[0] }}:{% if m.role == 'assistant' %}"
          "{% generation %}{{ m.content }}<e>{% endgeneration %}{% else %}"
          "{{ m.content }}<e>{% endif %}{% endfor %}";
    EXPECT_THAT(load({file}, {}, marked).samples[0].spans(),
        ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1));
}

TEST(Samples, WhereNoFormFitsTheColumnsAndAMappingAreProposed) {
    const DataFolder folder;
    const auto set = loadSamples(
        {folder.write("rows.csv", "id,query,reply\n1,What is it?,A pear.\n")}, byteRenderer(), {});
    ASSERT_FALSE(set.ok());
    EXPECT_EQ(set.error().hint,
        "columns here: id, query, reply; set columns = {prompt = \"query\", answer = \"reply\"}");
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
    EXPECT_THAT(cut.notices, Contains("1 row truncated to max_length 7"));
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
    EXPECT_THAT(load({file}).notices,
        Contains(HasSubstr("1 row with text that spells out a special token")));
    const auto plain = folder.write("plain.jsonl", R"({"question": "q", "answer": "x"})");
    EXPECT_THAT(load({plain}).notices, IsEmpty());
    EXPECT_THAT(load({plain}, {}, std::string("<b><b>") + kTemplate).notices,
        Contains(HasSubstr("two BOS tokens")));
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
