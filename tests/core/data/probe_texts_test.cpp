// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ProbeTexts, WholeTextsUntilTheTokensAreReachedAndTheLastIsCut) {
    const DataFolder folder;
    const auto a = folder.write("a.txt", "abcd\n\nefg\n");
    const auto b = folder.write("b.txt", "hijk\nnever read\n");
    const auto texts = loadProbeTexts({a.path, b.path}, byteRenderer(), 9, 0);
    ASSERT_TRUE(texts.ok());
    ASSERT_EQ(texts->size(), 3u);
    EXPECT_EQ((*texts)[0].text, "abcd");
    EXPECT_EQ((*texts)[1].text, "efg");
    EXPECT_EQ((*texts)[2].text, "hi");
    EXPECT_EQ((*texts)[2].tokens.size(), 2u);
    EXPECT_EQ((*texts)[2].tokens[1].begin, 1u);
    EXPECT_EQ((*texts)[2].tokens[1].end, 2u);
    EXPECT_THAT((*texts)[2].span, ElementsAre(0, 0));
}

TEST(ProbeTexts, NoTextIsLongerThanTheModelTakes) {
    const DataFolder folder;
    const auto file = folder.write("a.txt", "abcdefgh\nij\n");
    const auto texts = loadProbeTexts({file.path}, byteRenderer(), 100, 5);
    ASSERT_TRUE(texts.ok());
    ASSERT_EQ(texts->size(), 2u);
    EXPECT_EQ((*texts)[0].text, "abcde");
}

TEST(ProbeTexts, ConversationsAreRenderedWithTheirSpans) {
    const DataFolder folder;
    const auto file = folder.write("a.jsonl",
        R"({"question": "q", "answer": "x"})"
        "\n"
        R"({"text": "t"})");
    const auto texts = loadProbeTexts({file.path}, byteRenderer(), 100, 0);
    ASSERT_TRUE(texts.ok());
    ASSERT_EQ(texts->size(), 2u);
    EXPECT_EQ((*texts)[0].text, "u:q<e>a:x<e>");
    EXPECT_THAT((*texts)[0].span, ElementsAre(0, 0, 0, 0, 0, 0, 1, 1));
    EXPECT_EQ((*texts)[1].tokens.size(), 1u); // too short to train on, long enough to be counted
}

TEST(ProbeTexts, ABrokenRowStopsWithItsPlace) {
    const DataFolder folder;
    const auto file = folder.write("a.jsonl", "{\"text\": \"abc\"}\n{\"text\": 3}\n");
    const auto texts = loadProbeTexts({file.path}, byteRenderer(), 100, 0);
    ASSERT_FALSE(texts.ok());
    EXPECT_THAT(texts.error().message(), AllOf(HasSubstr("a.jsonl:2"), HasSubstr("`text`")));
    EXPECT_THAT(loadProbeTexts({}, byteRenderer(), 100, 0).error().message(), HasSubstr("no text"));
}

} // namespace
} // namespace mooring
